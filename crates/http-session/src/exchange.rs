//! One attempt: an exchange with the upstream, and one more for each redirect that is followed.

use std::time::{Duration, SystemTime};

use reqwest::header::{
    ACCEPT, ACCEPT_LANGUAGE, COOKIE, DATE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER, USER_AGENT,
};
use reqwest::{Response, StatusCode};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::body;
use crate::client::fault;
use crate::error::{Error, Fault, Sent};
use crate::reply::Reply;
use crate::request::{Deadline, Request};
use crate::session::Settings;

/// The rest after a 429 that names none.
const DEFAULT_PAUSE: Duration = Duration::from_secs(60);

/// Headers that say nothing about the user and may go to another origin.
const HARMLESS: [HeaderName; 3] = [USER_AGENT, ACCEPT, ACCEPT_LANGUAGE];

enum Answer {
    Here(Reply),
    Moved(Url),
}

impl Request {
    pub(crate) async fn attempt(&self, call: Deadline) -> Result<Reply, Error> {
        let session = &self.session.0;
        let mut url = session.settings.base.join(&self.path);
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        let mut hops = if self.is_read() { self.hops } else { 0 };
        loop {
            let to = match self.exchange(&url, call).await? {
                Answer::Here(reply) => return Ok(reply),
                Answer::Moved(to) => to,
            };
            if hops == 0 || !session.lists(&to) {
                let base = &session.settings.base;
                return Err(Error::Redirected {
                    path: base.path_of(&url),
                    to: base.locate(&to),
                });
            }
            hops -= 1;
            url = to;
        }
    }

    async fn exchange(&self, url: &Url, call: Deadline) -> Result<Answer, Error> {
        let session = &self.session.0;
        let Settings {
            base, limits, pace, ..
        } = &session.settings;
        let host = || url.host_str().unwrap_or_default().to_owned();
        let unreachable = |fault: Fault| Error::Unreachable {
            host: host(),
            fault,
        };
        let late = |after: Duration, sent: Sent| Error::TimedOut {
            host: host(),
            after,
            sent,
        };

        let client = session
            .clients
            .get(url, limits.connect)
            .await
            .map_err(unreachable)?;
        let _turn = timeout_at(call.at, pace.turn())
            .await
            .map_err(|_| late(call.limit, Sent::No))??;

        let started = Instant::now();
        let attempt = Deadline::after(limits.attempt);
        let deadline = if call.at < attempt.at { call } else { attempt };
        let mut request = client
            .request(self.method.clone(), url.clone())
            .headers(self.headers_for(url));
        if let Some(body) = &self.body {
            request = request.body(body.clone());
        }
        let response = match timeout_at(deadline.at, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) if error.is_timeout() && error.is_connect() => {
                return Err(late(limits.connect, Sent::No));
            }
            Ok(Err(error)) => return Err(unreachable(fault(&error))),
            Err(_elapsed) => return Err(late(deadline.limit, Sent::Maybe)),
        };

        let (path, status) = (base.path_of(url), response.status());
        let millis = started.elapsed().as_millis();
        tracing::debug!(
            host = host(),
            path,
            status = status.as_u16(),
            millis,
            "the upstream answered"
        );
        if base.holds(url) {
            session.jar.keep(url, response.headers());
        }
        if let Some(rest) = rest(&response) {
            let paused = pace.pause(rest).await;
            return Err(Error::rate_limited(paused, Sent::Yes));
        }
        if let Some(to) = redirect(url, &response) {
            return Ok(Answer::Moved(to));
        }
        if !status.is_success() {
            return Err(Error::Status {
                path,
                status: status.as_u16(),
            });
        }
        let body = timeout_at(deadline.at, body::read(response, &path, limits.body_bytes))
            .await
            .map_err(|_| late(deadline.limit, Sent::Yes))??;
        Ok(Answer::Here(Reply { body, path }))
    }

    fn headers_for(&self, url: &Url) -> HeaderMap {
        let session = &self.session.0;
        let mut headers = session.settings.headers.clone();
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        if session.settings.base.holds(url) {
            if let Some(cookies) = session.jar.header(url) {
                headers.insert(COOKIE, cookies);
            }
            return headers;
        }
        HARMLESS
            .into_iter()
            .filter_map(|name| headers.remove(&name).map(|value| (name, value)))
            .collect()
    }
}

/// The rest that an answer asks for. A 503 that names none is a passing fault.
fn rest(response: &Response) -> Option<Duration> {
    let named = retry_after(response.headers());
    match response.status() {
        StatusCode::TOO_MANY_REQUESTS => Some(named.unwrap_or(DEFAULT_PAUSE)),
        StatusCode::SERVICE_UNAVAILABLE => named,
        _ => None,
    }
}

/// Where a redirect leads; `None` for every other answer, such as 304 or one without a readable address.
fn redirect(url: &Url, response: &Response) -> Option<Url> {
    use StatusCode as S;
    let moved = [
        S::MOVED_PERMANENTLY,
        S::FOUND,
        S::SEE_OTHER,
        S::TEMPORARY_REDIRECT,
        S::PERMANENT_REDIRECT,
    ];
    let location = moved
        .contains(&response.status())
        .then(|| text(response.headers(), &LOCATION))??;
    url.join(location).ok()
}

/// Seconds, or the time from the answer's own date to the named one, so that clocks need not agree.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = text(headers, &RETRY_AFTER)?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let stated = text(headers, &DATE).and_then(|date| httpdate::parse_http_date(date).ok());
    let here = || {
        u64::try_from(state::clock::unix_millis())
            .map(Duration::from_millis)
            .unwrap_or_default()
    };
    let now = stated.unwrap_or_else(|| SystemTime::UNIX_EPOCH + here());
    Some(until.duration_since(now).unwrap_or_default())
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
