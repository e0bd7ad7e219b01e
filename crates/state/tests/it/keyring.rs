//! The system's keyring, over sessions of which each has a daemon and a program of its own.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::session::{
    Home,
    Keyring::{Locked, Unlocked},
    example, said,
};

fn record(folder: &Path) -> Value {
    let text = fs::read(folder.join("secret-store.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn ok(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

#[test]
fn entries_outlive_the_session_and_stay_out_of_the_folder() {
    let Some(home) = Home::new() else { return };
    let secret = |arguments: &[&str]| home.secret(Unlocked, "state", arguments);
    let odd = "密码 \"quoted\" and the end";
    assert_eq!(secret(&["-", "set", "password", "first"]), ok(""));
    assert_eq!(secret(&["-", "set", "password", odd]), ok(""));
    assert_eq!(secret(&["-", "get", "password"]), ok(odd));
    let key = secret(&["-", "key", "session"]).unwrap();
    assert_eq!(key.split(", ").count(), 32, "{key}");
    assert_eq!(secret(&["-", "key", "session"]), ok(&key));

    let folder = home.folder("state");
    let id = record(&folder)["id"].clone();
    let expected = json!({"store": "keyring", "id": id, "names": ["password", "session"]});
    assert_eq!(record(&folder), expected);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["secret-store.json", "secret-store.json.lock"]);

    assert_eq!(secret(&["-", "remove", "password"]), ok("true"));
    assert_eq!(secret(&["-", "remove", "password"]), ok("false"));
    assert_eq!(secret(&["-", "get", "password"]), ok("(none)"));
    assert_eq!(secret(&["-", "names"]), ok(r#"{"session"}"#));
}

#[test]
fn racing_processes_get_one_key() {
    let Some(home) = Home::new() else { return };
    let script = r#"for _ in 1 2 3 4; do "$0" "$1" - key session & done; wait"#;
    let (example, folder) = (example(), home.folder("state"));
    let arguments = ["-c", script].map(str::to_owned);
    let places = [example, folder].map(|path| path.into_os_string().into_string().unwrap());
    let arguments: Vec<_> = arguments
        .iter()
        .chain(&places)
        .map(String::as_str)
        .collect();
    let printed = said(&home.run(Unlocked, Path::new("sh"), &arguments)).unwrap();
    let keys: Vec<_> = printed.lines().collect();
    let key = home.secret(Unlocked, "state", &["-", "key", "session"]);
    assert_eq!(keys, [key.unwrap().as_str(); 4]);
}

#[test]
fn two_folders_share_no_entry() {
    let Some(home) = Home::new() else { return };
    for folder in ["one", "two"] {
        let set = ["-", "set", "password", folder];
        assert_eq!(home.secret(Unlocked, folder, &set), ok(""));
    }
    for folder in ["one", "two"] {
        let get = ["-", "get", "password"];
        assert_eq!(home.secret(Unlocked, folder, &get), ok(folder));
    }
}

#[test]
fn an_entry_removed_behind_our_back_is_absent() {
    let Some(home) = Home::new() else { return };
    let secret = |arguments: &[&str]| home.secret(Unlocked, "state", arguments);
    let key = secret(&["-", "key", "session"]).unwrap();
    fs::remove_dir_all(home.folder("keyrings")).unwrap();
    assert_eq!(secret(&["-", "get", "session"]), ok("(none)"));
    let made = secret(&["-", "key", "session"]).unwrap();
    assert_ne!(made, key);
    assert_eq!(secret(&["-", "key", "session"]), ok(&made));
}

#[test]
fn a_locked_keyring_is_told_and_nothing_changes() {
    let Some(home) = Home::new() else { return };
    let set = ["-", "set", "password", "hunter2"];
    assert_eq!(home.secret(Unlocked, "state", &set), ok(""));
    let before = record(&home.folder("state"));
    for arguments in [
        &["-", "get", "password"][..],
        &["-", "set", "password", "other"],
        &["-", "set", "token", "other"],
        &["-", "remove", "password"],
        &["-", "key", "session"],
        &["-", "try"],
    ] {
        let error = home.secret(Locked, "state", arguments).unwrap_err();
        assert!(
            error.starts_with("the system keyring refused: "),
            "{arguments:?}: {error}"
        );
    }
    assert_eq!(record(&home.folder("state")), before);
    let get = ["-", "get", "password"];
    assert_eq!(home.secret(Unlocked, "state", &get), ok("hunter2"));
}

#[test]
fn trying_leaves_nothing_behind() {
    let Some(home) = Home::new() else { return };
    assert_eq!(home.secret(Unlocked, "state", &["-", "try"]), ok("keyring"));
    assert!(!home.folder("state").exists());
    let found = || {
        let arguments = [
            "--session",
            "--print-reply",
            "--dest=org.freedesktop.secrets",
            "/org/freedesktop/secrets",
            "org.freedesktop.Secret.Service.SearchItems",
            "dict:string:string:service,errands/toy",
        ];
        let answer = home.run(Unlocked, Path::new("dbus-send"), &arguments);
        said(&answer).unwrap().matches("object path").count()
    };
    assert_eq!(found(), 0);
    let set = ["-", "set", "password", "hunter2"];
    assert_eq!(home.secret(Unlocked, "state", &set), ok(""));
    assert_eq!(found(), 1);
}

#[test]
fn the_keyring_is_left_only_when_empty() {
    let Some(home) = Home::new() else { return };
    let secret = |arguments: &[&str]| home.secret(Unlocked, "state", arguments);
    assert_eq!(secret(&["-", "choose", "keyring"]), ok(""));
    assert_eq!(secret(&["-", "set", "password", "hunter2"]), ok(""));
    let conflict = "secrets are kept in the keyring and the file is asked for";
    for arguments in [
        &["-", "choose", "file"][..],
        &["file", "get", "password"],
        &["file", "set", "password", "other"],
        &["file", "key", "session"],
    ] {
        assert_eq!(secret(arguments), Err(conflict.to_owned()), "{arguments:?}");
    }
    assert_eq!(secret(&["file", "remove", "password"]), ok("true"));
    assert_eq!(secret(&["-", "choose", "file"]), ok(""));
    assert_eq!(secret(&["-", "set", "password", "hunter3"]), ok(""));
    assert_eq!(secret(&["-", "store"]), ok("file"));
    assert_eq!(secret(&["-", "get", "password"]), ok("hunter3"));
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_bus_there_is_no_keyring_and_nothing_is_written() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("state");
    let run = |arguments: &[&str]| {
        let dead = format!("unix:path={}", root.path().join("bus").display());
        let output = std::process::Command::new(example())
            .arg(&folder)
            .args(arguments)
            .env("DBUS_SESSION_BUS_ADDRESS", dead)
            .output();
        said(&output.unwrap())
    };
    for arguments in [
        &["-", "set", "password", "hunter2"][..],
        &["keyring", "set", "password", "hunter2"],
        &["-", "key", "session"],
        &["-", "choose", "keyring"],
        &["-", "try"],
    ] {
        let error = run(arguments).unwrap_err();
        assert!(
            error.starts_with("there is no system keyring: "),
            "{arguments:?}: {error}"
        );
    }
    assert_eq!(run(&["-", "get", "password"]), ok("(none)"));
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);

    // The way out is the user's choice.
    assert_eq!(run(&["-", "choose", "file"]), ok(""));
    assert_eq!(run(&["-", "set", "password", "hunter2"]), ok(""));
    assert_eq!(run(&["-", "get", "password"]), ok("hunter2"));
}
