//! What claiming a token gives: the right to act, or what is known instead.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::Places;

/// What names a write.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// Whose write it is.
    pub account: String,
    /// The tool, or what several tools share when one may repeat the other's write.
    pub space: String,
    /// The caller's name for the write; see [`is_token`](crate::is_token).
    pub token: String,
}

/// What claiming a token gave: the first two let the caller act, the others do not.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// The token is new: the caller may note and send, within the lease.
    Fresh(Hold),
    /// Nobody knows whether the write happened. This caller alone may settle it, within the lease.
    Unknown(Hold, Doubt),
    /// The write has happened; this is to be replayed.
    Done {
        /// The stored result.
        result: Value,
        /// The call that stored it.
        call: Uuid,
    },
    /// Another call is sending or settling it.
    InProgress {
        /// That call.
        call: Uuid,
        /// When its lease ends, after which the token can be claimed to settle it.
        until: Timestamp,
    },
    /// The token stands for other arguments.
    Conflict {
        /// The call that last held it.
        call: Uuid,
    },
    /// Too many in the last minute.
    RateLimited {
        /// Whole seconds until the next may come.
        retry_after: u64,
    },
    /// Too soon after the last.
    CoolingDown {
        /// Whole seconds until the next may come.
        retry_after: u64,
    },
    /// No place of the quota is left.
    OverQuota(Places),
}

/// The right to act for a token, given to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    pub(crate) id: i64,
    key: Key,
    call: Uuid,
    until: Timestamp,
}

impl Hold {
    pub(crate) fn new(id: i64, key: &Key, call: Uuid, until: Timestamp) -> Self {
        Self {
            id,
            key: key.clone(),
            call,
            until,
        }
    }

    /// The token.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// The call that holds it.
    pub fn call(&self) -> Uuid {
        self.call
    }

    /// When the lease ends. Nothing may be sent from then on.
    pub fn until(&self) -> Timestamp {
        self.until
    }
}

/// What is known of a write of which nobody knows whether it happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// The call that may have sent it last, or that held the token without sending.
    pub call: Uuid,
    /// Since when its outcome is in doubt.
    pub since: Timestamp,
    /// What was noted before sending. `None`: nothing was, so nothing was sent, and nothing will be.
    pub note: Option<Note>,
}

/// What was noted before sending.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// What settling needs, as the sender left it.
    pub memo: Value,
    /// When the first attempt was noted; it was not sent earlier.
    pub first: Timestamp,
    /// Whether every sender has said that its attempt is over, so that none can still be about to send.
    pub ended: bool,
}
