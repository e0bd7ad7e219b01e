//! What `verify` finds, and what it must not find fault with.

use std::thread;

use audit::{Audit, Error, Filter, Intact, RETENTION, Why};

use crate::{Log, at, call};

/// The first wrong row, or what an intact log says but for its hash.
fn verdict(log: &mut Log) -> Result<(i64, i64), (i64, Why)> {
    match log.audit.verify() {
        Ok(Intact { rows, pruned, .. }) => Ok((rows, pruned)),
        Err(Error::Broken { seq, why }) => Err((seq, why)),
        Err(error) => panic!("{error}"),
    }
}

/// Adds a row like row 2 behind the end.
const COPY: &str = "INSERT INTO log SELECT 5, at_ms, event, phase, id, tool, status, code, \
     retry_after, duration_ms, account, token_id, scope, host, arguments, previous, hash \
     FROM log WHERE seq = 2;";

#[test]
fn every_change_is_named_with_its_row() {
    let cases = [
        ("", Ok((4, 0))),
        // Any column, also to a value that no program wrote.
        (
            "UPDATE log SET tool = 'other' WHERE seq = 2",
            Err((2, Why::Changed)),
        ),
        (
            "UPDATE log SET event = 'nonsense' WHERE seq = 3",
            Err((3, Why::Changed)),
        ),
        (
            "UPDATE log SET at_ms = at_ms + 1 WHERE seq = 1",
            Err((1, Why::Changed)),
        ),
        (
            "UPDATE log SET host = '' WHERE seq = 4",
            Err((4, Why::Changed)),
        ),
        (
            "UPDATE log SET hash = upper(hash) WHERE seq = 2",
            Err((2, Why::Changed)),
        ),
        // A value moved to the neighbouring column.
        (
            "UPDATE log SET account = id, id = account WHERE seq = 2",
            Err((2, Why::Changed)),
        ),
        (
            "UPDATE log SET tool = 'a'; UPDATE log SET tool = 'b'",
            Err((1, Why::Changed)),
        ),
        ("DELETE FROM log WHERE seq = 2", Err((2, Why::Missing))),
        ("DELETE FROM log WHERE seq = 1", Err((1, Why::Missing))),
        ("DELETE FROM log WHERE seq >= 3", Err((3, Why::RemovedTail))),
        ("DELETE FROM log", Err((1, Why::RemovedTail))),
        // The hole closed by renumbering.
        (
            "DELETE FROM log WHERE seq = 2; UPDATE log SET seq = seq - 1 WHERE seq > 2",
            Err((2, Why::Changed)),
        ),
        (COPY, Err((5, Why::Added))),
        (&COPY.replace("SELECT 5", "SELECT 9"), Err((9, Why::Added))),
        ("UPDATE log SET seq = 0 WHERE seq = 1", Err((0, Why::Added))),
        // The record of the end.
        ("UPDATE head SET last = 3", Err((4, Why::Added))),
        ("UPDATE head SET last_hash = ''", Err((4, Why::Changed))),
        ("UPDATE head SET pruned = 1", Err((1, Why::Added))),
        (
            "UPDATE head SET pruned_hash = 'x'",
            Err((1, Why::WrongLink)),
        ),
        ("DELETE FROM head", Err((1, Why::Added))),
    ];
    for (statements, expected) in cases {
        let mut log = Log::new();
        log.fill(0..4);
        log.tamper(statements);
        assert_eq!(verdict(&mut log), expected, "{statements}");
    }
}

#[test]
fn the_hash_covers_every_column() {
    let mut log = Log::new();
    log.fill(0..2);
    let connection = rusqlite::Connection::open(&log.path).unwrap();
    let columns: Vec<(String, String)> = connection
        .prepare("SELECT name, type FROM pragma_table_info('log') WHERE name <> 'seq'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(columns.len(), 16);
    for (column, kind) in columns {
        let changed = match kind.as_str() {
            "INTEGER" => format!("coalesce({column}, 0) + 1"),
            _ => format!("coalesce({column}, '') || 'x'"),
        };
        log.tamper(&format!(
            "CREATE TABLE kept AS SELECT {column} AS old FROM log WHERE seq = 2;
             UPDATE log SET {column} = {changed} WHERE seq = 2"
        ));
        assert_eq!(verdict(&mut log), Err((2, Why::Changed)), "{column}");
        log.tamper(&format!(
            "UPDATE log SET {column} = (SELECT old FROM kept) WHERE seq = 2; DROP TABLE kept"
        ));
        assert_eq!(verdict(&mut log), Ok((2, 0)), "{column}");
    }
}

#[test]
fn a_row_replaced_by_a_well_made_one_is_found() {
    // Row 2 of another log has a right hash of its own, and another row before it.
    let mut donor = Log::new();
    donor.audit.start(at(9), &call("other"), None).unwrap();
    donor.fill(1..4);
    for (seq, expected) in [
        (1, (2, Why::WrongLink)),
        (2, (2, Why::WrongLink)),
        (4, (4, Why::WrongLink)),
    ] {
        let mut log = Log::new();
        log.fill(0..4);
        log.tamper(&format!(
            "ATTACH '{}' AS donor; DELETE FROM log WHERE seq = {seq};
             INSERT INTO log SELECT * FROM donor.log WHERE seq = {seq};",
            donor.path.display()
        ));
        assert_eq!(verdict(&mut log), Err(expected), "row {seq}");
    }
    // A one-row log whose row is replaced has only the record of the end.
    let mut log = Log::new();
    log.fill(0..1);
    log.tamper(&format!(
        "ATTACH '{}' AS donor; DELETE FROM log; INSERT INTO log SELECT * FROM donor.log WHERE seq = 1;",
        donor.path.display()
    ));
    assert_eq!(verdict(&mut log), Err((1, Why::Changed)));
}

#[test]
fn a_removed_tail_still_shows_after_more_is_written() {
    let mut log = Log::new();
    log.fill(0..4);
    log.tamper("DELETE FROM log WHERE seq >= 3");
    log.fill(4..5);
    assert_eq!(verdict(&mut log), Err((3, Why::Missing)));
    let said = log.audit.verify().unwrap_err().to_string();
    assert_eq!(said, "audit row 3 is missing");
}

#[test]
fn nothing_is_written_without_the_record_of_the_end() {
    let mut log = Log::new();
    log.tamper("DELETE FROM head");
    let error = log.audit.start(at(0), &call("c"), None).unwrap_err();
    assert!(
        matches!(error, Error::Sqlite(rusqlite::Error::QueryReturnedNoRows)),
        "{error:?}"
    );
}

#[test]
fn the_hash_is_the_same_for_the_same_rows_only() {
    let hash = |minutes| {
        let mut log = Log::new();
        log.fill(minutes);
        log.audit.verify().unwrap().hash
    };
    assert_eq!(hash(0..0), "");
    // Logs of earlier versions must stay verifiable: this value may never change.
    assert_eq!(
        hash(0..2),
        "d20cf512c81b3711d6e30589a1af7c61917bb7af45465bc294c10379a17d87c9"
    );
    assert_ne!(hash(1..3), hash(0..2));
}

#[test]
fn a_pruned_log_verifies_and_goes_on() {
    let mut log = Log::new();
    assert_eq!(log.audit.prune(at(0)).unwrap(), 0);
    log.fill(0..5);
    assert_eq!(log.audit.prune(at(0)).unwrap(), 0);
    assert_eq!(log.audit.prune(at(2)).unwrap(), 2);
    assert_eq!(verdict(&mut log), Ok((3, 2)));
    log.fill(5..6);
    let rows = log.audit.rows(&Filter::default()).unwrap();
    assert_eq!(
        rows.iter().map(|row| row.seq).collect::<Vec<_>>(),
        [3, 4, 5, 6]
    );
    assert_eq!(verdict(&mut log), Ok((4, 2)));

    assert_eq!(log.audit.prune(at(5) + RETENTION).unwrap(), 4);
    assert_eq!(verdict(&mut log), Ok((0, 6)));
    log.fill(7..8);
    assert_eq!(verdict(&mut log), Ok((1, 6)));
    log.tamper("DELETE FROM log");
    assert_eq!(verdict(&mut log), Err((7, Why::RemovedTail)));
}

#[test]
fn an_old_row_behind_a_newer_one_stays() {
    let mut log = Log::new();
    log.fill(0..1);
    log.fill(9..10);
    log.fill(1..2);
    assert_eq!(log.audit.prune(at(5)).unwrap(), 1);
    assert_eq!(verdict(&mut log), Ok((2, 1)));
}

#[test]
fn pruning_keeps_the_evidence() {
    let mut log = Log::new();
    log.fill(0..4);
    log.tamper("UPDATE log SET tool = 'other' WHERE seq = 2");
    let error = log.audit.prune(at(3)).unwrap_err();
    assert_eq!(error.to_string(), "audit row 2 was changed");
    assert_eq!(log.audit.rows(&Filter::default()).unwrap().len(), 4);
    // The front that is right may go.
    assert_eq!(log.audit.prune(at(1)).unwrap(), 1);
    assert_eq!(verdict(&mut log), Err((2, Why::Changed)));
}

#[test]
fn two_writers_keep_one_chain() {
    let mut log = Log::new();
    thread::scope(|scope| {
        for id in ["a", "b"] {
            let path = &log.path;
            scope.spawn(move || {
                let mut audit = Audit::open(path).unwrap();
                for minute in 0..50 {
                    audit.start(at(minute), &call(id), None).unwrap();
                }
            });
        }
    });
    assert_eq!(verdict(&mut log), Ok((100, 0)));
    for id in ["a", "b"] {
        let filter = Filter {
            id: Some(id.to_owned()),
            ..Filter::default()
        };
        let minutes: Vec<_> = log
            .audit
            .rows(&filter)
            .unwrap()
            .iter()
            .map(|row| row.at)
            .collect();
        assert_eq!(minutes, (0..50).map(at).collect::<Vec<_>>(), "{id}");
    }
}
