//! A session: one origin, its cookies and headers, and the rules of asking it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderMap;
use url::Url;

use crate::client::Clients;
use crate::jar::Jar;
use crate::origin::{Origin, may_be_asked};
use crate::pace::Pace;
use crate::request::Request;

/// How long and how much a session takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// For a connection, encryption included. Default 5 s.
    pub connect: Duration,
    /// For one request until the last byte of its answer, the wait for a turn not counted. Default 15 s.
    pub attempt: Duration,
    /// For a whole call with turns, redirects and retries. Default 40 s.
    pub call: Duration,
    /// For a body, in bytes. Default 4 MiB.
    pub body_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            attempt: Duration::from_secs(15),
            call: Duration::from_secs(40),
            body_bytes: 4 * 1024 * 1024,
        }
    }
}

/// What a session is made from; change the fields before.
#[derive(Clone)]
pub struct Settings {
    /// Where paths are asked.
    pub base: Origin,
    /// Other origins to which redirects may be followed. Default none.
    pub also: Vec<Origin>,
    /// Sent with every request to the base origin; of these another origin gets `User-Agent`, `Accept` and
    /// `Accept-Language` only. Default none.
    pub headers: HeaderMap,
    /// Time and size limits.
    pub limits: Limits,
    /// How often a read that met a passing fault is repeated. Default 1.
    pub retries: usize,
    /// The shortest pause before a repetition; up to as much is added by chance. Default 500 ms.
    pub back_off: Duration,
    /// Whether a read is repeated after 429 as well, when the pause allows it. Default not.
    pub retries_rate_limit: bool,
    /// The queue, shared with other sessions of the same upstream.
    pub pace: Arc<Pace>,
}

impl Settings {
    /// Settings with the defaults.
    pub fn new(base: Origin, pace: Arc<Pace>) -> Self {
        Self {
            base,
            also: Vec::new(),
            headers: HeaderMap::new(),
            limits: Limits::default(),
            retries: 1,
            back_off: Duration::from_millis(500),
            retries_rate_limit: false,
            pace,
        }
    }
}

/// A conversation with one upstream. Clones share cookies, connections and queue.
///
/// Making one costs nothing: the HTTP client is built by the first request.
#[derive(Clone)]
pub struct Session(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) settings: Settings,
    pub(crate) jar: Jar,
    pub(crate) clients: Clients,
}

impl Session {
    /// A session without cookies.
    pub fn new(settings: Settings) -> Self {
        Self(Arc::new(Inner {
            settings,
            jar: Jar::default(),
            clients: Clients::default(),
        }))
    }

    /// A read of a path below the base address.
    pub fn get(&self, path: &str) -> Request {
        Request::new(self.clone(), Method::GET, path)
    }

    /// A write to a path below the base address; it is never repeated and follows no redirect.
    pub fn post(&self, path: &str) -> Request {
        Request::new(self.clone(), Method::POST, path)
    }
}

impl Inner {
    /// Whether a redirect to an address may be followed.
    pub(crate) fn lists(&self, url: &Url) -> bool {
        let Settings { base, also, .. } = &self.settings;
        may_be_asked(url) && (base.holds(url) || also.iter().any(|origin| origin.holds(url)))
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("base", &self.0.settings.base.to_string())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_base_and_listed_origins_are_followed() {
        let base = "https://h.example/mirror".parse().unwrap();
        let pace = Arc::new(Pace::new(Duration::ZERO, Duration::ZERO));
        let also = vec!["http://127.0.0.1:8010".parse().unwrap()];
        let session = Session::new(Settings {
            also,
            ..Settings::new(base, pace)
        });
        let cases = [
            ("https://h.example/mirror/a?b=c", true),
            ("https://h.example:443/elsewhere", true),
            ("http://127.0.0.1:8010/a", true),
            ("http://h.example/mirror/a", false),
            ("https://h.example:444/", false),
            ("https://sub.h.example/", false),
            ("https://user@h.example/", false),
            ("https://:pass@h.example/", false),
            ("http://127.0.0.1:8011/", false),
            ("https://127.0.0.1:8010/", false),
            ("file:///etc/passwd", false),
            ("javascript:alert(1)", false),
        ];
        for (address, listed) in cases {
            assert_eq!(
                session.0.lists(&Url::parse(address).unwrap()),
                listed,
                "{address}"
            );
        }
    }
}
