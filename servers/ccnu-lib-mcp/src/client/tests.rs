//! Every recorded and every assumed answer, mapped: rows asserted by hand beside a snapshot of the
//! whole.
//!
//! The expected rows are written down from the answers, by docs/upstreams/ccnu-lib.md, and never
//! from what the code returned.

use std::{collections::BTreeSet, fmt::Debug, path::PathBuf};

use insta::assert_snapshot;
use jiff::civil::{Date, date};
use secrecy::ExposeSecret;
use serde::Serialize;
use serde_json::Value;

use super::{Rejected, account, configuration, presence, reservations, seats};
use crate::domain::ids::LocationId;

mod rows;

const DAY: Date = date(2026, 6, 25);

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/data/ccnu-lib")
}

fn recorded(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(format!("{name}.json"))).expect(name);
    serde_json::from_str(&text).expect(name)
}

fn atrium() -> LocationId {
    LocationId::parse("1995338594917990400").expect("an id")
}

/// As a result shows it.
fn json<T: Serialize>(mapped: Result<T, Rejected>) -> String {
    match mapped {
        Ok(value) => serde_json::to_string_pretty(&value).expect("json"),
        Err(rejected) => format!("{rejected:#?}"),
    }
}

/// Of what no result shows whole.
fn debug<T: Debug, E: Debug>(mapped: Result<T, E>) -> String {
    match mapped {
        Ok(value) => format!("{value:#?}"),
        Err(rejected) => format!("{rejected:#?}"),
    }
}

/// What the client makes of that answer; none for a file that is no answer.
fn mapped(name: &str) -> Option<String> {
    let answer = recorded(name);
    let stem = name.split_once('_').map_or("", |(_, case)| case);
    let case = |word: &str| stem.starts_with(word);
    Some(match name.split('_').next()? {
        "account" if case("exchange") => {
            debug(account::app_token(answer).map(|token| token.expose_secret().to_owned()))
        }
        "account" => debug(account::reader(answer)),
        "configuration" if case("rush_hour") => debug(configuration::rush_hour(answer)),
        "configuration" if case("system") => debug(configuration::configuration(answer)),
        "configuration" => debug(super::accepted(answer)),
        "presence" if case("door_log") => json(presence::door_log(answer, DAY)),
        "presence" => debug(reservations::acted(answer)),
        "reservations" if case("current") => json(reservations::current(answer)),
        "reservations" if case("recent") => json(reservations::recent(answer)),
        "reservations" if case("history") || case("breaches") => {
            json(reservations::records(answer).map(|page| page.records))
        }
        "reservations" if case("stages") => debug(reservations::stages(answer)),
        "reservations" if case("cancel") => debug(reservations::acted(answer)),
        "reservations" => debug(reservations::booked(answer)),
        "seats" if case("ccnu_rooms") => return None,
        "seats" if case("buildings") => debug(seats::library(answer)),
        "seats" if case("rooms") => json(seats::locations(answer).map(|page| page.locations)),
        "seats" if case("free") => json(seats::seats(answer, &atrium())),
        "seats" if case("layout") => json(seats::layout(answer)),
        "seats" if case("timeline") => json(seats::time_line(answer).map(|line| line.0)),
        "seats" if case("start_times") => json(seats::start_times(answer).map(|times| times.0)),
        "seats" if case("end_times") => json(seats::end_times(answer).map(|times| times.0)),
        "seats" if case("favourites") => json(seats::favorites(answer)),
        _ => panic!("{name} is no answer of a known topic"),
    })
}

#[test]
fn every_answer_has_its_reviewed_snapshot() {
    let files = std::fs::read_dir(folder()).expect("the folder");
    let names = files.filter_map(|file| {
        let name = file.expect("a file").file_name();
        name.to_str()?.strip_suffix(".json").map(str::to_owned)
    });
    let names: BTreeSet<String> = names.collect();
    assert!(names.len() >= 50, "{names:?}");
    for name in names {
        if let Some(text) = mapped(&name) {
            assert_snapshot!(name.as_str(), text);
        }
    }
}
