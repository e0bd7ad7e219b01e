//! What the web reader asks: ordinary paths, and a cookie that wants renewing.

use std::sync::Arc;

use http_session::{
    Jar, Request, Session,
    header::{HeaderValue, ORIGIN},
    sealed::Saved,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::{Reason, connection::Shared, envelope};
use crate::{
    domain::credentials::{NEEDED, RENEWAL},
    error::Error,
};

/// Where a session is renewed (docs/upstreams/weread.md, 4).
const RENEW: &str = "web/login/renewal";

/// The web surface, asked with the cookies of one session.
pub(crate) struct Web {
    session: Session,
    jar: Jar,
    shared: Arc<Shared>,
}

impl Web {
    pub(super) fn new(session: Session, jar: Jar, shared: Arc<Shared>) -> Self {
        Self {
            session,
            jar,
            shared,
        }
    }

    /// Reads a path.
    pub(super) async fn get(
        &self,
        path: &'static str,
        query: &[(&str, &str)],
    ) -> Result<Value, Error> {
        let request = self.session.get(path).query(query.iter().copied());
        self.send(path, request).await
    }

    /// Reads by a POST.
    pub(super) async fn post(&self, path: &'static str, body: &Value) -> Result<Value, Error> {
        self.send(path, self.posted(path, body).repeatable()).await
    }

    /// Renews the session by its renewal cookie. The new cookies are in the jar then.
    ///
    /// Fails with [`Error::SignedOut`] when the service will not.
    pub(crate) async fn renew(&self) -> Result<(), Error> {
        // The page that the reader stands on, as the web reader says it; it plays no part.
        let body = json!({ "rq": "%2Fweb%2Fbook%2Fread", "ql": false });
        let answer = self.send(RENEW, self.posted(RENEW, &body)).await?;
        match answer.get("succ").and_then(Value::as_i64) {
            Some(1) => Ok(()),
            _ => Err(Error::SignedOut {
                reason: Reason::Expired,
                said: String::new(),
            }),
        }
    }

    /// Puts cookies in; those that cannot stand in a header are left out.
    pub(crate) fn take(&self, cookies: &[(String, SecretString)]) {
        for (name, value) in cookies {
            self.jar.put(&self.shared.web, name, value);
        }
    }

    /// The cookies that are needed and not there.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let is_missing = |name: &&str| self.jar.value(name).is_none();
        NEEDED.into_iter().filter(is_missing).collect()
    }

    /// Who the session is of, as the service numbers readers.
    pub(crate) fn reader(&self) -> String {
        let reader = self.jar.value(NEEDED[0]);
        reader.map_or_else(String::new, |reader| reader.expose_secret().to_owned())
    }

    /// Whether there is anything to renew the session with.
    pub(crate) fn is_renewable(&self) -> bool {
        self.jar.value(RENEWAL).is_some()
    }

    /// What tells one state of the session from another; no value can be read from outside.
    pub(crate) fn state(&self) -> [Option<SecretString>; 2] {
        [self.jar.value(NEEDED[1]), self.jar.value(RENEWAL)]
    }

    /// The cookies, to be kept.
    pub(crate) fn saved(&self) -> Saved {
        Saved {
            cookies: self.jar.cookies(),
            ..Saved::default()
        }
    }

    /// Takes what was kept in place of what is here.
    pub(crate) fn restore(&self, saved: Saved) {
        self.jar.replace(saved.cookies);
    }

    fn posted(&self, path: &str, body: &Value) -> Request {
        let origin = self.shared.web.url("").origin().ascii_serialization();
        let request = self.session.post(path).json(body);
        match HeaderValue::from_str(&origin) {
            Ok(origin) => request.header(ORIGIN, origin),
            Err(_) => request,
        }
    }

    async fn send(&self, path: &'static str, request: Request) -> Result<Value, Error> {
        let reply = request.taking_failures().send().await?;
        let answer = reply.json()?;
        match envelope::accepted(reply.status(), answer) {
            Ok(answer) => Ok(answer),
            Err(rejected) => Err(self.shared.rejected(path, reply.status(), rejected).await),
        }
    }
}

/// Whether two states are the same, as [`Web::state`] gives them.
pub(crate) fn same(one: &[Option<SecretString>; 2], other: &[Option<SecretString>; 2]) -> bool {
    let text =
        |part: &Option<SecretString>| part.as_ref().map(|part| part.expose_secret().to_owned());
    one.iter().map(text).eq(other.iter().map(text))
}
