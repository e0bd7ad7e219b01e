//! The index as its users meet it: what is found, what is removed, versions, several writers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod cases;
mod oracle;
mod processes;
mod removal;
mod scripts;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Transaction};
use rusqlite_migration::{M, Migrations};
use text_index::{Filter, Hits, Index, Query, Tag, TagKind};

const NOTES: Index = Index::named("notes");

/// A database in a folder that vanishes with it.
struct Desk {
    _folder: tempfile::TempDir,
    path: PathBuf,
    connection: Connection,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.sqlite");
        let connection = open(&path);
        Self {
            _folder: folder,
            path,
            connection,
        }
    }

    /// Makes changes in one transaction.
    fn change(&mut self, changes: impl FnOnce(&Transaction<'_>)) {
        change(&mut self.connection, changes);
    }

    /// Puts the texts under 1, 2, …
    fn fill(&mut self, texts: &[&str]) {
        self.change(|tx| {
            for (row, text) in (1..).zip(texts) {
                NOTES.put(tx, row, text, &[]).unwrap();
            }
        });
    }

    fn search(&self, query: &str, filter: &Filter) -> Hits {
        NOTES
            .search(&self.connection, &Query::parse(query).unwrap(), filter)
            .unwrap()
    }

    /// The numbers of the rows that are found.
    fn rows(&self, query: &str) -> Vec<i64> {
        let hits = self.search(query, &Filter::default());
        hits.rows.iter().map(|hit| hit.row).collect()
    }
}

fn migrations() -> Migrations<'static> {
    let own = M::up("CREATE TABLE own (id INTEGER PRIMARY KEY) STRICT;");
    Migrations::new(vec![own, NOTES.migration()])
}

/// Opens the database as a process does.
fn open(path: &Path) -> Connection {
    let mut connection = state::sqlite::open(path, &migrations()).unwrap();
    NOTES.bring_up_to_date(&mut connection).unwrap();
    connection
}

fn change(connection: &mut Connection, changes: impl FnOnce(&Transaction<'_>)) {
    let tx = connection.transaction().unwrap();
    changes(&tx);
    tx.commit().unwrap();
}

/// Tag number `number` of the kind `letter`.
fn tag(letter: char, number: u64) -> Tag {
    TagKind::named(letter).tag(number)
}
