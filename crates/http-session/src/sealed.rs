//! A session on disk: encrypted, and renewed by one process at a time.

mod envelope;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fmt, fs, io};

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use state::secrets::{self, Key};
use state::{Lock, StateDir, blocking};
use tokio::time::Instant;

use self::envelope::Envelope;
use crate::jar::Cookies;
use crate::pace;

/// How long a renewal of another process is waited for unless the caller says otherwise: a waiting call
/// answers within this time.
const PATIENCE: Duration = Duration::from_secs(45);

/// The system offers no wait for a lock with an end, so a held one is asked for again after this.
const NAP: Duration = Duration::from_millis(20);

/// Gives the key of a session file. It may block: it is called beside the runtime.
pub type KeySource = Arc<dyn Fn() -> Result<Key, secrets::Error> + Send + Sync>;

/// What is kept of a session. Its `Debug` prints no value.
#[derive(Clone, Default)]
pub struct Saved {
    /// All cookies, those without an expiry too.
    pub cookies: Cookies,
    /// Tokens of the upstream by a name of the caller's.
    pub tokens: BTreeMap<String, SecretString>,
}

/// Which writing of a session file this is: random, new at each one, and no secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Generation(String);

/// The encrypted file of one session in a state folder. Making one touches nothing; clones are the same
/// file.
///
/// A file that is damaged, of another version, or of a key that has changed, is no session: that is logged
/// once, and the next writing replaces it.
#[derive(Clone)]
pub struct SessionFile {
    folder: StateDir,
    name: Arc<str>,
    key: KeySource,
    patience: Duration,
    is_told: Arc<AtomicBool>,
}

/// Why a session file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder or the file could not be used.
    #[error(transparent)]
    State(#[from] state::Error),
    /// The secret store gave no key.
    #[error(transparent)]
    Key(#[from] secrets::Error),
    /// Others held the session for longer than one waits. Nothing was done.
    #[error("another process has been renewing the session for too long")]
    Busy,
}

/// Why there is no renewed session.
#[derive(Debug, thiserror::Error)]
pub enum Renewal<E> {
    /// The session file could not be used.
    #[error(transparent)]
    File(#[from] Error),
    /// The renewal itself failed. The file is as it was.
    #[error("{0}")]
    Failed(E),
}

impl SessionFile {
    /// The session `name` in a folder, such as `session-me.json`.
    pub fn new(folder: StateDir, name: &str, key: KeySource) -> Self {
        Self {
            folder,
            name: name.into(),
            key,
            patience: PATIENCE,
            is_told: Arc::default(),
        }
    }

    /// Waits so long for others who hold the session, instead of 45 s.
    pub fn waiting(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Reads the session; `None` when there is none.
    pub async fn load(&self) -> Result<Option<(Saved, Generation)>, Error> {
        let file = self.clone();
        blocking(move || file.open()).await
    }

    /// Which writing the file holds now; cheap, since neither the key is asked nor anything decrypted.
    pub async fn generation(&self) -> Result<Option<Generation>, Error> {
        let file = self.clone();
        let envelope = blocking(move || file.envelope()).await?;
        Ok(envelope.map(|envelope| envelope.generation))
    }

    /// Writes a session over the one before, after a renewal under way has ended. Whole or not at all, and
    /// for this user's eyes only.
    pub async fn save(&self, saved: &Saved) -> Result<Generation, Error> {
        let lock = self.lock().await?;
        self.seal(lock, saved).await
    }

    /// Removes the session, after a renewal under way has ended. Gives whether there was one.
    pub async fn remove(&self) -> Result<bool, Error> {
        let lock = self.lock().await?;
        let path = self.folder.file(&self.name);
        blocking(move || {
            let _held = lock;
            match fs::remove_file(&path) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
                Err(source) => Err(state::Error::Io { path, source }.into()),
            }
        })
        .await
    }

    /// The session in place of the `used` one, of which the upstream says that it has ended.
    ///
    /// One renewal runs at a time over all processes. When another one has renewed since, its session is
    /// given and `renew` never runs; else `renew` gets the session in the file and its outcome is saved.
    /// Dropping the future ends the renewal and lets the next one begin: where the upstream may have changed
    /// what renews by then, run it in a task of its own. `renew` must not use this file.
    pub async fn renew<E>(
        &self,
        used: Option<&Generation>,
        renew: impl AsyncFnOnce(Option<Saved>) -> Result<Saved, E>,
    ) -> Result<(Saved, Generation), Renewal<E>> {
        let lock = self.lock().await?;
        let before = match self.load().await? {
            Some((saved, generation)) if used != Some(&generation) => {
                return Ok((saved, generation));
            }
            before => before.map(|(saved, _)| saved),
        };
        let saved = renew(before).await.map_err(Renewal::Failed)?;
        let generation = self.seal(lock, &saved).await?;
        Ok((saved, generation))
    }

    /// Takes the lock without holding up the runtime. A lock that comes when nobody waits for it any more
    /// is dropped with its answer.
    async fn lock(&self) -> Result<Lock, Error> {
        let until = Instant::now() + self.patience;
        loop {
            let file = self.clone();
            let taken = blocking(move || file.folder.try_lock(&file.name)).await?;
            if let Some(lock) = taken {
                return Ok(lock);
            }
            if Instant::now() >= until {
                return Err(Error::Busy);
            }
            pace::wait(NAP).await;
        }
    }

    fn envelope(&self) -> Result<Option<Envelope>, Error> {
        match self.folder.read(&self.name) {
            Err(state::Error::Malformed { .. }) => {
                self.tell();
                Ok(None)
            }
            read => Ok(read?),
        }
    }

    fn open(&self) -> Result<Option<(Saved, Generation)>, Error> {
        let Some(envelope) = self.envelope()? else {
            return Ok(None);
        };
        let Some(saved) = envelope.open(&self.place(), &(self.key)()?) else {
            self.tell();
            return Ok(None);
        };
        self.is_told.store(false, Ordering::Relaxed);
        Ok(Some((saved, envelope.generation)))
    }

    /// Encrypts and writes in one step that runs to its end, and holds the lock until then.
    async fn seal(&self, lock: Lock, saved: &Saved) -> Result<Generation, Error> {
        let (file, saved) = (self.clone(), saved.clone());
        blocking(move || {
            let _held = lock;
            let envelope = Envelope::seal(&saved, &file.place(), &(file.key)()?);
            let envelope = envelope.map_err(|source| state::Error::Io {
                path: file.folder.file(&file.name),
                source,
            })?;
            file.folder.write(&file.name, &envelope)?;
            Ok(envelope.generation)
        })
        .await
    }

    /// Its name with that of its folder: sessions of one key that lie in folders of their own are told
    /// apart by it, and the folders above may move.
    fn place(&self) -> String {
        let folder = self.folder.path().file_name().unwrap_or_default();
        format!("{}/{}", folder.to_string_lossy(), self.name)
    }

    fn tell(&self) {
        if !self.is_told.swap(true, Ordering::Relaxed) {
            let file = &*self.name;
            tracing::warn!(
                file,
                "the saved session is damaged or not ours; sign in anew"
            );
        }
    }
}

impl fmt::Debug for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Saved")
            .field("cookies", &self.cookies)
            .field("tokens", &self.tokens.keys())
            .finish()
    }
}
