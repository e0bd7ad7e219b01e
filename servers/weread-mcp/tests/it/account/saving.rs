//! `save_credentials`: what is kept where, and what becomes of it.

use std::os::unix::fs::PermissionsExt;

use fixtures::{
    mcp::{Client, World},
    shell::end,
    weread::Weread,
};
use serde_json::{Value, json};

use crate::{
    scan::sign_in,
    standing::{REVOKED, failed, only, status, works},
    world::{beside, world, world_with},
};

/// No Secret Service answers there, and no file was chosen.
fn no_keyring(_: &Weread) -> Vec<(&'static str, String)> {
    let nowhere = "unix:path=/nonexistent/bus".to_owned();
    vec![
        ("WEREAD_SECRET_STORE", String::new()),
        ("DBUS_SESSION_BUS_ADDRESS", nowhere),
    ]
}

/// The arguments of each way alone, its name and label.
fn each(fake: &Weread) -> [(Value, &'static str, &'static str); 3] {
    let cloud = json!({
        "cc_url": fake.cloud_url(), "cc_id": Weread::CLOUD_ID, "cc_password": Weread::CLOUD_PASSWORD,
    });
    [
        (
            json!({ "api_key": format!(" {} ", Weread::API_KEY) }),
            "api_key",
            "API Key",
        ),
        (json!({ "cookie": fake.cookie() }), "cookie", "Cookie"),
        (cloud, "cookiecloud", "CookieCloud"),
    ]
}

fn saved(ways: &[&str]) -> Value {
    json!({ "ok": true, "saved": ways, "persisted": true, "message": "凭证已保存" })
}

#[test]
fn what_is_saved_works_now_and_after_a_restart() {
    for nth in 0..3 {
        let both = world();
        for World { client, fake, data } in both.worlds() {
            let (arguments, way, label) = each(fake)[nth].clone();
            let told = client.call("save_credentials", arguments).structured;
            assert_eq!(told, saved(&[way]));
            assert_eq!(fake.journal().all().len(), 0, "nothing was asked");
            let path = data.path().join("secrets.json");
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            let renewable = match way {
                "api_key" => Value::Null,
                _ => json!(true),
            };
            let ways = only(way, &works(way, "saved", &renewable));
            let expected = status(&json!(way), &ways, &format!("{label} 可用"));
            let status = client.call("get_login_status", json!({})).structured;
            assert_eq!(status, expected);
            end(client);
            let next = Client::start(&beside(fake, data.path(), &[]), client.era());
            assert_eq!(
                next.call("get_login_status", json!({})).structured,
                expected
            );
        }
    }
}

#[test]
fn all_can_be_saved_at_once_and_one_replaced_alone() {
    let both = world();
    for World { client, fake, .. } in both.worlds() {
        let mut all = json!({ "api_key": "wrk-CANARY-old" });
        for (arguments, ..) in each(fake).into_iter().skip(1) {
            all.as_object_mut()
                .unwrap()
                .extend(arguments.as_object().unwrap().clone());
        }
        let told = client.call("save_credentials", all).structured;
        assert_eq!(told, saved(&["api_key", "cookie", "cookiecloud"]));
        let status = |client: &Client| client.call("get_login_status", json!({})).structured;
        let ways = |status: &Value| {
            let states = status["ways"].as_array().unwrap().iter();
            states.map(|way| way["state"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            ways(&status(client)),
            ["failed", "works", "works", "not_set"]
        );
        let key = json!({ "api_key": Weread::API_KEY });
        assert_eq!(
            client.call("save_credentials", key).structured,
            saved(&["api_key"])
        );
        assert_eq!(
            ways(&status(client)),
            ["works", "works", "works", "not_set"]
        );
    }
}

#[test]
fn a_credential_that_is_saved_again_is_tried_again() {
    let both = world();
    let key = json!({ "api_key": "wrk-CANARY0002abcdefghijklmnop" });
    both.call("save_credentials", key.clone());
    let refused = both.call("get_login_status", json!({})).structured;
    let ways = only(
        "api_key",
        &failed("api_key", "saved", &Value::Null, REVOKED),
    );
    assert_eq!(refused["ways"], json!(ways));
    both.call("get_login_status", json!({}));
    both.each(|fake| assert_eq!(fake.journal().of("/user/notebooks").len(), 1, "it rests"));
    both.call("save_credentials", key);
    both.call("get_login_status", json!({}));
    both.each(|fake| assert_eq!(fake.journal().of("/user/notebooks").len(), 2));
}

#[test]
fn what_cannot_be_right_is_not_saved() {
    let both = world();
    let partial = "CookieCloud 的地址、用户 KEY、密码须一起给出";
    let none = "api_key、cookie、CookieCloud 三项至少给一种，例如 wrk-…";
    let pairs = "应为浏览器里的 Cookie 文本，例如 wr_vid=…; wr_skey=…; wr_rt=…";
    let address = "应为 https 地址（本机回环可用 http），不带用户名、? 和 #";
    let url = "https://cloud.example";
    for (arguments, field, why) in [
        (json!({}), "api_key", none),
        (json!({ "api_key": "  ", "cookie": null }), "api_key", none),
        (
            json!({ "api_key": "wrk-1\nwrk-2" }),
            "api_key",
            "应为一行可见字符，例如 wrk-…",
        ),
        (json!({ "cookie": "AbCd1234" }), "cookie", pairs),
        (
            json!({ "cc_url": url, "cc_id": "x" }),
            "cc_password",
            partial,
        ),
        (
            json!({ "cc_url": url, "cc_password": "x" }),
            "cc_id",
            partial,
        ),
        (
            json!({ "cc_id": "x", "cc_password": "x" }),
            "cc_url",
            partial,
        ),
        (
            json!({ "cc_url": "http://cloud.example", "cc_id": "x", "cc_password": "x" }),
            "cc_url",
            address,
        ),
        (
            json!({ "cc_url": url, "cc_id": "../x", "cc_password": "x" }),
            "cc_id",
            "应为 1 到 128 个字母、数字、_ 或 -",
        ),
    ] {
        let told = both.call("save_credentials", arguments.clone()).structured;
        assert_eq!(told["code"], "INVALID_ARGUMENT", "{arguments}: {told}");
        assert_eq!(told["data"], json!({ "field": field }), "{arguments}");
        let message = format!("参数 {field} 有误：{why}");
        assert_eq!(told["message"], message, "{arguments}");
    }
    for World { data, fake, .. } in both.worlds() {
        assert!(!data.path().join("secrets.json").exists());
        assert_eq!(fake.journal().all().len(), 0);
    }
}

#[test]
fn without_a_keyring_a_credential_lives_as_long_as_the_process() {
    let both = world_with(no_keyring);
    let key = json!({ "api_key": Weread::API_KEY });
    let mut told = both.call("save_credentials", key.clone()).structured;
    let message = told["message"].take();
    let why = "凭证只保存在内存中，服务退出即失效：没有可用的系统钥匙串";
    assert!(message.as_str().unwrap().starts_with(why), "{message}");
    assert_eq!(
        told,
        json!({
            "ok": true, "saved": ["api_key"], "persisted": false, "message": null,
            "next": "要长期保存：启动系统钥匙串，或在终端执行 weread-mcp login --store file",
        })
    );
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(status["active"], "api_key");
    // A session that lives in memory outlives the saving of something else.
    let question = crate::told::call(&both, "start_login", json!({}));
    both.each(|fake| fake.phone(fixtures::weread::Phone::Confirm));
    let done = crate::told::submit(&both, &question, "ok").value;
    assert_eq!(done, crate::told::signed_in(false));
    both.call("save_credentials", key);
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(status["ways"][3], works("scan", "session", &json!(true)));
    for World { data, .. } in both.worlds() {
        for name in ["secrets.json", "secret-store.json", "session-scan.json"] {
            assert!(!data.path().join(name).exists(), "{name}");
        }
    }
}

#[test]
fn the_environment_comes_before_what_was_saved() {
    let both = world_with(|_| vec![("WEREAD_API_KEY", "wrk-CANARY-of-the-environment".to_owned())]);
    both.call("save_credentials", json!({ "api_key": Weread::API_KEY }));
    let told = both.call("get_login_status", json!({})).structured;
    assert_eq!(
        told["ways"][0],
        failed("api_key", "environment", &Value::Null, REVOKED)
    );
}

#[test]
fn a_login_and_what_was_saved_stand_beside_each_other() {
    let both = world();
    sign_in(&both);
    both.call("save_credentials", json!({ "api_key": Weread::API_KEY }));
    let told = both.call("get_login_status", json!({})).structured;
    assert_eq!(told["ways"][0], works("api_key", "saved", &Value::Null));
    assert_eq!(told["ways"][3], works("scan", "session", &json!(true)));
}

/// What the host's settings give comes first, so that saving alone would change nothing.
#[test]
fn what_the_environment_hides_is_told() {
    let both = world_with(|_| vec![("WEREAD_API_KEY", "wrk-old".to_owned())]);
    let hidden = both.call("save_credentials", json!({ "api_key": Weread::API_KEY }));
    assert_eq!(
        hidden.structured,
        json!({
            "ok": true, "saved": ["api_key"], "persisted": true,
            "message": "凭证已保存，但本服务的环境变量里有同类凭证，优先使用",
            "next": "改掉或删去客户端配置里的那个环境变量，再重启服务，保存的凭证才会用上",
        })
    );
    let cookie = both.worlds()[0].fake.cookie();
    let seen = both.call("save_credentials", json!({ "cookie": cookie }));
    assert_eq!(seen.structured, saved(&["cookie"]));
}
