//! One call: built in steps, sent in a few attempts.

use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use bytes::Bytes;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::time::Instant;

use crate::error::Error;
use crate::pace;
use crate::reply::Reply;
use crate::session::{Session, Settings};

/// A request that is not sent yet.
#[must_use = "a request does nothing until it is sent"]
pub struct Request {
    pub(crate) session: Session,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Bytes>,
    pub(crate) hops: usize,
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
    pub(crate) fn new(session: Session, method: Method, path: &str) -> Self {
        Self {
            session,
            method,
            path: path.to_owned(),
            query: Vec::new(),
            headers: HeaderMap::new(),
            body: None,
            hops: 0,
        }
    }

    /// Adds parameters to the query string, in this order.
    pub fn query<K: Into<String>, V: Into<String>>(
        mut self,
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        self.query.extend(
            pairs
                .into_iter()
                .map(|(name, value)| (name.into(), value.into())),
        );
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

    /// Follows a read's redirects, at most `hops` in a row, within the base and the listed origins.
    pub fn follow(mut self, hops: usize) -> Self {
        self.hops = hops;
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
        let call = Deadline::after(limits.call);
        let retries = if self.is_read() { *retries } else { 0 };
        let delays = ExponentialBuilder::new()
            .with_min_delay(*back_off)
            .with_max_times(retries)
            .with_jitter();
        let mut delays = delays.build();
        loop {
            let error = match self.attempt(call).await {
                Ok(reply) => return Ok(reply),
                Err(error) if !error.is_passing(*retries_rate_limit) => return Err(error),
                Err(error) => error,
            };
            match delays
                .next()
                .filter(|delay| Instant::now() + *delay < call.at)
            {
                Some(delay) => pace::wait(delay).await,
                None => return Err(error),
            }
        }
    }

    pub(crate) fn is_read(&self) -> bool {
        self.method == Method::GET
    }
}
