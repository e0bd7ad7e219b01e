//! What signing in leaves in the audit log, beside the rows of calls.

use fixtures::{
    mcp::{Client, Era},
    shell::{audit_rows, end},
    weread::{Phone, Weread},
};
use serde_json::{Value, json};

use crate::{
    told::{send, told},
    world::beside,
};

/// What a server on a new folder leaves after `steps`: event, status, code, account, and what is known
/// of a question without its id.
fn rows(steps: impl Fn(&Client, &Weread)) -> Vec<Value> {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let launch = beside(&fake, data.path(), &[]);
    let client = Client::start(&launch, Era::Modern);
    steps(&client, &fake);
    end(&client);
    let rows = audit_rows(&launch.binary, data.path());
    let events = rows.iter().filter(|row| row["phase"] == "event");
    let told = events.map(|row| {
        let about: Value = serde_json::from_str(row["arguments"].as_str().unwrap()).unwrap();
        let (kind, step) = (&about["challenge_type"], &about["step"]);
        json!([
            row["event"],
            row["status"],
            row["code"],
            row["account"],
            kind,
            step
        ])
    });
    told.collect()
}

fn challenge(kind: &str, step: &str) -> Value {
    json!(["challenge", "ok", null, "me", kind, step])
}

fn login(status: &str, code: Option<&str>) -> Value {
    json!(["login", status, code, "me", null, null])
}

fn submit(client: &Client, question: &crate::told::Told, answer: &str) -> crate::told::Told {
    let arguments = json!({ "challenge_id": question.ids()[0], "answer": answer });
    told(client.call("submit_challenge", arguments))
}

#[test]
fn a_scan_is_written_as_the_devices() {
    let found = rows(|client, fake| {
        let question = told(client.call("start_login", json!({})));
        client.call("start_login", json!({}));
        fake.phone(Phone::Confirm);
        submit(client, &question, "ok");
    });
    let expected = [
        challenge("qr_code", "asked"),
        challenge("qr_code", "answered by device"),
        login("ok", None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn digits_are_written_as_whoevers_they_were() {
    let found = rows(|client, fake| {
        let question = told(client.call("start_login", json!({})));
        fake.phone(Phone::AskOtp("4321".to_owned()));
        let digits = submit(client, &question, "ok");
        let again = submit(client, &digits, "1111");
        send(&again.pages()[0], &[("answer", "4321")]);
    });
    let expected = [
        challenge("qr_code", "asked"),
        challenge("qr_code", "answered by device"),
        challenge("sms", "asked"),
        challenge("sms", "answered by tool"),
        challenge("sms", "asked"),
        challenge("sms", "answered by page"),
        login("ok", None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_sign_in_that_fails_is_written_with_its_code() {
    let found = rows(|client, fake| {
        let question = told(client.call("start_login", json!({})));
        fake.phone(Phone::AskOtp("4321".to_owned()));
        let digits = submit(client, &question, "ok");
        fake.phone(Phone::ExpireOtp);
        submit(client, &digits, "4321");
    });
    let expected = [
        challenge("qr_code", "asked"),
        challenge("qr_code", "answered by device"),
        challenge("sms", "asked"),
        challenge("sms", "answered by tool"),
        login("refused", Some("LOGIN_FAILED")),
    ];
    assert_eq!(found, expected);
}
