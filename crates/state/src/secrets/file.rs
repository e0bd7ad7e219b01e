//! Entries in a file of the state folder, readable by the user only, for where there is no keyring.

use std::collections::BTreeMap;

use secrecy::{ExposeSecret, SecretString, zeroize::Zeroizing};

use crate::{Error, StateDir, whole};

const FILE: &str = "secrets.json";

/// Name and value of every entry.
type Entries = BTreeMap<String, SecretString>;

/// The value of an entry. Fails with [`Error::Malformed`] when the file is not ours.
pub(super) fn get(folder: &StateDir, name: &str) -> Result<Option<SecretString>, Error> {
    Ok(read(folder)?.remove(name))
}

/// Adds or replaces an entry. The caller holds the lock of the record.
pub(super) fn set(folder: &StateDir, name: &str, value: &SecretString) -> Result<(), Error> {
    let mut entries = read(folder)?;
    entries.insert(name.to_owned(), value.clone());
    write(folder, &entries)
}

/// Removes an entry, and tells whether there was one. The caller holds the lock of the record.
pub(super) fn remove(folder: &StateDir, name: &str) -> Result<bool, Error> {
    let mut entries = read(folder)?;
    let was_there = entries.remove(name).is_some();
    if was_there {
        write(folder, &entries)?;
    }
    Ok(was_there)
}

/// All entries; none when there is no file.
pub(super) fn read(folder: &StateDir) -> Result<Entries, Error> {
    let text = folder.read_bytes(FILE)?.map(Zeroizing::new);
    text.map_or(Ok(Entries::new()), |text| folder.parse(FILE, &text))
}

fn write(folder: &StateDir, entries: &Entries) -> Result<(), Error> {
    let shown: BTreeMap<_, _> = entries
        .iter()
        .map(|(name, value)| (name, value.expose_secret()))
        .collect();
    // A buffer that grows leaves copies of secrets behind. Escaped, a byte takes at most six.
    let bytes: usize = shown
        .iter()
        .map(|(name, value)| name.len() + value.len() + 6)
        .sum();
    let mut text = Zeroizing::new(Vec::with_capacity(6 * bytes + 2));
    let path = folder.file(FILE);
    serde_json::to_writer(&mut *text, &shown).map_err(|error| Error::io(&path)(error.into()))?;
    folder.create()?;
    whole::put(&path, &text, None).map_err(Error::io(&path))
}
