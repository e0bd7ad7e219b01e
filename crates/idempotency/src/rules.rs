//! What may be done about a write: pure rules, the same for every server.
//!
//! A guard's way through them:
//!
//! ```text
//! Claim::Fresh         note → send once → Answer::outcome(First) → settle
//! Claim::Unknown       Doubt::next, then
//!   Next::Release      release → claim anew
//!   Next::SendAgain    note → send once → Answer::outcome(Again) → settle
//!   Next::LookUp       look the write up → Doubt::looked_up → settle
//!   Next::Leave        settle(Outcome::Unknown)
//! ```
//!
//! A guard that cannot do the step it was given (no network to look it up) settles with
//! [`Outcome::Unknown`].

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use crate::{Doubt, LONGEST_LEASE};

/// What the service lets one find out about a write whose answer was lost. Neither is possible: then
/// only a person can tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Upstream {
    /// For how long it remembers a token and answers it without doing the write again: `None` if it does
    /// not, [`Duration::MAX`] if for ever.
    pub remembers: Option<Duration>,
    /// Whether the write's effect can be looked up.
    pub reads_back: bool,
}

/// What is to be done about a write in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing was ever sent: give the token back, and claim it anew.
    Release,
    /// Send the same again under the same token: the service does it at most once.
    SendAgain,
    /// Look whether it happened.
    LookUp,
    /// Nothing: it stays unknown.
    Leave,
}

/// How one attempt to send was answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The service did it, now or in an earlier attempt.
    Done(Value),
    /// The service understood and refused, or nothing left this machine.
    No,
    /// It was sent, or may have been, and no answer came that says more.
    Lost,
}

/// Which attempt an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// The first of a fresh token.
    First,
    /// One more, after another's answer was lost.
    Again,
}

/// What is known of a write.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It happened, and this is its result.
    Done(Value),
    /// It surely did not happen, and will not.
    Nothing,
    /// It may have happened.
    Unknown,
}

impl Doubt {
    /// What is to be done about the write.
    ///
    /// The same token is sent again only while the service surely remembers its first use when it
    /// arrives, a lease later at most; a clock that stands before that first use proves nothing.
    pub fn next(&self, at: Timestamp, upstream: Upstream) -> Next {
        let Some(note) = &self.note else {
            return Next::Release;
        };
        let remembered = upstream.remembers.is_some_and(|memory| {
            let age = Duration::try_from(at.duration_since(note.first));
            memory == Duration::MAX || age.is_ok_and(|age| age + LONGEST_LEASE <= memory)
        });
        if remembered {
            return Next::SendAgain;
        }
        if upstream.reads_back {
            Next::LookUp
        } else {
            Next::Leave
        }
    }

    /// What looking it up has shown. That it is not there proves something only when every sender has
    /// said that its attempt is over: one that was stopped may still wake and send.
    pub fn looked_up(&self, found: Option<Value>) -> Outcome {
        match found {
            Some(result) => Outcome::Done(result),
            None if self.note.as_ref().is_none_or(|note| note.ended) => Outcome::Nothing,
            None => Outcome::Unknown,
        }
    }
}

impl Answer {
    /// What the answer proves. A refusal says nothing about the attempts before it.
    pub fn outcome(self, attempt: Attempt) -> Outcome {
        match (self, attempt) {
            (Self::Done(result), _) => Outcome::Done(result),
            (Self::No, Attempt::First) => Outcome::Nothing,
            (Self::No, Attempt::Again) | (Self::Lost, _) => Outcome::Unknown,
        }
    }
}
