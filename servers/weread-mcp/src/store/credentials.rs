//! Credentials in the secret store; in memory where there is none.

use std::sync::{Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use server_kit::{Failure, Kit};
use state::{
    StateDir, blocking,
    secrets::{Error, Secrets},
};
use uuid::Uuid;

use crate::domain::credentials::{Cloud, Credentials};

/// The entries of the secret store.
const API_KEY: &str = "api-key";
const COOKIE: &str = "cookie";
const CLOUD: &str = "cookie-cloud";

/// The file that says which writing of the entries is the last, so that reading them again can be spared.
const STAMP: &str = "credentials.json";

/// The credentials that were saved.
pub(crate) struct Saved {
    secrets: Option<Secrets>,
    folder: Option<StateDir>,
    read: Mutex<Option<(Stamp, Credentials)>>,
    /// Those that could not be kept anywhere else.
    memory: Mutex<Credentials>,
}

/// Whether credentials outlive the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    /// In the secret store.
    Stored,
    /// In memory only, because of this.
    InMemory(String),
}

/// Which writing of the entries is the last. Random, and no secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    written: Uuid,
}

/// A CookieCloud account as the secret store holds it.
#[derive(Serialize, Deserialize)]
struct StoredCloud {
    url: String,
    id: String,
    password: String,
}

impl Saved {
    pub(crate) fn new(kit: &Kit) -> Self {
        Self {
            secrets: kit.secrets.clone(),
            folder: kit.state.clone(),
            read: Mutex::default(),
            memory: Mutex::default(),
        }
    }

    /// What was saved, by whichever process; what this one was last told comes first. Touches no secret
    /// store before anything was saved.
    pub(crate) async fn get(&self) -> Result<Credentials, Error> {
        let kept = self.read_all().await?;
        let memory = self.memory().clone();
        Ok(Credentials {
            api_key: memory.api_key.or(kept.api_key),
            cookie: memory.cookie.or(kept.cookie),
            cloud: memory.cloud.or(kept.cloud),
        })
    }

    async fn read_all(&self) -> Result<Credentials, Error> {
        let (Some(secrets), Some(folder)) = (self.secrets.clone(), self.folder.clone()) else {
            return Ok(Credentials::default());
        };
        let Some(stamp) = blocking(move || folder.read::<Stamp>(STAMP)).await? else {
            return Ok(Credentials::default());
        };
        if let Some((_, read)) = self.cached().as_ref().filter(|(at, _)| *at == stamp) {
            return Ok(read.clone());
        }
        let read = blocking(move || {
            Ok::<_, Error>(Credentials {
                api_key: secrets.get(API_KEY)?,
                cookie: secrets.get(COOKIE)?,
                cloud: secrets.get(CLOUD)?.and_then(|text| cloud(&text)),
            })
        });
        let read = read.await?;
        *self.cached() = Some((stamp, read.clone()));
        Ok(read)
    }

    /// Keeps what is given in place of what was there; parts that are not given stay.
    pub(crate) async fn set(&self, given: Credentials) -> Kept {
        let kept = self.store(&given).await;
        let mut memory = self.memory();
        let is_stored = kept == Kept::Stored;
        if given.api_key.is_some() {
            memory.api_key = given.api_key.filter(|_| !is_stored);
        }
        if given.cookie.is_some() {
            memory.cookie = given.cookie.filter(|_| !is_stored);
        }
        if given.cloud.is_some() {
            memory.cloud = given.cloud.filter(|_| !is_stored);
        }
        kept
    }

    async fn store(&self, given: &Credentials) -> Kept {
        let (Some(secrets), Some(folder)) = (self.secrets.clone(), self.folder.clone()) else {
            return Kept::InMemory("没有状态目录".to_owned());
        };
        let given = given.clone();
        let stored = blocking(move || {
            if let Some(key) = &given.api_key {
                secrets.set(API_KEY, key)?;
            }
            if let Some(cookie) = &given.cookie {
                secrets.set(COOKIE, cookie)?;
            }
            if let Some(text) = given.cloud.as_ref().and_then(text) {
                secrets.set(CLOUD, &text)?;
            }
            stamp(&folder)
        });
        match stored.await {
            Ok(()) => Kept::Stored,
            Err(error) => Kept::InMemory(Failure::from(error).message),
        }
    }

    /// Forgets all that was saved, and tells whether there was anything.
    pub(crate) async fn clear(&self) -> Result<bool, Error> {
        let memory = std::mem::take(&mut *self.memory());
        let had = memory.api_key.is_some() || memory.cookie.is_some() || memory.cloud.is_some();
        let (Some(secrets), Some(folder)) = (self.secrets.clone(), self.folder.clone()) else {
            return Ok(had);
        };
        let cleared = blocking(move || {
            let mut had = false;
            for entry in [API_KEY, COOKIE, CLOUD] {
                had |= secrets.remove(entry)?;
            }
            if had {
                stamp(&folder)?;
            }
            Ok::<_, Error>(had)
        });
        Ok(cleared.await? || had)
    }

    fn cached(&self) -> MutexGuard<'_, Option<(Stamp, Credentials)>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn memory(&self) -> MutexGuard<'_, Credentials> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says that the entries were written anew.
fn stamp(folder: &StateDir) -> Result<(), Error> {
    let written = Uuid::new_v4();
    Ok(folder.write(STAMP, &Stamp { written })?)
}

fn text(cloud: &Cloud) -> Option<SecretString> {
    let stored = StoredCloud {
        url: cloud.url.clone(),
        id: cloud.id.clone(),
        password: cloud.password.expose_secret().to_owned(),
    };
    serde_json::to_string(&stored).ok().map(SecretString::from)
}

fn cloud(text: &SecretString) -> Option<Cloud> {
    let stored: StoredCloud = serde_json::from_str(text.expose_secret()).ok()?;
    Cloud::new(&stored.url, &stored.id, stored.password.into()).ok()
}
