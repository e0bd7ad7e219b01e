//! `user_key`: sessions apart, and no way into the file system.

use std::fs;

use fixtures::mcp::World;
use serde_json::{Value, json};

use crate::{
    told::call,
    world::{PASSWORD, READER, world},
};

#[test]
fn two_users_are_two_readers() {
    let both = world();
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    for (key, number) in [("ab", READER), ("aB", "2026000005")] {
        let arguments = json!({ "user_key": key, "username": number, "password": PASSWORD });
        let told = call(&both, "start_login", arguments).value;
        assert_eq!(
            (&told["user_key"], &told["logged_in"]),
            (&json!(key), &json!(true))
        );
    }
    let status = |key: &str| {
        let told = both
            .call("get_login_status", json!({ "user_key": key }))
            .structured;
        told["status"].clone()
    };
    assert_eq!(
        [status("ab"), status("aB"), status("default")],
        ["logged_in", "logged_in", "no_account"]
    );
    for World { fake, data, .. } in both.worlds() {
        let mut tokens: Vec<_> = fake.journal().of("getUserInfo");
        tokens.drain(..2);
        let tokens: Vec<_> = tokens
            .iter()
            .map(|seen| seen.header("token").unwrap().to_owned())
            .collect();
        assert_eq!(tokens.len(), 2);
        assert_ne!(tokens[0], tokens[1]);
        let mut folders: Vec<_> = fs::read_dir(data.path().join("users"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        folders.sort();
        assert_eq!(folders, ["ab", "ab~2"]);
    }
}

#[test]
fn a_key_that_could_be_a_path_is_refused() {
    let both = world();
    for (key, why) in [
        (
            "../..",
            "不能含有 '/'，只可用字母、数字和 _ . @ -，例如 person_1",
        ),
        ("..", "不能以点开头或结尾，例如 person_1"),
        (
            "张三",
            "不能含有 '张'，只可用字母、数字和 _ . @ -，例如 person_1",
        ),
        ("NUL", "是 Windows 的保留名，例如 person_1"),
    ] {
        let expected = json!({
            "ok": false, "code": "INVALID_ARGUMENT", "message": format!("参数 user_key 有误：{why}"),
            "retryable": false, "next": "改正该参数后重试", "data": { "field": "user_key" },
        });
        for (tool, more) in [
            ("get_login_status", json!({})),
            ("start_login", json!({})),
            ("save_account", json!({ "username": "u", "password": "p" })),
            (
                "submit_challenge",
                json!({ "challenge_id": "ch_0", "answer": "a" }),
            ),
        ] {
            let mut arguments = more;
            arguments["user_key"] = json!(key);
            assert_eq!(
                both.call(tool, arguments).structured,
                expected,
                "{tool} {key}"
            );
        }
    }
    let long = both
        .call("get_login_status", json!({ "user_key": "a".repeat(65) }))
        .structured;
    assert_eq!(long["code"], "INVALID_ARGUMENT");
    let null = both
        .call("get_login_status", json!({ "user_key": Value::Null }))
        .structured;
    assert_eq!(null["user_key"], "default");
    for World { fake, data, .. } in both.worlds() {
        assert_eq!(fake.journal().all().len(), 0);
        assert!(!data.path().join("users").exists());
    }
}
