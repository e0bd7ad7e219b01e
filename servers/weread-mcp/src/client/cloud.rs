//! The user's CookieCloud: fetched encrypted, opened here.

use aes::cipher::{BlockModeDecrypt, KeyIvInit, block_padding::Pkcs7};
use data_encoding::{BASE64, HEXLOWER};
use http_session::Session;
use md5::{Digest, Md5};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::wire::cloud::{Content, Cookie, Encrypted};
use crate::{
    domain::credentials::{Cloud, NEEDED},
    error::CloudStep,
};

/// What the older form begins with once it is decoded; eight bytes of salt follow.
const SALTED: &[u8] = b"Salted__";

/// One CookieCloud server.
pub(crate) struct CloudServer(pub(super) Session);

impl CloudServer {
    /// The cookies of the service that lie there. Only the id is sent: the password opens here what comes.
    pub(crate) async fn cookies(
        &self,
        cloud: &Cloud,
    ) -> Result<Vec<(String, SecretString)>, CloudStep> {
        use http_session::Error as E;
        let path = format!("get/{}", cloud.id);
        let request = self.0.get(&path).shown_as("get/…");
        let reply = request.send().await.map_err(|error| match error {
            E::Status { status: 404, .. } => CloudStep::Id,
            E::RateLimited {
                retry_after_seconds,
                ..
            } => CloudStep::Busy {
                retry_after_seconds,
            },
            error => CloudStep::Server { error },
        })?;
        let answer: Value = reply.json().map_err(|error| CloudStep::Server { error })?;
        cookies(answer, &cloud.id, &cloud.password)
    }
}

/// The service's cookies in an answer of the server.
///
/// A text that begins as the older form is of the older form, whatever its type says
/// (docs/upstreams/weread.md, 5).
pub(super) fn cookies(
    answer: Value,
    id: &str,
    password: &SecretString,
) -> Result<Vec<(String, SecretString)>, CloudStep> {
    let form = |why| CloudStep::Form { why };
    let answer: Encrypted =
        serde_json::from_value(answer).map_err(|_| form("没有 encrypted 字段"))?;
    let sealed = BASE64
        .decode(answer.encrypted.trim().as_bytes())
        .map_err(|_| form("encrypted 不是 Base64"))?;
    let key = key(id, password.expose_secret());
    let plain = match answer.crypto_type.as_deref() {
        _ if sealed.starts_with(SALTED) => legacy(&key, &sealed),
        None | Some("legacy") => return Err(form("encrypted 不以 Salted__ 开头")),
        Some("aes-128-cbc-fixed") => fixed(&key, &sealed),
        Some(_) => return Err(form("crypto_type 未知")),
    };
    // A wrong password shows as bytes that are no padding, no text or no JSON.
    let plain = plain.ok_or(CloudStep::Password)?;
    let content: Value = serde_json::from_slice(&plain).map_err(|_| CloudStep::Password)?;
    let content: Content =
        serde_json::from_value(content).map_err(|_| form("解密后的内容形式不同"))?;
    ours(content)
}

/// The service's cookies of all domain keys, by the domain of each cookie. Of two of a name the last one counts.
fn ours(content: Content) -> Result<Vec<(String, SecretString)>, CloudStep> {
    let all = content.cookie_data.into_iter();
    let cookies = all.flat_map(|(key, cookies)| {
        cookies
            .into_iter()
            .filter(move |cookie| is_ours(&key, cookie))
    });
    let found: Vec<_> = cookies
        .filter(|cookie| !cookie.value.expose_secret().is_empty())
        .map(|cookie| (cookie.name, cookie.value))
        .collect();
    let has = |name: &&str| found.iter().any(|(known, _)| known == name);
    let missing: Vec<_> = NEEDED.into_iter().filter(|name| !has(name)).collect();
    match missing.is_empty() {
        true => Ok(found),
        false => Err(CloudStep::NoCookie { missing }),
    }
}

/// Whether a cookie goes to the web reader: its own domain tells, else the key under which it stands. `qq.com`
/// holds cookies of the whole company, of which those by the reader's names are meant.
fn is_ours(key: &str, cookie: &Cookie) -> bool {
    let domain = cookie.domain.as_deref().unwrap_or(key);
    let domain = domain.trim_start_matches('.');
    let is_reader = domain == "weread.qq.com" || domain.ends_with(".weread.qq.com");
    let is_above = domain == "qq.com" && cookie.name.starts_with("wr_");
    is_reader || is_above || (cookie.domain.is_none() && domain.contains("weread"))
}

/// 16 hexadecimal digits, used as they stand.
fn key(id: &str, password: &str) -> [u8; 16] {
    let digest = Md5::digest(format!("{id}-{password}"));
    let digits = HEXLOWER.encode(&digest);
    let mut key = [0; 16];
    for (place, digit) in key.iter_mut().zip(digits.bytes()) {
        *place = digit;
    }
    key
}

/// OpenSSL's form: AES-256-CBC, key and IV stretched from password and salt by MD5, one round.
fn legacy(key: &[u8; 16], sealed: &[u8]) -> Option<Vec<u8>> {
    let (salt, body) = sealed.strip_prefix(SALTED)?.split_at_checked(8)?;
    let mut stretched = Vec::new();
    let mut block = Vec::new();
    while stretched.len() < 48 {
        let digest = Md5::new()
            .chain_update(&block)
            .chain_update(key)
            .chain_update(salt)
            .finalize();
        block = digest.to_vec();
        stretched.extend_from_slice(&block);
    }
    let (key, iv) = stretched.split_at_checked(32)?;
    let cipher = cbc::Decryptor::<aes::Aes256>::new_from_slices(key, iv).ok()?;
    cipher.decrypt_padded_vec::<Pkcs7>(body).ok()
}

/// AES-128-CBC with the key as it stands and an IV of zeros.
fn fixed(key: &[u8; 16], sealed: &[u8]) -> Option<Vec<u8>> {
    let cipher = cbc::Decryptor::<aes::Aes128>::new_from_slices(key, &[0; 16]).ok()?;
    cipher.decrypt_padded_vec::<Pkcs7>(sealed).ok()
}
