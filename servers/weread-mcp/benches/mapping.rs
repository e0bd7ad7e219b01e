//! The hot path: the notes of one well-read book, 1,000 highlights and 300 thoughts, from text to domain
//! values (under 10 ms).
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use divan::Bencher;
use serde_json::{Value, json};
use weread_mcp::client::notes;

const HIGHLIGHTS: &str =
    include_str!("../../../fixtures/data/weread/notes_highlights_rebased_web.json");
const THOUGHTS: &str = include_str!("../../../fixtures/data/weread/notes_reviews_web.json");

fn main() {
    divan::main();
}

/// The recorded answer with so many rows in `list`, each with an id of its own.
fn answer(recorded: &str, list: &str, id: &str, rows: usize) -> String {
    let mut answer: Value = serde_json::from_str(recorded).unwrap();
    let recorded = answer[list].as_array().unwrap();
    let rows = recorded.iter().cycle().take(rows).cloned().enumerate();
    let rows = rows.map(|(number, mut row)| {
        row[id] = json!(format!("{number}"));
        row
    });
    answer[list] = rows.collect();
    answer.to_string()
}

#[divan::bench]
fn thousand_highlights(bencher: Bencher<'_, '_>) {
    let text = answer(HIGHLIGHTS, "updated", "bookmarkId", 1000);
    bencher.bench(|| {
        let answer = serde_json::from_str(divan::black_box(&text)).unwrap();
        let highlights = notes::highlights(answer).unwrap();
        assert_eq!(highlights.items.len(), 1000);
        highlights
    });
}

#[divan::bench]
fn three_hundred_thoughts(bencher: Bencher<'_, '_>) {
    let text = answer(THOUGHTS, "reviews", "reviewId", 300);
    bencher.bench(|| {
        let answer = serde_json::from_str(divan::black_box(&text)).unwrap();
        let thoughts = notes::thoughts(answer).unwrap();
        assert_eq!(thoughts.list.items.len(), 300);
        thoughts
    });
}
