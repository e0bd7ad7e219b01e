//! One attempt: an exchange with the upstream, and one more for each redirect that is followed.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use reqwest::header::{
    ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, COOKIE, DATE, HeaderMap, HeaderName, LOCATION,
    RETRY_AFTER, USER_AGENT,
};
use reqwest::{Method, Response, StatusCode};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::body;
use crate::client::fault;
use crate::error::{Error, Fault, Sent};
use crate::reply::{Hop, Reply};
use crate::request::{Deadline, Request};
use crate::session::Settings;

/// The rest after a 429 that names none.
const DEFAULT_PAUSE: Duration = Duration::from_secs(60);

/// Headers that say nothing about the user and may go to another origin.
const HARMLESS: [HeaderName; 4] = [USER_AGENT, ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE];

impl Request {
    pub(crate) async fn attempt(&self, call: Deadline) -> Result<Reply, Error> {
        let session = &self.session.0;
        let base = &session.settings.base;
        let (mut url, mut path) = (self.url.clone(), self.path.clone());
        let mut hops = if self.method == Method::GET {
            self.hops
        } else {
            0
        };
        loop {
            let to = match self.exchange(&url, &path, call).await? {
                Hop::Page(reply) => return Ok(reply),
                Hop::Moved(to) => to,
            };
            if hops == 0 || !session.lists(&to) {
                let to = base.locate(&to);
                return Err(Error::Redirected { path, to });
            }
            hops -= 1;
            path = base.path_of(&to);
            url = to;
        }
    }

    /// One request and its answer; `path` is what errors and logs say.
    pub(crate) async fn exchange(
        &self,
        url: &Url,
        path: &str,
        call: Deadline,
    ) -> Result<Hop, Error> {
        let session = &self.session.0;
        let Settings {
            jar, limits, pace, ..
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

        let status = response.status();
        let millis = started.elapsed().as_millis();
        tracing::debug!(
            host = host(),
            path,
            status = status.as_u16(),
            millis,
            "the upstream answered"
        );
        jar.keep(url, response.headers());
        if let Some(rest) = rest(&response) {
            let paused = pace.pause(rest).await;
            return Err(Error::rate_limited(paused, Sent::Yes));
        }
        if let Some(to) = redirect(url, &response) {
            return Ok(Hop::Moved(to));
        }
        let failed = || Error::Status {
            path: path.to_owned(),
            status: status.as_u16(),
        };
        let is_failure = status.is_client_error() || status.is_server_error();
        let is_taken = status.is_success() || (is_failure && self.takes_failures);
        if !is_taken {
            return Err(failed());
        }
        let date = date(response.headers()).and_then(|date| Timestamp::try_from(date).ok());
        let content_type = text(response.headers(), &CONTENT_TYPE).map(str::to_owned);
        let body = timeout_at(deadline.at, body::read(response, path, limits.body_bytes))
            .await
            .map_err(|_| late(deadline.limit, Sent::Yes))
            .and_then(|body| body)
            // What a failure would say is missed less than its status.
            .map_err(|error| if is_failure { failed() } else { error })?;
        Ok(Hop::Page(Reply {
            body,
            status: status.as_u16(),
            url: url.clone(),
            path: path.to_owned(),
            date,
            content_type,
        }))
    }

    fn headers_for(&self, url: &Url) -> HeaderMap {
        let settings = &self.session.0.settings;
        let mut headers = settings.headers.clone();
        headers.extend(self.headers.clone());
        if settings.base.holds(url) {
            if let Some(sign) = &settings.sign {
                headers.extend(sign.headers(&self.method, url));
            }
        } else {
            headers = HARMLESS
                .into_iter()
                .filter_map(|name| headers.remove(&name).map(|value| (name, value)))
                .collect();
        }
        if let Some(cookies) = settings.jar.header(url) {
            headers.insert(COOKIE, cookies);
        }
        headers
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
    let here = || {
        u64::try_from(state::clock::unix_millis())
            .map(Duration::from_millis)
            .unwrap_or_default()
    };
    let now = date(headers).unwrap_or_else(|| SystemTime::UNIX_EPOCH + here());
    Some(until.duration_since(now).unwrap_or_default())
}

/// The answer's own time.
fn date(headers: &HeaderMap) -> Option<SystemTime> {
    httpdate::parse_http_date(text(headers, &DATE)?).ok()
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
