//! A lock that holds between processes and between threads.

use std::{
    fs::{File, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use crate::{Error, platform};

/// How long a lock is waited for unless the caller says otherwise: a holder that is stopped must not
/// stop its siblings.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// The system offers no wait with an end, so a held lock is asked for again after this.
const NAP: Duration = Duration::from_millis(5);

/// An exclusive lock on a file; dropping it, or the end of the process, releases it.
#[derive(Debug)]
#[must_use = "dropping the lock releases it"]
pub struct Lock {
    _held: File,
}

impl Lock {
    /// Waits until the lock file at `path` is free and takes it. The folder and the file are made
    /// when absent, and the file stays: removing it would let two holders in.
    ///
    /// Fails with [`Error::Locked`] when it is still held after `within`.
    #[expect(
        clippy::disallowed_methods,
        reason = "all calls of this crate block, and this one has an end"
    )]
    pub(crate) fn wait(path: &Path, within: Duration) -> Result<Self, Error> {
        let began = Instant::now();
        loop {
            if let Some(lock) = Self::try_now(path)? {
                return Ok(lock);
            }
            let left = within.saturating_sub(began.elapsed());
            if left.is_zero() {
                let path = path.to_owned();
                return Err(Error::Locked { path });
            }
            thread::sleep(NAP.min(left));
        }
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
