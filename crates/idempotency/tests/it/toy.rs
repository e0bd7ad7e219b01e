//! A toy service that does writes, forgets tokens, refuses, and loses requests and answers.

use std::time::Duration;

use idempotency::{Answer, Upstream};
use serde_json::{Value, json};

/// What becomes of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Works,
    /// The connection was refused: nothing left.
    NeverLeaves,
    /// It left and did not arrive.
    IsLost,
    /// It was done, and the answer did not arrive.
    AnswerIsLost,
    /// Refused before the service looks whether it knows the token.
    IsRefused,
    /// Refused as a new write; a known one is answered.
    IsRefusedAsNew,
}

pub(crate) const FATES: &[Fate] = &[
    Fate::Works,
    Fate::NeverLeaves,
    Fate::IsLost,
    Fate::AnswerIsLost,
    Fate::IsRefused,
    Fate::IsRefusedAsNew,
];

/// Services that read back, deduplicate, deduplicate for a while and read back, or do neither.
pub(crate) const KINDS: &[Upstream] = &[
    offering(None, true),
    offering(Some(Duration::MAX), false),
    offering(Some(Duration::from_secs(1000)), true),
    offering(None, false),
];

const fn offering(remembers: Option<Duration>, reads_back: bool) -> Upstream {
    Upstream {
        remembers,
        reads_back,
    }
}

/// The service, with one token.
#[derive(Debug)]
pub(crate) struct Toy {
    pub(crate) offers: Upstream,
    /// When each effect happened, in seconds of its own clock.
    pub(crate) effects: Vec<i64>,
}

impl Toy {
    pub(crate) fn new(offers: Upstream) -> Self {
        let effects = vec![];
        Self { offers, effects }
    }

    /// One request to do the write.
    pub(crate) fn send(&mut self, now: i64, fate: Fate) -> Answer {
        match fate {
            Fate::NeverLeaves | Fate::IsRefused => return Answer::No,
            Fate::IsLost => return Answer::Lost,
            Fate::Works | Fate::AnswerIsLost | Fate::IsRefusedAsNew => {}
        }
        if !self.knows(now) {
            if fate == Fate::IsRefusedAsNew {
                return Answer::No;
            }
            self.effects.push(now);
        }
        match fate {
            Fate::AnswerIsLost => Answer::Lost,
            _ => Answer::Done(json!({"answered": self.effects.len()})),
        }
    }

    fn knows(&self, now: i64) -> bool {
        let remembers = self.offers.remembers.unwrap_or(Duration::ZERO).as_secs();
        self.effects
            .last()
            .is_some_and(|then| now.abs_diff(*then) < remembers)
    }

    pub(crate) fn happened(&self) -> bool {
        !self.effects.is_empty()
    }

    /// What there is to be seen of the write; less than it was answered with.
    pub(crate) fn look(&self) -> Option<Value> {
        self.happened().then(|| json!({"seen": self.effects.len()}))
    }
}
