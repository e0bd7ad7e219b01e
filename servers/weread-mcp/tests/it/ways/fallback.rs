//! A way that fails gives way to the next, rests, and is named when none is left.

use fixtures::{
    mcp::Both,
    upstream::Fault,
    weread::{CloudForm, Weread},
};
use serde_json::{Value, json};

use super::{GATEWAY, READ, WEB, before, keyword, met, read, refused, uncached};
use crate::{
    scan::sign_in,
    standing::{EXPIRED, REVOKED, failed, ways},
    world::{cloud, cookie, key, world, world_with},
};

const EACH: &str = "按 data.ways 逐项处理，或用 start_login 扫码登录";

fn with(given: impl Fn(&Weread) -> Vec<(&'static str, String)>) -> Both<Weread> {
    world_with(move |fake| {
        let mut env = given(fake);
        env.push(uncached());
        env
    })
}

fn failure(code: &str, message: &str, next: &str, ways: &Value) -> Value {
    json!({
        "ok": false, "code": code, "message": message, "retryable": false, "next": next,
        "data": { "ways": ways },
    })
}

/// The same with the service's own words in it.
fn quoting(code: &str, message: &str, next: &str, ways: &Value) -> Value {
    let mut told = failure(code, message, next, ways);
    told["data"]["untrusted"] = json!(true);
    told
}

/// A session that nothing revives.
fn kill(fake: &Weread) {
    fake.expire_session();
    fake.revoke_refresh_tokens();
}

#[test]
fn the_key_comes_first_and_a_revoked_one_gives_way_to_the_cookie() {
    let both = with(|fake| vec![key(), cookie(fake)]);
    let start = before(&both);
    read(&both);
    met(&both, &start, &[GATEWAY]);
    both.each(Weread::revoke_key);
    let start = before(&both);
    read(&both);
    met(&both, &start, &[GATEWAY, WEB]);
    // It rests: what has failed is not asked again for a while.
    let start = before(&both);
    read(&both);
    met(&both, &start, &[WEB]);
    let impatient = with(|fake| {
        let rest = ("WEREAD_REST_MS", "0".to_owned());
        vec![key(), cookie(fake), rest]
    });
    impatient.each(Weread::revoke_key);
    for _ in 0..2 {
        let start = before(&impatient);
        read(&impatient);
        met(&impatient, &start, &[GATEWAY, WEB]);
    }
}

#[test]
fn a_dead_cookie_gives_way_to_cookiecloud_and_that_to_the_scan() {
    let both = with(|fake| {
        let mut env = cloud(fake);
        env.push(cookie(fake));
        env
    });
    // Ends the session of cookie and browser.
    sign_in(&both);
    let start = before(&both);
    read(&both);
    let refused = [WEB, "renewal"];
    let expected = [
        &refused[..],
        &["cloud_get"],
        &refused,
        &["cloud_get"],
        &[WEB],
    ]
    .concat();
    met(&both, &start, &expected);
    let start = before(&both);
    read(&both);
    met(&both, &start, &[WEB]);
}

#[test]
fn cookiecloud_is_asked_for_what_the_browser_has_since() {
    let both = with(cloud);
    read(&both);
    both.each(|fake| {
        fake.replace_session();
        fake.upload_cookies(CloudForm::Legacy);
    });
    let start = before(&both);
    read(&both);
    met(&both, &start, &[WEB, "renewal", "cloud_get", WEB]);
}

#[test]
fn a_refused_renewal_is_told_when_cookiecloud_has_nothing_either() {
    let both = with(cloud);
    read(&both);
    both.each(|fake| {
        kill(fake);
        fake.fault("cloud_get", 2, Fault::Status(502, Vec::new()));
    });
    let start = before(&both);
    let message = format!("CookieCloud：{}", EXPIRED[1]);
    let ways = ways(&[("cookiecloud", EXPIRED)]);
    refused(
        &both,
        &quoting("LOGIN_EXPIRED", &message, EXPIRED[2], &ways),
    );
    met(&both, &start, &[WEB, "renewal", "cloud_get", "cloud_get"]);
    // What the refusal took away is there again.
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(
        status["ways"][2],
        failed("cookiecloud", "environment", &json!(true), EXPIRED)
    );
}

#[test]
fn a_cookie_that_is_unknown_gives_way_to_nothing_before_the_key() {
    let both = with(|_| {
        let cookie = "wr_vid=10000001; wr_skey=CANARYxx".to_owned();
        vec![key(), ("WEREAD_COOKIE", cookie)]
    });
    let start = before(&both);
    read(&both);
    met(&both, &start, &[GATEWAY]);
    both.each(Weread::revoke_key);
    let closed = ways(&[
        ("api_key", REVOKED),
        (
            "cookie",
            [
                "unrenewable",
                "登录已过期，而 Cookie 中没有 wr_rt，无法续登",
                "重新取得 Cookie（带上 wr_rt），或用 start_login 扫码登录",
            ],
        ),
    ]);
    let message = "设置的凭证都不可用。API Key：官方网关不接受这个 API Key（用户不存在）；Cookie：登录已过期，而 Cookie 中没有 wr_rt，无法续登";
    refused(&both, &quoting("LOGIN_EXPIRED", message, EACH, &closed));
}

#[test]
fn with_nothing_set_up_a_login_is_needed() {
    let both = world();
    let next = "用 start_login 扫码登录；或在终端执行 weread-mcp login 保存官方 API Key 或 Cookie";
    let expected = json!({
        "ok": false, "code": "NEED_LOGIN", "message": "还没有设置微信读书的凭证", "retryable": false,
        "next": next,
    });
    refused(&both, &expected);
    both.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}

#[test]
fn when_all_are_closed_each_is_named_with_its_reason() {
    let both = with(|fake| {
        let mut env = cloud(fake);
        env.extend([key(), cookie(fake)]);
        env
    });
    both.each(|fake| {
        fake.revoke_key();
        kill(fake);
    });
    let closed = [
        ("api_key", REVOKED),
        ("cookie", EXPIRED),
        ("cookiecloud", EXPIRED),
    ];
    let message = "设置的凭证都不可用。API Key：官方网关不接受这个 API Key（用户不存在）；Cookie：登录已过期，续登没有成功（鉴权失败）；CookieCloud：登录已过期，续登没有成功（鉴权失败）";
    let expected = quoting("LOGIN_EXPIRED", message, EACH, &ways(&closed));
    refused(&both, &expected);
    // All of them rest.
    let start = before(&both);
    refused(&both, &expected);
    met(&both, &start, &[]);
}

#[test]
fn cookies_that_are_missing_are_named_and_nothing_is_asked() {
    let both = with(|_| vec![("WEREAD_COOKIE", "wr_vid=10000001; wr_gid=1".to_owned())]);
    let why = [
        "missing_cookie",
        "Cookie 不完整，缺少 wr_skey",
        "从浏览器复制完整的 Cookie，至少含 wr_vid 和 wr_skey，带上 wr_rt 才能续登",
    ];
    let message = format!("Cookie：{}", why[1]);
    let ways = ways(&[("cookie", why)]);
    refused(
        &both,
        &failure("MISSING_CREDENTIALS", &message, why[2], &ways),
    );
    both.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}

#[test]
fn each_step_of_cookiecloud_fails_with_its_name() {
    let plain = |cookies: Value| json!({ "cookie_data": cookies });
    let empty = plain(
        json!({ "example.com": [{ "name": "wr_skey", "value": "x", "domain": "example.com" }] }),
    );
    let half = plain(
        json!({ "weread.qq.com": [{ "name": "wr_vid", "value": "1", "domain": "weread.qq.com" }] }),
    );
    let server = |why: &str| {
        [
            "cookiecloud_server".to_owned(),
            format!("CookieCloud 服务器没有正常答复：{why}"),
            "核对 CC_URL，确认服务器在运行".to_owned(),
        ]
    };
    let owned = |why: [&str; 3]| why.map(str::to_owned);
    let browser = "在浏览器登录微信读书网页版，并把 weread.qq.com 加入插件的同步域名";
    let upgrade = "升级 CookieCloud 服务器与浏览器插件后再同步一次";
    type Script = Box<dyn Fn(&Weread)>;
    let put = |plain: Value| -> Script {
        Box::new(move |fake| {
            fake.put_cloud(
                Weread::CLOUD_ID,
                Weread::CLOUD_PASSWORD,
                CloudForm::Fixed,
                &plain,
            );
        })
    };
    let fault = |fault: Fault| -> Script {
        Box::new(move |fake| fake.fault("cloud_get", 2, fault.clone()))
    };
    let cases: Vec<(Script, [String; 3])> = vec![
        (
            fault(Fault::Status(502, Vec::new())),
            server("返回状态 502"),
        ),
        (
            fault(Fault::Html),
            server("返回了网页而不是数据，可能在维护"),
        ),
        (fault(Fault::CutBody), server("答复不完整")),
        (
            Box::new(|fake| fake.remove_cloud(Weread::CLOUD_ID)),
            owned([
                "cookiecloud_id",
                "CookieCloud 服务器上没有这个用户 KEY",
                "核对 CC_ID，并在浏览器插件里同步一次",
            ]),
        ),
        (
            Box::new(|fake| {
                let cookies = fake.cloud_cookies("weread.qq.com");
                fake.put_cloud(
                    Weread::CLOUD_ID,
                    "CANARY-another",
                    CloudForm::Legacy,
                    &cookies,
                );
            }),
            owned([
                "cookiecloud_password",
                "CookieCloud 的密码解不开数据",
                "核对 CC_PASSWORD（端对端加密密码）",
            ]),
        ),
        (
            fault(Fault::Body("{\"encrypted\":\"?\"}".to_owned())),
            owned([
                "cookiecloud_form",
                "CookieCloud 的数据形式不同：encrypted 不是 Base64",
                upgrade,
            ]),
        ),
        (
            fault(Fault::Body("{\"plain\":1}".to_owned())),
            owned([
                "cookiecloud_form",
                "CookieCloud 的数据形式不同：没有 encrypted 字段",
                upgrade,
            ]),
        ),
        (
            put(empty),
            owned([
                "cookiecloud_no_cookie",
                "CookieCloud 里没有微信读书的 Cookie（缺少 wr_vid、wr_skey）",
                browser,
            ]),
        ),
        (
            put(half),
            owned([
                "cookiecloud_no_cookie",
                "CookieCloud 里没有微信读书的 Cookie（缺少 wr_skey）",
                browser,
            ]),
        ),
    ];
    for (script, why) in cases {
        let both = with(cloud);
        both.each(|fake| script(fake));
        let [reason, message, next] = why.each_ref().map(String::as_str);
        let ways = ways(&[("cookiecloud", [reason, message, next])]);
        let message = format!("CookieCloud：{message}");
        refused(&both, &failure("COOKIECLOUD_FAILED", &message, next, &ways));
        both.each(|fake| assert_eq!(fake.cloud_passwords_posted(), 0));
    }
    // It says itself for how long.
    let both = with(cloud);
    both.each(|fake| fake.switch(|switches| switches.cloud_limit = 0));
    let told = both.call(READ, keyword()).structured;
    assert_eq!(told["code"], "COOKIECLOUD_FAILED", "{told}");
    assert_eq!(
        told["data"]["ways"][0]["reason"], "cookiecloud_busy",
        "{told}"
    );
    // Nobody listens there.
    let both = with(|fake| {
        let mut env = cloud(fake);
        env[0].1 = "http://127.0.0.1:9".to_owned();
        env
    });
    let told = both.call(READ, keyword()).structured;
    let [reason, message, next] = server("无法建立连接");
    let ways = ways(&[("cookiecloud", [&reason, &message, &next])]);
    assert_eq!(
        told,
        failure(
            "COOKIECLOUD_FAILED",
            &format!("CookieCloud：{message}"),
            &next,
            &ways
        )
    );
}

#[test]
fn both_forms_and_odd_domain_keys_are_read() {
    for form in [
        CloudForm::Legacy,
        CloudForm::LegacyUnnamed,
        CloudForm::LegacyMisnamed,
        CloudForm::Fixed,
    ] {
        for domain_key in [
            "weread.qq.com",
            ".weread.qq.com",
            "weread",
            "qq.com",
            "https://weread.qq.com/",
        ] {
            let both = with(cloud);
            both.each(|fake| {
                let plain = fake.cloud_cookies(domain_key);
                fake.put_cloud(Weread::CLOUD_ID, Weread::CLOUD_PASSWORD, form, &plain);
            });
            let start = before(&both);
            read(&both);
            met(&both, &start, &["cloud_get", WEB]);
            both.each(|fake| assert_eq!(fake.cloud_passwords_posted(), 0));
        }
    }
    for form in [
        CloudForm::Legacy,
        CloudForm::LegacyUnnamed,
        CloudForm::LegacyMisnamed,
        CloudForm::Fixed,
    ] {
        let both = with(|fake| {
            let mut env = cloud(fake);
            env[1].1 = Weread::SAMPLE_CLOUD_ID.to_owned();
            env[2].1 = Weread::SAMPLE_CLOUD_PASSWORD.to_owned();
            env
        });
        both.each(|fake| fake.put_cloud_vector(form));
        read(&both);
    }
}
