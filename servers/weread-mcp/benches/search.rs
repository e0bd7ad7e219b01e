//! `search_notes` on its machine: one page of 20 with the count of all, among 50,000 notes (under 5 ms).
#![allow(clippy::unwrap_used)]

use divan::Bencher;
use state::StateDir;
use text_index::Query;
use tokio::runtime::{Builder, Runtime};
use weread_mcp::{
    domain::kept::{KeptBook, Kind, Note},
    store::notes::{NoteIndex, Search},
};

const BOOKS: usize = 50;
const NOTES_A_BOOK: usize = 1_000;
const ACCOUNT: &str = "bench";

/// Words that texts are put together from, common ones first.
const WORDS: [&str; 24] = [
    "的", "我们", "时间", "大脑", "阅读", "世界", "历史", "人们", "因为", "思考", "决定", "记忆",
    "意识", "社会", "生活", "语言", "自由", "科学", "经验", "直觉", "概率", "叙事", "隐喻", "悖论",
];

fn main() {
    divan::main();
}

/// The slowest kinds of query: one common character, two, a rare word, two words, none.
#[divan::bench(args = ["的", "大脑", "悖论", "大脑 时间", "叙事隐喻悖论概率", "鲸"])]
fn fifty_thousand_notes(bencher: Bencher<'_, '_>, words: &str) {
    let runtime = Builder::new_current_thread().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let index = NoteIndex::new(StateDir::at(folder.path().to_owned()));
    fill(&runtime, &index);
    let search = Search {
        query: Query::parse(words).unwrap(),
        book: None,
        kind: None,
        from: None,
        before: None,
        limit: 21,
        after_row: None,
    };
    bencher.bench_local(|| {
        let found = index.search(ACCOUNT, divan::black_box(search.clone()));
        runtime.block_on(found).unwrap()
    });
}

fn fill(runtime: &Runtime, index: &NoteIndex) {
    let mut random = 7_u64;
    let mut next = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        // Squared, so that the first words are the common ones.
        let part = (random >> 40) as usize % 1_000;
        WORDS.get(part * part * WORDS.len() / 1_000_000).unwrap()
    };
    for number in 0..BOOKS {
        let book = KeptBook {
            book_id: format!("{}", 1_000 + number).parse().unwrap(),
            title: format!("第{number}本"),
            author: None,
            changed: Some(1),
        };
        let notes = (0..NOTES_A_BOOK).map(|note| Note {
            kind: Kind::Highlight,
            id: format!("{number}_{note}"),
            chapter_uid: Some(1),
            chapter_title: None,
            content: None,
            passage: Some((0..16).map(|_| *next()).collect()),
            color: None,
            created: i64::try_from(1_600_000_000 + number * 100_000 + note * 60).ok(),
        });
        let kept = index.replace(ACCOUNT, book, notes.collect());
        runtime.block_on(kept).unwrap();
    }
}
