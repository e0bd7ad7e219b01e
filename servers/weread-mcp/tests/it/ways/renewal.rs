//! A session that ends in the middle of its use.

use fixtures::{
    mcp::{Client, World},
    shell::end,
    weread::{HoldAt, RenewalForm, Weread},
};
use serde_json::{Value, json};

use super::{READ, WEB, before, keyword, met, read, refused, uncached};
use crate::{
    standing::{EXPIRED, failed, ways},
    world::{beside, cookie, world_with},
};

fn with_cookie() -> fixtures::mcp::Both<Weread> {
    world_with(|fake| vec![cookie(fake), uncached()])
}

#[test]
fn a_session_that_is_over_is_renewed_once_and_the_question_put_again() {
    let both = with_cookie();
    read(&both);
    for round in 1..=2 {
        both.each(Weread::expire_session);
        let start = before(&both);
        read(&both);
        met(&both, &start, &[WEB, "renewal", WEB]);
        both.each(|fake| assert_eq!(fake.renewed(), round, "the rotated token is taken over"));
    }
    for World { fake, .. } in both.worlds() {
        let sent = fake.journal().of("renewal").remove(0);
        assert_eq!(
            (sent.method.as_str(), sent.path.as_str()),
            ("POST", "/web/login/renewal")
        );
        let body: Value = serde_json::from_slice(&sent.body).unwrap();
        assert_eq!(body, json!({ "rq": "%2Fweb%2Fbook%2Fread", "ql": false }));
        assert_eq!(sent.header("origin"), Some(fake.web_url().as_str()));
        assert_eq!(
            sent.header("referer"),
            Some(format!("{}/", fake.web_url()).as_str())
        );
        let names = sent
            .cookies
            .iter()
            .filter(|(name, _)| name == "wr_skey")
            .count();
        assert_eq!(
            (names, sent.cookies.len()),
            (1, 7),
            "all cookies, one of a name"
        );
    }
}

#[test]
fn every_word_for_a_dead_session_renews_it() {
    for code in [-2010, -2012, -2013, -2041, -12013] {
        let both = with_cookie();
        read(&both);
        let refusal = json!({ "errCode": code, "errMsg": "请重新登录" }).to_string();
        both.each(|fake| fake.fault(WEB, 1, fixtures::upstream::Fault::Body(refusal.clone())));
        let start = before(&both);
        read(&both);
        met(&both, &start, &[WEB, "renewal", WEB]);
    }
}

#[test]
fn a_success_without_a_cookie_leaves_the_old_one() {
    let both = with_cookie();
    both.each(|fake| fake.switch(|switches| switches.renewal = RenewalForm::Kept));
    both.each(Weread::expire_session);
    let start = before(&both);
    read(&both);
    met(&both, &start, &[WEB, "renewal", WEB]);
    // Where it does not hold after all, that is the end.
    let both = with_cookie();
    both.each(|fake| fake.switch(|switches| switches.renewal = RenewalForm::Hollow));
    both.each(Weread::expire_session);
    let start = before(&both);
    let why = [
        "expired",
        "登录已过期，续登没有成功（登录超时）",
        EXPIRED[2],
    ];
    refused(&both, &over(why));
    met(&both, &start, &[WEB, "renewal", WEB]);
}

fn over(why: [&str; 3]) -> Value {
    json!({
        "ok": false, "code": "LOGIN_EXPIRED", "message": format!("Cookie：{}", why[1]), "retryable": false,
        "next": why[2], "data": { "ways": ways(&[("cookie", why)]), "untrusted": true },
    })
}

#[test]
fn a_renewal_that_is_refused_ends_the_way() {
    let replaced = [
        "replaced",
        "账号在别处登录，这个登录态已被顶替（鉴权失败）",
        EXPIRED[2],
    ];
    let parameters = [
        "expired",
        "登录已过期，续登没有成功（params error (node)）",
        EXPIRED[2],
    ];
    type Script = fn(&Weread);
    let cases: [(Script, [&str; 3]); 4] = [
        (
            |fake| {
                fake.expire_session();
                fake.revoke_refresh_tokens();
            },
            EXPIRED,
        ),
        (Weread::replace_session, replaced),
        (
            |fake| {
                fake.expire_session();
                fake.switch(|switches| switches.renewal = RenewalForm::ParametersError);
            },
            parameters,
        ),
        (
            |fake| {
                fake.expire_session();
                fake.switch(|switches| switches.renewal = RenewalForm::Denied);
            },
            EXPIRED,
        ),
    ];
    for (script, why) in cases {
        let both = with_cookie();
        read(&both);
        both.each(script);
        let start = before(&both);
        refused(&both, &over(why));
        refused(&both, &over(why));
        met(&both, &start, &[WEB, "renewal"]);
        let status = both.call("get_login_status", json!({})).structured;
        assert_eq!(
            status["ways"][1],
            failed("cookie", "environment", &json!(true), why)
        );
    }
}

#[test]
fn any_answer_may_bring_a_fresh_cookie_which_is_kept() {
    let both = with_cookie();
    both.each(|fake| {
        fake.switch(|switches| {
            switches.refresh_on.insert(WEB.to_owned());
        });
    });
    for _ in 0..2 {
        let start = before(&both);
        read(&both);
        met(&both, &start, &[WEB]);
    }
    for World { client, fake, data } in both.worlds() {
        end(client);
        let next = Client::start(
            &beside(fake, data.path(), &[cookie_of(client, fake)]),
            client.era(),
        );
        assert_eq!(next.call(READ, keyword()).structured["ok"], true);
        assert_eq!(fake.renewals(), []);
    }
}

/// The cookie that the first process was given: the fake's newest is another by now.
fn cookie_of(_: &Client, fake: &Weread) -> (&'static str, String) {
    let first = fake.journal().of(WEB).remove(0);
    let pairs = first
        .cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let mut pairs: Vec<_> = pairs.collect();
    // As the browser has them.
    let order = [
        "wr_gid", "wr_vid", "wr_skey", "wr_rt", "wr_ql", "wr_pf", "wr_name",
    ];
    pairs.sort_by_key(|pair| {
        order
            .iter()
            .position(|name| pair.starts_with(&format!("{name}=")))
    });
    ("WEREAD_COOKIE", pairs.join("; "))
}

#[test]
fn a_renewed_session_goes_on_after_a_restart() {
    let both = with_cookie();
    both.each(Weread::expire_session);
    read(&both);
    for World { client, fake, data } in both.worlds() {
        end(client);
        let given = cookie_of(client, fake);
        let next = Client::start(&beside(fake, data.path(), &[given]), client.era());
        assert_eq!(next.call(READ, keyword()).structured["ok"], true);
        fake.expire_session();
        assert_eq!(
            next.call("get_login_status", json!({})).structured["active"],
            "cookie"
        );
        assert_eq!((fake.renewed(), fake.renewals().len()), (2, 2));
    }
}

#[test]
fn many_calls_at_once_renew_once() {
    let both = with_cookie();
    read(&both);
    for World { client, fake, .. } in both.worlds() {
        fake.expire_session();
        let renewal = fake.hold("renewal", HoldAt::Arrival);
        let calls: Vec<_> = (0..6)
            .map(|_| client.begin_call("get_login_status", json!({})))
            .collect();
        renewal.wait_reached(1);
        renewal.release();
        for call in &calls {
            assert_eq!(client.finish_call(call).structured["active"], "cookie");
        }
        assert_eq!(fake.renewals().len(), 1);
    }
}

#[test]
fn a_renewal_that_nobody_waits_for_any_more_is_not_lost() {
    let both = with_cookie();
    read(&both);
    for World { client, fake, .. } in both.worlds() {
        fake.expire_session();
        // The service has put another renewal cookie in place of ours, and has not said so yet.
        let renewal = fake.hold("renewal", HoldAt::Effect);
        let call = client.begin_call(READ, keyword());
        renewal.wait_reached(1);
        client.cancel(&call);
        // What is asked later is answered, so the server has heard of it.
        client.request("tools/list", json!({})).unwrap();
        renewal.release();
    }
    for round in 1..=2 {
        read(&both);
        both.each(|fake| {
            assert_eq!((fake.renewed(), fake.renewals().len()), (round, round));
            fake.expire_session();
        });
    }
}

#[test]
fn an_answer_that_takes_the_cookies_away_leaves_what_renews_them() {
    let both = with_cookie();
    both.each(|fake| fake.switch(|switches| switches.refusals_clear = true));
    for round in 1..=2 {
        both.each(Weread::expire_session);
        let start = before(&both);
        read(&both);
        met(&both, &start, &[WEB, "renewal", WEB]);
        both.each(|fake| assert_eq!(fake.renewed(), round));
    }
}

#[test]
fn a_renewal_that_breaks_off_is_no_refusal() {
    let both = with_cookie();
    read(&both);
    both.each(|fake| {
        fake.expire_session();
        fake.fault(
            "renewal",
            1,
            fixtures::upstream::Fault::Status(502, Vec::new()),
        );
    });
    let told = both.call(READ, keyword()).structured;
    assert_eq!(told["code"], "UPSTREAM_UNAVAILABLE", "{told}");
    read(&both);
    both.each(|fake| assert_eq!(fake.renewed(), 1));
}
