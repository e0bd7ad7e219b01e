//! Questions whose time is over, or whose process is, or which nobody wants any more.

use fixtures::{
    mcp::{Client, Era, Launch},
    weread::{Phone, Weread},
};
use serde_json::{Value, json};

use crate::{
    told::{open, told},
    world::beside,
};

/// A server on that folder whose clock stands at `now`.
fn server(fake: &Weread, data: &tempfile::TempDir, now: &str) -> Launch {
    beside(fake, data.path(), &[("WEREAD_CLOCK", now.to_owned())])
}

fn lost(why: &str, reason: &str) -> Value {
    json!({
        "ok": false, "code": "SESSION_LOST", "message": format!("{why}，挂起的登录不复存在"), "retryable": false,
        "next": "重新调用 start_login", "data": { "challenge_id": "ID", "reason": reason },
    })
}

#[test]
fn a_question_is_lost_with_its_process() {
    for era in Era::ALL {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let first = Client::start(&server(&fake, &data, Weread::NOW), era);
        let question = told(first.call("start_login", json!({})));
        let answer = json!({ "challenge_id": question.ids()[0], "answer": "ok" });
        let second = Client::start(&server(&fake, &data, "2026-11-20T12:04:59+08:00"), era);
        let status = second.call("get_login_status", json!({})).structured;
        assert_eq!(status["needs_challenge"], true);
        drop(first);
        let told_of = |client: &Client| told(client.call("submit_challenge", answer.clone())).value;
        assert_eq!(told_of(&second), lost("服务已重启", "restarted"));
        let next = told(second.call("start_login", json!({})));
        assert_eq!(next.value["expires_at"], "2026-11-20T12:09:59+08:00");
        fake.phone(Phone::Confirm);
        let answer = json!({ "challenge_id": next.ids()[0], "answer": "ok" });
        let done = told(second.call("submit_challenge", answer)).value;
        assert_eq!(done["logged_in"], true, "{done}");
    }
}

#[test]
fn a_question_is_lost_when_its_time_is_over() {
    for era in Era::ALL {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let first = Client::start(&server(&fake, &data, Weread::NOW), era);
        let question = told(first.call("start_login", json!({})));
        let answer = json!({ "challenge_id": question.ids()[0], "answer": "ok" });
        // What a process with a later clock finds over is over for both.
        let later = Client::start(&server(&fake, &data, "2026-11-20T12:05:00+08:00"), era);
        for client in [&later, &first] {
            let told = told(client.call("submit_challenge", answer.clone()));
            assert_eq!(told.value, lost("验证已超时", "expired"));
        }
        assert_eq!(open(&question.pages()[0]).heading(), "页面已过期");
    }
}

#[test]
fn a_logout_ends_the_question_that_is_open() {
    for era in Era::ALL {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let launch = beside(&fake, data.path(), &[]);
        let client = Client::start(&launch, era);
        let question = told(client.call("start_login", json!({})));
        fake.journal().wait_for_route("login_info", 1);
        let home = tempfile::tempdir().unwrap();
        let folder = data.path().to_str().unwrap();
        let mut logout = fixtures::shell::command(
            &launch.binary,
            &["logout", "--data-dir", folder],
            home.path(),
        );
        let ended = logout.envs(launch.env.clone()).output().unwrap();
        assert_eq!(ended.status.code(), Some(0));
        let answer = json!({ "challenge_id": question.ids()[0], "answer": "ok" });
        let told = told(client.call("submit_challenge", answer));
        assert_eq!(told.value, lost("这个账号已退出登录", "logged_out"));
        assert_eq!(open(&question.pages()[0]).heading(), "页面已过期");
        // Whoever confirms on the phone now has signed nobody in here.
        fake.phone(Phone::Confirm);
        let status = client.call("get_login_status", json!({})).structured;
        let state = &status["ways"][3]["state"];
        assert_eq!(
            (&status["needs_challenge"], state),
            (&json!(false), &json!("not_set"))
        );
    }
}
