//! Who asked for what and how it ended: append-only, redacted, verifiable.
//!
//! A call leaves two rows, one when it starts and one when it finishes, so that a killed process
//! shows; everything else leaves one. Each row carries the hash of the one before, and the count and
//! hash of the last are kept beside them, so a changed, removed or added row shows. The chain has no
//! key: it shows accidents and edits, not an owner of the file who writes the whole chain anew; who
//! needs that notes the [`Intact::hash`] elsewhere.
//!
//! Several processes may write to one log. All calls block; from asynchronous code they belong in
//! `spawn_blocking`.

mod chain;
mod error;
mod log;
mod names;
mod redact;
mod row;

pub use chain::Intact;
pub use error::{Error, Why};
pub use log::{Audit, RETENTION};
pub use names::{Event, Phase, Status};
pub use redact::{is_secret_name, without_secrets};
pub use row::{Filter, Outcome, Row, Subject};
