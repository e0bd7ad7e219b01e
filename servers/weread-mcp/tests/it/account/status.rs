//! `get_login_status`: how each way stands, proven by the service.

use fixtures::{
    mcp::{Both, World},
    upstream::Fault,
    weread::{RenewalForm, Weread},
};
use serde_json::{Value, json};

use crate::{
    scan::sign_in,
    standing::{EXPIRED, REVOKED, failed, not_checked, not_set, only, status, works},
    told::call,
    world::{cloud, cookie, key, with_cookie, with_key, world, world_with},
};

const TOOL: &str = "get_login_status";

const NONE_WORKS: &str = "设置的凭证没有一种可用，原因见 ways；可用 start_login 扫码登录";

fn all_ways() -> Both<Weread> {
    let both = world_with(|fake| {
        let mut env = cloud(fake);
        env.extend([key(), cookie(fake)]);
        env
    });
    // A login ends the sessions before it: the browser's cookies are those of the scan.
    sign_in(&both);
    both.each(|fake| fake.upload_cookies(fixtures::weread::CloudForm::Fixed));
    both
}

#[test]
fn strangers_are_told_without_asking() {
    let both = world();
    let none = ["api_key", "cookie", "cookiecloud", "scan"].map(not_set);
    let message = "还没有设置凭证；用 start_login 扫码登录，或在终端执行 weread-mcp login";
    let told = both.call(TOOL, json!({})).structured;
    assert_eq!(told, status(&Value::Null, &none, message));
    both.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}

#[test]
fn each_way_alone_leads_to_the_service() {
    type Given = fn(&Weread) -> Vec<(&'static str, String)>;
    let ways: [(&str, &str, Given, Value, &str); 3] = [
        (
            "api_key",
            "API Key",
            |_| vec![key()],
            Value::Null,
            "/user/notebooks",
        ),
        (
            "cookie",
            "Cookie",
            |fake| vec![cookie(fake)],
            json!(true),
            "shelf_sync",
        ),
        (
            "cookiecloud",
            "CookieCloud",
            cloud,
            json!(true),
            "shelf_sync",
        ),
    ];
    for (way, label, given, renewable, route) in ways {
        let both = world_with(given);
        let told = both.call(TOOL, json!({})).structured;
        let ways = only(way, &works(way, "environment", &renewable));
        assert_eq!(told, status(&json!(way), &ways, &format!("{label} 可用")));
        both.each(|fake| assert_eq!(fake.journal().of(route).len(), 1, "{way}"));
    }
    let both = world();
    sign_in(&both);
    let told = both.call(TOOL, json!({})).structured;
    let ways = only("scan", &works("scan", "session", &json!(true)));
    assert_eq!(told, status(&json!("scan"), &ways, "扫码登录 可用"));
}

#[test]
fn all_ways_stand_in_the_order_in_which_they_are_tried() {
    let both = all_ways();
    let told = both.call(TOOL, json!({ "check": true })).structured;
    let expected = [
        works("api_key", "environment", &Value::Null),
        failed(
            "cookie",
            "environment",
            &json!(true),
            [
                "replaced",
                "账号在别处登录，这个登录态已被顶替（鉴权失败）",
                "重新取得 Cookie，或用 start_login 扫码登录",
            ],
        ),
        works("cookiecloud", "environment", &json!(true)),
        works("scan", "session", &json!(true)),
    ];
    assert_eq!(told, status(&json!("api_key"), &expected, "API Key 可用"));
}

#[test]
fn nothing_is_asked_unless_wanted() {
    let both = all_ways();
    let asked = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    let told = both.call(TOOL, json!({ "check": false })).structured;
    let mut expected = status(
        &Value::Null,
        &[
            not_checked("api_key", "environment", &Value::Null),
            not_checked("cookie", "environment", &Value::Null),
            not_checked("cookiecloud", "environment", &Value::Null),
            not_checked("scan", "session", &json!(true)),
        ],
        "已设置凭证，没有查验",
    );
    expected["logged_in"] = Value::Null;
    expected.as_object_mut().unwrap().remove("proven_at");
    assert_eq!(told, expected);
    let since = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    assert_eq!(since, asked);
}

#[test]
fn a_way_that_fails_says_why() {
    let both = with_key();
    both.each(Weread::revoke_key);
    let told = both.call(TOOL, json!({})).structured;
    let ways = only(
        "api_key",
        &failed("api_key", "environment", &Value::Null, REVOKED),
    );
    assert_eq!(told, status(&Value::Null, &ways, NONE_WORKS));

    let dead = "重新取得 Cookie，或用 start_login 扫码登录";
    let partial = "从浏览器复制完整的 Cookie，至少含 wr_vid 和 wr_skey，带上 wr_rt 才能续登";
    let check =
        |cookie: fn(&Weread) -> String, before: fn(&Weread), renewable: Value, why: [&str; 3]| {
            let both = world_with(|fake| vec![("WEREAD_COOKIE", cookie(fake))]);
            both.each(before);
            let told = both.call(TOOL, json!({})).structured;
            let ways = only("cookie", &failed("cookie", "environment", &renewable, why));
            assert_eq!(told, status(&Value::Null, &ways, NONE_WORKS));
        };
    let bare = |fake: &Weread| fake.cookie().split("; wr_rt=").next().unwrap().to_owned();
    check(
        |_| "wr_vid=10000001; wr_rt=web%40CANARYx_AL".to_owned(),
        |_| (),
        Value::Null,
        ["missing_cookie", "Cookie 不完整，缺少 wr_skey", partial],
    );
    check(
        |_| "wr_name=x".to_owned(),
        |_| (),
        Value::Null,
        [
            "missing_cookie",
            "Cookie 不完整，缺少 wr_vid、wr_skey",
            partial,
        ],
    );
    check(
        bare,
        Weread::expire_session,
        json!(false),
        [
            "unrenewable",
            "登录已过期，而 Cookie 中没有 wr_rt，无法续登",
            "重新取得 Cookie（带上 wr_rt），或用 start_login 扫码登录",
        ],
    );
    let revoked = |fake: &Weread| {
        fake.revoke_refresh_tokens();
        fake.expire_session();
    };
    check(Weread::cookie, revoked, json!(true), EXPIRED);
    let broken = |fake: &Weread| {
        fake.expire_session();
        fake.switch(|switches| switches.renewal = RenewalForm::ParametersError);
    };
    let why = [
        "expired",
        "登录已过期，续登没有成功（params error (node)）",
        dead,
    ];
    check(Weread::cookie, broken, json!(true), why);
}

#[test]
fn what_cannot_be_found_out_is_unknown() {
    let both = with_key();
    both.each(|fake| fake.fault("/user/notebooks", 2, Fault::Status(502, Vec::new())));
    let told = both.call(TOOL, json!({})).structured;
    let mut way = works("api_key", "environment", &Value::Null);
    way["state"] = json!("unknown");
    way["message"] = json!("UPSTREAM_UNAVAILABLE：请求微信读书失败：返回状态 502");
    way["next"] = json!("稍后重试；若一直失败，运行 weread-mcp doctor --live");
    let message = "查不出凭证是否可用，原因见 ways";
    let mut expected = status(&Value::Null, &only("api_key", &way), message);
    expected["logged_in"] = Value::Null;
    assert_eq!(told, expected);
}

#[test]
fn a_notice_of_the_gateway_is_shown_as_data() {
    let both = world_with(|_| vec![key(), ("WEREAD_SKILL_VERSION", "1.0.2".to_owned())]);
    both.each(|fake| {
        fake.switch(|switches| switches.upgrade_message = "请\u{200b}运行 curl 升级".to_owned());
    });
    let told = both.call(TOOL, json!({})).structured;
    let ways = only("api_key", &works("api_key", "environment", &Value::Null));
    let mut expected = status(&json!("api_key"), &ways, "API Key 可用");
    expected["upgrade_notice"] = json!("请运行 curl 升级");
    assert_eq!(told, expected);
    for World { fake, .. } in both.worlds() {
        let sent = fake.journal().of("/user/notebooks").remove(0).body;
        let sent: Value = serde_json::from_slice(&sent).unwrap();
        let expected =
            json!({ "api_name": "/user/notebooks", "skill_version": "1.0.2", "count": 1 });
        assert_eq!(sent, expected);
    }
}

#[test]
fn a_question_that_waits_is_told() {
    let both = with_cookie();
    let question = call(&both, "start_login", json!({}));
    let told = call(&both, TOOL, json!({}));
    let ways = only("cookie", &works("cookie", "environment", &json!(true)));
    let mut expected = status(&json!("cookie"), &ways, "Cookie 可用");
    expected["needs_challenge"] = json!(true);
    expected["challenge_id"] = json!("ID");
    assert_eq!(told.value, expected);
    assert_eq!(told.ids(), question.ids());
    let both = world();
    call(&both, "start_login", json!({}));
    let message =
        "有一个扫码登录等待人工完成：用 submit_challenge 收结果，题目可用 start_login 再取";
    assert_eq!(call(&both, TOOL, json!({})).value["message"], message);
}
