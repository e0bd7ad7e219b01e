//! The two hot paths: the station script to an indexed catalogue (under 5 ms), a ticket answer of
//! 1,000 rows from text to trains (under 10 ms).
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use divan::Bencher;
use jiff::civil::date;
use rail_mcp::{
    client::{
        stations,
        tickets::{Context, trains},
    },
    domain::catalogue::Source,
};
use serde_json::{Value, json};
use server_kit::time::Moment;

const SCRIPT: &str = include_str!("../data/station_name.js");
const ANSWER: &str =
    include_str!("../../../fixtures/data/rail/tickets_beijing_guangzhou_20250110.json");
const ROWS: usize = 1000;

fn main() {
    divan::main();
}

#[divan::bench]
fn station_script() -> usize {
    let as_of = Moment::at(date(2026, 9, 30).at(0, 0, 0, 0));
    let catalogue = stations::catalogue(divan::black_box(SCRIPT), Source::Bundled, as_of);
    catalogue.unwrap().stations().len()
}

#[divan::bench]
fn thousand_ticket_rows(bencher: Bencher<'_, '_>) {
    let mut answer: Value = serde_json::from_str(ANSWER).unwrap();
    let recorded = answer["data"]["result"].as_array().unwrap();
    let rows: Vec<Value> = recorded.iter().cycle().take(ROWS).cloned().collect();
    answer["data"]["result"] = json!(rows);
    let text = answer.to_string();
    let catalogue = stations::bundled().unwrap();
    let now = Moment::at(date(2025, 1, 1).at(10, 0, 0, 0));
    bencher.bench(|| {
        let answer = serde_json::from_str(divan::black_box(&text)).unwrap();
        let context = Context {
            catalogue: &catalogue,
            now,
        };
        let trains = trains(answer, date(2025, 1, 10), context).unwrap();
        assert_eq!(trains.len(), ROWS);
        trains
    });
}

#[divan::bench(args = ["北京", "sy", "shanghaihongqao", "呼伦贝尔站"])]
fn station_search(bencher: Bencher<'_, '_>, words: &str) {
    let catalogue = stations::bundled().unwrap();
    bencher.bench(|| catalogue.search(divan::black_box(words)));
}
