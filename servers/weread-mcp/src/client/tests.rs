//! Every recorded answer, mapped: rows asserted by hand beside a snapshot of the whole.
//!
//! The expected rows are written down from the answers, by docs/upstreams/weread.md, and never from what
//! the code returned.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    mem,
    path::PathBuf,
};

use http_session::drift::Drift;
use insta::assert_snapshot;
use serde_json::Value;

use super::{
    envelope::accepted,
    found::{self, Asked},
    notes, reviews, shelf, statistics,
};

mod rows;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/data/weread")
}

fn recorded(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(format!("{name}.json"))).expect(name);
    serde_json::from_str(&text).expect(name)
}

fn debug<T: Debug>(mapped: Result<T, Drift>) -> String {
    format!("{:#?}", mapped.expect("a mapped answer"))
}

/// Progress in the order of its books, which stand in no order.
fn shelf_debug(answer: Value) -> String {
    let mut shelf = shelf::shelf(answer).expect("a shelf");
    let progress: BTreeMap<_, _> = mem::take(&mut shelf.progress).into_iter().collect();
    format!("{shelf:#?}\n{progress:#?}")
}

/// Answers to what is not asked: passages without their text, and other people's words on single ones.
const NOT_ASKED: [&str; 5] = [
    "account_catalogue_partial_gateway",
    "books_articles_web",
    "books_passage_reviews_gateway",
    "books_review_single_gateway",
    "books_underlines_gateway",
];

/// What the client makes of that answer.
fn mapped(name: &str) -> String {
    let answer = accepted(200, recorded(name)).expect("an answer with data");
    let (topic, case) = name.split_once('_').expect("a topic and a case");
    let case = |word: &str| case.starts_with(word);
    match topic {
        "books" if case("info") => debug(super::books::book(answer)),
        "books" if case("chapters") => debug(super::books::chapters(answer)),
        "books" if case("progress") => debug(super::books::progress(answer)),
        "books" if case("popular") => debug(reviews::popular(answer)),
        "books" if case("recommended") => {
            debug(found::recommended(answer, Asked { after: 0, count: 2 }))
        }
        "books" if case("reviews") => debug(reviews::reviews(answer)),
        "books" if case("search") => debug(found::found(answer)),
        "notes" if case("highlights") => debug(notes::highlights(answer)),
        "notes" if case("notebook") => debug(shelf::notebooks(answer)),
        "notes" if case("reviews") => debug(notes::thoughts(answer)),
        "shelf" => shelf_debug(answer),
        "statistics" => debug(statistics::statistics(answer)),
        _ => panic!("{name} is no answer of a known topic"),
    }
}

#[test]
fn every_recorded_answer_has_its_reviewed_snapshot() {
    let files = std::fs::read_dir(folder()).expect("the folder");
    let names = files.filter_map(|file| {
        let name = file.expect("a file").file_name();
        name.to_str()?.strip_suffix(".json").map(str::to_owned)
    });
    // The others are the fake's own, or hold no answers of the service.
    let is_recorded = |name: &String| {
        ["_gateway", "_web", "_api", "_app"]
            .iter()
            .any(|end| name.ends_with(end))
    };
    let names: BTreeSet<String> = names.filter(is_recorded).collect();
    let not_asked = BTreeSet::from(NOT_ASKED.map(str::to_owned));
    assert_eq!(&not_asked - &names, BTreeSet::new());
    let names = &names - &not_asked;
    assert!(names.len() >= 33, "{names:?}");
    for name in names {
        assert_snapshot!(name.as_str(), mapped(&name));
    }
}
