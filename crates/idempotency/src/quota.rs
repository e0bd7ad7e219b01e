//! How many that happened, in a rolling window.
//!
//! There is no second account of places beside the ledger, which could disagree with it: a claim is the
//! reservation, its release or a refusal gives the place back, its result commits it.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::{
    Book, Error, Hold,
    column::{milliseconds, seconds_until},
};

/// At most so many writes of one account and key space in a window that ends now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// How many places there are.
    pub limit: u32,
    /// For how long a write that happened takes one; less than [`RETENTION`](crate::RETENTION).
    pub window: Duration,
}

/// How the places of a quota stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// How many there are.
    pub limit: u32,
    /// Taken by writes that happened.
    pub used: u32,
    /// Held by writes whose outcome is open: claimed with a lease that runs, or possibly sent. The
    /// latter hold their place until they are settled.
    pub held: u32,
    /// Whole seconds until one will be free; 0 when one is, `None` when waiting alone frees none.
    pub retry_after: Option<u64>,
}

impl Book {
    /// How the places of an account's key space stand. Changes nothing.
    pub fn places(
        &self,
        at: Timestamp,
        account: &str,
        space: &str,
        quota: &Quota,
    ) -> Result<Places, Error> {
        count(self.reader(), at, account, space, 0, quota)
    }
}

/// The places without that of a claim just made.
pub(crate) fn others(
    transaction: &Connection,
    at: Timestamp,
    hold: &Hold,
    quota: &Quota,
) -> Result<Places, Error> {
    let key = hold.key();
    // The clock went back: what lies ahead counts from now, else it would hold its place until then.
    transaction
        .prepare_cached(
            "UPDATE claims SET claimed_ms = min(claimed_ms, ?3),
                 until_ms = until_ms - max(claimed_ms - ?3, 0),
                 since_ms = min(since_ms, ?3), done_ms = min(done_ms, ?3)
             WHERE account = ?1 AND space = ?2
               AND max(claimed_ms, ifnull(since_ms, 0), ifnull(done_ms, 0)) > ?3",
        )?
        .execute(params![key.account, key.space, at.as_millisecond()])?;
    count(transaction, at, &key.account, &key.space, hold.id, quota)
}

fn count(
    connection: &Connection,
    at: Timestamp,
    account: &str,
    space: &str,
    own: i64,
    quota: &Quota,
) -> Result<Places, Error> {
    let now = at.as_millisecond();
    // A write that was in doubt happened before it was, not when that came out. A claim that came into
    // doubt without a note has sent nothing and can only be released.
    let mut statement = connection.prepare_cached(
        "SELECT done_ms IS NOT NULL,
                CASE WHEN done_ms IS NOT NULL
                     THEN min(done_ms, ifnull(since_ms, done_ms), ?4) + ?5
                     WHEN memo IS NULL THEN until_ms END AS ends_ms
         FROM claims
         WHERE account = ?1 AND space = ?2 AND id != ?3
           AND CASE WHEN done_ms IS NOT NULL THEN ends_ms > ?4
                    WHEN memo IS NULL THEN since_ms IS NULL AND ends_ms > ?4
                    ELSE TRUE END
         ORDER BY ends_ms IS NULL, ends_ms",
    )?;
    let parameters = params![account, space, own, now, milliseconds(quota.window)];
    let taken = statement
        .query_map(parameters, |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(bool, Option<i64>)>, _>>()?;
    let used = taken.iter().filter(|(done, _)| *done).count();
    let limit = usize::try_from(quota.limit).unwrap_or(usize::MAX);
    let retry_after = match taken.len().checked_sub(limit) {
        None => Some(0),
        Some(too_many) => taken
            .get(too_many)
            .and_then(|(_, ends)| ends.map(|ends| seconds_until(now, ends))),
    };
    Ok(Places {
        limit: quota.limit,
        used: number(used),
        held: number(taken.len() - used),
        retry_after,
    })
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
