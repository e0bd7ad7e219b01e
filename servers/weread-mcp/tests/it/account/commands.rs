//! `login` and `logout` in a terminal, beside a server that runs.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStderr, Stdio},
};

use fixtures::{
    mcp::{Client, Era},
    shell::{Ended, command},
    weread::{Phone, Weread},
};
use serde_json::{Value, json};

use crate::{
    told::{open, send, told},
    world::{beside, environment, launch},
};

/// A command on a state folder; the store is the recorded choice.
fn prepared(fake: &Weread, data: &Path, args: &[&str]) -> std::process::Command {
    let home = data.join("home");
    std::fs::create_dir_all(&home).unwrap();
    let args = [args, &["--data-dir", data.to_str().unwrap()]].concat();
    let mut command = command(&launch().binary, &args, &home);
    let mut env = environment(fake);
    env.retain(|(name, _)| name != "WEREAD_SECRET_STORE");
    command.envs(env).stdin(Stdio::piped());
    command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    command
}

/// Runs it with something piped in.
fn run(fake: &Weread, data: &Path, args: &[&str], input: &str) -> Ended {
    let mut child = prepared(fake, data, args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap().into()
}

fn server(fake: &Weread, data: &Path) -> Client {
    let store = [("WEREAD_SECRET_STORE", String::new())];
    Client::start(&beside(fake, data, &store), Era::Modern)
}

/// The states of all ways.
fn states(client: &Client) -> Vec<Value> {
    let status = client.call("get_login_status", json!({})).structured;
    let ways = status["ways"].as_array().unwrap().iter();
    ways.map(|way| way["state"].clone()).collect()
}

const LOGIN: [&str; 3] = ["login", "--store", "file"];

#[test]
fn each_way_typed_in_the_terminal_is_kept_and_proven() {
    let cloud = |fake: &Weread| {
        let (id, password) = (Weread::CLOUD_ID, Weread::CLOUD_PASSWORD);
        format!("\n\n{}\n{id}\n{password}\n", fake.cloud_url())
    };
    type Typed = fn(&Weread) -> String;
    let ways: [(Typed, &str, usize); 4] = [
        (|_| format!("{}\n", Weread::API_KEY), "API Key", 0),
        (|fake| format!("\nCookie: {}\n", fake.cookie()), "Cookie", 1),
        (cloud, "CookieCloud", 2),
        (
            |fake| format!("{}\n{}\n", Weread::API_KEY, fake.cookie()),
            "API Key、Cookie",
            1,
        ),
    ];
    for (typed, label, nth) in ways {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let done = run(&fake, data.path(), &LOGIN, &typed(&fake));
        assert_eq!(
            (done.code, done.out),
            (0, format!("已保存，{label} 可用\n")),
            "{}",
            done.err
        );
        assert!(!done.err.contains("CANARY"), "{}", done.err);
        assert_eq!(states(&server(&fake, data.path()))[nth], "works");
    }
}

#[test]
fn nothing_is_kept_where_nobody_chose() {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let refused = run(
        &fake,
        data.path(),
        &["login"],
        &format!("{}\n", Weread::API_KEY),
    );
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    assert!(
        refused.err.contains("SECRET_STORE_UNAVAILABLE"),
        "{}",
        refused.err
    );
    assert_eq!(fake.journal().all().len(), 0);
}

#[test]
fn what_does_not_lead_there_is_kept_and_the_reason_told() {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    // Another way that works does not hide it.
    run(
        &fake,
        data.path(),
        &LOGIN,
        &format!("{}\n", Weread::API_KEY),
    );
    let typed = "\nwr_vid=10000001; wr_skey=CANARYxx\n";
    let ended = run(&fake, data.path(), &["login"], typed);
    assert_eq!((ended.code, ended.out.as_str()), (1, ""));
    let line = "LOGIN_EXPIRED：凭证已保存，但没有通过查验。Cookie：登录已过期，而 Cookie 中没有 wr_rt，无法续登";
    assert!(ended.err.contains(line), "{}", ended.err);
    assert_eq!(
        states(&server(&fake, data.path())),
        ["works", "failed", "not_set", "not_set"]
    );
    let typed = format!("\n\n{}\nnobody\nx\n", fake.cloud_url());
    let ended = run(&fake, data.path(), &["login"], &typed);
    let line = "COOKIECLOUD_FAILED：凭证已保存，但没有通过查验。CookieCloud：CookieCloud 服务器上没有这个用户 KEY";
    assert!(ended.err.contains(line), "{}", ended.err);
    let ended = run(
        &fake,
        data.path(),
        &["login"],
        &format!("\n\n{}\n\n", fake.cloud_url()),
    );
    let line = "INVALID_ARGUMENT：参数 cc_id 有误：CookieCloud 的地址、用户 KEY、密码须一起给出";
    assert!(ended.err.contains(line), "{}", ended.err);
}

/// A command that waits for the phone, and the address of the page it tells.
fn login_at_the_page(fake: &Weread, data: &Path) -> (Child, BufReader<ChildStderr>, String) {
    let mut child = prepared(fake, data, &LOGIN).spawn().unwrap();
    drop(child.stdin.take());
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let url = told_page(&mut said);
    (child, said, url)
}

/// The page that is told next.
fn told_page(said: &mut BufReader<ChildStderr>) -> String {
    loop {
        let mut line = String::new();
        assert_ne!(said.read_line(&mut line).unwrap(), 0, "no page was told");
        if let Some((_, rest)) = line.split_once("用本机浏览器打开 ") {
            return rest.split_once('，').unwrap().0.to_owned();
        }
    }
}

#[test]
fn with_nothing_typed_a_code_is_shown_until_it_is_scanned() {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let (child, mut said, first) = login_at_the_page(&fake, data.path());
    assert_eq!(open(&first).heading(), "扫码登录");
    fake.phone(Phone::TimeOut);
    let second = told_page(&mut said);
    assert_eq!(open(&first).heading(), "已经回答过了");
    assert_eq!(open(&second).note(), Some("二维码已更新，请扫描新的"));
    fake.phone(Phone::AskOtp("4321".to_owned()));
    let third = told_page(&mut said);
    assert_eq!(send(&third, &[("answer", "4321")]).1.heading(), "完成了");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "已扫码登录\n");
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(states(&server(&fake, data.path()))[3], "works");
}

#[test]
fn a_login_that_fails_at_the_phone_is_told() {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let (child, mut said, _) = login_at_the_page(&fake, data.path());
    for _ in 0..4 {
        fake.phone(Phone::TimeOut);
        told_page(&mut said);
    }
    fake.phone(Phone::TimeOut);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut said, &mut rest).unwrap();
    let line = "LOGIN_FAILED：扫码登录没有完成：二维码已过期，没有人扫码";
    assert!(rest.contains(line), "{rest}");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    assert_eq!(fake.journal().of("login_uid").len(), 5);
}

#[test]
fn a_logout_forgets_everything_and_is_heard_by_the_server_that_runs() {
    for args in [&["logout"][..], &["logout", "--all"]] {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let (id, password) = (Weread::CLOUD_ID, Weread::CLOUD_PASSWORD);
        let typed = format!(
            "{}\n{}\n{}\n{id}\n{password}\n",
            Weread::API_KEY,
            fake.cookie(),
            fake.cloud_url()
        );
        let done = run(&fake, data.path(), &LOGIN, &typed);
        assert_eq!(
            done.out, "已保存，API Key、Cookie、CookieCloud 可用\n",
            "{}",
            done.err
        );
        let client = server(&fake, data.path());
        let question = told(client.call("start_login", json!({})));
        fake.phone(Phone::Confirm);
        let answer = json!({ "challenge_id": question.ids()[0], "answer": "ok" });
        client.call("submit_challenge", answer);
        fake.upload_cookies(fixtures::weread::CloudForm::Legacy);
        assert_eq!(states(&client), ["works", "failed", "works", "works"]);
        let asked = fake.journal().all().len();
        let done = run(&fake, data.path(), args, "");
        assert_eq!(
            (done.code, done.out.as_str()),
            (0, "已删除保存的凭证、登录态与笔记索引\n"),
            "{}",
            done.err
        );
        assert_eq!(states(&client), ["not_set"; 4]);
        assert_eq!(
            fake.journal().all().len(),
            asked,
            "nothing is left to ask with"
        );
        let kept = std::fs::read_dir(data.path()).unwrap();
        let kept = kept.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let sessions: Vec<_> = kept
            .filter(|name| name.starts_with("session-") && name.ends_with(".json"))
            .collect();
        assert_eq!(sessions, [] as [String; 0]);
        let again = run(&fake, data.path(), args, "");
        assert_eq!(
            (again.code, again.out.as_str()),
            (0, "没有保存的凭证、登录态或笔记索引\n")
        );
    }
}

#[test]
fn a_single_call_offers_no_question_that_ends_with_it() {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let ended = run(&fake, data.path(), &["call", "start_login", "{}"], "");
    assert_eq!(ended.code, 1);
    assert_eq!(
        ended.json(),
        json!({
            "ok": false, "code": "NEED_CHALLENGE", "message": "登录需要人工完成一步验证", "retryable": false,
            "next": "命令行的单次调用等不到回答：在终端执行 weread-mcp login 完成登录，或在运行中的服务里调用 start_login",
            "challenge_type": "qr_code",
        })
    );
}
