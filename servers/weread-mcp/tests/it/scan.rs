//! The sign-in by a scanned code.

mod lost;
mod pending;
mod steps;

use fixtures::{
    mcp::Both,
    weread::{Phone, Weread},
};
use serde_json::json;

use crate::told::{self, call, submit};

/// Signs in: the phone scans and confirms.
#[track_caller]
pub(crate) fn sign_in(both: &Both<Weread>) {
    let question = call(both, "start_login", json!({}));
    assert_eq!(question.value, told::scan(&json!({})));
    both.each(|fake| {
        fake.phone(Phone::Scan);
        fake.phone(Phone::Confirm);
    });
    let done = submit(both, &question, "ok");
    assert_eq!(done.value["logged_in"], true, "{}", done.value);
}
