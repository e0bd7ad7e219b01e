//! Several connections at once, as processes have, and versions that differ between them.

use std::{
    path::Path,
    sync::{Arc, Barrier},
    thread,
};

use rusqlite::Connection;
use text_index::{Error, Filter, Query};

use crate::{Desk, NOTES, change, migrations, open};

/// Another version of the program has built the index, and by rules of its own.
fn built_by_another(connection: &Connection) {
    let changes = "UPDATE notes_version SET version = '0';
         INSERT INTO notes_tokens (notes_tokens) VALUES ('delete-all');
         INSERT INTO notes_tokens (rowid, tokens) VALUES (1, '旧');";
    connection.execute_batch(changes).unwrap();
}

#[test]
fn an_index_of_another_version_is_built_anew_from_the_texts() {
    let mut desk = Desk::new();
    desk.fill(&["北京", "上海，北京"]);
    assert!(!NOTES.bring_up_to_date(&mut desk.connection).unwrap());
    built_by_another(&desk.connection);

    let query = Query::parse("北京").unwrap();
    let filter = Filter::default();
    let found = NOTES.search(&desk.connection, &query, &filter).map(|_| ());
    let counted = NOTES.count(&desk.connection, &query, &filter).map(|_| ());
    let tx = desk.connection.transaction().unwrap();
    let put = NOTES.put(&tx, 3, "北京", &[]);
    let removed = NOTES.remove(&tx, 1).map(|_| ());
    drop(tx);
    for refused in [found, counted, put, removed] {
        assert!(matches!(refused, Err(Error::OtherVersion)), "{refused:?}");
    }

    assert!(NOTES.bring_up_to_date(&mut desk.connection).unwrap());
    assert!(!NOTES.bring_up_to_date(&mut desk.connection).unwrap());
    assert_eq!(desk.rows("北京"), [2, 1]);
    assert!(desk.rows("旧").is_empty());
    desk.change(|tx| assert!(NOTES.remove(tx, 2).unwrap()));
    assert!(desk.rows("海").is_empty());
}

/// Lets eight do the same at once with the database at `path`, each with its number, and gives what each
/// got.
fn eight<T: Send + 'static>(
    path: &Path,
    act: impl Fn(i64, &Path) -> T + Send + Sync + 'static,
) -> Vec<T> {
    let (start, act) = (Arc::new(Barrier::new(8)), Arc::new(act));
    let racers: Vec<_> = (0..8)
        .map(|who| {
            let (start, act, path) = (Arc::clone(&start), Arc::clone(&act), path.to_owned());
            thread::spawn(move || {
                start.wait();
                act(who, &path)
            })
        })
        .collect();
    racers
        .into_iter()
        .map(|racer| racer.join().unwrap())
        .collect()
}

#[test]
fn eight_that_make_an_index_at_once_share_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.sqlite");
    eight(&path, |who, path| {
        change(&mut open(path), |tx| {
            NOTES.put(tx, who, "北京", &[]).unwrap();
        });
    });
    let query = Query::parse("北京").unwrap();
    let count = NOTES.count(&open(&path), &query, &Filter::default());
    assert_eq!(count.unwrap().rows, 8);
}

#[test]
fn of_eight_that_open_an_old_index_at_once_one_builds_it_anew() {
    for _ in 0..5 {
        let mut desk = Desk::new();
        desk.fill(&["北京", "上海"]);
        built_by_another(&desk.connection);
        let built = eight(&desk.path, |who, path| {
            let mut connection = state::sqlite::open(path, &migrations()).unwrap();
            let built = NOTES.bring_up_to_date(&mut connection).unwrap();
            change(&mut connection, |tx| {
                NOTES.put(tx, 10 + who, "北京", &[]).unwrap();
            });
            built
        });
        assert_eq!(built.iter().filter(|built| **built).count(), 1);
        assert_eq!(desk.rows("北京"), [17, 16, 15, 14, 13, 12, 11, 10, 1]);
    }
}

#[test]
fn what_eight_write_at_once_is_all_there() {
    let mut desk = Desk::new();
    desk.fill(&["共有"]);
    eight(&desk.path, |who, path| {
        let mut connection = open(path);
        for turn in 0..20 {
            change(&mut connection, |tx| {
                let row = 100 + 8 * turn + who;
                let text = format!("第{who}人写了{turn}");
                NOTES.put(tx, row, &text, &[]).unwrap();
                // All replace this one, and each removes what it wrote the time before.
                let text = format!("共有{who}回{turn}");
                NOTES.put(tx, 1, &text, &[]).unwrap();
                if turn % 2 == 1 {
                    assert!(NOTES.remove(tx, row - 8).unwrap());
                }
            });
        }
    });
    let all = Filter {
        limit: usize::MAX,
        ..Filter::default()
    };
    let hits = desk.search("人写了", &all);
    let rows: Vec<_> = hits.rows.iter().map(|hit| hit.row).collect();
    let written_in_odd_turns = (0..160).rev().filter(|place| place / 8 % 2 == 1);
    let expected: Vec<_> = written_in_odd_turns.map(|place| 100 + place).collect();
    assert_eq!(rows, expected);
    // The one that wrote last; of all others' tokens nothing is left.
    assert_eq!(desk.rows("回19"), [1]);
    let last: Vec<_> = (0..8)
        .filter(|who| !desk.rows(&format!("有{who}回")).is_empty())
        .collect();
    assert_eq!(last.len(), 1, "{last:?}");
    let check = "INSERT INTO notes_tokens (notes_tokens) VALUES ('integrity-check')";
    desk.connection.execute_batch(check).unwrap();
}
