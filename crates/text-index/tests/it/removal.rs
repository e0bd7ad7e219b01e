//! What is removed or replaced is gone from the file.

use std::{collections::HashMap, fs};

use crate::{Desk, NOTES};

/// Twelve letters without pattern.
fn word(row: i64) -> String {
    let mut mixed = (row.unsigned_abs() + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let letters = (0..12).map(|_| {
        let letter = u8::try_from(mixed % 26).unwrap();
        mixed /= 26;
        char::from(b'a' + letter)
    });
    letters.collect()
}

fn text(row: i64) -> String {
    format!("密 {} 语", word(row))
}

/// How often the last letters of each row are in the file and its log, which is first written back. The
/// first are not looked for: in the index, words that begin alike share them.
fn times(desk: &Desk, rows: impl Iterator<Item = i64>) -> Vec<usize> {
    let truncate = "PRAGMA wal_checkpoint(TRUNCATE)";
    let busy: i64 = desk
        .connection
        .query_row(truncate, [], |row| row.get(0))
        .unwrap();
    assert_eq!(busy, 0);
    let mut wal = desk.path.clone().into_os_string();
    wal.push("-wal");
    let bytes = [fs::read(&desk.path).unwrap(), fs::read(wal).unwrap()].concat();
    let mut found = HashMap::<&[u8], usize>::new();
    for window in bytes.windows(8) {
        *found.entry(window).or_default() += 1;
    }
    let times = |row| found.get(&word(row).as_bytes()[4..]).copied();
    rows.map(|row| times(row).unwrap_or_default()).collect()
}

/// So that a test of what is gone sees both; the border of two pages may cut a few words.
fn assert_in_both_tables(times: &[usize]) {
    let twice = times.iter().filter(|times| **times == 2).count();
    assert!(twice > times.len() * 9 / 10, "{twice} of {}", times.len());
}

#[test]
fn nothing_of_what_was_removed_or_replaced_is_in_the_file() {
    const ROWS: i64 = 4000;
    let mut desk = Desk::new();
    for start in (0..ROWS).step_by(500) {
        desk.change(|tx| {
            for row in start..start + 500 {
                NOTES.put(tx, row, &text(row), &[]).unwrap();
            }
        });
    }
    assert_in_both_tables(&times(&desk, 0..ROWS));

    desk.change(|tx| {
        for row in (0..ROWS).filter(|row| row % 3 == 0) {
            assert!(NOTES.remove(tx, row).unwrap());
        }
        for row in (0..ROWS).filter(|row| row % 3 == 1) {
            NOTES.put(tx, row, "换了", &[]).unwrap();
        }
    });
    let gone = times(&desk, (0..ROWS).filter(|row| row % 3 != 2));
    assert_eq!(gone, [0; 2667]);
    assert_in_both_tables(&times(&desk, (0..ROWS).filter(|row| row % 3 == 2)));
}

#[test]
fn a_long_text_is_gone_with_the_pages_it_had_alone() {
    let mut desk = Desk::new();
    let texts: Vec<_> = (0..3000).map(text).collect();
    desk.fill(&[&texts.join("，"), "留下"]);
    assert_in_both_tables(&times(&desk, 0..3000));
    desk.change(|tx| assert!(NOTES.remove(tx, 1).unwrap()));
    assert_eq!(times(&desk, 0..3000), [0; 3000]);
    assert_eq!(desk.rows("留"), [2]);
}

#[test]
fn a_row_that_is_not_there_is_not_removed() {
    let mut desk = Desk::new();
    desk.fill(&["北京"]);
    desk.change(|tx| {
        let removed = [1, 1, 2].map(|row| NOTES.remove(tx, row).unwrap());
        assert_eq!(removed, [true, false, false]);
    });
    assert!(desk.rows("北京").is_empty());
}
