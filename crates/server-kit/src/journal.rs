//! Audit rows that belong to no call: a sign-in, a question for a person, a caller turned away.

use audit::{Event, Subject};
use serde_json::Value;

use crate::{
    Failure,
    recorder::{Ending, Recorder},
};

/// Where a server writes what happens beside its calls. Clones share; rows are on disk at the exit.
#[derive(Debug, Clone)]
pub struct Journal(pub(crate) Recorder);

impl Journal {
    /// Writes one row: what happened, for whose account, what is known of it, and why it failed if
    /// it did. `about` is redacted as arguments are, and is no place for an answer or a secret.
    pub fn note(
        &self,
        event: Event,
        account: Option<&str>,
        about: Value,
        failed: Option<&Failure>,
    ) {
        let subject = Subject {
            account: account.map(str::to_owned),
            ..Subject::default()
        };
        let ending = failed.map(Ending::from).unwrap_or_default();
        self.0.happened(event, subject, about, ending);
    }
}
