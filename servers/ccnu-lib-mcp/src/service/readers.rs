//! Who is signed in: one conversation for each user, in which one call runs at a time.

mod session;

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use challenge::Challenges;
use http_session::sealed::{Generation, SessionFile};
use server_kit::Kit;
use state::{Lock, StateDir};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use crate::{
    client::{Client, Reader},
    domain::user_key::UserKey,
    error::Error,
    service::sign_in::Suspended,
};

/// The entry of the secret store that the session files are encrypted with.
const SESSION_KEY: &str = "session-key";

/// The file of a session in its user's folder.
const SESSION: &str = "session.json";

/// All users of this process.
pub(crate) struct Readers {
    client: Arc<Client>,
    kit: Kit,
    challenges: Challenges<Suspended>,
    /// How long another process's renewal is waited for.
    patience: Duration,
    users: Mutex<HashMap<UserKey, Arc<User>>>,
}

/// One user.
pub(crate) struct User {
    pub(crate) key: UserKey,
    pub(crate) reader: Reader,
    /// Where the session is kept; `None` without a state folder.
    file: Option<SessionFile>,
    folder: Option<StateDir>,
    /// Which writing of the file the reader's session is.
    generation: Mutex<Option<Generation>>,
    challenges: Challenges<Suspended>,
    /// The question whose answer has failed last, and how.
    last_failure: Mutex<Option<(String, Error)>>,
    /// One call of a user runs at a time.
    turn: Arc<Turn<()>>,
}

/// The right to act for a user, against all other processes.
pub(crate) struct Acting {
    _turn: OwnedMutexGuard<()>,
    _lock: Option<Lock>,
}

impl Readers {
    pub(crate) fn new(
        client: Arc<Client>,
        kit: &Kit,
        challenges: Challenges<Suspended>,
        patience: Duration,
    ) -> Self {
        Self {
            client,
            kit: kit.clone(),
            challenges,
            patience,
            users: Mutex::default(),
        }
    }

    /// The user of that key; the same one for the life of the process.
    pub(crate) fn user(&self, key: &UserKey) -> Arc<User> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        let user = users.entry(key.clone()).or_insert_with(|| {
            let folder = self.kit.state.as_ref().map(|state| {
                let users = state.path().join("users");
                StateDir::at(users.join(key.folder_name()))
            });
            let file = folder.clone().and_then(|folder| self.session(folder));
            Arc::new(User {
                key: key.clone(),
                reader: self.client.reader(),
                file,
                folder,
                generation: Mutex::default(),
                challenges: self.challenges.clone(),
                last_failure: Mutex::default(),
                turn: Arc::default(),
            })
        });
        Arc::clone(user)
    }

    /// Forgets the sessions of all users, and gives of how many. Running processes notice with their
    /// next call.
    pub(crate) async fn forget_all(&self) -> Result<usize, Error> {
        let Some(state) = &self.kit.state else {
            return Ok(0);
        };
        let users = state.path().join("users");
        let folders = tokio::task::spawn_blocking(move || -> Vec<_> {
            let folders = fs::read_dir(users).into_iter().flatten().flatten();
            folders.map(|folder| StateDir::at(folder.path())).collect()
        });
        let mut forgotten = 0;
        for folder in folders.await.unwrap_or_default() {
            let Some(file) = self.session(folder) else {
                break;
            };
            let removed = file.remove().await;
            forgotten += usize::from(removed.map_err(|error| Error::Kept(error.to_string()))?);
        }
        Ok(forgotten)
    }

    fn session(&self, folder: StateDir) -> Option<SessionFile> {
        let secrets = self.kit.secrets.clone()?;
        let key = Arc::new(move || secrets.key(SESSION_KEY));
        Some(SessionFile::new(folder, SESSION, key).waiting(self.patience))
    }
}

impl User {
    /// Asks as the signed-in reader. A session that the service calls over is renewed once, without a
    /// person, and the question is put once more; so it must change nothing.
    ///
    /// Fails with [`Error::NeedLogin`] when only a person can sign in, and with a pending question
    /// when one is being asked already.
    pub(crate) async fn read<T, F>(&self, ask: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let _turn = self.turn.lock().await;
        self.read_in_turn(ask).await
    }

    /// The same for one who has the turn.
    pub(crate) async fn read_in_turn<T, F>(&self, ask: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        self.adopt().await;
        if !self.reader.has_token() {
            self.renew_alone().await?;
        }
        match ask().await {
            Err(Error::SignedOut) => {
                self.renew_alone().await?;
                ask().await
            }
            Err(Error::Unauthorised) => {
                // A refused token and a refused signature look alike: a new session tells.
                self.renew_alone().await?;
                ask().await.map_err(|error| match error {
                    Error::Unauthorised => Error::SignatureRejected {
                        skew_seconds: self.reader.skew_seconds(),
                    },
                    other => other,
                })
            }
            answered => answered,
        }
    }

    /// Waits for the turn to change something, here and between processes.
    ///
    /// Fails with [`Error::Busy`] when another process does not end in time.
    pub(crate) async fn act(&self) -> Result<Acting, Error> {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let lock = match self.folder.clone() {
            Some(folder) => {
                let taken = tokio::task::spawn_blocking(move || folder.lock("writing")).await;
                let taken = taken.map_err(|_stopped| Error::Busy)?;
                Some(taken.map_err(|error| match error {
                    state::Error::Locked { .. } => Error::Busy,
                    error => Error::Kept(error.to_string()),
                })?)
            }
            None => None,
        };
        Ok(Acting {
            _turn: turn,
            _lock: lock,
        })
    }

    /// Takes the turn for steps of signing in.
    pub(crate) async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.turn).lock_owned().await
    }

    /// Notes how the answer to a question has ended, for whoever has waited for it.
    pub(crate) fn note_failure(&self, id: &str, error: Error) {
        *self.last_failure() = Some((id.to_owned(), error));
    }

    /// How the answer to a question has ended, if it has failed.
    pub(crate) fn failure(&self, id: &str) -> Option<Error> {
        let last = self.last_failure();
        let of = last.as_ref().filter(|(failed, _)| failed == id);
        of.map(|(_, error)| error.clone())
    }

    fn last_failure(&self) -> MutexGuard<'_, Option<(String, Error)>> {
        self.last_failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
