//! What a search takes: the newest 20, by kind of query and how often it matches.
#![allow(
    clippy::expect_used,
    reason = "a bench that cannot run should say so and end"
)]

use std::sync::LazyLock;

use divan::{Bencher, black_box};
use rusqlite::Connection;
use rusqlite_migration::Migrations;
use tempfile::TempDir;
use text_index::{Filter, Index, Query, Tag, TagKind};

const NOTES: Index = Index::named("notes");
const BOOK: TagKind = TagKind::named('b');

/// How many notes there are.
const MANY: [i64; 2] = [50_000, 200_000];

fn main() {
    divan::main();
}

/// Numbers without pattern, the same in each run.
struct Dice(u64);

impl Dice {
    fn share(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 31)
    }

    /// A number below `bound`.
    fn even(&mut self, bound: u32) -> u32 {
        (self.share() * f64::from(bound)) as u32
    }

    /// A number below `bound`, the smaller the more often, as few characters make most of a text.
    fn uneven(&mut self, bound: u32) -> u32 {
        (f64::from(bound).powf(self.share()) - 1.0) as u32
    }
}

/// The character at a place in the order of frequency.
fn character(place: u32) -> char {
    char::from_u32(0x4e00 + place).unwrap_or('中')
}

/// About 40 characters; two pieces in a hundred are words in letters, two are commas.
fn note(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..20 + dice.even(30) {
        match dice.even(50) {
            0 => text.push_str(&word(dice.uneven(3000))),
            1 => text.push('，'),
            _ => text.push(character(dice.uneven(6000))),
        }
    }
    text
}

/// A word of five syllables, by its place in the order of frequency.
fn word(place: u32) -> String {
    let syllables = ["ba", "te", "ron", "shi", "ku", "mo", "le"];
    let digits = [1, 7, 49, 343, 2401].map(|power| place / power % 7);
    let word = digits
        .into_iter()
        .filter_map(|digit| syllables.get(digit as usize));
    word.copied().collect::<String>() + " "
}

fn tags(row: i64) -> [Tag; 2] {
    [
        BOOK.tag(row.unsigned_abs() % 300),
        TagKind::named('k').tag(row.unsigned_abs() % 2),
    ]
}

fn filled(rows: i64) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut connection = open(&folder);
    let mut dice = Dice(7);
    for start in (0..rows).step_by(1000) {
        let tx = connection.transaction().expect("a transaction");
        for row in start..start + 1000 {
            NOTES
                .put(&tx, row, &note(&mut dice), &tags(row))
                .expect("a row");
        }
        tx.commit().expect("a commit");
    }
    folder
}

static FEWER: LazyLock<TempDir> = LazyLock::new(|| filled(MANY[0]));
static MORE: LazyLock<TempDir> = LazyLock::new(|| filled(MANY[1]));

fn folder(rows: i64) -> &'static TempDir {
    if rows == MANY[0] { &FEWER } else { &MORE }
}

fn open(folder: &TempDir) -> Connection {
    let path = folder.path().join("notes.sqlite");
    let migrations = Migrations::new(vec![NOTES.migration()]);
    state::sqlite::open(&path, &migrations).expect("a database")
}

/// What is asked, by its kind; the characters come by frequency from 一 on.
const QUERIES: [(&str, &str); 14] = [
    ("one common", "丁"),
    ("one rare", "\u{650c}"),
    ("one absent", "\u{8898}"),
    ("two common", "一丁"),
    ("two rare", "\u{55d0}\u{5da0}"),
    ("two absent", "一\u{8898}"),
    ("three common", "一丁丂"),
    ("four common", "一丁一丂"),
    ("pairs that hardly meet", "一丁丂丁一七一"),
    ("two parts", "丁 乚"),
    ("one letter", "b"),
    ("three letters", "bar"),
    ("word", "baronbaronba"),
    ("one book", "丁"),
];

fn query((kind, text): (&str, &str)) -> (Query, Filter) {
    let mut filter = Filter::default();
    if kind == "one book" {
        filter.tags_all = vec![BOOK.tag(299)];
    }
    (Query::parse(text).expect("a query"), filter)
}

#[divan::bench(args = QUERIES, consts = MANY, max_time = 1)]
fn newest_twenty<const ROWS: i64>(bencher: Bencher<'_, '_>, asked: (&str, &str)) {
    let connection = open(folder(ROWS));
    let (query, filter) = query(asked);
    bencher.bench_local(|| {
        NOTES
            .search(&connection, black_box(&query), &filter)
            .expect("an answer")
    });
}

#[divan::bench(args = QUERIES, consts = MANY, max_time = 1)]
fn count_of_all<const ROWS: i64>(bencher: Bencher<'_, '_>, asked: (&str, &str)) {
    let connection = open(folder(ROWS));
    let (query, filter) = query(asked);
    let filter = Filter {
        limit: usize::MAX,
        ..filter
    };
    bencher.bench_local(|| {
        NOTES
            .count(&connection, black_box(&query), &filter)
            .expect("an answer")
    });
}

/// A thousand new notes in one transaction.
#[divan::bench(sample_count = 20)]
fn put_a_thousand(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut connection = open(&folder);
    let (mut dice, mut row) = (Dice(7), 0);
    bencher.bench_local(|| {
        let tx = connection.transaction().expect("a transaction");
        for _ in 0..1000 {
            row += 1;
            NOTES
                .put(&tx, row, &note(&mut dice), &tags(row))
                .expect("a row");
        }
        tx.commit().expect("a commit");
    });
}
