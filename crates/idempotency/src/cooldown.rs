//! How long after the last.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use crate::{
    Book, Error, Verdict,
    column::{milliseconds, seconds_until},
};

/// The least time between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cooldown<'a> {
    /// What is kept apart, within one account: usually the tool.
    pub scope: &'a str,
    /// How long; kept to the millisecond.
    pub length: Duration,
}

impl Book {
    /// Starts the cooldown anew, if the last one is over.
    ///
    /// For what has no token; a write is measured by [`claim`](Self::claim).
    pub fn cooldown(
        &mut self,
        at: Timestamp,
        account: &str,
        cooldown: &Cooldown<'_>,
    ) -> Result<Verdict, Error> {
        let transaction = self.begin()?;
        let wait = wait(&transaction, at, account, cooldown)?;
        if wait.is_none() {
            start(&transaction, at, account, cooldown, None)?;
        }
        transaction.commit()?;
        Ok(Verdict::after(wait))
    }
}

/// The seconds until the cooldown is over; `None` when it is.
pub(crate) fn wait(
    transaction: &Connection,
    at: Timestamp,
    account: &str,
    cooldown: &Cooldown<'_>,
) -> Result<Option<u64>, Error> {
    let now = at.as_millisecond();
    // The clock went back: what lies ahead counts from now, else it would last until then.
    transaction
        .prepare_cached(
            "UPDATE cooldown SET at_ms = ?3 WHERE account = ?1 AND scope = ?2 AND at_ms > ?3",
        )?
        .execute(params![account, cooldown.scope, now])?;
    let last: Option<i64> = transaction
        .prepare_cached("SELECT at_ms FROM cooldown WHERE account = ?1 AND scope = ?2")?
        .query_row(params![account, cooldown.scope], |row| row.get(0))
        .optional()?;
    let end = last.map(|last| last + milliseconds(cooldown.length));
    Ok(end
        .filter(|end| *end > now)
        .map(|end| seconds_until(now, end)))
}

pub(crate) fn start(
    transaction: &Connection,
    at: Timestamp,
    account: &str,
    cooldown: &Cooldown<'_>,
    call: Option<Uuid>,
) -> Result<(), Error> {
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO cooldown (account, scope, at_ms, call) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![
            account,
            cooldown.scope,
            at.as_millisecond(),
            call.map(|call| call.to_string())
        ])?;
    Ok(())
}
