//! A session: one origin, its cookies and headers, and the rules of asking it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderMap;
use url::Url;

use crate::client::Clients;
use crate::error::Error;
use crate::jar::Jar;
use crate::origin::{Origin, may_be_asked, plain_path};
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

/// Signs requests: headers that are made anew for each of them.
pub trait Sign: Send + Sync {
    /// The headers for one exchange, in place of others of the same name. They are asked for when its turn
    /// has come, so a time in them is that of sending.
    fn headers(&self, method: &Method, url: &Url) -> HeaderMap;
}

/// What a session is made from; change the fields before. Clones share the jar.
#[derive(Clone)]
pub struct Settings {
    /// Where paths are asked.
    pub base: Origin,
    /// Other origins which may be visited, and to which redirects may be followed. Default none.
    pub also: Vec<Origin>,
    /// Sent with every request to the base origin; of these another origin gets `User-Agent`, `Accept` and
    /// `Accept-Language` only. Default none.
    pub headers: HeaderMap,
    /// Signs every attempt and hop on the base origin, and none elsewhere. Default none.
    pub sign: Option<Arc<dyn Sign>>,
    /// The cookies, kept from and sent to the base and the listed origins by their own domains and paths.
    /// Default a new jar.
    pub jar: Jar,
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
            sign: None,
            jar: Jar::default(),
            limits: Limits::default(),
            retries: 1,
            back_off: Duration::from_millis(500),
            retries_rate_limit: false,
            pace,
        }
    }
}

/// A conversation with one upstream. Clones share cookies, connections and queue; [`Session::sharing`]
/// gives one that shares connections only.
///
/// Making one costs nothing: the HTTP client is built by the first request.
#[derive(Clone)]
pub struct Session(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) settings: Settings,
    pub(crate) clients: Arc<Clients>,
}

impl Session {
    /// A session with the cookies of the settings' jar.
    pub fn new(settings: Settings) -> Self {
        Self(Arc::new(Inner {
            settings,
            clients: Arc::default(),
        }))
    }

    /// Another conversation over the same connections. Of its limits, that for a connection is the one of
    /// whichever session asks first.
    pub fn sharing(&self, settings: Settings) -> Self {
        let clients = Arc::clone(&self.0.clients);
        Self(Arc::new(Inner { settings, clients }))
    }

    /// A read of a path below the base address.
    pub fn get(&self, path: &str) -> Request {
        Request::new(self.clone(), Method::GET, self.0.settings.base.url(path))
    }

    /// A write to a path below the base address. It follows no redirect and is not repeated, unless it is
    /// said to be [`Request::repeatable`].
    pub fn post(&self, path: &str) -> Request {
        Request::new(self.clone(), Method::POST, self.0.settings.base.url(path))
    }

    /// A read of a whole address, on the base's origin or on a listed one.
    ///
    /// Fails with [`Error::NotListed`] for every other address.
    pub fn visit(&self, url: &Url) -> Result<Request, Error> {
        self.to(Method::GET, url)
    }

    /// A write to a whole address, such as that of a form; else as [`Session::visit`] and [`Session::post`].
    pub fn submit(&self, url: &Url) -> Result<Request, Error> {
        self.to(Method::POST, url)
    }

    fn to(&self, method: Method, url: &Url) -> Result<Request, Error> {
        if self.0.lists(url) {
            Ok(Request::new(self.clone(), method, url.clone()))
        } else {
            Err(Error::NotListed {
                host: url.host_str().unwrap_or_default().to_owned(),
                path: plain_path(url),
            })
        }
    }
}

impl Inner {
    /// Whether an address may be asked.
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
    fn connections_are_shared_when_asked_for() {
        let base = "https://h.example".parse().unwrap();
        let pace = Arc::new(Pace::new(Duration::ZERO, Duration::ZERO));
        let first = Session::new(Settings::new(base, pace));
        let settings = || first.0.settings.clone();
        let clients = |session: &Session| Arc::as_ptr(&session.0.clients);
        assert_eq!(clients(&first.sharing(settings())), clients(&first));
        assert_ne!(clients(&Session::new(settings())), clients(&first));
    }

    #[test]
    fn only_base_and_listed_origins_are_asked() {
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
