//! Cookies, by the domain and path rules of RFC 6265.

use std::cmp::Reverse;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cookie_store::{Cookie, CookieExpiration, CookieStore};
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
#[cfg(feature = "sealed")]
use secrecy::{ExposeSecret, SecretString};
use url::Url;

#[cfg(feature = "sealed")]
use crate::origin::Origin;

/// A cookie jar. Clones are the same jar, so several sessions can share one.
///
/// A cookie goes where its domain and path say; the port plays no part. One that is `Secure` is kept and
/// sent over `https`, and over `http` on loopback too, which browsers trust as well. A name ends at the
/// first `=`, so values may contain more of them.
#[derive(Clone, Default)]
pub struct Jar {
    store: Arc<Mutex<CookieStore>>,
    by_name: bool,
}

/// What was in a jar at one moment, those cookies included that end with a session.
#[derive(Clone, Default)]
pub struct Cookies(pub(crate) CookieStore);

impl Jar {
    /// A jar that keeps one cookie of a name, the last that came, whatever its domain and path; one without
    /// a value, or whose time is over when it comes, removes it. Else its age plays no part: the service says
    /// when a session has ended, and renews it by the very cookie that has. For services that refuse a request
    /// which carries two of a name.
    pub fn by_name() -> Self {
        Self {
            by_name: true,
            ..Self::default()
        }
    }

    /// Puts a cookie of that host in, for all its paths and until the jar is gone; an unprintable one is
    /// left out, since no header can carry it. Gives whether it was taken.
    #[cfg(feature = "sealed")]
    pub fn put(&self, origin: &Origin, name: &str, value: &SecretString) -> bool {
        let value = value.expose_secret();
        let is_plain = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b';')
        };
        if name.is_empty() || name.contains('=') || !is_plain(name) || !is_plain(value) {
            return false;
        }
        self.keep_one(&format!("{name}={value}; Path=/"), &origin.url(""))
    }

    /// The value of a cookie, by its name alone.
    #[cfg(feature = "sealed")]
    pub fn value(&self, name: &str) -> Option<SecretString> {
        let store = self.store();
        let mut cookies = store.iter_unexpired();
        let found = cookies.find(|cookie| cookie.name() == name)?;
        Some(SecretString::from(found.value()))
    }

    /// The cookies as they are now.
    pub fn cookies(&self) -> Cookies {
        Cookies(self.store().clone())
    }

    /// Whether nothing was kept: who is asked cannot know us.
    pub fn is_empty(&self) -> bool {
        self.store().iter_unexpired().next().is_none()
    }

    /// Puts other cookies in place of all that are here.
    pub fn replace(&self, cookies: Cookies) {
        *self.store() = cookies.0;
    }

    /// Keeps the cookies of an answer; what the rules refuse is left out silently, as browsers do.
    pub(crate) fn keep(&self, url: &Url, headers: &HeaderMap) {
        for value in headers.get_all(SET_COOKIE) {
            if let Ok(text) = str::from_utf8(value.as_bytes()) {
                self.keep_one(text, url);
            }
        }
    }

    /// Keeps one cookie by the rules of the jar, and gives whether it is here now.
    fn keep_one(&self, text: &str, url: &Url) -> bool {
        let mut store = self.store();
        if !self.by_name {
            return store.parse(text, url).is_ok();
        }
        let Ok(mut cookie) = Cookie::parse(text, url).map(Cookie::into_owned) else {
            return false;
        };
        if !cookie.domain.matches(url) {
            return false;
        }
        let same = store.iter_any().filter(|kept| kept.name() == cookie.name());
        let before: Vec<_> = same.map(place).collect();
        for (domain, path) in before {
            store.remove(&domain, &path, cookie.name());
        }
        let is_over = cookie.value().is_empty() || cookie.is_expired();
        cookie.expires = CookieExpiration::SessionEnd;
        !is_over && store.insert(cookie, url).is_ok()
    }

    /// The `Cookie` header for an address, longest path first; `None` without a matching cookie.
    pub(crate) fn header(&self, url: &Url) -> Option<HeaderValue> {
        let store = self.store();
        let mut cookies = store.matches(url);
        cookies.sort_by_key(|cookie| (Reverse(cookie.path.len()), cookie.name().to_owned()));
        let pairs: Vec<String> = cookies
            .iter()
            .map(|cookie| format!("{}={}", cookie.name(), cookie.value()))
            .collect();
        let mut header = HeaderValue::from_str(&pairs.join("; "))
            .ok()
            .filter(|value| !value.is_empty())?;
        header.set_sensitive(true);
        Some(header)
    }

    fn store(&self) -> MutexGuard<'_, CookieStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Domain and path, by which a store knows a cookie beside its name.
fn place(cookie: &Cookie<'_>) -> (String, String) {
    ((&cookie.domain).into(), (&cookie.path).into())
}

impl fmt::Debug for Jar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cookies().fmt(f)
    }
}

/// How many, and no value.
impl fmt::Debug for Cookies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} cookies]", self.0.iter_unexpired().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jar_by_name_does_not_count_how_long_a_cookie_is_said_to_live() {
        let url = Url::parse("https://rail.example/").unwrap();
        let jar = Jar::by_name();
        assert!(jar.keep_one("key=1; Max-Age=7200", &url));
        let expires = |jar: &Jar| {
            jar.store()
                .iter_any()
                .map(|kept| kept.expires.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(expires(&jar), [CookieExpiration::SessionEnd]);
        assert!(!jar.keep_one("key=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT", &url));
        assert_eq!(expires(&jar), []);
    }
}
