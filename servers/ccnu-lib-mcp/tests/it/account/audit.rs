//! What signing in leaves in the audit log, beside the rows of calls.

use fixtures::{
    ccnu::Ccnu,
    mcp::{Client, Era},
    shell::{audit_rows, end},
};
use serde_json::{Value, json};

use crate::{
    told::{send, told},
    world::{NOW, PASSWORD, READER, environment, launch},
};

/// What a server on a new folder leaves after `steps`: event, status, code, account, and what is known
/// of a question without its id.
fn rows(more: &[(&str, &str)], steps: impl Fn(&Client, &Ccnu)) -> Vec<Value> {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    let folder = data.path().to_str().unwrap();
    let more = more
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let launch = launch()
        .args(["--data-dir", folder])
        .env(environment(&fake))
        .env(more);
    let client = Client::start(&launch, Era::Modern);
    steps(&client, &fake);
    end(&client);
    let rows = audit_rows(&launch.binary, data.path());
    let told = rows
        .iter()
        .filter(|row| row["phase"] == "event")
        .map(|row| {
            let about: Value = serde_json::from_str(row["arguments"].as_str().unwrap()).unwrap();
            json!([
                row["event"],
                row["status"],
                row["code"],
                row["account"],
                about["challenge_type"],
                about["step"]
            ])
        });
    told.collect()
}

fn challenge(account: &str, kind: &str, step: &str) -> Value {
    json!(["challenge", "ok", null, account, kind, step])
}

fn login(account: &str, status: &str, code: Option<&str>) -> Value {
    json!(["login", status, code, account, null, null])
}

#[test]
fn a_question_and_its_answers_are_written() {
    let account = json!({ "username": READER, "password": PASSWORD });
    let found = rows(&[], |client, _| {
        for answer in ["0000", "7k3p"] {
            let question = told(client.call("start_login", account.clone()));
            let answer = json!({ "challenge_id": question.ids()[0], "answer": answer });
            client.call("submit_challenge", answer);
        }
        // It is good already: nobody signs in.
        client.call("start_login", json!({}));
    });
    let expected = [
        challenge("default", "captcha", "asked"),
        challenge("default", "captcha", "answered by tool"),
        login("default", "refused", Some("LOGIN_FAILED")),
        challenge("default", "captcha", "asked"),
        challenge("default", "captcha", "answered by tool"),
        login("default", "ok", None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_is_done_on_the_page_is_written_for_its_user() {
    let found = rows(&[], |client, _| {
        let question = told(client.call("start_login", json!({ "user_key": "other" })));
        let typed = |captcha| {
            [
                ("username", READER),
                ("password", PASSWORD),
                ("answer", captcha),
            ]
        };
        let (second, _) = send(&question.pages()[0], &typed("xxxx"));
        send(&second, &typed("7k3p"));
    });
    let expected = [
        challenge("other", "manual_login", "asked"),
        challenge("other", "manual_login", "answered by page"),
        login("other", "refused", Some("LOGIN_FAILED")),
        challenge("other", "manual_login", "asked"),
        challenge("other", "manual_login", "answered by page"),
        login("other", "ok", None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_call_without_a_user_is_the_default_users() {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    let folder = data.path().to_str().unwrap();
    let default = [("DEFAULT_USER_KEY".to_owned(), "me".to_owned())];
    let launch = launch()
        .args(["--data-dir", folder])
        .env(environment(&fake))
        .env(default);
    let client = Client::start(&launch, Era::Modern);
    for arguments in [
        json!({}),
        json!({ "user_key": null }),
        json!({ "user_key": "other" }),
        json!({ "user_key": "../x" }),
    ] {
        client.call("get_login_status", arguments);
    }
    end(&client);
    let rows = audit_rows(&launch.binary, data.path());
    let finished = rows.iter().filter(|row| row["phase"] != "start");
    let accounts: Vec<_> = finished.map(|row| row["account"].clone()).collect();
    assert_eq!(
        accounts,
        [json!("me"), json!("me"), json!("other"), Value::Null]
    );
}
