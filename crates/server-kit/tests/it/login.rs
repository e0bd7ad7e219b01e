//! `login` and `logout`: what is typed, what is kept, what is shown.

use std::{fs, os::unix::fs::PermissionsExt};

use fixtures::shell::Ended;
use serde_json::{Value, json};

use crate::toy::{Place, rows};

const TYPED: &str = "student\ncanary-7f3a\n";
const ASKED: &str = "用户名：密码：昵称（可留空）：";

/// No bus, so that no test reaches the keyring of whoever runs it.
const NO_KEYRING: (&str, &str) = ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");

fn run(place: &Place, args: &[&str], env: &[(&str, &str)], input: &str) -> Ended {
    place.run_with(args, &[env, &[NO_KEYRING]].concat(), input)
}

fn ended(code: i32, out: &str, err: &str) -> Ended {
    Ended {
        code,
        out: out.to_owned(),
        err: err.to_owned(),
    }
}

fn kept(place: &Place) -> Value {
    let text = fs::read_to_string(place.path("toy-mcp").join("secrets.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn what_is_typed_is_kept_and_never_shown() {
    let place = Place::new();
    let first = run(&place, &["login", "--store", "file"], &[], TYPED);
    assert_eq!(first, ended(0, "已为 me 保存，存放于 file\n", ASKED));
    // The choice is remembered; lines may end as Windows ends them.
    let second = run(
        &place,
        &["login", "--user", "b"],
        &[],
        "other\r\ncanary-7f3b\r\n",
    );
    assert_eq!(second, ended(0, "已为 b 保存，存放于 file\n", ASKED));
    let expected = json!({
        "password.b": "canary-7f3b",
        "password.me": "canary-7f3a",
        "username.b": "other",
        "username.me": "student",
    });
    assert_eq!(kept(&place), expected);
    let file = place.path("toy-mcp").join("secrets.json");
    assert_eq!(
        fs::metadata(file).unwrap().permissions().mode() & 0o777,
        0o600
    );

    let out = run(&place, &["logout", "--user", "b"], &[], "");
    assert_eq!(out, ended(0, "已清除 b 的账号\n", ""));
    let names: Vec<_> = kept(&place).as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["password.me", "username.me"]);
    let again = run(&place, &["logout", "--user", "b"], &[], "");
    assert_eq!(again, ended(0, "没有保存过 b 的账号\n", ""));
    let all = run(&place, &["logout", "--all"], &[], "");
    assert_eq!(
        (all, kept(&place)),
        (ended(0, "已全部清除\n", ""), json!({}))
    );
    assert_eq!(
        run(&place, &["logout", "--all", "--user", "b"], &[], "").code,
        2
    );
}

#[test]
fn what_is_optional_may_be_left_blank_or_out() {
    for (rest, nickname) in [
        ("", None),
        ("\n", None),
        ("\r\n", None),
        ("nick", Some("nick")),
        ("nick\nmore\n", Some("nick")),
    ] {
        let place = Place::new();
        let typed = format!("{TYPED}{rest}");
        let saved = run(&place, &["login", "--store", "file"], &[], &typed);
        assert_eq!(saved, ended(0, "已为 me 保存，存放于 file\n", ASKED));
        let mut expected = json!({ "password.me": "canary-7f3a", "username.me": "student" });
        if let Some(nickname) = nickname {
            expected["nickname.me"] = json!(nickname);
        }
        assert_eq!(kept(&place), expected);
    }
}

#[test]
fn who_cannot_be_a_user_is_told_before_anything_is_asked() {
    let place = Place::new();
    for command in ["login", "logout"] {
        let refused = run(&place, &[command, "--user", "../x"], &[], TYPED);
        let line =
            "ERROR server_kit::command::login: INVALID_ARGUMENT：参数 user 有误：不能含有 '/'。";
        assert!(refused.err.starts_with(line), "{refused:?}");
        assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    }
    assert!(!place.path("toy-mcp").exists(), "nothing was written");
}

#[test]
fn signing_in_and_out_leaves_a_row() {
    let place = Place::new();
    run(&place, &["login", "--store", "file"], &[], TYPED);
    run(&place, &["logout", "--user", "b"], &[], "");
    run(
        &place,
        &["logout", "--all"],
        &[("TOY_SECRET_STORE", "keyring")],
        "",
    );
    let found = rows(&place.path("toy-mcp"));
    let told = found.iter().map(|row| {
        json!([
            row["event"],
            row["phase"],
            row["status"],
            row["code"],
            row["account"],
            row["arguments"]
        ])
    });
    let (login, logout) = ("{\"command\":\"login\"}", "{\"command\":\"logout\"}");
    let unavailable = "SECRET_STORE_UNAVAILABLE";
    let expected = [
        json!(["login", "event", "ok", null, "me", login]),
        json!(["login", "event", "ok", null, "b", logout]),
        json!(["login", "event", "refused", unavailable, "*", logout]),
    ];
    assert_eq!(Vec::from_iter(told), expected);
}

#[test]
fn input_that_ends_early_keeps_nothing() {
    for input in ["", "student", "student\n", "student\n\n", "\ncanary-7f3a\n"] {
        let place = Place::new();
        let early = run(&place, &["login", "--store", "file"], &[], input);
        assert_eq!((early.code, early.out.as_str()), (1, ""), "{early:?}");
        let said = "ERROR server_kit::command::login: MISSING_CREDENTIALS：没有读到账号信息。在终端中逐项输入，或由管道逐行给出\n";
        assert!(early.err.ends_with(said), "{early:?}");
        assert!(!place.path("toy-mcp").join("secrets.json").exists());
    }
}

#[test]
fn without_a_keyring_a_file_is_used_by_choice_only() {
    let place = Place::new();
    let refused = run(&place, &["login"], &[], TYPED);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    let (begins, ends) = (
        "ERROR server_kit::command::login: SECRET_STORE_UNAVAILABLE：没有可用的系统钥匙串（",
        "）。启动系统钥匙串，或用 login --store file 改存于仅本用户可读的文件\n",
    );
    let fits = refused.err.starts_with(begins) && refused.err.ends_with(ends);
    assert!(fits, "{refused:?}");
    assert!(!place.path("toy-mcp").exists(), "nothing was written");
    let chosen = run(&place, &["login"], &[("TOY_SECRET_STORE", "file")], TYPED);
    assert_eq!(chosen, ended(0, "已为 me 保存，存放于 file\n", ASKED));
}

#[test]
fn a_store_is_left_by_clearing_it() {
    let place = Place::new();
    run(&place, &["login", "--store", "file"], &[], TYPED);
    let keyring = [("TOY_SECRET_STORE", "keyring")];
    let conflict = "SECRET_STORE_UNAVAILABLE：密钥已存于 file，而设置要求 keyring。先用 logout --all 清除，再用新的存放处登录；或改回原设置\n";
    let refused = run(&place, &["login"], &keyring, TYPED);
    let line = format!("ERROR server_kit::command::login: {conflict}");
    assert_eq!(refused, ended(1, "", &line));
    // The server cannot read its secrets, and says so; they are gone all the same.
    let cleared = run(&place, &["logout", "--all"], &keyring, "");
    assert_eq!((cleared, kept(&place)), (ended(1, "", &line), json!({})));
    let again = run(&place, &["logout", "--all"], &keyring, "");
    assert_eq!(again, ended(0, "已全部清除\n", ""));
}

#[test]
fn doctor_tells_of_the_store() {
    let place = Place::new();
    let finding = |env: &[(&str, &str)]| {
        let doctor = run(&place, &["doctor", "--json"], env, "").json();
        let mut all = doctor.as_array().unwrap().iter();
        all.find(|finding| finding["check"] == "密钥存放处")
            .cloned()
            .unwrap()
    };
    let none = finding(&[]);
    let found = none["found"].as_str().unwrap();
    let fits =
        found.starts_with("没有可用的系统钥匙串（") && found.ends_with("）；登录只在内存中有效");
    assert!(fits && none["health"] == "warning", "{none}");
    assert!(!place.path("toy-mcp").exists(), "looking changed something");
    let file = json!({
        "check": "密钥存放处",
        "health": "warning",
        "found": "仅本用户可读的文件 secrets.json，未加密（按您的选择）",
        "next": "若要改用系统钥匙串：logout --all 后以 --store keyring 重新登录",
    });
    assert_eq!(finding(&[("TOY_SECRET_STORE", "file")]), file);
}
