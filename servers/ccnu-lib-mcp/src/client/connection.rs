//! The way to the seat system that all readers share: queue, connections, configuration and key.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_session::{
    Jar, Limits, Origin, Pace, Reply, Session, Settings,
    header::{
        ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderName, HeaderValue, ORIGIN, REFERER, USER_AGENT,
    },
};
use jiff::Timestamp;
use serde_json::json;
use server_kit::Kit;
use state::Clock;

use super::{
    configuration::{self, Configuration},
    reader::Reader,
    seal::Seal,
    signature::Signer,
};
use crate::{
    config::Config,
    error::{Error, Place},
};

/// Where the API lies on its host (docs/upstreams/ccnu-lib.md, 1).
pub(super) const API: &str = "jsq/static";

/// The longest that a request waits for its turn.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// How long the school's configuration is taken as it is; its key is read anew before when refused.
const CONFIGURATION_LIFE: Duration = Duration::from_secs(600);

/// More is no page of a sign-in, and parsing it would take long.
const PAGE_BYTES: u64 = 256 * 1024;

/// The seat system as this process asks it.
pub(crate) struct Client {
    pub(super) cas: Origin,
    settings: Settings,
    /// Asks for the configuration; its connections are everybody's.
    session: Session,
    clock: Clock,
    configuration: tokio::sync::Mutex<Option<(Arc<Configuration>, Timestamp)>>,
    seal: Arc<Seal>,
    /// By how much our clock is ahead of the service's, in whole seconds, as last seen.
    skew: Mutex<Option<i64>>,
}

impl Client {
    /// A client that has asked nothing yet.
    pub(crate) fn new(config: &Config, kit: &Kit) -> Arc<Self> {
        let (interval, wait) = (config.min_interval, LONGEST_WAIT);
        let pace = Arc::new(match &kit.state {
            Some(folder) => Pace::shared_in(folder.clone(), "pace.json", interval, wait),
            None => Pace::new(interval, wait),
        });
        let seal = Arc::new(Seal::new(&config.base, kit.clock));
        let mut settings = Settings::new(config.base.clone(), pace);
        settings.also = vec![config.cas.clone()];
        settings.headers = headers(&config.base);
        settings.limits = Limits {
            attempt: config.attempt,
            call: config.call(),
            ..Limits::default()
        };
        settings.back_off = config.retry_pause;
        settings.sign = Some(seal.clone());
        Arc::new(Self {
            cas: config.cas.clone(),
            session: Session::new(settings.clone()),
            settings,
            clock: kit.clock,
            configuration: tokio::sync::Mutex::default(),
            seal,
            skew: Mutex::default(),
        })
    }

    /// A reader who is not signed in.
    pub(crate) fn reader(self: &Arc<Self>) -> Reader {
        let jar = Jar::default();
        let api = Settings {
            jar: jar.clone(),
            ..self.settings.clone()
        };
        let mut pages = api.clone();
        pages.limits.body_bytes = PAGE_BYTES;
        let (api, pages) = (self.session.sharing(api), self.session.sharing(pages));
        Reader::new(Arc::clone(self), jar, api, pages)
    }

    /// The school's configuration, at most ten minutes old.
    pub(crate) async fn configuration(&self) -> Result<Arc<Configuration>, Error> {
        let mut kept = self.configuration.lock().await;
        let now = self.clock.now();
        let fresh = |read: Timestamp| now.duration_since(read).unsigned_abs() < CONFIGURATION_LIFE;
        if let Some((configuration, _)) = kept.as_ref().filter(|(_, read)| fresh(*read)) {
            return Ok(Arc::clone(configuration));
        }
        let read = Arc::new(self.read_configuration().await?);
        *kept = Some((Arc::clone(&read), now));
        Ok(read)
    }

    /// The key that requests are signed with now.
    pub(super) fn signer(&self) -> Option<Signer> {
        self.seal.signer()
    }

    /// Whether requests are signed otherwise than with `used`, which was refused. The key is read anew
    /// for that, unless another call has done so since.
    pub(super) async fn signs_otherwise(&self, used: Option<&Signer>) -> Result<bool, Error> {
        let mut kept = self.configuration.lock().await;
        if differ(used, self.signer().as_ref()) {
            return Ok(true);
        }
        let read = Arc::new(self.read_configuration().await?);
        *kept = Some((Arc::clone(&read), self.clock.now()));
        Ok(differ(used, read.signer.as_ref()))
    }

    async fn read_configuration(&self) -> Result<Configuration, Error> {
        let path = configuration::PATH;
        let at = |error| Error::at(Place::Configuration, error);
        let request = self.session.post(&format!("{API}/{path}")).repeatable();
        let reply = request.json(&json!({})).send().await.map_err(at)?;
        self.note_time(&reply);
        let answer = reply.json().map_err(at)?;
        let read = configuration::configuration(answer);
        let read = read.map_err(|error| Error::unconfigured(path, error))?;
        self.seal.replace(read.signer.clone());
        Ok(read)
    }

    /// By how much our clock is ahead of the service's, in whole seconds, as last seen.
    pub(crate) fn skew_seconds(&self) -> Option<i64> {
        *self.skew.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note_time(&self, reply: &Reply) {
        if let Some(theirs) = reply.date() {
            let skew = self.clock.now().duration_since(theirs).as_secs();
            *self.skew.lock().unwrap_or_else(PoisonError::into_inner) = Some(skew);
        }
    }
}

fn differ(one: Option<&Signer>, other: Option<&Signer>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => !one.same_key(other),
        (one, other) => one.is_some() != other.is_some(),
    }
}

/// What every request carries. CAS answers otherwise without a `User-Agent`; ours is an honest one.
fn headers(base: &Origin) -> HeaderMap {
    let agent = concat!(
        "Mozilla/5.0 (compatible; ccnu-lib-mcp/",
        env!("CARGO_PKG_VERSION"),
        ")"
    );
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::from_static(agent));
    let accept = "application/json, text/plain, text/html, */*";
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("zh-CN,zh;q=0.9"));
    let login_type = HeaderName::from_static("logintype");
    headers.insert(login_type, HeaderValue::from_static("PC"));
    let url = base.url("jsq-v/");
    if let Ok(page) = HeaderValue::from_str(url.as_str()) {
        headers.insert(REFERER, page);
    }
    if let Ok(origin) = HeaderValue::from_str(&url.origin().ascii_serialization()) {
        headers.insert(ORIGIN, origin);
    }
    headers
}
