//! The same facts in every form in which the service may write them.

use fixtures::ccnu::{CodeForm, MinuteForm, Switches};
use serde_json::Value;

use super::readings;
use crate::{
    expected::{TODAY, given, signed_in_after},
    world::READER,
};

/// How the fake is changed.
type Change = fn(&mut Switches);

fn answers(change: impl Fn(&mut Switches)) -> Vec<Value> {
    let both = signed_in_after(|fake| {
        fake.book(READER, "N1163", TODAY, 690, 840);
        fake.gate(READER, true);
        fake.switch(&change);
    });
    let asked = readings().into_iter();
    asked
        .map(|(tool, arguments)| given(&both, tool, &arguments))
        .collect()
}

#[test]
fn every_form_of_an_answer_is_read_alike() {
    let usual = answers(|_| {});
    let forms: [(&str, Change); 5] = [
        ("codes as text", |switches| switches.code = CodeForm::Text),
        ("no code", |switches| {
            switches.code = CodeForm::AbsentOnSuccess
        }),
        ("minutes as text", |switches| {
            switches.minutes = MinuteForm::Text
        }),
        ("minutes as clock times", |switches| {
            switches.minutes = MinuteForm::Clock
        }),
        ("times as numbers", |switches| {
            switches.times_as_numbers = true
        }),
    ];
    for (form, change) in forms {
        assert_eq!(answers(change), usual, "{form}");
    }
    // The site's own objects are passed on as they are.
    let raw = |mut all: Vec<Value>| {
        all.retain(|answer| answer.get("favorites").is_none());
        all
    };
    let numbers = answers(|switches| switches.ids_as_numbers = true);
    assert_eq!(raw(numbers), raw(usual));
}
