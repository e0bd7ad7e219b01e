//! The station script that was read last, and when reading it was last tried.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use state::{Error, StateDir};

const SCRIPT: &str = "stations.json";
const TRIED: &str = "stations-tried.json";

/// A station script and when it was read.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) read_at: Timestamp,
    pub(crate) script: String,
}

/// Where the stations lie.
#[derive(Clone)]
pub(crate) struct Shelf(StateDir);

impl Shelf {
    pub(crate) fn new(folder: StateDir) -> Self {
        Self(folder)
    }

    /// The script read last; a damaged one is no script.
    pub(crate) fn take(&self) -> Option<Saved> {
        self.0.read(SCRIPT).unwrap_or_else(|error| {
            tracing::warn!(%error, "the kept stations are left aside");
            None
        })
    }

    /// Keeps a script for the next start.
    pub(crate) fn keep(&self, saved: &Saved) -> Result<(), Error> {
        self.0.write(SCRIPT, saved)
    }

    /// Whether this process may try now: of all processes, one in `pause`. Claiming counts as a try.
    pub(crate) fn claim(&self, now: Timestamp, pause: SignedDuration) -> Result<bool, Error> {
        let _alone = self.0.lock(TRIED)?;
        let tried: Option<Timestamp> = self.0.read(TRIED).unwrap_or_default();
        if tried.is_some_and(|tried| tried <= now && now < tried + pause) {
            return Ok(false);
        }
        self.0.write(TRIED, &now)?;
        Ok(true)
    }
}
