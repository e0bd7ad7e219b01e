//! Where the system's count of pages begins, which no answer tells and every host keeps to.

use serde::{Deserialize, Serialize};
use state::{Error, StateDir};

const FILE: &str = "first-page.json";

/// The number of a host's first page of past reservations and breaches: 0 or 1.
#[derive(Serialize, Deserialize)]
pub(crate) struct FirstPage {
    pub(crate) host: String,
    pub(crate) number: u32,
}

impl FirstPage {
    /// What was found out before, of whatever host; a damaged file says nothing.
    pub(crate) fn read(folder: &StateDir) -> Option<Self> {
        folder.read(FILE).unwrap_or_else(|error| {
            tracing::warn!(%error, "the number of the first page is found out anew");
            None
        })
    }

    /// Keeps it for later calls and other processes.
    pub(crate) fn keep(&self, folder: &StateDir) -> Result<(), Error> {
        folder.write(FILE, self)
    }
}
