//! Two processes on one state folder.

use std::thread;

use fixtures::{
    mcp::{Client, Era, Pending},
    upstream::Hold,
    weread::{HoldAt, Weread},
};
use serde_json::json;

use super::{READ, WEB, keyword, uncached};
use crate::world::{beside, cookie, key};

/// Two servers on one state.
fn pair(
    more: impl Fn(&Weread) -> Vec<(&'static str, String)>,
) -> (Weread, [Client; 2], tempfile::TempDir) {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let mut env = more(&fake);
    env.push(uncached());
    let clients = Era::ALL.map(|era| Client::start(&beside(&fake, data.path(), &env), era));
    (fake, clients, data)
}

fn read(client: &Client) {
    let told = client.call(READ, keyword()).structured;
    assert_eq!(told["ok"], true, "{told}");
}

#[test]
fn one_renews_and_the_other_uses_it() {
    let (fake, clients, _data) = pair(|fake| vec![cookie(fake)]);
    clients.iter().for_each(read);
    for round in 1..=3 {
        fake.expire_session();
        clients.iter().for_each(read);
        assert_eq!((fake.renewed(), fake.renewals().len()), (round, round));
    }
}

#[test]
fn two_that_find_it_over_at_once_renew_it_once() {
    let (fake, clients, _data) = pair(|fake| vec![cookie(fake)]);
    clients.iter().for_each(read);
    fake.expire_session();
    let renewal = fake.hold("renewal", HoldAt::Arrival);
    thread::scope(|scope| {
        let calls = clients
            .each_ref()
            .map(|client| scope.spawn(|| read(client)));
        // One is in the middle of it, and the other has been refused too.
        renewal.wait_reached(1);
        fake.journal().wait_for_route(WEB, 4);
        renewal.release();
        for call in calls {
            call.join().unwrap();
        }
    });
    assert_eq!((fake.renewed(), fake.renewals().len()), (1, 1));
}

#[test]
fn a_login_in_one_is_everybodys() {
    let (fake, [first, second], _data) = pair(|_| Vec::new());
    let told = second.call(READ, keyword());
    assert_eq!(told.code(), Some("NEED_LOGIN"));
    sign_in(&fake, &first);
    read(&second);
    // A dead session rests in both, and a new login wakes both.
    fake.revoke_refresh_tokens();
    fake.expire_session();
    for client in [&first, &second] {
        assert_eq!(client.call(READ, keyword()).code(), Some("LOGIN_EXPIRED"));
    }
    sign_in(&fake, &second);
    read(&first);
    read(&second);
}

/// Signs in by a scanned code.
fn sign_in(fake: &Weread, client: &Client) {
    let question = crate::told::told(client.call("start_login", json!({})));
    fake.phone(fixtures::weread::Phone::Confirm);
    let answer = json!({ "challenge_id": question.ids()[0], "answer": "ok" });
    let done = client.call("submit_challenge", answer).structured;
    assert_eq!(done["logged_in"], true, "{done}");
}

/// An answer that is on its way and brings a fresh cookie.
fn refreshed(fake: &Weread, client: &Client) -> (Hold, Pending) {
    fake.switch(|switches| {
        switches.refresh_on.insert(WEB.to_owned());
    });
    let answer = fake.hold(WEB, HoldAt::Effect);
    let call = client.begin_call(READ, keyword());
    answer.wait_reached(1);
    fake.switch(|switches| switches.refresh_on.clear());
    (answer, call)
}

#[test]
fn a_late_answer_does_not_undo_what_another_process_has_kept() {
    let (fake, [first, second], _data) = pair(|_| Vec::new());
    sign_in(&fake, &first);
    read(&first);
    let (answer, call) = refreshed(&fake, &first);
    sign_in(&fake, &second);
    answer.release();
    assert_eq!(first.finish_call(&call).structured["ok"], true);
    read(&second);
    read(&first);
    assert_eq!(fake.renewals(), []);
}

#[test]
fn a_late_answer_does_not_bring_back_what_was_forgotten() {
    let (fake, [first, _], data) = pair(|fake| vec![cookie(fake)]);
    fake.expire_session();
    read(&first);
    let (answer, call) = refreshed(&fake, &first);
    let folder = data.path().to_str().unwrap();
    let home = tempfile::tempdir().unwrap();
    let launch = beside(&fake, data.path(), &[]);
    let args = ["logout", "--data-dir", folder];
    let mut logout = fixtures::shell::command(&launch.binary, &args, home.path());
    let ended = logout.envs(launch.env).output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    answer.release();
    assert_eq!(first.finish_call(&call).structured["ok"], true);
    let names = std::fs::read_dir(data.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let sessions: Vec<_> = names
        .filter(|name| name.starts_with("session-") && name.ends_with(".json"))
        .collect();
    assert_eq!(sessions, [] as [String; 0]);
}

#[test]
fn a_renewal_that_another_process_never_ends_is_not_waited_for_long() {
    let (fake, [_, client], data) =
        pair(|fake| vec![cookie(fake), ("WEREAD_TIMEOUT_MS", "300".to_owned())]);
    fake.expire_session();
    read(&client);
    let names = std::fs::read_dir(data.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().path());
    let is_lock = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with("session-cookie-") && name.ends_with(".lock")
    };
    let locks: Vec<_> = names.filter(is_lock).collect();
    let [lock] = &locks[..] else {
        panic!("one lock")
    };
    let held = std::fs::File::open(lock).unwrap();
    held.lock().unwrap();
    fake.expire_session();
    let busy = json!({
        "ok": false, "code": "RATE_LIMITED", "message": "另一个进程正在续登，还没有结束",
        "retryable": true, "retry_after": 5, "next": "等待 retry_after 秒后重试",
    });
    assert_eq!(client.call(READ, keyword()).structured, busy);
    drop(held);
    read(&client);
}

#[test]
fn after_too_many_requests_nobody_asks() {
    let (fake, [first, second], _data) = pair(|_| vec![key()]);
    // The first read and its shelf.
    fake.rate_limit_after(2);
    read(&first);
    let told = first.call(READ, keyword()).structured;
    let expected = json!({
        "ok": false, "code": "RATE_LIMITED", "message": "微信读书提示请求过于频繁，300 秒内不再请求",
        "retryable": true, "retry_after": 300, "next": "等待 retry_after 秒后重试，不要反复调用",
    });
    assert_eq!(told, expected);
    let asked = fake.journal().all().len();
    for client in [&first, &second] {
        let told = client.call(READ, keyword()).structured;
        assert_eq!(told["code"], "RATE_LIMITED", "{told}");
        let after = told["retry_after"].as_u64().unwrap();
        assert!((200..=300).contains(&after), "{told}");
    }
    assert_eq!(fake.journal().all().len(), asked);
}
