//! The log as its users meet it: rows, chain, retention, two writers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod chain;
mod rows;

use std::{path::PathBuf, time::Duration};

use audit::{Audit, Outcome, Status, Subject};
use jiff::Timestamp;

/// A log in a folder that vanishes with it.
struct Log {
    _folder: tempfile::TempDir,
    path: PathBuf,
    audit: Audit,
}

impl Log {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.sqlite");
        let audit = Audit::open(&path).unwrap();
        Self {
            _folder: folder,
            path,
            audit,
        }
    }

    /// Writes start rows at the minutes `from..to`.
    fn fill(&mut self, minutes: std::ops::Range<i64>) {
        for minute in minutes {
            self.audit.start(at(minute), &call("c"), None).unwrap();
        }
    }

    /// Somebody else changes the file.
    fn tamper(&self, statements: &str) {
        let connection = rusqlite::Connection::open(&self.path).unwrap();
        connection.execute_batch(statements).unwrap();
    }
}

/// So many minutes after a fixed moment.
fn at(minute: i64) -> Timestamp {
    Timestamp::from_second(1_796_004_000 + 60 * minute).unwrap()
}

fn call(id: &str) -> Subject {
    Subject {
        id: Some(id.to_owned()),
        tool: Some("rail_query_tickets".to_owned()),
        ..Subject::default()
    }
}

fn ended(status: Status) -> Outcome {
    Outcome {
        status,
        code: None,
        retry_after: None,
        duration: Duration::from_millis(1500),
    }
}
