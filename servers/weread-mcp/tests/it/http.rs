//! The server where the agent is not: over HTTP with a token.

use fixtures::{
    mcp::{Both, Client, Era},
    shell::ended_well,
    weread::{Phone, Weread},
};
use serde_json::json;

use crate::{
    told::{call, signed_in, submit, told},
    world::{beside, environment, key, launch},
};

const TOKEN: &str = "a-token-of-the-home-machine";

fn token() -> (&'static str, String) {
    ("WEREAD_HTTP_TOKEN", TOKEN.to_owned())
}

#[test]
fn it_serves_with_a_token_and_ends_in_order() {
    for era in Era::ALL {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let launch = beside(&fake, data.path(), &[token(), key()]).http(Some(TOKEN));
        let client = Client::start(&launch, era);
        let status = client.call("get_login_status", json!({})).structured;
        assert_eq!(status["active"], "api_key");
        client.terminate();
        ended_well(&client);
    }
}

#[test]
fn clients_of_one_server_share_the_session_and_the_question() {
    for era in Era::ALL {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let launch = beside(&fake, data.path(), &[token()]).http(Some(TOKEN));
        let first = Client::start(&launch, era);
        let second = first.join(era);
        let asked = told(first.call("start_login", json!({})));
        let again = told(second.call("start_login", json!({})));
        assert_eq!(again.ids(), asked.ids());
        fake.phone(Phone::Confirm);
        let answer = json!({ "challenge_id": again.ids()[0], "answer": "ok" });
        assert_eq!(
            told(second.call("submit_challenge", answer)).value,
            signed_in(true)
        );
        let status = first.call("get_login_status", json!({})).structured;
        assert_eq!(status["active"], "scan");
    }
}

#[test]
fn callers_at_other_machines_get_the_picture_and_no_page() {
    let mut launch = launch().http(Some(TOKEN));
    *launch.args.last_mut().unwrap() = "0.0.0.0:0".to_owned();
    let more = [token(), ("WEREAD_HTTP_HOSTS", "0.0.0.0".to_owned())];
    let more = more.map(|(name, value)| (name.to_owned(), value));
    let both = Both::launch(&launch.env(more), |_| {
        let fake = Weread::start();
        let env = environment(&fake);
        (fake, env)
    });
    let question = call(&both, "start_login", json!({}));
    assert_eq!(
        question.value,
        json!({
            "ok": false, "code": "NEED_CHALLENGE", "message": "登录需要人工完成一步验证", "retryable": false,
            "next": "把图片给用户用手机扫码，确认后以任意 answer 调用 submit_challenge", "challenge_id": "ID",
            "challenge_type": "qr_code", "prompt": "请用手机微信扫描二维码，并在手机上确认登录微信读书",
            "expires_at": "2026-11-20T12:05:00+08:00",
        })
    );
    assert_eq!(question.pictures.len(), 1);
    both.each(|fake| fake.phone(Phone::Confirm));
    assert_eq!(submit(&both, &question, "ok").value, signed_in(true));
}
