//! What a reader can be known by.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// All that was given; each part may be missing.
#[derive(Clone, Default)]
pub struct Credentials {
    /// The official key, `wrk-…`.
    pub api_key: Option<SecretString>,
    /// The text of a `Cookie` header of the web reader.
    pub cookie: Option<SecretString>,
    /// The user's CookieCloud.
    pub cloud: Option<Cloud>,
}

/// A CookieCloud account.
#[derive(Clone)]
pub struct Cloud {
    /// The server's address.
    pub url: String,
    /// The account's id there.
    pub id: String,
    /// What its content is encrypted with. It never leaves this machine.
    pub password: SecretString,
}

/// Why something is no CookieCloud account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotACloud {
    /// The address.
    #[error("应为 https 地址（本机回环可用 http），不带用户名、? 和 #")]
    Address,
    /// The id.
    #[error("应为 1 到 128 个字母、数字、_ 或 -")]
    Id,
}

impl Cloud {
    /// An account whose address and id have a form that can be asked.
    pub fn new(url: &str, id: &str, password: SecretString) -> Result<Self, NotACloud> {
        let (url, id) = (url.trim(), id.trim());
        url.parse::<http_session::Origin>()
            .map_err(|_| NotACloud::Address)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if id.is_empty() || id.len() > 128 || !id.bytes().all(is_plain) {
            return Err(NotACloud::Id);
        }
        Ok(Self {
            url: url.to_owned(),
            id: id.to_owned(),
            password,
        })
    }
}

/// The cookies by which a request is known, in the order in which they are told when missing.
pub const NEEDED: [&str; 2] = ["wr_vid", "wr_skey"];

/// The cookie with which a session is renewed.
pub const RENEWAL: &str = "wr_rt";

/// The names and values of a pasted `Cookie` header: pairs between `;`, split at the first `=`. A leading
/// `Cookie:` and line breaks are taken off. What is no pair is left out.
pub fn pairs(text: &SecretString) -> Vec<(String, SecretString)> {
    let text = text.expose_secret().trim();
    let text = match text.get(..7) {
        Some(head) if head.eq_ignore_ascii_case("cookie:") => text.get(7..).unwrap_or_default(),
        _ => text,
    };
    let parts = text.split([';', '\n', '\r']);
    let pairs = parts.filter_map(|part| part.trim().split_once('='));
    pairs
        .map(|(name, value)| (name.trim().to_owned(), SecretString::from(value.trim())))
        .filter(|(name, value)| !name.is_empty() && !value.expose_secret().is_empty())
        .collect()
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("api_key", &self.api_key.is_some())
            .field("cookie", &self.cookie.is_some())
            .field("cloud", &self.cloud)
            .finish()
    }
}

impl fmt::Debug for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cloud")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_cookie_is_split_at_the_first_equals_sign() {
        let shown = |text: &str| -> Vec<(String, String)> {
            pairs(&SecretString::from(text))
                .into_iter()
                .map(|(name, value)| (name, value.expose_secret().to_owned()))
                .collect()
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = vec![
            pair("wr_vid", "10000001"),
            pair("wr_skey", "AbCd1234"),
            pair("wr_rt", "web%40Token=_AL"),
        ];
        for text in [
            "wr_vid=10000001; wr_skey=AbCd1234; wr_rt=web%40Token=_AL",
            "Cookie: wr_vid=10000001;wr_skey=AbCd1234 ;\r\nwr_rt=web%40Token=_AL;",
            "cookie:wr_vid = 10000001; junk; =x; empty=; wr_skey=AbCd1234; wr_rt=web%40Token=_AL",
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        assert_eq!(shown(""), []);
    }

    #[test]
    fn nothing_secret_is_printed() {
        let secret = || SecretString::from("CANARY");
        let cloud = Cloud::new("https://cloud.example", "id", secret()).ok();
        let all = Credentials {
            api_key: Some(secret()),
            cookie: Some(secret()),
            cloud,
        };
        assert_eq!(
            format!("{all:?}"),
            "Credentials { api_key: true, cookie: true, cloud: Some(Cloud { url: \"https://cloud.example\", .. }) }"
        );
    }
}
