//! The rows of one call: a start and a finish, or one event when nothing was begun.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use audit::{Event, Outcome, Status, Subject};
use serde_json::Value;
use tokio::sync::oneshot;

use super::{Ending, Job, Recorder};

/// The rows of one call as its boundary writes them.
#[derive(Clone)]
pub(crate) struct Rows(Arc<Entry>);

/// The rows of a call once its write belongs to the guard, whatever becomes of the call.
#[cfg(feature = "account")]
pub(crate) struct WriteRows(Arc<Entry>);

struct Entry {
    recorder: Recorder,
    subject: Subject,
    given: Value,
    began: Instant,
    stage: Mutex<Stage>,
    guarded: AtomicBool,
}

/// How far the rows of a call are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Not at all: what ends now leaves one event row.
    Unopened,
    Open,
    Closed,
}

impl Rows {
    pub(super) fn new(recorder: Recorder, subject: Subject, given: Value) -> Self {
        Self(Arc::new(Entry {
            recorder,
            subject,
            given,
            began: Instant::now(),
            stage: Mutex::new(Stage::Unopened),
            guarded: AtomicBool::new(false),
        }))
    }

    /// Opens a read; it does not wait for its row.
    pub(crate) fn open(&self) {
        self.0.start(None);
        self.0.enter(Stage::Open);
    }

    /// Tells that there is no such tool, in the only row.
    pub(crate) fn unknown_tool(&self) {
        let outcome = Outcome {
            status: Status::Refused,
            code: None,
            retry_after: None,
            duration: Duration::ZERO,
        };
        let (now, subject) = (self.0.recorder.0.clock.now(), self.0.subject.clone());
        let job = Job::Event(now, Event::ToolNotFound, subject, outcome, None);
        self.0.recorder.tell(job);
    }

    /// Leaves the rows to the guard of a write.
    #[cfg(feature = "account")]
    pub(crate) fn to_guard(&self) -> WriteRows {
        self.0.guarded.store(true, Ordering::Relaxed);
        WriteRows(Arc::clone(&self.0))
    }

    /// Tells how the call ended, unless its guard does.
    pub(crate) fn close(&self, ending: Ending) {
        if !self.0.guarded.load(Ordering::Relaxed) {
            self.0.close(ending);
        }
    }
}

#[cfg(feature = "account")]
impl WriteRows {
    /// Opens a write once its row is on disk. Gives false, and opens nothing, when it cannot be
    /// written.
    pub(crate) async fn open(&self) -> bool {
        let (done, written) = oneshot::channel();
        self.0.start(Some(done));
        let open = written.await.is_ok();
        if open {
            self.0.enter(Stage::Open);
        }
        open
    }

    /// Tells how the write ended.
    pub(crate) fn close(&self, ending: Ending) {
        self.0.close(ending);
    }
}

impl Entry {
    fn start(&self, done: Option<oneshot::Sender<()>>) {
        let (now, subject) = (self.recorder.0.clock.now(), self.subject.clone());
        let given = self.given.clone();
        self.recorder.tell(Job::Start(now, subject, given, done));
    }

    fn close(&self, ending: Ending) {
        let outcome = ending.outcome(self.began);
        let (now, subject) = (self.recorder.0.clock.now(), self.subject.clone());
        let job = match self.enter(Stage::Closed) {
            Stage::Open => Job::Finish(now, subject, outcome),
            Stage::Unopened => {
                let event = match outcome.code.as_deref() {
                    Some("INVALID_ARGUMENT") => Event::ParamError,
                    _ => Event::Call,
                };
                Job::Event(now, event, subject, outcome, Some(self.given.clone()))
            }
            Stage::Closed => return,
        };
        self.recorder.tell(job);
    }

    /// Gives the stage before.
    fn enter(&self, stage: Stage) -> Stage {
        let mut now = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut now, stage)
    }
}
