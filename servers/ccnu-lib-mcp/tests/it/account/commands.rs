//! `login` and `logout` in a terminal, beside a server that runs.

use std::{io::Write, path::Path, process::Stdio};

use fixtures::{
    ccnu::Ccnu,
    mcp::{Client, Era},
    shell::{Ended, command},
};
use serde_json::json;

use crate::{
    told::{signed_in, told},
    world::{NOW, PASSWORD, READER, environment, launch},
};

/// Runs a command on a state folder with something piped in.
fn run(fake: &Ccnu, data: &Path, args: &[&str], input: &str) -> Ended {
    let home = tempfile::tempdir().unwrap();
    let folder = data.to_str().unwrap();
    let args = [args, &["--data-dir", folder]].concat();
    let mut command = command(&launch().binary, &args, home.path());
    let mut env = fake.env();
    env.push((
        "DBUS_SESSION_BUS_ADDRESS".to_owned(),
        "unix:path=/nonexistent/bus".to_owned(),
    ));
    command.envs(env).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap().into()
}

/// A server on that folder, which goes by the recorded choice of the store.
fn server(fake: &Ccnu, data: &Path) -> Client {
    let mut env = environment(fake);
    env.retain(|(name, _)| name != "CCNU_SECRET_STORE");
    let folder = data.to_str().unwrap();
    Client::start(&launch().args(["--data-dir", folder]).env(env), Era::Modern)
}

#[test]
fn an_account_typed_in_the_terminal_needs_no_argument() {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    fake.switch(|switches| switches.captcha = false);
    let typed = format!(" {READER}\n{PASSWORD}\n");
    let refused = run(&fake, data.path(), &["login"], &typed);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    assert!(
        refused.err.contains("SECRET_STORE_UNAVAILABLE"),
        "{}",
        refused.err
    );
    let done = run(&fake, data.path(), &["login", "--store", "file"], &typed);
    assert_eq!(
        done.out, "已保存 default 的账号；登录由 start_login 完成\n",
        "{}",
        done.err
    );
    assert_eq!(done.code, 0);
    assert!(!done.err.contains(PASSWORD), "{}", done.err);
    let client = server(&fake, data.path());
    assert_eq!(
        told(client.call("start_login", json!({}))).value,
        signed_in(true)
    );
    let bad = run(&fake, data.path(), &["login", "--user", "../x"], &typed);
    assert_eq!(bad.code, 1);
    assert!(
        bad.err
            .contains("INVALID_ARGUMENT：参数 user 有误：不能含有 '/'"),
        "{}",
        bad.err
    );
}

#[test]
fn a_logout_is_heard_by_the_server_that_runs() {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    fake.switch(|switches| switches.captcha = false);
    let typed = format!("{READER}\n{PASSWORD}\n");
    run(&fake, data.path(), &["login", "--store", "file"], &typed);
    let client = server(&fake, data.path());
    client.call("start_login", json!({}));
    let asked = fake.journal().all().len();
    let done = run(&fake, data.path(), &["logout"], "");
    assert_eq!(
        (done.code, done.out.as_str()),
        (0, "已删除 default 的账号与登录态\n")
    );
    let status = client.call("get_login_status", json!({})).structured;
    assert_eq!(status["status"], "no_account");
    assert_eq!(
        fake.journal().all().len(),
        asked,
        "nothing is left to ask with"
    );
    let again = run(&fake, data.path(), &["logout"], "");
    assert_eq!(
        (again.code, again.out.as_str()),
        (0, "default 没有保存的账号或登录态\n")
    );
}

#[test]
fn another_account_typed_in_the_terminal_ends_the_session_of_the_first() {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    fake.switch(|switches| switches.captcha = false);
    run(
        &fake,
        data.path(),
        &["login", "--store", "file"],
        &format!("{READER}\n{PASSWORD}\n"),
    );
    let client = server(&fake, data.path());
    client.call("start_login", json!({}));
    run(
        &fake,
        data.path(),
        &["login"],
        &format!("2026000005\n{PASSWORD}\n"),
    );
    let status = client.call("get_login_status", json!({})).structured;
    assert_eq!(status["status"], "logged_out");
    assert_eq!(
        told(client.call("start_login", json!({}))).value,
        signed_in(true)
    );
    let posts = fake.journal().of("cas_post");
    let last = String::from_utf8(posts.last().unwrap().body.clone()).unwrap();
    assert!(last.contains("2026000005"), "{last}");
}
