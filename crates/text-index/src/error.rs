//! What can go wrong with the index.

/// Why the index could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// SQLite failed: locked too long, disk full, damaged.
    #[error("cannot use the text index: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Another version of the program has built the index, or none has brought it up to date yet:
    /// [`Index::bring_up_to_date`](crate::Index::bring_up_to_date) does. Nothing was read or changed.
    #[error("the text index was built by another version of this program")]
    OtherVersion,
}
