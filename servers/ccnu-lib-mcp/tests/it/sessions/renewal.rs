//! What happens when the service calls a session over.

use fixtures::{
    ccnu::{AuthData, Ccnu, Outage, Part, TokenIn},
    mcp::World,
    upstream::Fault,
};
use serde_json::json;

use super::{before, met};
use crate::{
    told::{call, captcha},
    world::{PASSWORD, READER, signed_in, world},
};

/// A read of the reader's favourites, by the calls it makes.
const TOOL: &str = "get_site_favorite_locations";
const READ: &str = "findCommonSeat";
const WALK: [&str; 5] = [
    "sso_login",
    "cas_page",
    "web_oauth",
    "auth_cas",
    "getUserInfo",
];

/// What makes a session be over at the fake.
type Lapse = Box<dyn Fn(&Ccnu)>;

#[test]
fn a_session_that_is_over_is_renewed_once_and_the_question_put_again() {
    let refused = |code: u32| {
        let body = json!({ "status": false, "code": code, "message": "登录已失效" }).to_string();
        move |fake: &Ccnu| fake.fault(READ, 1, Fault::Body(body.clone()))
    };
    let lapses: Vec<(&str, Lapse, bool)> = vec![
        ("20003", Box::new(Ccnu::expire_tokens), false),
        ("20002", Box::new(Ccnu::forget_tokens), false),
        ("10001", Box::new(refused(10_001)), false),
        ("401", Box::new(refused(401)), true),
        ("403", Box::new(refused(403)), true),
        (
            "HTTP 401",
            Box::new(|fake| fake.fault(READ, 1, Fault::Status(401, Vec::new()))),
            true,
        ),
        (
            "HTTP 403",
            Box::new(|fake| fake.fault(READ, 1, Fault::Status(403, Vec::new()))),
            true,
        ),
    ];
    let both = signed_in();
    for (what, lapse, may_be_the_key) in lapses {
        both.each(|fake| lapse(fake));
        let before = before(&both);
        let told = both.call(TOOL, json!({})).structured;
        assert_eq!(told["ok"], true, "{what}: {told}");
        let key: &[&str] = if may_be_the_key { &["getSysSet"] } else { &[] };
        met(&both, &before, &[&[READ], key, &WALK, &[READ]].concat());
    }
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 1);
    }
}

#[test]
fn without_the_sign_in_a_person_is_needed() {
    let both = signed_in();
    both.each(|fake| {
        fake.expire_tokens();
        fake.revoke_castgc();
    });
    let before = before(&both);
    let need_login = json!({
        "ok": false, "code": "NEED_LOGIN", "message": "未登录，或登录态已失效且无法静默续登",
        "retryable": false, "next": "调用 start_login 登录后重试",
    });
    assert_eq!(both.call(TOOL, json!({})).structured, need_login);
    met(&both, &before, &[READ, "sso_login", "cas_page"]);
    // The form that was met there is no question yet.
    assert_eq!(
        call(&both, "start_login", json!({})).value,
        captcha(json!({}))
    );
    // And who was never here is told so at once.
    let both = world();
    assert_eq!(both.call(TOOL, json!({})).structured, need_login);
    met(&both, &[0, 0], &[]);
}

#[test]
fn no_renewal_spoils_a_question() {
    let both = signed_in();
    both.each(|fake| {
        fake.expire_tokens();
        fake.revoke_castgc();
    });
    let question = call(&both, "start_login", json!({}));
    let before = before(&both);
    let told = call(&both, TOOL, json!({}));
    assert_eq!(
        told.value,
        json!({
            "ok": false, "code": "CHALLENGE_PENDING", "message": "有一个登录验证等待人工完成",
            "retryable": false,
            "next": "先用 submit_challenge 回答 data.challenge_id，或在登录页完成；忘了题目可再次调用 start_login 取得",
            "data": { "challenge_id": "ID", "expires_at": "2026-06-25T11:04:00+08:00", "here": true },
        })
    );
    assert_eq!(told.ids(), question.ids());
    met(&both, &before, &[READ]);
}

#[test]
fn a_renewal_that_fails_says_where() {
    let both = signed_in();
    both.each(|fake| {
        fake.expire_tokens();
        fake.outage(Part::Cas, Some(Outage::BadGateway));
    });
    let told = both.call(TOOL, json!({})).structured;
    assert_eq!(
        told,
        json!({
            "ok": false, "code": "NAV_FAILED", "message": "打开统一身份认证页面失败：返回状态 502", "retryable": true,
            "next": "稍后重试，登录则重新 start_login；若一直失败，运行 ccnu-lib-mcp doctor --live",
        })
    );
    both.each(|fake| fake.outage(Part::Cas, None));
    assert_eq!(both.call(TOOL, json!({})).structured["ok"], true);
}

#[test]
fn a_read_that_meets_a_passing_fault_is_repeated_without_a_renewal() {
    let both = signed_in();
    let before = before(&both);
    both.each(|fake| fake.fault(READ, 1, Fault::Status(502, Vec::new())));
    assert_eq!(both.call(TOOL, json!({})).structured["ok"], true);
    met(&both, &before, &[READ, READ]);
}

#[test]
fn the_token_comes_in_any_of_the_known_forms() {
    for (token_in, auth_data) in [
        (TokenIn::Fragment, AuthData::Object),
        (TokenIn::Query, AuthData::Text),
        (TokenIn::Fragment, AuthData::Text),
    ] {
        let both = world();
        both.each(|fake| {
            fake.switch(|switches| {
                switches.captcha = false;
                switches.token_in = token_in;
                switches.auth_data = auth_data;
            });
        });
        let account = json!({ "username": READER, "password": PASSWORD });
        assert_eq!(call(&both, "start_login", account).value["logged_in"], true);
        for World { fake, .. } in both.worlds() {
            let exchanged = fake.journal().of("auth_cas").remove(0);
            let body: serde_json::Value = serde_json::from_slice(&exchanged.body).unwrap();
            let jwt = body["token"].as_str().unwrap();
            assert!(exchanged.path.ends_with(jwt), "{}", exchanged.path);
            assert_eq!(body, json!({ "token": jwt, "loginType": "PC" }));
            assert_eq!(exchanged.header("token"), None);
            assert_eq!(
                exchanged.header("x-request-id"),
                None,
                "what is public is not signed"
            );
        }
    }
}

#[test]
fn cookies_stay_where_they_belong() {
    let both = signed_in();
    both.each(Ccnu::expire_tokens);
    both.call(TOOL, json!({}));
    for World { fake, .. } in both.worlds() {
        for seen in fake.journal().all() {
            let names: Vec<_> = seen.cookies.iter().map(|(name, _)| name.as_str()).collect();
            let allowed: &[&str] = match seen.path.split('/').nth(1) {
                Some("cas") => &["JSESSIONID", "CASTGC"],
                Some("rem") => &["rem_JSESSIONID"],
                _ => &[],
            };
            assert!(
                names.iter().all(|name| allowed.contains(name)),
                "{} {names:?}",
                seen.path
            );
            assert_eq!(
                seen.header("token").is_some(),
                seen.path.contains("/frontApi/")
            );
            let agent = seen.header("user-agent").unwrap();
            assert!(
                agent.starts_with("Mozilla/5.0 (compatible; ccnu-lib-mcp/"),
                "{agent}"
            );
        }
        let post = fake.journal().of("cas_post").remove(0);
        let referer = post.header("referer").unwrap();
        assert!(
            referer.starts_with(&format!("{}/cas/login?service=", fake.origin())),
            "{referer}"
        );
    }
}
