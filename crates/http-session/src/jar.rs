//! The cookies of one session, by the domain and path rules of RFC 6265.

use std::cmp::Reverse;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cookie_store::CookieStore;
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

/// A cookie jar; a name ends at the first `=`, so values may contain more of them.
#[derive(Default)]
pub(crate) struct Jar(Mutex<CookieStore>);

impl Jar {
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
