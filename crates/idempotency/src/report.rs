//! What a caller reports while it holds a token: that it is about to send, and how that ended.

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::{
    Book, Error, Hold, Outcome,
    ledger::{self, Entry},
    limits,
};

impl Book {
    /// Notes that from now on the write may have left, with what settling it will need. Each attempt is
    /// noted; noting again within one attempt replaces the memo.
    ///
    /// After it, send once and before [`Hold::until`]. Fails with [`Error::Lost`], and nothing may be
    /// sent, when the lease ran out or the token is another's. Also when a claim in doubt has no note:
    /// it can be [`release`](Self::release)d and claimed anew, and is never fresh by itself.
    pub fn note(&mut self, at: Timestamp, hold: &Hold, memo: &Value) -> Result<(), Error> {
        let transaction = self.begin()?;
        let now = at.as_millisecond();
        let entry = Entry::held(&transaction, hold)?;
        let runs = entry.is_held_by(hold) && at < hold.until();
        if !runs || (entry.sent.is_none() && entry.since.is_some()) {
            return Err(Error::Lost);
        }
        transaction
            .prepare_cached("UPDATE claims SET memo = ?2, since_ms = NULL WHERE id = ?1")?
            .execute(params![hold.id, memo.to_string()])?;
        transaction
            .prepare_cached(
                "INSERT INTO sends (claim, call, at_ms, ended) VALUES (?1, ?2, ?3, FALSE)
                 ON CONFLICT (claim, call) DO UPDATE SET ended = FALSE",
            )?
            .execute(params![hold.id, hold.call().to_string(), now])?;
        transaction.commit()?;
        Ok(())
    }

    /// Frees the token, since nothing was sent; it then counts in no limit either.
    ///
    /// Fails with [`Error::Noted`] once something may have been, and with [`Error::Lost`] when the token
    /// is another's; the caller has sent nothing then either.
    pub fn release(&mut self, hold: &Hold) -> Result<(), Error> {
        let transaction = self.begin()?;
        let entry = Entry::held(&transaction, hold)?;
        if !entry.is_held_by(hold) {
            return Err(Error::Lost);
        }
        if entry.sent.is_some() {
            return Err(Error::Noted);
        }
        ledger::free(&transaction, hold)?;
        limits::uncount(&transaction, hold.call())?;
        transaction.commit()?;
        Ok(())
    }

    /// Reports how the write ended, for all this caller knows, and gives how it stands: an outcome that
    /// was stored stays, and is what to answer. The caller's lease is over in any case.
    ///
    /// Late reports, by a caller whose lease ran out or went to another, count as far as they are proof:
    ///
    /// - [`Outcome::Done`] is the truth, whoever says it, and settles the write unless it is settled.
    /// - [`Outcome::Nothing`] frees the token if the caller holds it, or is the only one that ever
    ///   sent. Otherwise another may have sent since, and it counts as `Unknown`. A holder that did not
    ///   send itself gives its word that no sender can still be about to; see [`Note::ended`].
    /// - [`Outcome::Unknown`] says that this caller's attempt is over, and no more.
    ///
    /// Fails with [`Error::Lost`] when the token was freed meanwhile, since it was proven that nothing had
    /// happened under it; what came of it since, another claim tells.
    ///
    /// [`Note::ended`]: crate::Note::ended
    pub fn settle(
        &mut self,
        at: Timestamp,
        hold: &Hold,
        outcome: &Outcome,
    ) -> Result<Outcome, Error> {
        let transaction = self.begin()?;
        let entry = Entry::held(&transaction, hold)?;
        if let Some(result) = entry.result {
            return Ok(Outcome::Done(result));
        }
        let stands = match outcome {
            Outcome::Done(result) => {
                done(&transaction, at, hold, result)?;
                outcome.clone()
            }
            Outcome::Nothing if entry.is_held_by(hold) || is_only_sender(&transaction, hold)? => {
                ledger::free(&transaction, hold)?;
                Outcome::Nothing
            }
            Outcome::Nothing | Outcome::Unknown => {
                unknown(&transaction, at, hold)?;
                Outcome::Unknown
            }
        };
        transaction.commit()?;
        Ok(stands)
    }
}

fn done(transaction: &Connection, at: Timestamp, hold: &Hold, result: &Value) -> Result<(), Error> {
    transaction
        .prepare_cached(
            "UPDATE claims SET call = ?2, until_ms = NULL, result = ?3, done_ms = ?4 WHERE id = ?1",
        )?
        .execute(params![
            hold.id,
            hold.call().to_string(),
            result.to_string(),
            at.as_millisecond()
        ])?;
    Ok(())
}

fn unknown(transaction: &Connection, at: Timestamp, hold: &Hold) -> Result<(), Error> {
    let call = hold.call().to_string();
    transaction
        .prepare_cached("UPDATE sends SET ended = TRUE WHERE claim = ?1 AND call = ?2")?
        .execute(params![hold.id, call])?;
    transaction
        .prepare_cached(
            "UPDATE claims SET until_ms = NULL, since_ms = ifnull(since_ms, ?3)
             WHERE id = ?1 AND call = ?2 AND until_ms IS NOT NULL",
        )?
        .execute(params![hold.id, call, at.as_millisecond()])?;
    Ok(())
}

fn is_only_sender(transaction: &Connection, hold: &Hold) -> Result<bool, Error> {
    Ok(transaction
        .prepare_cached("SELECT count(*) = 1 AND max(call) = ?2 FROM sends WHERE claim = ?1")?
        .query_row(params![hold.id, hold.call().to_string()], |row| row.get(0))?)
}
