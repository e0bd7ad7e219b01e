//! A key for what is encrypted at rest.

use data_encoding::HEXLOWER;
use secrecy::{ExposeSecret, ExposeSecretMut, SecretBox, SecretString};

use super::Error;

/// 32 random bytes, wiped from memory when dropped. `Debug` prints none of them.
#[derive(Debug)]
pub struct Key(SecretBox<[u8; 32]>);

impl Key {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.expose_secret()
    }

    /// A new key from the system's source of randomness.
    pub(super) fn random() -> Result<Self, Error> {
        let mut bytes = SecretBox::<[u8; 32]>::default();
        getrandom::fill(bytes.expose_secret_mut()).map_err(Error::NoRandomness)?;
        Ok(Self(bytes))
    }

    /// The key as a store keeps it: 64 hexadecimal digits.
    pub(super) fn to_text(&self) -> SecretString {
        HEXLOWER.encode(self.as_bytes()).into()
    }

    /// The key of [`Key::to_text`]; `None` when it is something else.
    pub(super) fn from_text(text: &SecretString) -> Option<Self> {
        let text = text.expose_secret().as_bytes();
        let mut bytes = SecretBox::<[u8; 32]>::default();
        if HEXLOWER.decode_len(text.len()) != Ok(bytes.expose_secret().len()) {
            return None;
        }
        HEXLOWER.decode_mut(text, bytes.expose_secret_mut()).ok()?;
        Some(Self(bytes))
    }
}
