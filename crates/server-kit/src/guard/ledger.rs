//! The book of writes as the guard uses it: beside the runtime, and with no claim left behind.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use idempotency::{Book, Claim, Doubt, Error, Hold, Key, Limits, Outcome};
use jiff::Timestamp;
use serde_json::Value;
use state::{Clock, StateDir};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::refusal;
use crate::{Failure, Kit, failure::internal};

/// The book in the state folder.
const FILE: &str = "writes.db";

/// How long one write may take, from its claim to its report. A killed process keeps a token as
/// long.
const LEASE: Duration = Duration::from_secs(120);

/// The book, opened with the first write. A clone is the same.
#[derive(Clone)]
pub(super) struct Ledger {
    folder: Option<StateDir>,
    clock: Clock,
    book: Arc<Mutex<Option<Book>>>,
    writes: TaskTracker,
}

/// What a caller may do for its token.
pub(super) enum Turn {
    /// Send.
    Fresh(Held),
    /// Settle what another left.
    Doubtful(Held, Doubt),
    /// Repeat what was answered.
    Done(Value),
}

/// The right to act for a token. Dropped without a report, as by a call that is cancelled or a step
/// that panics, it is given back.
pub(super) struct Held {
    ledger: Ledger,
    hold: Hold,
    reported: bool,
}

impl Ledger {
    pub(super) fn new(kit: &Kit) -> Self {
        Self {
            folder: kit.state.clone(),
            clock: kit.clock,
            book: Arc::default(),
            writes: kit.writes.clone(),
        }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What an exit waits for.
    pub(super) fn writes(&self) -> &TaskTracker {
        &self.writes
    }

    /// Fails when nothing may be done for the token.
    pub(super) async fn claim(
        &self,
        key: &Key,
        hash: &str,
        call: Uuid,
        limits: Limits<'static>,
    ) -> Result<Turn, Failure> {
        let (now, ledger) = (self.now(), self.clone());
        let (key, hash) = (key.clone(), hash.to_owned());
        let claimed = self.step(move |book| {
            let claim = book.claim(now, &limits, &key, &hash, call, LEASE)?;
            // Held here already: a call that was cancelled meanwhile gives it back.
            let held = |hold| Held {
                ledger,
                hold,
                reported: false,
            };
            Ok(match claim {
                Claim::Fresh(hold) => Ok(Turn::Fresh(held(hold))),
                Claim::Unknown(hold, doubt) => Ok(Turn::Doubtful(held(hold), doubt)),
                Claim::Done { result, .. } => Ok(Turn::Done(result)),
                Claim::Conflict { .. } => Err(refusal::conflict()),
                Claim::InProgress { until, .. } => Err(refusal::in_progress(now, until)),
                Claim::RateLimited { retry_after } => Err(refusal::too_often(retry_after)),
                Claim::CoolingDown { retry_after } => Err(refusal::too_soon(retry_after)),
                Claim::OverQuota(places) => Err(refusal::over_quota(&places)),
            })
        });
        claimed.await?
    }

    /// Runs a step on the book beside the runtime. Once begun it runs to its end.
    async fn step<R: Send + 'static>(
        &self,
        step: impl FnOnce(&mut Book) -> Result<R, Error> + Send + 'static,
    ) -> Result<R, Failure> {
        let ledger = self.clone();
        let stepped = tokio::task::spawn_blocking(move || {
            let mut book = ledger.book.lock().unwrap_or_else(PoisonError::into_inner);
            let book = match &mut *book {
                Some(book) => book,
                none => none.insert(ledger.open()?),
            };
            step(book).map_err(|error| refusal::unavailable(&error))
        });
        stepped.await.map_err(|_panicked| internal())?
    }

    fn open(&self) -> Result<Book, Failure> {
        let folder = self.folder.as_ref();
        let folder = folder.ok_or_else(|| refusal::unavailable(&"没有状态目录"))?;
        let opened = Book::open(&folder.file(FILE));
        let mut book = opened.map_err(|error| refusal::unavailable(&error))?;
        if let Err(error) = book.prune(self.now()) {
            tracing::warn!(%error, "old entries of the book of writes are kept");
        }
        Ok(book)
    }
}

impl Held {
    /// Notes what settling will need; after it the write may leave. Fails when it must not.
    pub(super) async fn note(&self, memo: &Value) -> Result<(), Failure> {
        let (now, hold, memo) = (self.ledger.now(), self.hold.clone(), memo.clone());
        let noted = self
            .ledger
            .step(move |book| match book.note(now, &hold, &memo) {
                Ok(()) => Ok(true),
                Err(Error::Lost) => Ok(false),
                Err(error) => Err(error),
            });
        match noted.await? {
            true => Ok(()),
            false => Err(refusal::too_late()),
        }
    }

    /// Gives the token back, since this caller has sent nothing; what was in doubt before stays so.
    pub(super) async fn release(mut self) {
        self.reported = true;
        let (now, hold) = (self.ledger.now(), self.hold.clone());
        let released = self.ledger.step(move |book| give_back(book, now, &hold));
        if let Err(failure) = released.await {
            tracing::warn!(
                why = failure.message,
                "a token is kept until its lease ends"
            );
        }
    }

    /// Reports an outcome and gives how the write stands. A book that cannot be written changes
    /// nothing about what has happened.
    pub(super) async fn settle(mut self, outcome: Outcome) -> Outcome {
        self.reported = true;
        let (now, hold, known) = (self.ledger.now(), self.hold.clone(), outcome.clone());
        let settled = self
            .ledger
            .step(move |book| book.settle(now, &hold, &known));
        settled.await.unwrap_or_else(|failure| {
            tracing::error!(why = failure.message, "the outcome of a write was not kept");
            outcome
        })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.reported {
            return;
        }
        let (ledger, hold) = (self.ledger.clone(), self.hold.clone());
        self.ledger.writes.spawn_blocking(move || {
            let mut book = ledger.book.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(book) = &mut *book
                && let Err(error) = give_back(book, ledger.now(), &hold)
            {
                tracing::warn!(%error, "a token is kept until its lease ends");
            }
        });
    }
}

/// Frees the token, or leaves the write in doubt if it may have been sent.
fn give_back(book: &mut Book, now: Timestamp, hold: &Hold) -> Result<(), Error> {
    match book.release(hold) {
        Err(Error::Noted) => book.settle(now, hold, &Outcome::Unknown).map(drop),
        // Another holds it, or it is free already.
        Err(Error::Lost) => Ok(()),
        released => released,
    }
}
