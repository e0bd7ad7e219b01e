//! The form of a session file: what is in clear, what is encrypted, and with what it is bound.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;

use chacha20poly1305::aead::{Aead as _, Generate as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use cookie_store::{Cookie, CookieStore};
use data_encoding::{BASE64, HEXLOWER};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use state::secrets::Key;

use super::{Generation, Saved};
use crate::jar::Cookies;

/// The version of this form. A file of another one cannot be decrypted.
const VERSION: u32 = 1;

/// The file.
#[derive(Serialize, Deserialize)]
pub(super) struct Envelope {
    version: u32,
    /// The nonce, in hexadecimal digits: both are to be random and new at each writing.
    pub(super) generation: Generation,
    /// [`Plain`] in JSON, encrypted, in base64.
    sealed: String,
}

/// What is encrypted.
#[derive(Deserialize)]
struct Plain {
    cookies: Vec<Cookie<'static>>,
    tokens: BTreeMap<String, SecretString>,
}

/// [`Plain`] on the way out, without another copy of the values.
#[derive(Serialize)]
struct PlainRef<'a> {
    cookies: Vec<&'a Cookie<'static>>,
    tokens: BTreeMap<&'a str, &'a str>,
}

impl Envelope {
    /// Encrypts a session for the file at `place`.
    pub(super) fn seal(saved: &Saved, place: &str, key: &Key) -> io::Result<Self> {
        let plain = plain(saved)?;
        let nonce = XNonce::generate();
        let plain = Payload {
            msg: &plain,
            aad: &associated(VERSION, place),
        };
        let sealed = cipher(key).encrypt(&nonce, plain);
        let sealed = sealed.map_err(|_too_long| io::Error::from(io::ErrorKind::FileTooLarge))?;
        Ok(Self {
            version: VERSION,
            generation: Generation(HEXLOWER.encode(&nonce)),
            sealed: BASE64.encode(&sealed),
        })
    }

    /// Decrypts the session of the file at `place`; `None` when this is not what was sealed with this key.
    pub(super) fn open(&self, place: &str, key: &Key) -> Option<Saved> {
        let nonce = HEXLOWER.decode(self.generation.0.as_bytes()).ok()?;
        let nonce = XNonce::try_from(nonce.as_slice()).ok()?;
        let sealed = BASE64.decode(self.sealed.as_bytes()).ok()?;
        let sealed = Payload {
            msg: &sealed,
            aad: &associated(self.version, place),
        };
        let plain = Zeroizing::new(cipher(key).decrypt(&nonce, sealed).ok()?);
        let Plain { cookies, tokens } = serde_json::from_slice(&plain).ok()?;
        let cookies = cookies.into_iter().map(Ok::<_, Infallible>);
        let Ok(cookies) = CookieStore::from_cookies(cookies, false);
        let cookies = Cookies(cookies);
        Some(Saved { cookies, tokens })
    }
}

/// What the encryption is bound to beside the key: no file can stand in another one's place.
fn associated(version: u32, place: &str) -> Vec<u8> {
    format!("errands session {version} {place}").into_bytes()
}

fn cipher(key: &Key) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(key.as_bytes().into())
}

fn plain(saved: &Saved) -> io::Result<Zeroizing<Vec<u8>>> {
    let tokens = saved.tokens.iter();
    let plain = PlainRef {
        cookies: saved.cookies.0.iter_unexpired().collect(),
        tokens: tokens
            .map(|(name, token)| (name.as_str(), token.expose_secret()))
            .collect(),
    };
    // Room enough as a rule: a buffer that grows leaves copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(16 * 1024));
    serde_json::to_writer(&mut *bytes, &plain)?;
    Ok(bytes)
}
