//! What stands in the way of a question, by what the caller does next.

use jiff::Timestamp;

use crate::{By, Open};

/// The question an account waits with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pending {
    /// This process asked it and can go on with it.
    Ours(Open),
    /// Another process on the same state folder asked it; only that one can go on.
    Elsewhere {
        /// Its id.
        id: String,
        /// The first moment at which an answer is too late.
        expires_at: Timestamp,
    },
}

/// Why a question that was pending is not any more, without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// Its time ran out.
    Expired,
    /// The process that asked it has ended.
    Restarted,
    /// Its account was signed out.
    Withdrawn,
}

/// Why a question cannot be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// That account was never given this id, or more than a day ago.
    #[error("the account has no such challenge")]
    NotFound,
    /// It was answered before.
    #[error("the challenge was answered before")]
    NotPending {
        /// By which way.
        by: By,
    },
    /// The suspended use is gone; it has to be started anew.
    #[error("the suspended use is gone ({0:?})")]
    Lost(Lost),
    /// Another process asked it, which is still running.
    #[error("the challenge belongs to another process")]
    Elsewhere,
}

/// Why questions cannot be kept at all. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The state folder cannot be used, or stays locked.
    #[error(transparent)]
    State(#[from] state::Error),
    /// The system has no random numbers for an id.
    #[error("no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    /// The runtime is ending.
    #[error("the program is ending")]
    Ending,
}

/// Why a question was not asked.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The account waits with this one already.
    #[error("the account has a pending challenge")]
    AlreadyOpen(Pending),
    /// Questions cannot be kept.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Why a question was not given.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// It cannot be answered.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Questions cannot be kept.
    #[error(transparent)]
    Failed(#[from] Error),
}
