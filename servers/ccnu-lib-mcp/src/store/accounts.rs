//! Accounts in the secret store; in memory where there is none.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use server_kit::Kit;
use state::{
    blocking,
    secrets::{Error, Secrets},
};

use crate::{client::Account, domain::user_key::UserKey};

/// The accounts of all users.
pub(crate) struct Accounts {
    secrets: Option<Secrets>,
    /// Those that could not be kept anywhere else.
    memory: Mutex<HashMap<UserKey, Account>>,
}

/// Whether an account outlives the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    /// In the secret store.
    Stored,
    /// In memory only, because of this.
    InMemory(String),
}

/// An account as the secret store holds it.
#[derive(Serialize, Deserialize)]
struct Stored {
    username: String,
    password: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phone_hint: Option<String>,
}

impl Accounts {
    pub(crate) fn new(kit: &Kit) -> Self {
        Self {
            secrets: kit.secrets.clone(),
            memory: Mutex::default(),
        }
    }

    /// The account of a user; what this process was last told comes first.
    pub(crate) async fn get(&self, user: &UserKey) -> Option<Account> {
        if let Some(account) = self.memory().get(user) {
            return Some(account.clone());
        }
        let secrets = self.secrets.clone()?;
        let name = entry(user);
        let found = blocking(move || secrets.get(&name)).await;
        match found {
            Ok(text) => {
                let stored: Stored = serde_json::from_str(text?.expose_secret()).ok()?;
                Some(Account {
                    username: stored.username,
                    password: SecretString::from(stored.password),
                    phone_hint: stored.phone_hint,
                })
            }
            Err(error) => {
                tracing::warn!(%error, "the account cannot be read from the secret store");
                None
            }
        }
    }

    /// Keeps an account in place of the one before.
    pub(crate) async fn set(&self, user: &UserKey, account: Account) -> Kept {
        let kept = self.store(user, &account).await;
        match &kept {
            Kept::Stored => self.memory().remove(user),
            Kept::InMemory(_) => self.memory().insert(user.clone(), account),
        };
        kept
    }

    async fn store(&self, user: &UserKey, account: &Account) -> Kept {
        let Some(secrets) = self.secrets.clone() else {
            return Kept::InMemory("没有状态目录".to_owned());
        };
        let stored = Stored {
            username: account.username.clone(),
            password: account.password.expose_secret().to_owned(),
            phone_hint: account.phone_hint.clone(),
        };
        let Ok(text) = serde_json::to_string(&stored).map(SecretString::from) else {
            return Kept::InMemory("账号无法写成文本".to_owned());
        };
        let name = entry(user);
        match blocking(move || secrets.set(&name, &text)).await {
            Ok(()) => Kept::Stored,
            Err(error) => Kept::InMemory(server_kit::Failure::from(error).message),
        }
    }

    /// Forgets the account of a user, and tells whether there was one.
    pub(crate) async fn remove(&self, user: &UserKey) -> Result<bool, Error> {
        let had = self.memory().remove(user).is_some();
        let Some(secrets) = self.secrets.clone() else {
            return Ok(had);
        };
        let name = entry(user);
        Ok(blocking(move || secrets.remove(&name)).await? || had)
    }

    fn memory(&self) -> MutexGuard<'_, HashMap<UserKey, Account>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn entry(user: &UserKey) -> String {
    format!("account/{}", user.as_str())
}
