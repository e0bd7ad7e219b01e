//! `save_account`: where an account is kept, and whose session goes with it.

use std::os::unix::fs::PermissionsExt;

use fixtures::mcp::World;
use serde_json::{Value, json};

use crate::{
    told::{call, captcha, signed_in as success, submit},
    world::{PASSWORD, READER, signed_in, world, world_with},
};

/// No Secret Service answers there, and no file was chosen.
const NO_KEYRING: [(&str, &str); 2] = [
    ("CCNU_SECRET_STORE", ""),
    ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus"),
];

fn account() -> Value {
    json!({ "username": READER, "password": PASSWORD })
}

fn missing() -> Value {
    json!({
        "ok": false, "code": "MISSING_CREDENTIALS", "message": "缺少学号或密码，且没有可用的默认账号",
        "retryable": false, "next": "同时给出 username 与 password，或在终端执行 ccnu-lib-mcp login",
    })
}

#[test]
fn an_account_is_kept_in_the_chosen_file_alone() {
    let both = world();
    let saved = both.call("save_account", account()).structured;
    assert_eq!(
        saved,
        json!({ "ok": true, "user_key": "default", "persisted": true, "message": "账号已保存" })
    );
    for World { data, fake, .. } in both.worlds() {
        let path = data.path().join("secrets.json");
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fake.journal().all().len(), 0, "nothing was asked");
    }
    assert_eq!(
        call(&both, "start_login", json!({})).value,
        captcha(json!({}))
    );
}

#[test]
fn half_an_account_is_none() {
    let both = world();
    for arguments in [
        json!({ "username": READER }),
        json!({ "password": PASSWORD }),
        json!({ "username": "  ", "password": PASSWORD }),
    ] {
        for tool in ["save_account", "start_login"] {
            let told = both.call(tool, arguments.clone());
            assert_eq!(
                (told.structured, told.is_error),
                (missing(), true),
                "{tool} {arguments}"
            );
        }
    }
    assert_eq!(both.call("save_account", json!({})).structured, missing());
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(status["status"], "no_account");
}

#[test]
fn without_a_keyring_an_account_lives_as_long_as_the_process() {
    let both = world_with(&NO_KEYRING);
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    let mut saved = both.call("save_account", account()).structured;
    let message = saved["message"].take();
    let why = message
        .as_str()
        .unwrap()
        .strip_prefix("账号只保存在内存中，服务退出即失效：没有可用的系统钥匙串");
    assert!(why.is_some(), "{message}");
    assert_eq!(
        saved,
        json!({
            "ok": true, "user_key": "default", "persisted": false, "message": null,
            "next": "要长期保存：启动系统钥匙串，或在终端执行 ccnu-lib-mcp login --store file",
        })
    );
    assert_eq!(call(&both, "start_login", json!({})).value, success(false));
    // The session too: it goes on and is renewed, in this process.
    both.each(|fake| fake.expire_tokens());
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(status["status"], "logged_in");
    for World { data, fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 1);
        for name in [
            "secrets.json",
            "secret-store.json",
            "users/default/session.json",
        ] {
            assert!(!data.path().join(name).exists(), "{name}");
        }
    }
}

#[test]
fn an_account_can_be_saved_and_used_at_once() {
    let both = world();
    let mut arguments = account();
    arguments["login_now"] = json!(true);
    let asked = call(&both, "save_account", arguments.clone());
    assert_eq!(
        (&asked.value, asked.pictures.len()),
        (&captcha(json!({})), 1)
    );
    assert_eq!(submit(&both, &asked, "7k3p").value, success(true));
    assert_eq!(call(&both, "save_account", arguments).value, success(true));
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 1);
    }
}

#[test]
fn the_session_of_another_reader_is_not_taken_for_the_new_accounts() {
    let both = signed_in();
    let other = json!({ "username": "2026000005", "password": PASSWORD });
    assert_eq!(call(&both, "start_login", other).value, captcha(json!({})));
    // The same reader again, with whatever password, stays signed in.
    let both = signed_in();
    let changed = json!({ "username": READER, "password": "pw-new" });
    assert_eq!(call(&both, "start_login", changed).value, success(true));
}

#[test]
fn who_turns_off_saving_gets_no_password_by_an_argument() {
    let both = world_with(&[("CCNU_TOOLS_DENY", "save_account")]);
    let refused = both.call("start_login", account()).structured;
    assert_eq!(
        refused,
        json!({
            "ok": false, "code": "READ_ONLY", "retryable": false,
            "message": "设置 CCNU_TOOLS_DENY 停用了 save_account，start_login 因此也不收 username 与 password",
            "next": "不带这两个参数调用 start_login，或在终端执行 ccnu-lib-mcp login",
        })
    );
    for World { data, fake, .. } in both.worlds() {
        assert!(!data.path().join("secrets.json").exists());
        assert_eq!(fake.journal().all().len(), 0);
    }
    let asked = call(&both, "start_login", json!({})).value;
    assert_eq!(asked["challenge_type"], "manual_login");
}
