//! How many in a minute: counted over the last 60 seconds, not by the clock's minute.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use crate::{Book, Error, Verdict, column::seconds_until};

const MINUTE_MS: i64 = 60_000;

/// At most so many in any 60 seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate<'a> {
    /// What is counted together, within one account.
    pub scope: &'a str,
    /// How many; 0 lets nothing through.
    pub per_minute: u32,
}

impl Book {
    /// Counts one, if there were fewer than allowed in the last 60 seconds.
    ///
    /// For what has no token; a write is measured by [`claim`](Self::claim).
    pub fn rate(
        &mut self,
        at: Timestamp,
        account: &str,
        rate: &Rate<'_>,
    ) -> Result<Verdict, Error> {
        let transaction = self.begin()?;
        let wait = wait(&transaction, at, account, rate)?;
        if wait.is_none() {
            count(&transaction, at, account, rate, None)?;
        }
        transaction.commit()?;
        Ok(Verdict::after(wait))
    }
}

/// The seconds until one more is within the rate; `None` when it is.
pub(crate) fn wait(
    transaction: &Connection,
    at: Timestamp,
    account: &str,
    rate: &Rate<'_>,
) -> Result<Option<u64>, Error> {
    let now = at.as_millisecond();
    if rate.per_minute == 0 {
        return Ok(Some(seconds_until(now, now + MINUTE_MS)));
    }
    // The clock went back: what lies ahead counts from now, else it would for ever.
    transaction
        .prepare_cached(
            "UPDATE rate SET at_ms = ?3 WHERE account = ?1 AND scope = ?2 AND at_ms > ?3",
        )?
        .execute(params![account, rate.scope, now])?;
    transaction
        .prepare_cached("DELETE FROM rate WHERE account = ?1 AND scope = ?2 AND at_ms <= ?3")?
        .execute(params![account, rate.scope, now - MINUTE_MS])?;
    // One more is possible when the last but `per_minute` is a minute old.
    let blocking: Option<i64> = transaction
        .prepare_cached(
            "SELECT at_ms FROM rate WHERE account = ?1 AND scope = ?2
             ORDER BY at_ms DESC LIMIT 1 OFFSET ?3",
        )?
        .query_row(params![account, rate.scope, rate.per_minute - 1], |row| {
            row.get(0)
        })
        .optional()?;
    Ok(blocking.map(|then| seconds_until(now, then + MINUTE_MS)))
}

pub(crate) fn count(
    transaction: &Connection,
    at: Timestamp,
    account: &str,
    rate: &Rate<'_>,
    call: Option<Uuid>,
) -> Result<(), Error> {
    transaction
        .prepare_cached("INSERT INTO rate (account, scope, at_ms, call) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![
            account,
            rate.scope,
            at.as_millisecond(),
            call.map(|call| call.to_string())
        ])?;
    Ok(())
}
