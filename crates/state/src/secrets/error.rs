//! What can go wrong with secrets, by what the caller does next.

use super::Store;

/// Why a secret could not be read or kept. No text and no `Debug` of it holds a value.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no keyring on this system, or it could not be reached. Nothing was done or written.
    /// Have the user start one, or choose the file. What was found at the first use holds until the
    /// process ends.
    #[error("there is no system keyring: {why}")]
    NoKeyring {
        /// The system's reason, in its own words.
        why: String,
    },
    /// The keyring is there and did not do it: it is locked, has no place for entries yet, the user
    /// said no to its question, or it failed. Have the user open it, and repeat.
    #[error("the system keyring refused: {why}")]
    Denied {
        /// The system's reason, in its own words.
        why: String,
    },
    /// Secrets are in one store and another one is asked for. Nothing was done. Ask for the recorded
    /// one, or remove every entry first.
    #[error("secrets are kept in the {recorded} and the {wished} is asked for")]
    Conflict {
        /// The store that holds entries, or that the setting names.
        recorded: Store,
        /// The store that was asked for.
        wished: Store,
    },
    /// The keyring takes no value of this length. The file does.
    #[error("{name} is too long for the system keyring, which takes {limit}")]
    TooLong {
        /// The entry.
        name: String,
        /// The platform's limit, in its own unit: bytes for a value.
        limit: u32,
    },
    /// The entry is there and is not what this program stores under it. Remove it and store it anew.
    #[error("the entry {name} is not what was stored")]
    Damaged {
        /// The entry.
        name: String,
    },
    /// The system gave no random bytes, so no key was made.
    #[error("no random bytes: {0}")]
    NoRandomness(getrandom::Error),
    /// The state folder could not be used.
    #[error(transparent)]
    State(#[from] crate::Error),
}
