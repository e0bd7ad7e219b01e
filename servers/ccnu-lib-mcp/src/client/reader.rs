//! One reader's conversation with the API, and what proves who that is.

use std::collections::BTreeMap;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU32, Ordering},
};

use http_session::{
    Jar, Request, Sent, Session,
    header::{HeaderName, HeaderValue},
    sealed::Saved,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::{
    Reason, Rejected,
    connection::{API, Client},
};
use crate::error::{Error, Place};

/// The name under which the app token is kept.
const TOKEN: &str = "app";

/// The name under which it is kept who signed in.
const USERNAME: &str = "username";

/// A reader: cookies of sign-in, gateway and API, and the app token.
pub(crate) struct Reader {
    pub(super) client: Arc<Client>,
    pub(super) api: Session,
    /// The same cookies; for the pages of the sign-in.
    pub(super) pages: Session,
    jar: Jar,
    tokens: Mutex<BTreeMap<String, SecretString>>,
    /// Step of times in minutes as last heard; 0 when never.
    pub(super) step_minute: AtomicU32,
}

impl Reader {
    pub(super) fn new(client: Arc<Client>, jar: Jar, api: Session, pages: Session) -> Self {
        Self {
            client,
            api,
            pages,
            jar,
            tokens: Mutex::default(),
            step_minute: AtomicU32::default(),
        }
    }

    /// Asks the API something that changes nothing, and reads the answer with `map`.
    pub(super) async fn read<T>(
        &self,
        path: &str,
        body: &Value,
        map: impl Fn(Value) -> Result<T, Rejected>,
    ) -> Result<T, Error> {
        let request = || {
            let request = self.api.post(&format!("{API}/{path}"));
            request.json(body).repeatable()
        };
        self.ask(path, request, map).await
    }

    /// Has the API change something, once, and reads the answer with `map`.
    pub(super) async fn write<T>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        map: impl Fn(Value) -> Result<T, Rejected>,
    ) -> Result<T, Error> {
        let request = || {
            let request = self.api.post(&format!("{API}/{path}"));
            request.query(query.iter().copied()).json(&json!({}))
        };
        self.ask(path, request, map).await
    }

    /// A refused signature is met once by reading the key anew, and by asking again when it has
    /// changed: a refusal proves that nothing was done.
    async fn ask<T>(
        &self,
        path: &str,
        request: impl Fn() -> Request,
        map: impl Fn(Value) -> Result<T, Rejected>,
    ) -> Result<T, Error> {
        self.client.configuration().await?;
        let used = self.client.signer();
        match self.answer(path, self.with_token(request())?, &map).await {
            Err(Error::Unauthorised) if self.client.signs_otherwise(used.as_ref()).await? => {
                self.answer(path, self.with_token(request())?, &map).await
            }
            answered => answered,
        }
    }

    fn with_token(&self, request: Request) -> Result<Request, Error> {
        let tokens = self.tokens();
        let token = tokens.get(TOKEN).ok_or(Error::SignedOut)?;
        let token = HeaderValue::from_str(token.expose_secret());
        let mut token = token.map_err(|_| Error::SignedOut)?;
        token.set_sensitive(true);
        Ok(request.header(HeaderName::from_static("token"), token))
    }

    /// Sends a request to the API and reads its answer.
    pub(super) async fn answer<T>(
        &self,
        path: &str,
        request: Request,
        map: impl Fn(Value) -> Result<T, Rejected>,
    ) -> Result<T, Error> {
        use http_session::Error as E;
        let reply = match request.send().await {
            Ok(reply) => reply,
            Err(E::Status {
                status: 401 | 403, ..
            }) => return Err(Error::Unauthorised),
            Err(error) => return Err(Error::at(Place::Api, error)),
        };
        self.client.note_time(&reply);
        let answer = reply.json().map_err(|error| Error::at(Place::Api, error))?;
        map(answer).map_err(|rejected| match rejected {
            Rejected::Drift(drift) => Error::changed(path, drift),
            Rejected::Refused(refusal) => match refusal.reason() {
                Reason::SignedOut => Error::SignedOut,
                Reason::Unauthorised => Error::Unauthorised,
                _ => Error::Refused(refusal),
            },
        })
    }

    /// What proves who this is, to be kept.
    pub(crate) fn saved(&self) -> Saved {
        Saved {
            cookies: self.jar.cookies(),
            tokens: self.tokens().clone(),
        }
    }

    /// Takes what was kept in place of what is here.
    pub(crate) fn restore(&self, saved: Saved) {
        self.jar.replace(saved.cookies);
        *self.tokens() = saved.tokens;
    }

    /// Forgets who this is.
    pub(crate) fn forget(&self) {
        self.restore(Saved::default());
    }

    /// Whether the service has never heard of this reader, so that it cannot know them again.
    pub(crate) fn is_stranger(&self) -> bool {
        self.jar.is_empty()
    }

    /// Whether there is a token; only the service knows whether it is still good.
    pub(crate) fn has_token(&self) -> bool {
        self.tokens().contains_key(TOKEN)
    }

    pub(super) fn set_token(&self, token: Option<SecretString>) {
        match token {
            Some(token) => self.tokens().insert(TOKEN.to_owned(), token),
            None => self.tokens().remove(TOKEN),
        };
    }

    /// Whether somebody else than `username` was the last to sign in here.
    pub(crate) fn is_of_another(&self, username: &str) -> bool {
        let tokens = self.tokens();
        let last = tokens.get(USERNAME);
        last.is_some_and(|last| last.expose_secret() != username)
    }

    pub(super) fn set_username(&self, username: &str) {
        self.tokens()
            .insert(USERNAME.to_owned(), SecretString::from(username));
    }

    /// By how much our clock is ahead of the service's, in whole seconds, as last seen.
    pub(crate) fn skew_seconds(&self) -> Option<i64> {
        self.client.skew_seconds()
    }

    /// The step of times as last heard, in minutes.
    pub(crate) fn step_minute(&self) -> Option<u32> {
        Some(self.step_minute.load(Ordering::Relaxed)).filter(|step| *step > 0)
    }

    fn tokens(&self) -> MutexGuard<'_, BTreeMap<String, SecretString>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a failed request may have reached the service.
pub(crate) fn may_have_left(error: &http_session::Error) -> bool {
    error.sent() != Sent::No
}
