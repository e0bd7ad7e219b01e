//! Cookies, by the domain and path rules of RFC 6265.

use std::cmp::Reverse;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cookie_store::CookieStore;
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

/// A cookie jar. Clones are the same jar, so several sessions can share one.
///
/// A cookie goes where its domain and path say; the port plays no part. One that is `Secure` is kept and
/// sent over `https`, and over `http` on loopback too, which browsers trust as well. A name ends at the
/// first `=`, so values may contain more of them.
#[derive(Clone, Default)]
pub struct Jar(Arc<Mutex<CookieStore>>);

/// What was in a jar at one moment, those cookies included that end with a session.
#[derive(Clone, Default)]
pub struct Cookies(pub(crate) CookieStore);

impl Jar {
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
        let mut store = self.store();
        for value in headers.get_all(SET_COOKIE) {
            if let Ok(text) = str::from_utf8(value.as_bytes()) {
                let _refused = store.parse(text, url);
            }
        }
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
