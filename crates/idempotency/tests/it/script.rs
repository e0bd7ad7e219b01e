//! Scripts of what several calls do to one token, and what each is told.

use std::collections::HashMap;

use idempotency::{Claim, Doubt, Error, Hold, Limits, Outcome};
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{Desk, LEASE, at, call, key};

/// Plays lines of `SECOND CALL VERB [WORD]`, each with what the call is told.
///
/// `claim`, `claim other` (arguments), `note WORD`, `release`, `done WORD`, `nothing`, `unknown`. The
/// process is ended and started again between any two lines.
pub(crate) fn play(script: &[(&str, &str)]) {
    let mut desk = Desk::new();
    let mut holds = HashMap::new();
    for (number, (line, expected)) in script.iter().enumerate() {
        let told = act(&mut desk, &mut holds, line);
        let played: Vec<_> = script[..number].iter().map(|(line, _)| *line).collect();
        assert_eq!(told, *expected, "{line}, after {played:#?}");
        desk.restart();
    }
}

fn act(desk: &mut Desk, holds: &mut HashMap<String, Hold>, line: &str) -> String {
    let words: Vec<_> = line.split(' ').collect();
    let (now, name, verb) = (at(words[0].parse().unwrap()), words[1], words[2]);
    let word = words.get(3).copied().unwrap_or("");
    let (book, id) = (&mut desk.book, call(name));
    if verb == "claim" {
        let (key, limits) = (key("a-token"), Limits::default());
        let claim = book.claim(now, &limits, &key, word, id, LEASE).unwrap();
        if let Claim::Fresh(hold) | Claim::Unknown(hold, _) = &claim {
            assert_eq!((hold.key(), hold.call()), (&key, id));
            holds.insert(name.to_owned(), hold.clone());
        }
        return claimed(&claim);
    }
    let hold = &holds[name];
    let told = match verb {
        "note" => book
            .note(now, hold, &json!(word))
            .map(|()| "noted".to_owned()),
        "release" => book.release(hold).map(|()| "released".to_owned()),
        "done" => book
            .settle(now, hold, &Outcome::Done(json!(word)))
            .map(stands),
        "nothing" => book.settle(now, hold, &Outcome::Nothing).map(stands),
        "unknown" => book.settle(now, hold, &Outcome::Unknown).map(stands),
        _ => panic!("no such verb: {line}"),
    };
    told.unwrap_or_else(|error| match error {
        Error::Lost => "lost".to_owned(),
        Error::Noted => "refused: noted".to_owned(),
        other => panic!("{line}: {other}"),
    })
}

fn claimed(claim: &Claim) -> String {
    match claim {
        Claim::Fresh(hold) => format!("fresh until {}", second(hold.until())),
        Claim::Unknown(hold, found) => {
            format!("{}, to settle until {}", doubt(found), second(hold.until()))
        }
        Claim::Done { result, call } => format!("{} by {}", text(result), name(*call)),
        Claim::InProgress { call, until } => {
            format!("in progress by {} until {}", name(*call), second(*until))
        }
        Claim::Conflict { call } => format!("conflict with {}", name(*call)),
        limited => panic!("no limit was set: {limited:?}"),
    }
}

pub(crate) fn doubt(doubt: &Doubt) -> String {
    let (since, call) = (second(doubt.since), name(doubt.call));
    match &doubt.note {
        None => format!("unknown since {since}, {call} sent nothing"),
        Some(note) => format!(
            "unknown since {since}, {call} noted {}, first at {}, {}",
            text(&note.memo),
            second(note.first),
            if note.ended { "ended" } else { "not ended" }
        ),
    }
}

fn stands(outcome: Outcome) -> String {
    match outcome {
        Outcome::Done(result) => text(&result).to_owned(),
        Outcome::Nothing => "nothing".to_owned(),
        Outcome::Unknown => "unknown".to_owned(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn second(time: Timestamp) -> i64 {
    time.as_second() - at(0).as_second()
}

fn name(call: Uuid) -> String {
    let bytes = call.into_bytes();
    let end = bytes.iter().position(|byte| *byte == 0).unwrap();
    String::from_utf8(bytes[..end].to_vec()).unwrap()
}
