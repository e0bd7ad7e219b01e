//! The record of which store holds the secrets of a folder, and of their names.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Error, Store};

/// The record's file.
pub(super) const FILE: &str = "secret-store.json";

/// What `secret-store.json` says. Names are not secret; values are never in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The store that holds all of `names`.
    pub(super) store: Store,
    /// 32 random hexadecimal digits that stand for this folder in the keyring, which all folders of
    /// a user share.
    pub(super) id: String,
    /// The entries that there are.
    pub(super) names: BTreeSet<String>,
}

impl Record {
    /// A first record, without entries.
    pub(super) fn new(store: Store) -> Result<Self, Error> {
        Ok(Self {
            store,
            id: new_id()?,
            names: BTreeSet::new(),
        })
    }

    /// Gives `wished` if the entries are to be there: they are already, or there are none yet.
    pub(super) fn admit(&self, wished: Store) -> Result<Store, Error> {
        if wished == self.store || self.names.is_empty() {
            return Ok(wished);
        }
        Err(Error::Conflict {
            recorded: self.store,
            wished,
        })
    }
}

/// 32 random hexadecimal digits.
pub(super) fn new_id() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Error::NoRandomness)?;
    Ok(data_encoding::HEXLOWER.encode(&bytes))
}
