//! Questions whose time is over, or whose process is.

use fixtures::{
    ccnu::Ccnu,
    mcp::{Client, Era, Launch},
};
use serde_json::{Value, json};

use crate::{
    told::{captcha, signed_in, told},
    world::{NOW, PASSWORD, READER, environment, launch},
};

/// A server on that folder whose clock stands at `now`.
fn server(fake: &Ccnu, data: &tempfile::TempDir, now: &str) -> Launch {
    let folder = data.path().to_str().unwrap();
    let clock = [("CCNU_CLOCK".to_owned(), now.to_owned())];
    launch()
        .args(["--data-dir", folder])
        .env(environment(fake))
        .env(clock)
}

fn lost(why: &str, reason: &str) -> Value {
    json!({
        "ok": false, "code": "SESSION_LOST", "message": format!("{why}，挂起的登录不复存在"), "retryable": false,
        "next": "重新调用 start_login", "data": { "challenge_id": "ID", "reason": reason },
    })
}

#[test]
fn a_question_is_lost_with_its_process_or_its_time() {
    for era in Era::ALL {
        let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
        let account = json!({ "username": READER, "password": PASSWORD });
        let first = Client::start(&server(&fake, &data, NOW), era);
        let question = told(first.call("start_login", account));
        assert_eq!(question.value, captcha(json!({})));
        let answer = json!({ "challenge_id": question.ids()[0], "answer": "7k3p" });
        // Just in time for another process to see it pending.
        let before = Client::start(&server(&fake, &data, "2026-06-25T11:03:59+08:00"), era);
        let status = before.call("get_login_status", json!({})).structured;
        assert_eq!(status["needs_challenge"], true);
        let where_it_is = "未登录；另一个会话提出的登录验证（challenge_id）等待人工完成：在那个会话中回答，或等到 2026-06-25T11:04:00+08:00 之后再 start_login";
        assert_eq!(status["message"], where_it_is);
        drop(first);
        let told_of = |client: &Client| told(client.call("submit_challenge", answer.clone())).value;
        assert_eq!(told_of(&before), lost("服务已重启", "restarted"));
        let next = told(before.call("start_login", json!({})));
        assert_eq!(next.value["code"], "NEED_CHALLENGE");
        assert_eq!(next.value["expires_at"], "2026-06-25T11:07:59+08:00");
        assert_eq!(fake.passwords_posted(), 0);
    }
}

#[test]
fn an_answer_that_comes_too_late_is_never_sent() {
    for era in Era::ALL {
        let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
        let account = json!({ "username": READER, "password": PASSWORD });
        let first = Client::start(&server(&fake, &data, NOW), era);
        let question = told(first.call("start_login", account));
        let id = &question.ids()[0];
        let answer = json!({ "challenge_id": id, "answer": "7k3p" });
        // The other process looks at a later clock, and what it finds over is over for both.
        let later = Client::start(&server(&fake, &data, "2026-06-25T11:04:00+08:00"), era);
        for client in [&later, &first] {
            let told = told(client.call("submit_challenge", answer.clone()));
            assert_eq!(told.value, lost("验证已超时", "expired"));
        }
        assert_eq!(fake.passwords_posted(), 0);
        let next = told(first.call("start_login", json!({})));
        assert_ne!(next.ids()[0], *id);
        let answer = json!({ "challenge_id": next.ids()[0], "answer": "7k3p" });
        assert_eq!(
            told(first.call("submit_challenge", answer)).value,
            signed_in(true)
        );
    }
}
