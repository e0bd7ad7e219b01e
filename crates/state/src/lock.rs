//! A lock that holds between processes and between threads.

use std::{
    fs::{File, TryLockError},
    path::Path,
};

use crate::{Error, platform};

/// An exclusive lock on a file; dropping it, or the end of the process, releases it.
#[derive(Debug)]
#[must_use = "dropping the lock releases it"]
pub struct Lock {
    _held: File,
}

impl Lock {
    /// Waits until the lock file at `path` is free and takes it. The folder and the file are made
    /// when absent, and the file stays: removing it would let two holders in.
    pub(crate) fn wait(path: &Path) -> Result<Self, Error> {
        let file = lock_file(path)?;
        file.lock().map_err(Error::io(path))?;
        Ok(Self { _held: file })
    }

    /// Takes the lock, or gives `None` when somebody holds it.
    pub(crate) fn try_now(path: &Path) -> Result<Option<Self>, Error> {
        let file = lock_file(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _held: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(Error::io(path)(source)),
        }
    }
}

fn lock_file(path: &Path) -> Result<File, Error> {
    if let Some(folder) = path.parent() {
        platform::create_folder(folder).map_err(Error::io(folder))?;
    }
    platform::private_file()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(Error::io(path))
}
