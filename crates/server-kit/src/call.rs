//! What one call carries through a server.

use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

/// What one call carries. A handler takes it as `Extension(call): Extension<Call>`.
#[derive(Clone)]
pub struct Call {
    /// Joins the rows of this call in audit, ledger and quota; UUID v7.
    pub id: Uuid,
    /// The tool by its one inner name; the protocol's method where something else is read.
    pub tool: String,
    /// The client's own name, as it gave it.
    pub host: Option<String>,
    /// Most bytes of the result: as JSON text for a tool, as they are for a resource.
    pub result_bytes: usize,
    /// Where the caller sits.
    pub caller: Caller,
    pub(crate) began: Instant,
    #[cfg(feature = "account")]
    pub(crate) rows: crate::recorder::Rows,
}

/// Where a caller sits, and with that what it can open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// At this machine, while the process goes on.
    Local,
    /// At another machine, where what is served on loopback here cannot be opened.
    Remote,
    /// A command whose process ends with the answer, and with it whatever waits or is served.
    Command,
}

impl Call {
    /// Whether the caller can open what this process serves on loopback.
    pub fn sees_loopback(&self) -> bool {
        self.caller == Caller::Local
    }

    /// How much of `limit` is left, counted from the beginning of the call.
    pub fn left_of(&self, limit: Duration) -> Duration {
        limit.saturating_sub(self.began.elapsed())
    }
}
