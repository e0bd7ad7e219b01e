//! Every recorded answer, mapped: rows asserted by hand beside a snapshot of the whole.
//!
//! The expected rows are written down from the recordings, by the worked examples of
//! docs/upstreams/rail.md, and never from what the code returned.

use std::path::PathBuf;

use serde_json::Value;
use server_kit::time::Moment;

use super::stations;
use crate::domain::{
    catalogue::Catalogue,
    seats::Seat,
    tickets::{NamedStation, Train},
};

mod routes;
mod tickets;
mod transfers;

fn recorded(name: &str) -> Value {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/data/rail");
    let text = std::fs::read_to_string(data.join(name)).expect(name);
    serde_json::from_str(&text).expect(name)
}

fn bundled() -> Catalogue {
    stations::bundled().expect("the shipped catalogue")
}

fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

/// A moment without year, seconds and zone.
fn at(moment: Option<Moment>) -> String {
    or_dash(moment.map(|moment| moment.local().strftime("%m-%d %H:%M")))
}

/// A train in one line, its seats aside.
fn line(train: &Train) -> String {
    let station =
        |station: &NamedStation| format!("{} {}", station.name, or_dash(station.telecode));
    [
        train.train_code.as_str().to_owned(),
        or_dash(train.train_no.as_ref().map(|no| no.as_str())),
        format!(
            "{} → {}",
            station(&train.from_station),
            station(&train.to_station)
        ),
        format!(
            "{}…{}",
            or_dash(train.origin.as_ref()),
            or_dash(train.terminus.as_ref())
        ),
        format!("{} → {}", at(train.depart_at), at(train.arrive_at)),
        format!("{} min", or_dash(train.duration_minutes)),
        format!("{:?} {}", train.sale, at(train.sale_opens_at)),
        format!("{:?}", train.features),
    ]
    .join(", ")
}

/// A seat in one line: name, code, what is left and how many, yuan, percent, berths.
fn seat_line(seat: &Seat) -> String {
    let berths = seat.berths.iter().map(|berth| {
        let percent = berth.discount_percent.map(|percent| format!(" {percent}%"));
        format!(
            " {:?} {}{}",
            berth.berth,
            or_dash(berth.price_yuan),
            percent.unwrap_or_default()
        )
    });
    let percent = seat.discount_percent.map(|percent| format!(" {percent}%"));
    format!(
        "{} {} {:?} {} {}{}{}",
        seat.seat,
        or_dash(seat.code),
        seat.availability,
        or_dash(seat.count),
        or_dash(seat.price_yuan),
        percent.unwrap_or_default(),
        berths.collect::<String>(),
    )
}

fn check(train: &Train, expected: &str, seats: &[&str]) {
    assert_eq!(line(train), expected);
    let found: Vec<String> = train.seats.iter().map(seat_line).collect();
    assert_eq!(found, seats, "{expected}");
}
