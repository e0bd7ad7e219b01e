//! Entries in the system's keyring: Keychain, Credential Manager, or a Secret Service on the session bus.

use keyring::Entry;
use secrecy::{ExposeSecret, SecretString, zeroize::Zeroizing};

use super::{Error, record};

/// Connects to the keyring, once in the life of the process.
///
/// Fails with [`Error::NoKeyring`] when there is none.
pub(super) fn connect() -> Result<(), Error> {
    Entry::store_status()
        .as_ref()
        .copied()
        .map_err(|error| Error::NoKeyring { why: why(error) })
}

/// One entry, whether it is there or not. Every call may wait for the user to unlock the keyring.
pub(super) struct Item {
    name: String,
    entry: Entry,
}

impl Item {
    /// The entry `<name>@<folder_id>` of `service`. Reads nothing yet.
    pub(super) fn open(service: &str, name: &str, folder_id: &str) -> Result<Self, Error> {
        connect()?;
        let entry = Entry::new(service, &format!("{name}@{folder_id}"))
            .map_err(|error| failure(name, error))?;
        let name = name.to_owned();
        Ok(Self { name, entry })
    }

    /// The value; `None` when there is no such entry.
    pub(super) fn get(&self) -> Result<Option<SecretString>, Error> {
        let bytes = match self.entry.get_secret() {
            Ok(bytes) => Zeroizing::new(bytes),
            Err(keyring::Error::NoEntry) => return Ok(None),
            Err(error) => return Err(failure(&self.name, error)),
        };
        let text = std::str::from_utf8(&bytes).map_err(|_| damaged(&self.name))?;
        Ok(Some(text.into()))
    }

    /// Makes or replaces the entry.
    pub(super) fn set(&self, value: &SecretString) -> Result<(), Error> {
        // As bytes, since a text would take twice the room in the Credential Manager.
        self.entry
            .set_secret(value.expose_secret().as_bytes())
            .map_err(|error| failure(&self.name, error))
    }

    /// Removes the entry, and tells whether there was one.
    pub(super) fn remove(&self) -> Result<bool, Error> {
        match self.entry.delete_credential() {
            Ok(()) => Ok(true),
            Err(keyring::Error::NoEntry) => Ok(false),
            Err(error) => Err(failure(&self.name, error)),
        }
    }
}

/// Writes, reads and removes an entry that nobody else uses.
pub(super) fn probe(service: &str) -> Result<(), Error> {
    let item = Item::open(service, "probe", &record::new_id()?)?;
    item.set(&"probe".into())?;
    let kept = item.get();
    item.remove()?;
    match kept? {
        Some(value) if value.expose_secret() == "probe" => Ok(()),
        _ => Err(damaged("probe")),
    }
}

/// Sorts a failure. The keyring's own errors end here: some hold the bytes of a value.
fn failure(name: &str, error: keyring::Error) -> Error {
    match error {
        keyring::Error::BadEncoding(_)
        | keyring::Error::BadDataFormat(..)
        | keyring::Error::Ambiguous(_) => damaged(name),
        keyring::Error::TooLong(_, limit) => Error::TooLong {
            name: name.to_owned(),
            limit,
        },
        error => Error::Denied { why: why(&error) },
    }
}

fn damaged(name: &str) -> Error {
    let name = name.to_owned();
    Error::Damaged { name }
}

/// The reason without the keyring's own headline.
fn why(error: &keyring::Error) -> String {
    match error {
        keyring::Error::PlatformFailure(reason) | keyring::Error::NoStorageAccess(reason) => {
            reason.to_string()
        }
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use keyring::Error as Theirs;

    use super::*;

    #[test]
    fn every_failure_is_sorted_and_holds_no_value() {
        let reason = || "object locked".into();
        let value = || b"hunter2".to_vec();
        let damaged = "the entry token is not what was stored";
        let cases = [
            (Theirs::BadEncoding(value()), damaged),
            (Theirs::BadDataFormat(value(), reason()), damaged),
            (Theirs::Ambiguous(Vec::new()), damaged),
            (
                Theirs::TooLong("password".to_owned(), 2560),
                "token is too long for the system keyring, which takes 2560",
            ),
            (
                Theirs::NoStorageAccess(reason()),
                "the system keyring refused: object locked",
            ),
            (
                Theirs::PlatformFailure(reason()),
                "the system keyring refused: object locked",
            ),
            (
                Theirs::NotSupportedByStore("no".to_owned()),
                "the system keyring refused: Unsupported: no",
            ),
        ];
        for (theirs, expected) in cases {
            let error = failure("token", theirs);
            assert_eq!(error.to_string(), expected);
            // The bytes of "hunter2" as `Debug` writes them.
            let printed = format!("{error:?}");
            assert!(!printed.contains("104, 117"), "{printed}");
        }
    }
}
