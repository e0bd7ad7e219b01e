//! What can go wrong with the state folder, always with the file it happened to.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a file of the state folder could not be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file system said no, or there is no room.
    #[error("cannot use {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Somebody else held this lock file for longer than one waits. Nothing was done.
    #[error("{} is held by another process", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// The file is there and is not the JSON that was expected. Its content is not quoted, since it
    /// may be secret.
    #[error("{} is damaged or not ours (line {line}, column {column})", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where reading stopped, counted from 1; 0 when the text ended too early to say.
        line: usize,
        /// Where in the line.
        column: usize,
    },
    /// The database was written by a newer version of the program, which this one would damage.
    #[error("{} was written by a newer version of this program", path.display())]
    NewerDatabase {
        /// The database.
        path: PathBuf,
    },
    /// A migration failed; the database is as it was before.
    #[error("cannot bring {} up to date: {source}", path.display())]
    Migration {
        /// The database.
        path: PathBuf,
        /// The migration's reason.
        source: rusqlite_migration::Error,
    },
    /// SQLite could not open or prepare the file: not a database, locked too long, disk full.
    #[error("cannot open {}: {source}", path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// SQLite's reason.
        source: rusqlite::Error,
    },
}

impl Error {
    /// Ties a system error to the file it happened to.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Io { path, source }
    }
}
