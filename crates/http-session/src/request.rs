//! One call: built in steps, sent in a few attempts.

use std::borrow::Borrow;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use bytes::Bytes;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use tokio::time::Instant;
use url::{Url, form_urlencoded};

use crate::error::{Error, may_pass};
use crate::pace;
use crate::reply::{Hop, Reply};
use crate::session::{Session, Settings};

/// A request that is not sent yet.
#[must_use = "a request does nothing until it is sent"]
pub struct Request {
    pub(crate) session: Session,
    pub(crate) method: Method,
    pub(crate) url: Url,
    /// The path as errors and logs say it.
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Bytes>,
    pub(crate) hops: usize,
    pub(crate) takes_failures: bool,
    is_read: bool,
    is_writable: bool,
}

/// A moment after which nobody waits, and the limit it came from.
#[derive(Clone, Copy)]
pub(crate) struct Deadline {
    pub(crate) at: Instant,
    pub(crate) limit: Duration,
}

impl Deadline {
    pub(crate) fn after(limit: Duration) -> Self {
        Self {
            at: Instant::now() + limit,
            limit,
        }
    }
}

impl Request {
    pub(crate) fn new(session: Session, method: Method, url: Url) -> Self {
        Self {
            path: session.0.settings.base.path_of(&url),
            session,
            is_read: method == Method::GET,
            is_writable: true,
            method,
            url,
            headers: HeaderMap::new(),
            body: None,
            hops: 0,
            takes_failures: false,
        }
    }

    /// Adds parameters to the query string, in this order.
    pub fn query<K: AsRef<str>, V: AsRef<str>>(
        mut self,
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        for (name, value) in pairs {
            self.url
                .query_pairs_mut()
                .append_pair(name.as_ref(), value.as_ref());
        }
        self
    }

    /// Says another path in errors and logs, where the real one holds a secret. The base is not in it.
    pub fn shown_as(mut self, path: &str) -> Self {
        self.path = path.to_owned();
        self
    }

    /// Treats a POST that changes nothing as a read: it is repeated after a passing fault.
    pub fn repeatable(mut self) -> Self {
        self.is_read = true;
        self
    }

    /// Sets a header for this request, in place of the session's.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets the body and its type.
    pub fn body(mut self, content_type: HeaderValue, body: impl Into<Bytes>) -> Self {
        self.body = Some(body.into());
        self.header(CONTENT_TYPE, content_type)
    }

    /// Sets a body in JSON. When it cannot be written, sending fails with [`Error::Unwritable`].
    pub fn json(mut self, value: &impl Serialize) -> Self {
        let body = serde_json::to_vec(value);
        self.is_writable = body.is_ok();
        let json = HeaderValue::from_static("application/json");
        self.body(json, body.unwrap_or_default())
    }

    /// Sets a body as forms send it, in the order of the pairs.
    pub fn form<I, K, V>(self, pairs: I) -> Self
    where
        I: IntoIterator<Item: Borrow<(K, V)>>,
        K: AsRef<str>,
        V: AsRef<str>,
    {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(pairs);
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        self.body(form, body.finish())
    }

    /// Follows the redirects of a GET, at most `hops` in a row, within the base and the listed origins.
    pub fn follow(mut self, hops: usize) -> Self {
        self.hops = hops;
        self
    }

    /// Takes answers with a failing status as replies too, for services that say in the body why they refuse.
    /// A read is repeated all the same where the status may pass. Not so with those that ask to wait.
    pub fn taking_failures(mut self) -> Self {
        self.takes_failures = true;
        self
    }

    /// Sends the request and reads the answer, in the session's turns and limits.
    ///
    /// A read that met a passing fault is repeated as the session says; a write is not. Dropping the
    /// future ends the exchange. Fails with what the last attempt met.
    pub async fn send(self) -> Result<Reply, Error> {
        let Settings {
            limits,
            retries,
            back_off,
            retries_rate_limit,
            ..
        } = &self.session.0.settings;
        self.check()?;
        let call = Deadline::after(limits.call);
        let retries = if self.is_read { *retries } else { 0 };
        let delays = ExponentialBuilder::new()
            .with_min_delay(*back_off)
            .with_max_times(retries)
            .with_jitter();
        let mut delays = delays.build();
        loop {
            let met = self.attempt(call).await;
            let is_passing = match &met {
                Ok(reply) => may_pass(reply.status),
                Err(error) => error.is_passing(*retries_rate_limit),
            };
            let delay = if is_passing { delays.next() } else { None };
            match delay.filter(|delay| Instant::now() + *delay < call.at) {
                Some(delay) => pace::wait(delay).await,
                None => return met,
            }
        }
    }

    /// Sends the request once and gives the page, or where it leads. Nothing is repeated or followed, and
    /// the new address is not asked, be it listed or not.
    pub async fn hop(self) -> Result<Hop, Error> {
        self.check()?;
        let call = Deadline::after(self.session.0.settings.limits.call);
        self.exchange(&self.url, &self.path, call).await
    }

    fn check(&self) -> Result<(), Error> {
        if self.is_writable {
            return Ok(());
        }
        let path = self.path.clone();
        Err(Error::Unwritable { path })
    }
}
