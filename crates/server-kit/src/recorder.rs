//! The audit rows of calls, written beside them: a read never waits for its audit.

mod rows;

use std::{
    sync::{Arc, OnceLock, mpsc},
    thread,
    time::{Duration, Instant},
};

use audit::{Audit, Event, Outcome, Status, Subject};
use jiff::Timestamp;
use serde_json::Value;
use state::{Clock, StateDir};
use tokio::sync::oneshot;

use crate::kit::AUDIT_FILE;
pub(crate) use rows::Rows;
#[cfg(feature = "account")]
pub(crate) use rows::WriteRows;

/// How long a log that did not open is left alone.
const RETRY: Duration = Duration::from_secs(60);

/// One thread owns the log and writes rows in the order it was told. It and the file come into
/// being with the first call, so that listing tools touches no disk.
#[derive(Debug, Clone)]
pub(crate) struct Recorder(Arc<Desk>);

#[derive(Debug)]
struct Desk {
    folder: Option<StateDir>,
    clock: Clock,
    queue: OnceLock<mpsc::Sender<Job>>,
}

#[derive(Debug)]
enum Job {
    /// The last member is told when the row is on disk, and dropped when it is not.
    Start(Timestamp, Subject, Value, Option<oneshot::Sender<()>>),
    Finish(Timestamp, Subject, Outcome),
    Event(Timestamp, Event, Subject, Outcome, Option<Value>),
    Settle(oneshot::Sender<()>),
}

impl Recorder {
    pub(crate) fn new(folder: Option<StateDir>, clock: Clock) -> Self {
        Self(Arc::new(Desk {
            folder,
            clock,
            queue: OnceLock::new(),
        }))
    }

    /// The rows of a call that begins now; none is written yet.
    pub(crate) fn rows(&self, subject: Subject, given: Value) -> Rows {
        Rows::new(self.clone(), subject, given)
    }

    /// What happened beside all calls, in a moment.
    pub(crate) fn happened(&self, event: Event, subject: Subject, about: Value, ending: Ending) {
        let outcome = ending.outcome(Instant::now());
        let now = self.0.clock.now();
        self.tell(Job::Event(now, event, subject, outcome, Some(about)));
    }

    /// Returns once every row told so far is written or has failed.
    pub(crate) async fn settle(&self) {
        if let Some(queue) = self.0.queue.get() {
            let (done, written) = oneshot::channel();
            if queue.send(Job::Settle(done)).is_ok() {
                let _ = written.await;
            }
        }
    }

    fn tell(&self, job: Job) {
        let queue = self.0.queue.get_or_init(|| {
            let (queue, jobs) = mpsc::channel();
            let log = Log::new(self.0.folder.clone(), self.0.clock);
            let writer = thread::Builder::new().name("audit".into());
            if let Err(error) = writer.spawn(move || write(log, &jobs)) {
                tracing::error!(%error, "no audit: its thread did not start");
            }
            queue
        });
        // Without a receiver the thread did not start, which was said.
        let _ = queue.send(job);
    }
}

/// Writes jobs until the last sender is gone. What cannot be written is said and lost: reads go on
/// without it.
fn write(mut log: Log, jobs: &mpsc::Receiver<Job>) {
    for job in jobs {
        if let Job::Settle(done) = job {
            let _ = done.send(());
            continue;
        }
        let Some(log) = log.at(Instant::now()) else {
            continue;
        };
        let written = match job {
            Job::Settle(_) => Ok(()),
            Job::Start(at, subject, given, done) => {
                log.start(at, &subject, Some(&given)).map(|()| {
                    let _nobody_waits = done.map(|done| done.send(()));
                })
            }
            Job::Finish(at, subject, outcome) => log.finish(at, &subject, &outcome),
            Job::Event(at, event, subject, outcome, given) => {
                log.event(at, event, &subject, &outcome, given.as_ref())
            }
        };
        if let Err(error) = written {
            tracing::error!(%error, "an audit row was lost");
        }
    }
}

/// The log, opened when first needed; one that did not open is tried again, as a disk may be full
/// or a folder locked for a while only.
struct Log {
    folder: Option<StateDir>,
    clock: Clock,
    open: Option<Audit>,
    failed: Option<Instant>,
}

impl Log {
    fn new(folder: Option<StateDir>, clock: Clock) -> Self {
        Self {
            folder,
            clock,
            open: None,
            failed: None,
        }
    }

    /// The open log; `None` when it cannot be opened, or could not less than [`RETRY`] ago.
    fn at(&mut self, now: Instant) -> Option<&mut Audit> {
        let rests = self
            .failed
            .is_some_and(|failed| now.saturating_duration_since(failed) < RETRY);
        if self.open.is_none() && !rests {
            self.open = self.try_open();
            self.failed = self.open.is_none().then_some(now);
        }
        self.open.as_mut()
    }

    fn try_open(&self) -> Option<Audit> {
        let Some(folder) = &self.folder else {
            tracing::error!("calls are answered but not audited: there is no state folder");
            return None;
        };
        let mut log = match Audit::open(&folder.file(AUDIT_FILE)) {
            Ok(log) => log,
            Err(error) => {
                tracing::error!(%error, "calls are answered but not audited");
                return None;
            }
        };
        // A fixed clock may be in the future, where every row is old. Otherwise old rows go, unless
        // one was tampered with: then all stay as evidence, and the log goes on.
        if !self.clock.is_fixed()
            && let Err(error) = log.prune(self.clock.now() - audit::RETENTION)
        {
            tracing::error!(%error, "old audit rows are kept");
        }
        Some(log)
    }
}

/// How a call ended, as the structure of its result says; one without structure ended well.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    failed: bool,
    code: Option<String>,
    retry_after: Option<u64>,
}

impl From<&crate::Failure> for Ending {
    fn from(failure: &crate::Failure) -> Self {
        Self {
            failed: true,
            code: Some(failure.code.to_string()),
            retry_after: failure.retry_after,
        }
    }
}

impl Ending {
    pub(crate) fn of(structure: &Value) -> Self {
        let field = |name: &str| structure.get(name);
        Self {
            failed: field("ok").and_then(Value::as_bool) == Some(false),
            code: field("code").and_then(Value::as_str).map(str::to_owned),
            retry_after: field("retry_after").and_then(Value::as_u64),
        }
    }

    fn outcome(self, began: Instant) -> Outcome {
        let status = match self.code.as_deref() {
            _ if !self.failed => Status::Ok,
            Some("CANCELLED") => Status::Cancelled,
            Some("OUTCOME_UNKNOWN") => Status::Unknown,
            Some("INTERNAL" | "TIMEOUT" | "UPSTREAM_UNAVAILABLE" | "UPSTREAM_CHANGED") => {
                Status::Failed
            }
            _ => Status::Refused,
        };
        Outcome {
            status,
            code: self.code,
            retry_after: self.retry_after,
            duration: began.elapsed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_did_not_open_is_tried_again_after_a_minute() {
        let place = tempfile::tempdir().expect("a folder");
        let blocked = place.path().join("toy-mcp");
        std::fs::write(&blocked, "").expect("a file in its place");
        let mut log = Log::new(Some(StateDir::at(blocked.clone())), Clock::system());
        let begin = Instant::now();
        assert!(log.at(begin).is_none());
        std::fs::remove_file(&blocked).expect("the file gone");
        let opened =
            [59, 60, 61].map(|second| log.at(begin + Duration::from_secs(second)).is_some());
        assert_eq!(opened, [false, true, true]);
    }
}
