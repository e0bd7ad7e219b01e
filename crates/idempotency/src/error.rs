//! What can go wrong with the book.

/// Why the book could not be used, or did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be opened, or a newer version of the program wrote it.
    #[error(transparent)]
    State(#[from] state::Error),
    /// SQLite failed: locked too long, disk full, damaged.
    #[error("cannot use the book of writes: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The caller's right to the token is gone: its lease ran out, another call holds the token, or
    /// the token was freed. Nothing was changed. Who meets this from [`note`](crate::Book::note) must
    /// not send.
    #[error("the claim on the token is lost")]
    Lost,
    /// What may have been sent cannot be released. Nothing was changed.
    #[error("the write may have been sent already")]
    Noted,
}
