//! The ledger of tokens: its rows, and who may act for one.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    Book, Claim, Doubt, Error, Hold, Key, Note,
    column::{Id, Json, milliseconds, moment},
};

/// The longest lease, and so the longest time for which a vanished caller holds a token or keeps a
/// quota's place without having noted anything: 300 s.
pub const LONGEST_LEASE: Duration = Duration::from_secs(300);

/// How long results are kept and replayed: 30 days from when they were stored.
pub const RETENTION: Duration = Duration::from_secs(30 * 24 * 3600);

/// A write that may have happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsettled {
    /// Its name.
    pub key: Key,
    /// What is known of it; always with a note.
    pub doubt: Doubt,
}

impl Book {
    /// The writes that may have happened and that nobody has settled, of one account or of all, oldest
    /// first. One that is being settled is among them; one that is being sent is not.
    pub fn unsettled(&self, at: Timestamp, account: Option<&str>) -> Result<Vec<Unsettled>, Error> {
        let mut statement = self.reader().prepare_cached(&format!(
            "{ENTRY} WHERE memo IS NOT NULL AND result IS NULL
               AND (since_ms IS NOT NULL OR until_ms <= :at)
               AND (:account IS NULL OR account = :account)
             ORDER BY ifnull(since_ms, until_ms), id"
        ))?;
        let parameters = named_params! { ":at": at.as_millisecond(), ":account": account };
        let rows = statement.query_map(parameters, |row| {
            Ok(Unsettled {
                key: Key {
                    account: row.get("account")?,
                    space: row.get("space")?,
                    token: row.get("token")?,
                },
                doubt: Entry::read(row)?.doubt(),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Forgets results older than [`RETENTION`], and claims as old that never noted anything; gives how
    /// many. What may have happened is kept until it is settled.
    pub fn prune(&mut self, at: Timestamp) -> Result<usize, Error> {
        let transaction = self.begin()?;
        let before = at.as_millisecond() - milliseconds(RETENTION);
        let removed = transaction.execute(
            "DELETE FROM claims
             WHERE done_ms < ?1
                OR (done_ms IS NULL AND memo IS NULL AND ifnull(until_ms, since_ms) < ?1)",
            [before],
        )?;
        transaction.commit()?;
        Ok(removed)
    }
}

pub(crate) fn claim(
    transaction: &Connection,
    at: Timestamp,
    key: &Key,
    hash: &str,
    call: Uuid,
    lease: Duration,
) -> Result<Claim, Error> {
    let now = at.as_millisecond();
    let until = now + milliseconds(lease.min(LONGEST_LEASE));
    let hold = |id| Hold::new(id, key, call, moment(until));
    let Some(entry) = Entry::of(transaction, key)? else {
        transaction
            .prepare_cached(
                "INSERT INTO claims (account, space, token, hash, call, claimed_ms, until_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                key.account,
                key.space,
                key.token,
                hash,
                call.to_string(),
                now,
                until
            ])?;
        return Ok(Claim::Fresh(hold(transaction.last_insert_rowid())));
    };
    if entry.hash != hash {
        return Ok(Claim::Conflict { call: entry.call });
    }
    if let Some(result) = entry.result {
        let call = entry.call;
        return Ok(Claim::Done { result, call });
    }
    if let Some(until) = entry.lease_end(transaction, now)? {
        let (call, until) = (entry.call, moment(until));
        return Ok(Claim::InProgress { call, until });
    }
    transaction
        .prepare_cached(
            "UPDATE claims SET call = ?2, claimed_ms = ?3, until_ms = ?4,
                 since_ms = ifnull(since_ms, until_ms)
             WHERE id = ?1",
        )?
        .execute(params![entry.id, call.to_string(), now, until])?;
    Ok(Claim::Unknown(hold(entry.id), entry.doubt()))
}

/// Frees a token: whoever claims it next finds it fresh.
pub(crate) fn free(transaction: &Connection, hold: &Hold) -> Result<(), Error> {
    transaction
        .prepare_cached("DELETE FROM claims WHERE id = ?1")?
        .execute([hold.id])?;
    Ok(())
}

/// Selects rows of the ledger, each with what is known of its sends.
const ENTRY: &str = "SELECT claims.*,
    (SELECT call FROM sends WHERE claim = id ORDER BY sends.rowid DESC LIMIT 1) AS sender,
    (SELECT min(at_ms) FROM sends WHERE claim = id) AS first_ms,
    (SELECT min(ended) FROM sends WHERE claim = id) AS ended
  FROM claims";

/// A row of the ledger.
pub(crate) struct Entry {
    id: i64,
    hash: String,
    pub(crate) call: Uuid,
    claimed: i64,
    pub(crate) until: Option<i64>,
    pub(crate) since: Option<i64>,
    /// Who noted it last, and what.
    pub(crate) sent: Option<(Uuid, Note)>,
    pub(crate) result: Option<Value>,
}

impl Entry {
    fn of(connection: &Connection, key: &Key) -> Result<Option<Self>, Error> {
        let question = format!("{ENTRY} WHERE account = ?1 AND space = ?2 AND token = ?3");
        let parameters = params![key.account, key.space, key.token];
        Ok(connection
            .prepare_cached(&question)?
            .query_row(parameters, Self::read)
            .optional()?)
    }

    /// The row that gave `hold`. Fails with [`Error::Lost`] when the token was freed since.
    pub(crate) fn held(connection: &Connection, hold: &Hold) -> Result<Self, Error> {
        connection
            .prepare_cached(&format!("{ENTRY} WHERE id = ?1"))?
            .query_row([hold.id], Self::read)
            .optional()?
            .ok_or(Error::Lost)
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let sent = match row.get("memo")? {
            None => None,
            Some(Json(memo)) => {
                let (Id(sender), first, ended) = (
                    row.get("sender")?,
                    moment(row.get("first_ms")?),
                    row.get("ended")?,
                );
                Some((sender, Note { memo, first, ended }))
            }
        };
        Ok(Self {
            id: row.get("id")?,
            hash: row.get("hash")?,
            call: row.get::<_, Id>("call")?.0,
            claimed: row.get("claimed_ms")?,
            until: row.get("until_ms")?,
            since: row.get("since_ms")?,
            sent,
            result: row.get::<_, Option<Json>>("result")?.map(|json| json.0),
        })
    }

    /// Whether `hold` is the one that may act, be its lease over or not.
    pub(crate) fn is_held_by(&self, hold: &Hold) -> bool {
        self.until.is_some() && self.call == hold.call()
    }

    /// The end of the lease, if somebody has one that still runs.
    ///
    /// A lease that begins ahead of `now`, since the clock went back, begins anew: else it would run
    /// until the clock is there again.
    fn lease_end(&self, transaction: &Connection, now: i64) -> Result<Option<i64>, Error> {
        let Some(until) = self.until else {
            return Ok(None);
        };
        if self.claimed <= now {
            return Ok((now < until).then_some(until));
        }
        let until = now + (until - self.claimed);
        transaction
            .prepare_cached("UPDATE claims SET claimed_ms = ?2, until_ms = ?3 WHERE id = ?1")?
            .execute([self.id, now, until])?;
        Ok(Some(until))
    }

    /// What is known of a write in doubt: at rest, or with a lease that ran out.
    fn doubt(self) -> Doubt {
        let since = moment(self.since.or(self.until).unwrap_or(self.claimed));
        let (call, note) = self
            .sent
            .map_or((self.call, None), |(sender, note)| (sender, Some(note)));
        Doubt { call, since, note }
    }
}
