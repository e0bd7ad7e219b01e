//! The log itself: opening, writing, reading, retention.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{
    Connection, OptionalExtension, TransactionBehavior, params_from_iter,
    types::{Value, ValueRef},
};
use rusqlite_migration::{M, Migrations};

use crate::{
    Error, Event, Filter, Intact, Outcome, Phase, Row, Subject,
    chain::{self, COLUMNS, Head, WIDTH},
    redact,
};

/// For how long rows are kept unless the user says otherwise: 90 days.
pub const RETENTION: SignedDuration = SignedDuration::from_hours(90 * 24);

const MIGRATIONS: &[M<'_>] = &[M::up(
    "CREATE TABLE log (
       seq INTEGER PRIMARY KEY,
       at_ms INTEGER NOT NULL,
       event TEXT NOT NULL,
       phase TEXT NOT NULL,
       id TEXT,
       tool TEXT,
       status TEXT,
       code TEXT,
       retry_after INTEGER,
       duration_ms INTEGER,
       account TEXT,
       token_id TEXT,
       scope TEXT,
       host TEXT,
       arguments TEXT,
       previous TEXT NOT NULL,
       hash TEXT NOT NULL
     ) STRICT;
     CREATE TABLE head (
       one INTEGER PRIMARY KEY CHECK (one = 1),
       pruned INTEGER NOT NULL,
       pruned_hash TEXT NOT NULL,
       last INTEGER NOT NULL,
       last_hash TEXT NOT NULL
     ) STRICT;
     INSERT INTO head VALUES (1, 0, '', 0, '');",
)];

/// An open audit log.
#[derive(Debug)]
pub struct Audit {
    connection: Connection,
}

impl Audit {
    /// Opens the log at `path`, making it when absent.
    ///
    /// A row that is written survives a power cut: each is synchronised to the disk.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let connection = state::sqlite::open(path, &Migrations::from_slice(MIGRATIONS))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        Ok(Self { connection })
    }

    /// Writes that a call begins. `arguments` are redacted here.
    pub fn start(
        &mut self,
        at: Timestamp,
        subject: &Subject,
        arguments: Option<&serde_json::Value>,
    ) -> Result<(), Error> {
        self.append(at, Event::Call, Phase::Start, subject, None, arguments)
    }

    /// Writes how a call ended.
    pub fn finish(
        &mut self,
        at: Timestamp,
        subject: &Subject,
        outcome: &Outcome,
    ) -> Result<(), Error> {
        self.append(at, Event::Call, Phase::Finish, subject, Some(outcome), None)
    }

    /// Writes what happened in one row. `arguments` are redacted here.
    pub fn event(
        &mut self,
        at: Timestamp,
        event: Event,
        subject: &Subject,
        outcome: &Outcome,
        arguments: Option<&serde_json::Value>,
    ) -> Result<(), Error> {
        self.append(at, event, Phase::Event, subject, Some(outcome), arguments)
    }

    fn append(
        &mut self,
        at: Timestamp,
        event: Event,
        phase: Phase,
        subject: &Subject,
        outcome: Option<&Outcome>,
        arguments: Option<&serde_json::Value>,
    ) -> Result<(), Error> {
        let transaction = self.connection.transaction()?;
        let mut head = Head::read(&transaction)?;
        head.last += 1;
        let duration = outcome.map(|outcome| outcome.duration.as_millis());
        // In the order of COLUMNS.
        let columns: [Value; WIDTH] = [
            head.last.into(),
            at.as_millisecond().into(),
            event.into(),
            phase.into(),
            text(subject.id.as_deref()),
            text(subject.tool.as_deref()),
            outcome.map(|outcome| outcome.status).into(),
            text(outcome.and_then(|outcome| outcome.code.as_deref())),
            number(outcome.and_then(|outcome| outcome.retry_after)),
            number(duration),
            text(subject.account.as_deref()),
            text(subject.token_id.as_deref()),
            text(subject.scope.as_deref()),
            text(subject.host.as_deref()),
            arguments
                .map(|arguments| redact::arguments(arguments).to_string())
                .into(),
            head.last_hash.into(),
        ];
        head.last_hash = chain::hash(columns.iter().map(ValueRef::from));
        let hash = Value::from(head.last_hash.clone());
        let places = vec!["?"; WIDTH + 1].join(", ");
        transaction
            .prepare_cached(&format!(
                "INSERT INTO log ({COLUMNS}, hash) VALUES ({places})"
            ))?
            .execute(params_from_iter(columns.iter().chain([&hash])))?;
        head.write(&transaction)?;
        transaction.commit()?;
        Ok(())
    }

    /// The rows that `filter` asks for, newest last.
    pub fn rows(&self, filter: &Filter) -> Result<Vec<Row>, Error> {
        filter.read(&self.connection)
    }

    /// Checks that the log is as it was written.
    ///
    /// Fails with [`Error::Broken`], which names the first wrong row.
    pub fn verify(&mut self) -> Result<Intact, Error> {
        let reading = TransactionBehavior::Deferred;
        let transaction = self.connection.transaction_with_behavior(reading)?;
        chain::verify(&transaction)
    }

    /// Removes the rows at the front that are older than `before`, and gives how many. What is left
    /// can still be verified.
    ///
    /// Fails with [`Error::Broken`] and removes nothing when one of them is wrong: evidence stays.
    pub fn prune(&mut self, before: Timestamp) -> Result<i64, Error> {
        let transaction = self.connection.transaction()?;
        let mut head = Head::read(&transaction)?;
        let kept: Option<i64> = transaction
            .query_row(
                "SELECT seq FROM log WHERE at_ms >= ?1 ORDER BY seq LIMIT 1",
                [before.as_millisecond()],
                |row| row.get(0),
            )
            .optional()?;
        let until = kept.map_or(head.last, |seq| seq - 1);
        let (last, hash) = chain::follow(&transaction, &head, until)?;
        let removed = last - head.pruned;
        if removed > 0 {
            transaction.execute("DELETE FROM log WHERE seq <= ?1", [last])?;
            (head.pruned, head.pruned_hash) = (last, hash);
            head.write(&transaction)?;
            transaction.commit()?;
        }
        Ok(removed)
    }
}

fn text(text: Option<&str>) -> Value {
    text.map(redact::text).into()
}

fn number(number: Option<impl TryInto<i64>>) -> Value {
    number
        .map(|number| number.try_into().unwrap_or(i64::MAX))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_synchronised_to_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::open(&folder.path().join("audit.sqlite")).unwrap();
        let full: i64 = audit
            .connection
            .query_row("PRAGMA synchronous", [], |row| row.get(0))
            .unwrap();
        assert_eq!(full, 2);
    }
}
