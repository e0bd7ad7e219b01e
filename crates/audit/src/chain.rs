//! The chain of hashes over the rows, and the record of where it begins and ends.

use rusqlite::{Connection, OptionalExtension, params, types::ValueRef};
use sha2::{Digest, Sha256};

use crate::{Error, Why};

/// The columns a row's hash covers, in the order in which it covers them.
pub(crate) const COLUMNS: &str = "seq, at_ms, event, phase, id, tool, status, code, retry_after, \
     duration_ms, account, token_id, scope, host, arguments, previous";

/// How many [`COLUMNS`] there are.
pub(crate) const WIDTH: usize = 16;

/// A log in which nothing was changed, removed or added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intact {
    /// How many rows are there.
    pub rows: i64,
    /// How many older ones retention has removed.
    pub pruned: i64,
    /// The hash of the last row, 64 hex digits; empty in a new log. It stands for the whole log.
    pub hash: String,
}

/// Where the chain begins and ends.
#[derive(Debug, Default)]
pub(crate) struct Head {
    /// The last row that retention removed, 0 for none, and its hash.
    pub(crate) pruned: i64,
    pub(crate) pruned_hash: String,
    /// The last row, 0 for none, and its hash.
    pub(crate) last: i64,
    pub(crate) last_hash: String,
}

impl Head {
    /// The record; without it the log is broken, and nothing may be added.
    pub(crate) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let question = "SELECT pruned, pruned_hash, last, last_hash FROM head";
        connection.prepare_cached(question)?.query_row([], |row| {
            Ok(Self {
                pruned: row.get(0)?,
                pruned_hash: row.get(1)?,
                last: row.get(2)?,
                last_hash: row.get(3)?,
            })
        })
    }

    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let change = "UPDATE head SET pruned = ?1, pruned_hash = ?2, last = ?3, last_hash = ?4";
        let Self {
            pruned,
            pruned_hash,
            last,
            last_hash,
        } = self;
        connection.prepare_cached(change)?.execute(params![
            pruned,
            pruned_hash,
            last,
            last_hash
        ])?;
        Ok(())
    }
}

/// The hash of a row, over each column's kind, length and bytes.
pub(crate) fn hash<'a>(columns: impl Iterator<Item = ValueRef<'a>>) -> String {
    let mut digest = Sha256::new();
    for column in columns {
        let (kind, bytes): (u8, &[u8]) = match &column {
            ValueRef::Null => (b'n', &[]),
            ValueRef::Integer(number) => (b'i', &number.to_be_bytes()),
            ValueRef::Real(number) => (b'r', &number.to_be_bytes()),
            ValueRef::Text(text) => (b't', text),
            ValueRef::Blob(bytes) => (b'b', bytes),
        };
        digest.update([kind]);
        digest.update((bytes.len() as u64).to_be_bytes());
        digest.update(bytes);
    }
    digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Checks the whole log, within the transaction that `connection` is in.
pub(crate) fn verify(connection: &Connection) -> Result<Intact, Error> {
    // Without the record, every row is one too many.
    let head = Head::read(connection).optional()?.unwrap_or_default();
    let (last, hash) = follow(connection, &head, i64::MAX)?;
    if last < head.last {
        let seq = last + 1;
        return Err(Error::Broken {
            seq,
            why: Why::RemovedTail,
        });
    }
    if hash != head.last_hash {
        return Err(Error::Broken {
            seq: last,
            why: Why::Changed,
        });
    }
    Ok(Intact {
        rows: last - head.pruned,
        pruned: head.pruned,
        hash,
    })
}

/// Follows the chain from its beginning up to row `until`; gives the last row met and its hash.
pub(crate) fn follow(
    connection: &Connection,
    head: &Head,
    until: i64,
) -> Result<(i64, String), Error> {
    let (mut last, mut hash) = (head.pruned, head.pruned_hash.clone());
    let question = format!("SELECT {COLUMNS}, hash FROM log WHERE seq <= ?1 ORDER BY seq");
    let mut statement = connection.prepare(&question)?;
    let mut rows = statement.query([until])?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get("seq")?;
        let columns = (0..WIDTH)
            .map(|index| row.get_ref(index))
            .collect::<Result<Vec<_>, _>>()?;
        let expected = last + 1;
        let broken = |seq, why| Err(Error::Broken { seq, why });
        if seq > expected && expected <= head.last {
            return broken(expected, Why::Missing);
        }
        if seq != expected || seq > head.last {
            return broken(seq, Why::Added);
        }
        if row.get_ref("hash")? != ValueRef::Text(self::hash(columns.into_iter()).as_bytes()) {
            return broken(seq, Why::Changed);
        }
        if row.get_ref("previous")? != ValueRef::Text(hash.as_bytes()) {
            return broken(seq, Why::WrongLink);
        }
        last = seq;
        hash = row.get("hash")?;
    }
    Ok((last, hash))
}
