//! A caller that follows the rules, one step at a time, so that it can be stopped between any two.

use idempotency::{
    Answer, Attempt, Book, Claim, Doubt, Error, Hold, Key, Limits, Next, Outcome, Upstream,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    LEASE, at,
    toy::{Fate, Toy},
};

/// What a caller is about to do.
#[derive(Debug, Clone)]
enum Stage {
    Claim,
    Note(Hold, Attempt),
    Send(Hold, Attempt),
    LookUp(Hold, Doubt),
    Settle(Hold, Outcome),
    Release(Hold),
}

/// What a caller was told in the end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Report {
    Success(Value),
    /// It surely did not happen, as far as this caller's token goes.
    Nothing,
    Unknown,
    /// Another call is at it; nothing was done here.
    Busy,
}

/// One call, from claim to report.
#[derive(Debug)]
pub(crate) struct Driver {
    call: Uuid,
    stage: Stage,
    /// Which life of the token it acts for: how many times that had been found fresh.
    life: usize,
    sent: bool,
}

impl World {
    pub(crate) fn new(offers: Upstream, key: Key) -> Self {
        Self {
            toy: Toy::new(offers),
            key,
            now: 0,
            sent: vec![],
            fresh: 0,
            freed: 0,
        }
    }

    fn send(&mut self, life: usize, attempt: Attempt, fate: Fate) -> Answer {
        assert_eq!(
            (self.fresh, self.freed),
            (life, life - 1),
            "sent for a freed token"
        );
        self.sent.push(attempt);
        let answer = self.toy.send(self.now, fate);
        assert!(self.toy.effects.len() <= 1, "done twice: {self:#?}");
        let firsts = self.sent.iter().filter(|one| **one == Attempt::First);
        assert!(
            firsts.count() <= self.fresh,
            "a fresh token was sent twice: {self:#?}"
        );
        if self.toy.offers.remembers.is_none() {
            assert!(
                !self.sent.contains(&Attempt::Again),
                "blindly sent again: {self:#?}"
            );
        }
        answer
    }
}

/// What surrounds a step.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) toy: Toy,
    pub(crate) key: Key,
    /// Seconds, by the wall clock that callers read.
    pub(crate) now: i64,
    pub(crate) sent: Vec<Attempt>,
    /// How many times the token was found fresh, and how many times it was freed.
    pub(crate) fresh: usize,
    pub(crate) freed: usize,
}

impl Driver {
    pub(crate) fn new(call: u128) -> Self {
        Self {
            call: Uuid::from_u128(call),
            stage: Stage::Claim,
            life: 0,
            sent: false,
        }
    }

    /// Takes one step. With `late`, it sends even after its lease, as a process does that was stopped
    /// between its last look at the clock and the sending.
    pub(crate) fn step(
        &mut self,
        book: &mut Book,
        world: &mut World,
        fate: Fate,
        late: bool,
    ) -> Option<Report> {
        let now = at(world.now);
        self.stage = match self.stage.clone() {
            Stage::Claim => {
                let limits = Limits::default();
                let claim = book.claim(now, &limits, &world.key, "h", self.call, LEASE);
                let claim = claim.unwrap();
                if let Claim::Fresh(_) = claim {
                    assert_eq!(world.fresh, world.freed, "fresh to two");
                    world.fresh += 1;
                }
                self.life = world.fresh;
                match claim {
                    Claim::Fresh(hold) => Stage::Note(hold, Attempt::First),
                    Claim::Unknown(hold, doubt) => match doubt.next(now, world.toy.offers) {
                        Next::Release => Stage::Release(hold),
                        Next::SendAgain => Stage::Note(hold, Attempt::Again),
                        Next::LookUp => Stage::LookUp(hold, doubt),
                        Next::Leave => Stage::Settle(hold, Outcome::Unknown),
                    },
                    Claim::Done { result, .. } => return Some(Report::Success(result)),
                    Claim::InProgress { .. } => return Some(Report::Busy),
                    other => panic!("{other:?}"),
                }
            }
            Stage::Note(hold, attempt) => match (book.note(now, &hold, &json!("memo")), attempt) {
                (Ok(()), _) => Stage::Send(hold, attempt),
                (Err(Error::Lost), Attempt::First) => return Some(Report::Busy),
                (Err(Error::Lost), Attempt::Again) => Stage::Settle(hold, Outcome::Unknown),
                (Err(error), _) => panic!("{error}"),
            },
            Stage::Send(hold, attempt) => {
                let answer = if late || now < hold.until() {
                    self.sent = true;
                    world.send(self.life, attempt, fate)
                } else {
                    Answer::No
                };
                Stage::Settle(hold, answer.outcome(attempt))
            }
            Stage::LookUp(hold, doubt) => match fate {
                Fate::NeverLeaves => Stage::Settle(hold, Outcome::Unknown),
                _ => Stage::Settle(hold, doubt.looked_up(world.toy.look())),
            },
            Stage::Settle(hold, outcome) => match book.settle(now, &hold, &outcome) {
                Ok(Outcome::Done(result)) => return Some(Report::Success(result)),
                Ok(Outcome::Nothing) => {
                    world.freed += 1;
                    return Some(Report::Nothing);
                }
                Ok(Outcome::Unknown) => return Some(Report::Unknown),
                Err(Error::Lost) => {
                    // Who only looked may have found what was done after the token was freed.
                    let done = matches!(outcome, Outcome::Done(_));
                    assert!(!(self.sent && done), "a lost effect: {world:#?}");
                    Stage::Claim
                }
                Err(error) => panic!("{error}"),
            },
            Stage::Release(hold) => {
                match book.release(&hold) {
                    Ok(()) => world.freed += 1,
                    Err(Error::Lost) => {}
                    Err(error) => panic!("{error}"),
                }
                Stage::Claim
            }
        };
        None
    }
}
