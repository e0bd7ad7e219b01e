//! Where passwords, tokens and keys are kept: the system's keyring, or a private file if the user chose it.
//!
//! One store holds all secrets of a folder, and a record beside them says which. It is written with
//! the first secret or by [`Secrets::choose`]; as long as an entry is there, asking for the other
//! store is [`Error::Conflict`] and nothing is moved. In the keyring an entry is called
//! `<name>@<id>` in the service `errands/<server>`, with an id per folder, so that two folders never
//! share one.
//!
//! All calls block, and those that reach a locked keyring wait for the user to unlock it; from
//! asynchronous code they belong in `spawn_blocking`.

mod error;
mod file;
mod key;
mod keyring;
mod record;
#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, fmt, str::FromStr};

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

pub use error::Error;
pub use key::Key;

use crate::{Lock, StateDir};
use keyring::Item;
use record::Record;

/// Where secrets are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Store {
    /// The system's keyring.
    Keyring,
    /// `secrets.json` in the state folder, readable by the user only, not encrypted.
    File,
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keyring => "keyring",
            Self::File => "file",
        })
    }
}

/// The text names no secret store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a secret store is \"keyring\" or \"file\"")]
pub struct UnknownStore;

impl FromStr for Store {
    type Err = UnknownStore;

    fn from_str(text: &str) -> Result<Self, UnknownStore> {
        match text {
            "keyring" => Ok(Self::Keyring),
            "file" => Ok(Self::File),
            _ => Err(UnknownStore),
        }
    }
}

/// The secrets of one server in one state folder. Making one touches nothing.
///
/// Entry names are the program's own; they are kept in clear and are no place for a secret.
#[derive(Debug, Clone)]
pub struct Secrets {
    service: String,
    folder: StateDir,
    wish: Option<Store>,
}

impl Secrets {
    /// The secrets of `server` in `folder`. `wish` is the user's setting, if there is one.
    pub fn new(server: &str, folder: StateDir, wish: Option<Store>) -> Self {
        let service = format!("errands/{server}");
        Self {
            service,
            folder,
            wish,
        }
    }

    /// The store that holds the secrets or would hold the first one: the setting, else the recorded
    /// one, else the keyring. Does not say that it can be used, see [`Secrets::try_store`].
    ///
    /// Fails with [`Error::Conflict`] when the setting names another store than the one with entries.
    pub fn store(&self) -> Result<Store, Error> {
        self.decide(self.record()?.as_ref())
    }

    /// The store of [`Secrets::store`] after trying it: an entry of its own is written to the keyring,
    /// read and removed again, or the file is read. Leaves everything as it was.
    pub fn try_store(&self) -> Result<Store, Error> {
        let store = self.store()?;
        match store {
            Store::Keyring => keyring::probe(&self.service)?,
            Store::File => drop(file::read(&self.folder)?),
        }
        Ok(store)
    }

    /// Records the user's choice.
    ///
    /// Fails with [`Error::Conflict`] when another store holds entries or is the setting, and with
    /// [`Error::NoKeyring`] when the keyring is chosen and there is none.
    pub fn choose(&self, store: Store) -> Result<(), Error> {
        if let Some(recorded) = self.wish.filter(|wish| *wish != store) {
            let wished = store;
            return Err(Error::Conflict { recorded, wished });
        }
        let wish = Some(store);
        let (_lock, record) = Self {
            wish,
            ..self.clone()
        }
        .begin()?;
        Ok(self.folder.write(record::FILE, &record)?)
    }

    /// The names of all entries, in order; also those of a store that the setting contradicts.
    pub fn names(&self) -> Result<BTreeSet<String>, Error> {
        Ok(self
            .record()?
            .map(|record| record.names)
            .unwrap_or_default())
    }

    /// An entry's value; `None` when there is none. Asks no store before something was stored.
    pub fn get(&self, name: &str) -> Result<Option<SecretString>, Error> {
        let Some(record) = self.record()? else {
            return Ok(None);
        };
        self.decide(Some(&record))?;
        self.fetch(&record, name)
    }

    /// Makes or replaces an entry.
    pub fn set(&self, name: &str, value: &SecretString) -> Result<(), Error> {
        let (_lock, record) = self.begin()?;
        self.put(record, name, value)
    }

    /// Removes an entry from the store it is in, whatever the setting, and tells whether there was
    /// one: a store is left by removing what it holds.
    pub fn remove(&self, name: &str) -> Result<bool, Error> {
        if !self.names()?.contains(name) {
            return Ok(false);
        }
        let _lock = self.folder.lock(record::FILE)?;
        let Some(mut record) = self.record()?.filter(|record| record.names.contains(name)) else {
            return Ok(false);
        };
        let was_there = match record.store {
            Store::Keyring => self.item(&record, name)?.remove()?,
            Store::File => file::remove(&self.folder, name)?,
        };
        record.names.remove(name);
        self.folder.write(record::FILE, &record)?;
        Ok(was_there)
    }

    /// The key called `name`, made when absent. Processes and threads that race get the same one.
    ///
    /// Fails with [`Error::Damaged`] when the entry is no key.
    pub fn key(&self, name: &str) -> Result<Key, Error> {
        let damaged = || Error::Damaged {
            name: name.to_owned(),
        };
        if let Some(text) = self.get(name)? {
            return Key::from_text(&text).ok_or_else(damaged);
        }
        let (_lock, record) = self.begin()?;
        if let Some(text) = self.fetch(&record, name)? {
            return Key::from_text(&text).ok_or_else(damaged);
        }
        let key = Key::random()?;
        self.put(record, name, &key.to_text())?;
        Ok(key)
    }

    fn record(&self) -> Result<Option<Record>, Error> {
        Ok(self.folder.read(record::FILE)?)
    }

    /// The store to use, given what is recorded.
    fn decide(&self, record: Option<&Record>) -> Result<Store, Error> {
        match record {
            Some(record) => record.admit(self.wish.unwrap_or(record.store)),
            None => Ok(self.wish.unwrap_or(Store::Keyring)),
        }
    }

    /// Takes the lock, and gives the record as it is to be written after the change.
    fn begin(&self) -> Result<(Lock, Record), Error> {
        // Before the lock: without a keyring not even the folder is made.
        if self.store()? == Store::Keyring {
            keyring::connect()?;
        }
        let lock = self.folder.lock(record::FILE)?;
        let record = self.record()?;
        let store = self.decide(record.as_ref())?;
        let record = match record {
            Some(record) => Record { store, ..record },
            None => Record::new(store)?,
        };
        Ok((lock, record))
    }

    /// Lists a name, then stores its value: whoever is stopped in between leaves a name without a
    /// value, which is no entry, and never a value that nobody would remove.
    fn put(&self, mut record: Record, name: &str, value: &SecretString) -> Result<(), Error> {
        let is_new = record.names.insert(name.to_owned());
        if is_new {
            self.folder.write(record::FILE, &record)?;
        }
        let stored = match record.store {
            Store::Keyring => self.item(&record, name).and_then(|item| item.set(value)),
            Store::File => file::set(&self.folder, name, value).map_err(Error::from),
        };
        if is_new && stored.is_err() {
            // A store that takes nothing must not bind the folder.
            record.names.remove(name);
            self.folder.write(record::FILE, &record)?;
        }
        stored
    }

    fn fetch(&self, record: &Record, name: &str) -> Result<Option<SecretString>, Error> {
        if !record.names.contains(name) {
            return Ok(None);
        }
        match record.store {
            Store::Keyring => self.item(record, name)?.get(),
            Store::File => Ok(file::get(&self.folder, name)?),
        }
    }

    fn item(&self, record: &Record, name: &str) -> Result<Item, Error> {
        Item::open(&self.service, name, &record.id)
    }
}
