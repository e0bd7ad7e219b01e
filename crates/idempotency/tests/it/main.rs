//! The book as its users meet it: ledger, limits, races, and writes that are settled.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod driver;
mod ledger;
mod limits;
mod quota;
mod races;
mod script;
mod settling;
mod toy;

use std::{path::PathBuf, time::Duration};

use idempotency::{Book, Claim, Key, Limits};
use jiff::Timestamp;
use uuid::Uuid;

/// Long enough for every script here.
const LEASE: Duration = Duration::from_secs(60);

/// A book in a folder that vanishes with it.
struct Desk {
    _folder: tempfile::TempDir,
    path: PathBuf,
    book: Book,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("writes.sqlite");
        let book = Book::open(&path).unwrap();
        Self {
            _folder: folder,
            path,
            book,
        }
    }

    /// The process ends, whatever it was doing, and another takes its place.
    fn restart(&mut self) {
        self.book = Book::open(&self.path).unwrap();
    }

    /// Claims a token of its own under `limits`.
    fn claim(&mut self, at: Timestamp, limits: &Limits<'_>, token: &str) -> Claim {
        let key = key(token);
        self.book
            .claim(at, limits, &key, "h", call(token), LEASE)
            .unwrap()
    }
}

/// So many milliseconds after a fixed moment.
fn millis(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(1_796_004_000_000 + milliseconds).unwrap()
}

/// So many seconds after it.
fn at(seconds: i64) -> Timestamp {
    millis(1000 * seconds)
}

fn key(token: &str) -> Key {
    Key {
        account: "me".to_owned(),
        space: "create_thread".to_owned(),
        token: token.to_owned(),
    }
}

/// The id of the call of that name, at most 16 bytes long.
fn call(name: &str) -> Uuid {
    let mut bytes = [0; 16];
    bytes[..name.len()].copy_from_slice(name.as_bytes());
    Uuid::from_bytes(bytes)
}
