//! The book itself: its file, and the one decision whether a write may go out.

use std::{path::Path, time::Duration};

use jiff::Timestamp;
use rusqlite::{Connection, Transaction};
use rusqlite_migration::{M, Migrations};
use uuid::Uuid;

use crate::{Claim, Error, Key, Limits, ledger};

/// `claims`: one row per token. `until_ms` is the end of the lease of `call`, and null when nobody holds
/// the token; `memo` is null until something may have been sent; `since_ms` is set while the outcome is
/// in doubt, `result` and `done_ms` once it is known. An `id` is never given twice, so a caller that
/// comes back after its token was freed finds nothing of its own.
///
/// `sends`: who noted that the write may leave, when, and whether that attempt is over.
///
/// `rate` and `cooldown`: `call` is the claim that was counted, so that its release takes it back; null
/// for what has no token.
const MIGRATIONS: &[M<'_>] = &[M::up(
    "CREATE TABLE claims (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       account TEXT NOT NULL,
       space TEXT NOT NULL,
       token TEXT NOT NULL,
       hash TEXT NOT NULL,
       call TEXT NOT NULL,
       claimed_ms INTEGER NOT NULL,
       until_ms INTEGER,
       memo TEXT,
       since_ms INTEGER,
       result TEXT,
       done_ms INTEGER,
       UNIQUE (account, space, token)
     ) STRICT;
     CREATE TABLE sends (
       claim INTEGER NOT NULL REFERENCES claims (id) ON DELETE CASCADE,
       call TEXT NOT NULL,
       at_ms INTEGER NOT NULL,
       ended INTEGER NOT NULL,
       PRIMARY KEY (claim, call)
     ) STRICT;
     CREATE TABLE rate (
       account TEXT NOT NULL,
       scope TEXT NOT NULL,
       at_ms INTEGER NOT NULL,
       call TEXT
     ) STRICT;
     CREATE INDEX rate_by_time ON rate (account, scope, at_ms);
     CREATE TABLE cooldown (
       account TEXT NOT NULL,
       scope TEXT NOT NULL,
       at_ms INTEGER NOT NULL,
       call TEXT,
       PRIMARY KEY (account, scope)
     ) STRICT;",
)];

/// An open book of writes: ledger, rate, cooldown and quota in one SQLite file.
#[derive(Debug)]
pub struct Book {
    connection: Connection,
}

impl Book {
    /// Opens the book at `path`, making it when absent.
    ///
    /// What is written survives a power cut: each change is synchronised to the disk.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let connection = state::sqlite::open(path, &Migrations::from_slice(MIGRATIONS))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        Ok(Self { connection })
    }

    /// Decides whether a write may go out, in the order rate, cooldown, token, quota, and enters what
    /// follows from it. The first refusal counts, and leaves no trace.
    ///
    /// `hash` is the [`argument_hash`](crate::argument_hash) of the arguments, `call` the id of this
    /// call and of no other, `lease` how long it needs, [`LONGEST_LEASE`](crate::LONGEST_LEASE) at most.
    ///
    /// Only who may have to send, for the first time or to settle, counts against the rate and starts
    /// the cooldown; one that is [`release`](Self::release)d has done neither. A replay, a conflict or a
    /// write under way is subject to both and counts in neither.
    pub fn claim(
        &mut self,
        at: Timestamp,
        limits: &Limits<'_>,
        key: &Key,
        hash: &str,
        call: Uuid,
        lease: Duration,
    ) -> Result<Claim, Error> {
        let transaction = self.begin()?;
        let claim = limits.around(&transaction, at, &key.account, call, || {
            ledger::claim(&transaction, at, key, hash, call, lease)
        })?;
        transaction.commit()?;
        Ok(claim)
    }

    /// Begins a transaction that no other writer can come between: state's connections begin
    /// `IMMEDIATE`.
    pub(crate) fn begin(&mut self) -> Result<Transaction<'_>, Error> {
        Ok(self.connection.transaction()?)
    }

    pub(crate) fn reader(&self) -> &Connection {
        &self.connection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_synchronised_to_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let book = Book::open(&folder.path().join("writes.sqlite")).unwrap();
        let full: i64 = book
            .reader()
            .query_row("PRAGMA synchronous", [], |row| row.get(0))
            .unwrap();
        assert_eq!(full, 2);
    }
}
