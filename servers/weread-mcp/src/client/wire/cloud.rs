//! What a CookieCloud server answers, and what is inside.

use std::collections::BTreeMap;

use secrecy::SecretString;
use serde::Deserialize;

/// `GET get/{uuid}`.
#[derive(Deserialize)]
pub(in crate::client) struct Encrypted {
    pub(in crate::client) encrypted: String,
    /// Older servers name none.
    pub(in crate::client) crypto_type: Option<String>,
}

/// The plain content; the rest of it is nothing of ours.
#[derive(Deserialize)]
pub(in crate::client) struct Content {
    /// By whatever domain the user has typed into the extension.
    #[serde(default)]
    pub(in crate::client) cookie_data: BTreeMap<String, Vec<Cookie>>,
}

/// One cookie of a browser.
#[derive(Deserialize)]
pub(in crate::client) struct Cookie {
    pub(in crate::client) name: String,
    pub(in crate::client) value: SecretString,
    pub(in crate::client) domain: Option<String>,
}
