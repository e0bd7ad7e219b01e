//! What a write is measured against, and the order of it.

use jiff::Timestamp;
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::{Claim, Cooldown, Doubt, Error, Quota, Rate, cooldown, ledger, quota, rate};

/// The limits of one write; what is `None` is not limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits<'a> {
    /// So many a minute.
    pub rate: Option<Rate<'a>>,
    /// So long after the last.
    pub cooldown: Option<Cooldown<'a>>,
    /// So many that happened, in a rolling window.
    pub quota: Option<Quota>,
}

/// What a single limit says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Within the limit, and counted.
    Granted,
    /// Over the limit, and not counted.
    Refused {
        /// Whole seconds until the next may come; at least one.
        retry_after: u64,
    },
}

impl Limits<'_> {
    /// Claims by `claim` what the limits let through, and counts it.
    pub(crate) fn around(
        &self,
        transaction: &Connection,
        at: Timestamp,
        account: &str,
        call: Uuid,
        claim: impl FnOnce() -> Result<Claim, Error>,
    ) -> Result<Claim, Error> {
        if let Some(rate) = &self.rate
            && let Some(retry_after) = rate::wait(transaction, at, account, rate)?
        {
            return Ok(Claim::RateLimited { retry_after });
        }
        if let Some(cooldown) = &self.cooldown
            && let Some(retry_after) = cooldown::wait(transaction, at, account, cooldown)?
        {
            return Ok(Claim::CoolingDown { retry_after });
        }
        let claim = claim()?;
        if let (Claim::Fresh(hold), Some(quota)) = (&claim, &self.quota) {
            let places = quota::others(transaction, at, hold, quota)?;
            if places.retry_after != Some(0) {
                ledger::free(transaction, hold)?;
                return Ok(Claim::OverQuota(places));
            }
        }
        // What was never sent is only given back.
        if let Claim::Fresh(_) | Claim::Unknown(_, Doubt { note: Some(_), .. }) = &claim {
            if let Some(rate) = &self.rate {
                rate::count(transaction, at, account, rate, Some(call))?;
            }
            if let Some(cooldown) = &self.cooldown {
                cooldown::start(transaction, at, account, cooldown, Some(call))?;
            }
        }
        Ok(claim)
    }
}

/// Takes back what a claim was counted for. The cooldown before it was over, else it had not begun.
pub(crate) fn uncount(transaction: &Connection, call: Uuid) -> Result<(), Error> {
    for table in ["rate", "cooldown"] {
        transaction
            .prepare_cached(&format!("DELETE FROM {table} WHERE call = ?1"))?
            .execute(params![call.to_string()])?;
    }
    Ok(())
}

impl Verdict {
    /// Of the seconds to wait, if any.
    pub(crate) fn after(wait: Option<u64>) -> Self {
        wait.map_or(Self::Granted, |retry_after| Self::Refused { retry_after })
    }
}
