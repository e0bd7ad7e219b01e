//! The audit rows of calls, written beside them: a read never waits for its audit.

use std::{
    sync::{OnceLock, mpsc},
    thread,
    time::{Duration, Instant},
};

use audit::{Audit, Event, Outcome, Status, Subject};
use jiff::Timestamp;
use rmcp::model::JsonObject;
use serde_json::Value;
use state::{Clock, StateDir};
use tokio::sync::oneshot;

use crate::{failure::Failure, kit::AUDIT_FILE, served::Call};

/// One thread owns the log and writes rows in the order it was told. It and the file come into
/// being with the first call, so that listing tools touches no disk.
pub(crate) struct Recorder {
    folder: Option<StateDir>,
    clock: Clock,
    queue: OnceLock<mpsc::Sender<Job>>,
}

/// A call that was told to the log and still owes its end.
pub(crate) struct Told {
    subject: Subject,
    began: Instant,
    /// A call refused before it began is one event row, written at its end.
    refused: Option<Value>,
}

enum Job {
    Start(Timestamp, Subject, Value),
    Finish(Timestamp, Subject, Outcome),
    Event(Timestamp, Event, Subject, Outcome, Option<Value>),
    Settle(oneshot::Sender<()>),
}

impl Recorder {
    pub(crate) fn new(folder: Option<StateDir>, clock: Clock) -> Self {
        Self {
            folder,
            clock,
            queue: OnceLock::new(),
        }
    }

    /// The row that opens a call; for one that was refused, its event row comes at the end.
    pub(crate) fn begin(&self, call: &Call, given: &JsonObject, refusal: Option<&Failure>) -> Told {
        let subject = subject(call);
        let given = Value::Object(given.clone());
        let refused = match refusal {
            Some(_) => Some(given),
            None => {
                self.tell(Job::Start(self.clock.now(), subject.clone(), given));
                None
            }
        };
        Told {
            subject,
            began: Instant::now(),
            refused,
        }
    }

    /// The row that closes a call.
    pub(crate) fn end(&self, told: Told, result: Option<&Value>) {
        let outcome = outcome(result, told.began);
        let now = self.clock.now();
        self.tell(match told.refused {
            None => Job::Finish(now, told.subject, outcome),
            Some(given) => {
                let event = match outcome.code.as_deref() {
                    Some("INVALID_ARGUMENT") => Event::ParamError,
                    _ => Event::Call,
                };
                Job::Event(now, event, told.subject, outcome, Some(given))
            }
        });
    }

    /// A call of a tool that does not exist.
    pub(crate) fn unknown_tool(&self, call: &Call) {
        let (status, duration) = (Status::Refused, Duration::ZERO);
        let outcome = Outcome {
            status,
            code: None,
            retry_after: None,
            duration,
        };
        self.tell(Job::Event(
            self.clock.now(),
            Event::ToolNotFound,
            subject(call),
            outcome,
            None,
        ));
    }

    /// Returns once every row told so far is written or has failed.
    pub(crate) async fn settle(&self) {
        if let Some(queue) = self.queue.get() {
            let (done, written) = oneshot::channel();
            if queue.send(Job::Settle(done)).is_ok() {
                let _ = written.await;
            }
        }
    }

    fn tell(&self, job: Job) {
        let queue = self.queue.get_or_init(|| {
            let (queue, jobs) = mpsc::channel();
            let (folder, now) = (self.folder.clone(), self.clock.now());
            let writer = thread::Builder::new().name("audit".into());
            if let Err(error) = writer.spawn(move || write(folder, now, &jobs)) {
                tracing::error!(%error, "no audit: its thread did not start");
            }
            queue
        });
        // Without a receiver the log has failed already, which was said once.
        let _ = queue.send(job);
    }
}

/// Writes jobs until the last sender is gone. The first fault is said and ends the log: reads go
/// on without it.
fn write(folder: Option<StateDir>, now: Timestamp, jobs: &mpsc::Receiver<Job>) {
    let mut log = match folder.map(|folder| open(&folder, now)) {
        Some(Ok(log)) => Some(log),
        Some(Err(error)) => {
            tracing::error!(%error, "calls are answered but not audited");
            None
        }
        None => {
            tracing::error!("calls are answered but not audited: there is no state folder");
            None
        }
    };
    for job in jobs {
        let written = match (job, log.as_mut()) {
            (Job::Settle(done), _) => {
                let _ = done.send(());
                continue;
            }
            (_, None) => continue,
            (Job::Start(at, subject, given), Some(log)) => log.start(at, &subject, Some(&given)),
            (Job::Finish(at, subject, outcome), Some(log)) => log.finish(at, &subject, &outcome),
            (Job::Event(at, event, subject, outcome, given), Some(log)) => {
                log.event(at, event, &subject, &outcome, given.as_ref())
            }
        };
        if let Err(error) = written {
            tracing::error!(%error, "an audit row was lost");
        }
    }
}

fn open(folder: &StateDir, now: Timestamp) -> Result<Audit, audit::Error> {
    let mut log = Audit::open(&folder.file(AUDIT_FILE))?;
    // Old rows that were tampered with stay as evidence, and the log goes on.
    if let Err(error) = log.prune(now - audit::RETENTION) {
        tracing::error!(%error, "old audit rows are kept");
    }
    Ok(log)
}

fn subject(call: &Call) -> Subject {
    Subject {
        id: Some(call.id.to_string()),
        tool: Some(call.tool.clone()),
        host: call.host.clone(),
        ..Subject::default()
    }
}

/// How the call ended, read from the result that was answered. A picture's result has no
/// structure and is a success or a question.
fn outcome(result: Option<&Value>, began: Instant) -> Outcome {
    let field = |name: &str| result.and_then(|fields| fields.get(name));
    let code = field("code").and_then(Value::as_str).map(str::to_owned);
    let failed = field("ok").and_then(Value::as_bool) == Some(false);
    let status = match code.as_deref() {
        _ if !failed => Status::Ok,
        Some("CANCELLED") => Status::Cancelled,
        Some("OUTCOME_UNKNOWN") => Status::Unknown,
        Some("INTERNAL" | "TIMEOUT" | "UPSTREAM_UNAVAILABLE" | "UPSTREAM_CHANGED") => {
            Status::Failed
        }
        _ => Status::Refused,
    };
    Outcome {
        status,
        code,
        retry_after: field("retry_after").and_then(Value::as_u64),
        duration: began.elapsed(),
    }
}
