//! What a sign-in leaves in the audit log.

use serde_json::json;
use server_kit::{Event, Failure};

use super::{Login, Step};
use crate::{domain::user_key::UserKey, error::Error};

impl Login {
    /// Notes that a sign-in went through, or how it failed; one that waits for a person has not ended.
    pub(super) fn noted(&self, key: &UserKey, step: Result<Step, Error>) -> Result<Step, Error> {
        let failed = match &step {
            Ok(Step::Ask(_)) => return step,
            Ok(Step::SignedIn { .. }) => None,
            Err(error) => Some(Failure::from(error.clone())),
        };
        let account = Some(key.as_str());
        self.journal
            .note(Event::Login, account, json!({}), failed.as_ref());
        step
    }
}
