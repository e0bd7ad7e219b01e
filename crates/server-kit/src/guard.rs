//! The order of every write: account, rate, cooldown, token, quota, audit, send once, outcome.
//!
//! The read-only gate and the list of denied tools come before, at the boundary. What may have been
//! sent is never sent again unless the service itself keeps a repetition from being done twice.

mod ledger;
mod refusal;
mod written;

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use idempotency::{Answer, Attempt, Doubt, Key, Next, Outcome, argument_hash, is_token, new_token};
pub use idempotency::{Cooldown, Limits, Quota, Rate, Upstream};
use jiff::SignedDuration;
use serde_json::Value;

use crate::{
    Call, Failure, Kit, bad_argument,
    failure::internal,
    recorder::{Ending, WriteRows},
};
use ledger::{Held, Ledger, Turn};
pub use written::Written;

/// The argument that names a write.
const TOKEN: &str = "client_token";

/// A write whose answer was lost may still be under way at the service; that it cannot be seen yet
/// proves nothing before this.
const AFTERMATH: SignedDuration = SignedDuration::from_secs(60);

/// What one write is to the guard.
pub struct Write<'a> {
    /// Whose write it is.
    pub account: &'a str,
    /// The tool, or what several tools share when one may repeat the other's write.
    pub space: &'a str,
    /// The caller's name for it; one is made when absent.
    pub token: Option<&'a str>,
    /// What it is, as the server understood the arguments: days, ids and defaults resolved, so that
    /// the same wish in other words is the same write, and the same words on another day are not.
    /// The account is not part of it. Only its hash is kept.
    pub what: Value,
    /// What it is measured against.
    pub limits: Limits<'static>,
}

/// A server's side of one write.
pub trait Steps: Send + 'static {
    /// What the service lets one find out about a write whose answer was lost.
    const UPSTREAM: Upstream;

    /// What is told to a caller whose write is in doubt: with which tool to look.
    const CHECK_WITH: &'static str;

    /// The last reads before anything is sent. Gives what settling the write would need: it is on
    /// disk before the write leaves. Fails when the write must not be sent.
    fn prepare(&mut self) -> impl Future<Output = Result<Value, Failure>> + Send;

    /// Sends the write, once, by what [`Steps::prepare`] gave, perhaps in another process.
    fn send(&mut self, memo: &Value) -> impl Future<Output = Sent> + Send;

    /// Looks whether the write has happened, by what [`Steps::prepare`] gave, perhaps in another
    /// process. `None` when it cannot be seen.
    fn look_up(
        &mut self,
        memo: &Value,
    ) -> impl Future<Output = Result<Option<Value>, Failure>> + Send;

    /// What is answered when it surely has not happened after all.
    fn nothing(&self) -> Failure;
}

/// How sending ended.
pub enum Sent {
    /// The service did it, and that was seen. The result's fields.
    Done(Value),
    /// It was refused, or nothing left this machine: nothing happened.
    Nothing(Failure),
    /// It may have happened.
    Lost,
}

/// What every write of one server goes through.
#[derive(Clone)]
pub struct Guard {
    ledger: Ledger,
}

/// How a write came out: its result, and whether it had happened before.
struct Stands {
    result: Value,
    replayed: bool,
}

impl Guard {
    /// A guard that has touched nothing yet.
    pub fn new(kit: &Kit) -> Self {
        let ledger = Ledger::new(kit);
        Self { ledger }
    }

    /// Does one write at most once for its token. `allowed` is the state of the account and comes
    /// first; `steps` are the server's.
    ///
    /// Fails with `RATE_LIMITED`, `COOLDOWN`, `QUOTA_EXCEEDED`, `IDEMPOTENCY_CONFLICT`,
    /// `IDEMPOTENCY_IN_PROGRESS`, `OUTCOME_UNKNOWN`, `STATE_UNAVAILABLE`, and with what the steps fail
    /// with. Every failure after the token was accepted names it in `data.client_token`.
    pub async fn write<S: Steps, T>(
        &self,
        call: &Call,
        write: Write<'_>,
        allowed: impl Future<Output = Result<(), Failure>>,
        steps: S,
    ) -> Result<Written<T>, Failure> {
        let token = match write.token {
            Some(token) if !is_token(token) => {
                let why = "须为 8–128 个字符的 A-Z a-z 0-9 . _ : -，例如 booking-20260625-1";
                return Err(bad_argument(TOKEN, why));
            }
            Some(token) => token.to_owned(),
            None => new_token(),
        };
        let key = Key {
            account: write.account.to_owned(),
            space: write.space.to_owned(),
            token: token.clone(),
        };
        let done = async {
            allowed.await?;
            let hash = argument_hash(&write.what);
            self.once(call, key, &hash, write.limits, steps).await
        };
        match done.await {
            Ok(stands) => Ok(Written::new(stands.result, token, stands.replayed)),
            Err(failure) => Err(failure.data(TOKEN, token)),
        }
    }

    async fn once<S: Steps>(
        &self,
        call: &Call,
        key: Key,
        hash: &str,
        limits: Limits<'static>,
        mut steps: S,
    ) -> Result<Stands, Failure> {
        // A claim that nothing came of is given back and made anew, once.
        for _ in 0..2 {
            let claim = self.ledger.claim(&key, hash, call.id, limits);
            let (held, doubt) = match claim.await? {
                Turn::Fresh(held) => {
                    return match steps.prepare().await {
                        Ok(memo) => self.send(call, held, memo, steps, Attempt::First).await,
                        Err(failure) => {
                            held.release().await;
                            Err(failure)
                        }
                    };
                }
                Turn::Done(result) => {
                    let replayed = true;
                    return Ok(Stands { result, replayed });
                }
                Turn::Doubtful(held, doubt) => (held, doubt),
            };
            match doubt.next(self.ledger.now(), S::UPSTREAM) {
                Next::Release => held.release().await,
                Next::SendAgain => {
                    let memo = doubt.note.map(|note| note.memo).unwrap_or_default();
                    return self.send(call, held, memo, steps, Attempt::Again).await;
                }
                Next::LookUp => {
                    let outcome = self.looked_up(&mut steps, &doubt).await;
                    return conclude(held.settle(outcome).await, &steps, true);
                }
                Next::Leave => {
                    return conclude(held.settle(Outcome::Unknown).await, &steps, true);
                }
            }
        }
        Err(internal())
    }

    async fn looked_up<S: Steps>(&self, steps: &mut S, doubt: &Doubt) -> Outcome {
        let Some(note) = &doubt.note else {
            return Outcome::Unknown;
        };
        let age = self.ledger.now().duration_since(note.first);
        match steps.look_up(&note.memo).await {
            Ok(None) if age < AFTERMATH => Outcome::Unknown,
            Ok(found) => doubt.looked_up(found),
            Err(failure) => {
                tracing::info!(code = %failure.code, "a write in doubt could not be looked up");
                Outcome::Unknown
            }
        }
    }

    /// Sends in a task of its own, which ends in its own time whatever becomes of the call.
    async fn send<S: Steps>(
        &self,
        call: &Call,
        held: Held,
        memo: Value,
        steps: S,
        attempt: Attempt,
    ) -> Result<Stands, Failure> {
        // Before the task runs, so that a call that is cancelled meanwhile leaves its rows to it.
        let rows = call.rows.to_guard();
        let sent = self.ledger.writes().spawn(async move {
            let sent = send_recorded(&rows, held, &memo, steps, attempt);
            let done = AssertUnwindSafe(sent).catch_unwind().await;
            let done = done.unwrap_or_else(|_panic| {
                tracing::error!("a write panicked; it was answered OUTCOME_UNKNOWN");
                Err(refusal::unknown(S::CHECK_WITH))
            });
            rows.close(match &done {
                Ok(_) => Ending::default(),
                Err(failure) => Ending::from(failure),
            });
            done
        });
        sent.await.map_err(|_cancelled| internal())?
    }
}

/// Audit row and note are on disk before anything leaves.
async fn send_recorded<S: Steps>(
    rows: &WriteRows,
    held: Held,
    memo: &Value,
    mut steps: S,
    attempt: Attempt,
) -> Result<Stands, Failure> {
    if !rows.open().await {
        held.release().await;
        return Err(refusal::unaudited());
    }
    if let Err(failure) = held.note(memo).await {
        held.release().await;
        return Err(failure);
    }
    // From here on it may have been sent, and is settled in any case.
    let (answer, refused) = match steps.send(memo).await {
        Sent::Done(result) => (Answer::Done(result), None),
        Sent::Nothing(failure) => (Answer::No, Some(failure)),
        Sent::Lost => (Answer::Lost, None),
    };
    let mut outcome = answer.outcome(attempt);
    if outcome == Outcome::Unknown && S::UPSTREAM.reads_back {
        // It may be seen; if it is not, that proves nothing yet.
        if let Ok(Some(result)) = steps.look_up(memo).await {
            outcome = Outcome::Done(result);
        }
    }
    match (held.settle(outcome).await, refused) {
        (Outcome::Nothing, Some(failure)) => Err(failure),
        (stands, _) => conclude(stands, &steps, false),
    }
}

/// What is answered for a write as it stands.
fn conclude<S: Steps>(stands: Outcome, steps: &S, replayed: bool) -> Result<Stands, Failure> {
    match stands {
        Outcome::Done(result) => Ok(Stands { result, replayed }),
        Outcome::Nothing => Err(steps.nothing()),
        Outcome::Unknown => Err(refusal::unknown(S::CHECK_WITH)),
    }
}
