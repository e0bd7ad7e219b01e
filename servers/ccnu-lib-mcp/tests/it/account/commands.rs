//! `login` and `logout` in a terminal, beside a server that runs.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStderr, Stdio},
};

use fixtures::{
    ccnu::Ccnu,
    mcp::{Client, Era},
    shell::{Ended, command},
};
use serde_json::json;

use crate::{
    told::{open, send, signed_in, told},
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
        done.out, "已保存 default 的账号，并已登录\n",
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
    let line = "INVALID_ARGUMENT：参数 user 有误：不能含有 '/'";
    let is_asked = bad.err.contains("学号");
    assert!(bad.err.contains(line) && !is_asked, "{}", bad.err);
}

/// A command that waits for a person, and the address of the page it tells.
fn login_at_the_page(fake: &Ccnu, data: &Path) -> (Child, BufReader<ChildStderr>, String) {
    let home = tempfile::tempdir().unwrap();
    // The address is no log line.
    let args = [
        "--log",
        "error",
        "login",
        "--data-dir",
        data.to_str().unwrap(),
    ];
    let mut command = command(&launch().binary, &args, home.path());
    command.envs(environment(fake)).stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let typed = format!("{READER}\n{PASSWORD}\n");
    child
        .stdin
        .take()
        .unwrap()
        .write_all(typed.as_bytes())
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let url = loop {
        let mut line = String::new();
        assert_ne!(said.read_line(&mut line).unwrap(), 0, "no page was told");
        if let Some((_, rest)) = line.split_once("用本机浏览器打开 ") {
            break rest.split_once(' ').unwrap().0.to_owned();
        }
    };
    (child, said, url)
}

#[test]
fn what_needs_a_person_is_done_on_the_page_while_the_command_waits() {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    let (child, _said, url) = login_at_the_page(&fake, data.path());
    let (next, sheet) = send(&url, &[("answer", "0000")]);
    assert_eq!(sheet.note(), Some("验证码不正确。"));
    let (_, sheet) = send(&next, &[("answer", "7k3p")]);
    assert_eq!(sheet.heading(), "完成了");
    let ended = child.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(out, "已保存 default 的账号，并已登录\n");
    assert_eq!(ended.status.code(), Some(0));
    let status = server(&fake, data.path()).call("get_login_status", json!({}));
    assert_eq!(status.structured["status"], "logged_in");
}

#[test]
fn an_account_that_does_not_get_in_is_kept_and_the_reason_told() {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    fake.switch(|switches| switches.captcha = false);
    let typed = format!("{READER}\npw-wrong\n");
    let ended = run(&fake, data.path(), &["login", "--store", "file"], &typed);
    assert_eq!((ended.code, ended.out.as_str()), (1, ""));
    let line = "LOGIN_FAILED：账号已保存，但没有登录：登录被拒绝：您输入的用户名或密码有误。";
    assert!(ended.err.contains(line), "{}", ended.err);
    let status = server(&fake, data.path()).call("get_login_status", json!({}));
    assert_eq!(status.structured["status"], "logged_out");
}

#[test]
fn a_logout_ends_the_question_that_is_open() {
    for user in [&["logout"][..], &["logout", "--all"]] {
        let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
        let folder = data.path().to_str().unwrap();
        let launch = launch()
            .args(["--data-dir", folder])
            .env(environment(&fake));
        let client = Client::start(&launch, Era::Modern);
        let account = json!({ "username": READER, "password": PASSWORD });
        let question = told(client.call("start_login", account));
        assert_eq!(run(&fake, data.path(), user, "").code, 0);
        let answer = json!({ "challenge_id": question.ids()[0], "answer": "7k3p" });
        let lost = told(client.call("submit_challenge", answer)).value;
        assert_eq!(
            lost,
            json!({
                "ok": false, "code": "SESSION_LOST", "retryable": false, "next": "重新调用 start_login",
                "message": "这个账号已退出登录，挂起的登录不复存在",
                "data": { "challenge_id": "ID", "reason": "logged_out" },
            })
        );
        let status = client.call("get_login_status", json!({})).structured;
        assert_eq!(status["needs_challenge"], false);
        assert_eq!(open(&question.pages()[0]).heading(), "页面已过期");
        assert_eq!(fake.passwords_posted(), 0);
    }
}

#[test]
fn a_single_call_offers_no_question_that_ends_with_it() {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    let call = |arguments: &str| {
        let ended = run(&fake, data.path(), &["call", "start_login", arguments], "");
        assert_eq!(ended.code, 1);
        ended.json()
    };
    let account = json!({ "username": READER, "password": PASSWORD }).to_string();
    assert_eq!(
        call(&account),
        json!({
            "ok": false, "code": "NEED_CHALLENGE", "message": "登录需要人工完成一步验证", "retryable": false,
            "next": "命令行的单次调用等不到回答：在终端执行 ccnu-lib-mcp login 完成登录，或在运行中的服务里调用 start_login",
            "user_key": "default", "challenge_type": "captcha",
        })
    );
    assert_eq!(call("{\"user_key\":\"other\"}")["code"], "NO_ACCOUNT");
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
    assert_eq!(status["status"], "logged_in");
    let posts = fake.journal().of("cas_post");
    let last = String::from_utf8(posts.last().unwrap().body.clone()).unwrap();
    assert!(last.contains("2026000005"), "{last}");
}
