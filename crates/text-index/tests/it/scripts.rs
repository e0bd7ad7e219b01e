//! Random scripts of changes and searches: the index gives what trying every place gives.

use proptest::{collection::vec, prelude::*, sample::select};
use rusqlite::Connection;
use rusqlite_migration::Migrations;
use text_index::{BadQuery, Count, Filter, Hits, Query, Tag};

use crate::{
    NOTES,
    oracle::{self, Oracle},
    tag,
};

/// What texts are made of: few enough to meet again, and every kind of trouble.
const UNITS: &[&str] = &[
    "中",
    "国",
    "人",
    "的",
    "的",
    "々",
    "〇",
    "𠮷",
    "𰻞",
    "㐀",
    "の",
    "ス",
    "ー",
    "ｶﾞ",
    "か\u{3099}",
    "한",
    "글",
    "\u{1112}\u{1161}\u{11ab}",
    "㍿",
    "豈",
    "a",
    "B",
    "b",
    "é",
    "e\u{301}",
    "Ａ",
    "ﬁ",
    "ß",
    "J\u{30c}",
    "п",
    "1",
    "2",
    "①",
    "ab",
    "_",
    "-",
    "，",
    "。",
    "+",
    "👍",
    "❤\u{fe0f}",
    "\u{200b}",
    "\u{200d}",
    "\u{0}",
    "\u{1b}",
    "\u{e0100}",
    " ",
    " ",
    "\u{3000}",
    "\n",
    "´",
];

fn text() -> impl Strategy<Value = String> {
    vec(select(UNITS), 0..16).prop_map(|units| units.concat())
}

fn tags() -> impl Strategy<Value = Vec<Tag>> {
    vec((select(vec!['b', 'k']), 1..3_u64), 0..4).prop_map(|tags| {
        tags.into_iter()
            .map(|(kind, number)| tag(kind, number))
            .collect()
    })
}

#[derive(Debug, Clone)]
enum Change {
    Put(i64, String, Vec<Tag>),
    Remove(i64),
}

fn change(rows: i64) -> impl Strategy<Value = Change> {
    let row = prop_oneof![9 => 0..rows, 1 => select(vec![i64::MIN, -1, i64::MAX])];
    prop_oneof![
        4 => (row.clone(), text(), tags()).prop_map(|(row, text, tags)| Change::Put(row, text, tags)),
        1 => row.prop_map(Change::Remove),
    ]
}

/// Changes of one transaction, and whether it is committed.
fn transaction() -> impl Strategy<Value = (Vec<Change>, bool)> {
    (vec(change(8), 1..6), prop::bool::weighted(0.9))
}

/// A part of a query: a piece of a text that is there, or anything.
#[derive(Debug, Clone)]
enum Wanted {
    Piece(prop::sample::Index, prop::sample::Index, usize),
    Any(String),
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        4 => (index(), index(), 1..5_usize).prop_map(|(text, from, length)| Wanted::Piece(text, from, length)),
        1 => vec(select(UNITS), 1..4).prop_map(|units| Wanted::Any(units.concat())),
    ]
}

fn filter() -> impl Strategy<Value = Filter> {
    let bound = || prop::option::weighted(0.2, -1..9_i64);
    let groups = vec(tags(), 0..2);
    let few = prop::bool::weighted(0.5);
    (tags(), groups, few, bound(), bound(), 0..4_usize).prop_map(
        |(tags_all, tags_any, few, from, before, limit)| {
            let all = Filter {
                from,
                before,
                limit,
                ..Filter::default()
            };
            match few {
                true => Filter {
                    tags_all,
                    tags_any,
                    ..all
                },
                false => all,
            }
        },
    )
}

impl Wanted {
    fn written(&self, oracle: &Oracle) -> String {
        let texts: Vec<_> = oracle.0.values().map(|(text, _)| text).collect();
        match self {
            Self::Any(text) => text.clone(),
            Self::Piece(_, _, _) if texts.is_empty() => "中".to_owned(),
            Self::Piece(text, from, length) => {
                let chars: Vec<_> = text.get(&texts).chars().collect();
                let from = from.index(chars.len() + 1);
                chars[from..].iter().take(*length).collect()
            }
        }
    }
}

fn apply(connection: &mut Connection, oracle: &mut Oracle, changes: &[Change], commits: bool) {
    let tx = connection.transaction().unwrap();
    let mut after = oracle.clone();
    for change in changes {
        match change {
            Change::Put(row, text, tags) => {
                NOTES.put(&tx, *row, text, tags).unwrap();
                after.0.insert(*row, (text.clone(), tags.clone()));
            }
            Change::Remove(row) => {
                let was_there = after.0.remove(row).is_some();
                assert_eq!(NOTES.remove(&tx, *row).unwrap(), was_there);
            }
        }
    }
    if commits {
        tx.commit().unwrap();
        *oracle = after;
    }
}

fn check(connection: &Connection, oracle: &Oracle, parts: &[String], filter: &Filter) {
    let quoted: Vec<_> = parts.iter().map(|part| format!("\"{part}\"")).collect();
    let query = Query::parse(&quoted.join(" "));
    if let Some(part) = parts.iter().find(|part| !oracle::is_findable(part)) {
        let part = part.clone();
        assert_eq!(query, Err(BadQuery::NothingToFind { part }));
        return;
    }
    let query = query.unwrap();
    let mut expected = oracle.all(parts, filter);
    let rows = expected.len();

    let mut page = filter.clone();
    loop {
        let limit = page.limit.min(expected.len());
        let later = expected.split_off(limit);
        let more = !later.is_empty();
        let last = expected.last().map(|hit| hit.row);
        let hits = NOTES.search(connection, &query, &page).unwrap();
        assert_eq!(
            hits,
            Hits {
                rows: expected,
                more
            },
            "{parts:?} {page:?}"
        );
        let count = NOTES.count(connection, &query, &page).unwrap();
        assert_eq!(count, Count { rows: limit, more }, "{parts:?} {page:?}");
        if last.is_none() || !more {
            break;
        }
        page.before = last;
        expected = later;
    }
    let all = Filter {
        limit: usize::MAX,
        ..filter.clone()
    };
    let count = NOTES.count(connection, &query, &all).unwrap();
    assert_eq!(count, Count { rows, more: false }, "{parts:?} {all:?}");
}

/// The changes, each transaction followed by the searches, in an index with pages of that many bytes:
/// small ones give few rows what otherwise only many have.
fn play(page: i64, transactions: &[(Vec<Change>, bool)], searches: &[(Vec<Wanted>, Filter)]) {
    let mut connection = Connection::open_in_memory().unwrap();
    let migrations = Migrations::new(vec![NOTES.migration()]);
    migrations.to_latest(&mut connection).unwrap();
    let set = "INSERT INTO notes_tokens (notes_tokens, rank) VALUES ('pgsz', ?1)";
    connection.execute(set, [page]).unwrap();
    let mut oracle = Oracle::default();
    for (changes, commits) in transactions {
        apply(&mut connection, &mut oracle, changes, *commits);
        for (wanted, filter) in searches {
            let parts: Vec<_> = wanted.iter().map(|part| part.written(&oracle)).collect();
            check(&connection, &oracle, &parts, filter);
        }
    }
}

fn pages() -> impl Strategy<Value = i64> {
    select(vec![32, 64, 4050])
}

fn searches(many: usize) -> impl Strategy<Value = Vec<(Vec<Wanted>, Filter)>> {
    vec((vec(wanted(), 1..3), filter()), many)
}

fn settings(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(settings(3000))]

    #[test]
    fn a_search_gives_what_trying_every_place_gives(
        page in pages(),
        transactions in vec(transaction(), 1..4),
        searches in searches(4),
    ) {
        play(page, &transactions, &searches);
    }
}

proptest! {
    #![proptest_config(settings(100))]

    #[test]
    fn an_index_that_is_changed_often_stays_right(
        page in pages(),
        transactions in vec((vec(change(60), 1..20), prop::bool::weighted(0.9)), 10..40),
        searches in searches(2),
    ) {
        play(page, &transactions, &searches);
    }
}
