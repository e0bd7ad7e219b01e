//! The signature on every request, and the key it is made with.

use std::fmt;

use aes::Aes128;
use cbc::{
    Decryptor,
    cipher::{BlockModeDecrypt, KeyIvInit, block_padding::Pkcs7},
};
use data_encoding::{BASE64, HEXLOWER};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use uuid::Uuid;

/// AES key of the sealed signing key where the configuration names none (CCNU, RUC, WHU, CQU).
pub(super) const USUAL_PREFIX: &str = "server_date_time";
/// AES initial vector beside it.
pub(super) const USUAL_SUFFIX: &str = "client_date_time";

/// Why the configuration gives no signing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Signatures are wanted and `hmacKey` is not there.
    #[error("hmacKey is missing")]
    Missing,
    /// `hmacKey` is no base64.
    #[error("hmacKey is not base64")]
    NotBase64,
    /// `hmacKey` is not a whole number of blocks, or none.
    #[error("hmacKey is not in whole blocks")]
    NotBlocks,
    /// `makePrefix` or `makeSuffix` has not 16 bytes.
    #[error("makePrefix or makeSuffix has not 16 bytes")]
    Pair,
    /// The bytes at the end are no padding, as when key or vector are others.
    #[error("hmacKey has no valid padding")]
    Padding,
    /// Nothing is sealed.
    #[error("hmacKey holds an empty key")]
    Empty,
    /// What is sealed is no text.
    #[error("hmacKey holds no text")]
    NotText,
}

/// Signs requests with the school's key.
#[derive(Clone)]
pub struct Signer {
    key: SecretString,
    mac: Hmac<Sha256>,
}

impl Signer {
    /// A signer with that key in clear.
    pub fn new(key: SecretString) -> Result<Self, KeyError> {
        if key.expose_secret().is_empty() {
            return Err(KeyError::Empty);
        }
        let mac = Hmac::new_from_slice(key.expose_secret().as_bytes());
        let mac = mac.map_err(|_| KeyError::Empty)?;
        Ok(Self { key, mac })
    }

    /// A signer with the key sealed in `hmac_key`: base64, then AES-128-CBC with PKCS#7 padding,
    /// `prefix` as its key and `suffix` as its vector (docs/upstreams/ccnu-lib.md, 3).
    pub fn unseal(hmac_key: &str, prefix: &str, suffix: &str) -> Result<Self, KeyError> {
        let pair = (prefix.as_bytes(), suffix.as_bytes());
        let mut sealed = BASE64
            .decode(hmac_key.as_bytes())
            .map_err(|_| KeyError::NotBase64)?;
        if sealed.is_empty() || !sealed.len().is_multiple_of(16) {
            return Err(KeyError::NotBlocks);
        }
        let cipher = Decryptor::<Aes128>::new_from_slices(pair.0, pair.1);
        let cipher = cipher.map_err(|_| KeyError::Pair)?;
        let key = cipher.decrypt_padded::<Pkcs7>(&mut sealed);
        let key = str::from_utf8(key.map_err(|_| KeyError::Padding)?);
        let key = key.map_err(|_| KeyError::NotText)?;
        Self::new(SecretString::from(key))
    }

    /// The three headers of one request: its own id, its time in milliseconds since the epoch, and
    /// the signature over both and the method. Path, body and token are not signed.
    pub fn headers(&self, id: Uuid, millis: i64, method: &str) -> [(&'static str, String); 3] {
        let text = format!("seat::{id}::{millis}::{}", method.to_ascii_uppercase());
        let digest = self.mac.clone().chain_update(text).finalize();
        [
            ("X-request-id", id.to_string()),
            ("X-request-date", millis.to_string()),
            ("X-hmac-request-key", HEXLOWER.encode(&digest.into_bytes())),
        ]
    }

    /// Whether the other signs with the same key: if it does, signing anew changes nothing.
    pub fn same_key(&self, other: &Self) -> bool {
        self.key.expose_secret() == other.key.expose_secret()
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
