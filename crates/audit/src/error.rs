//! What can go wrong with the log, and how its chain can be broken.

use std::fmt;

/// Why the log could not be written, read or found whole.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be opened, or a newer version of the program wrote it.
    #[error(transparent)]
    State(#[from] state::Error),
    /// SQLite failed: locked too long, disk full, damaged.
    #[error("cannot use the audit log: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The log is not what was written.
    #[error("audit row {seq} {why}")]
    Broken {
        /// The number of the first row that is wrong.
        seq: i64,
        /// What is wrong with it.
        why: Why,
    },
}

/// What is wrong with the first row that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Its content does not have its hash, or it is the last and not the one recorded as such.
    Changed,
    /// It is absent and later ones are there.
    Missing,
    /// It and all after it are absent.
    RemovedTail,
    /// It carries another hash than the row before has: one of the two was replaced.
    WrongLink,
    /// It is outside the recorded range.
    Added,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed => "was changed",
            Self::Missing => "is missing",
            Self::RemovedTail => "and all after it were removed",
            Self::WrongLink => "does not follow the one before",
            Self::Added => "was added from outside",
        })
    }
}
