//! The way to the service that all surfaces share: queue, connections, limits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http_session::{
    Jar, Limits, Origin, Pace, Session, Settings,
    header::{ACCEPT, HeaderMap, HeaderValue, REFERER, USER_AGENT},
};
use secrecy::SecretString;
use server_kit::Kit;

use super::{Gateway, Reason, Refusal, Rejected, Upgrade, Web, cloud::CloudServer, scan::Scanner};
use crate::{config::Config, error::Error};

/// The longest that a request waits for its turn.
const LONGEST_WAIT: Duration = Duration::from_secs(25);

/// So many requests are under way at once: details of several books are read side by side.
const AT_ONCE: usize = 3;

/// A shelf of thousands of books is larger than the default.
const BODY_BYTES: u64 = 32 * 1024 * 1024;

/// How long one long poll of a sign-in may take: the service holds it for about 55 s.
const POLL: Duration = Duration::from_secs(65);

/// The service as this process asks it.
pub(crate) struct Client {
    /// Its connections are everybody's.
    session: Session,
    settings: Settings,
    pub(super) shared: Arc<Shared>,
}

/// What all surfaces have in common.
pub(super) struct Shared {
    pub(super) web: Origin,
    pub(super) gateway: Origin,
    pub(super) pace: Arc<Pace>,
    pub(super) back_off: Duration,
    interval: Duration,
    pub(super) skill_version: String,
    upgrade: Mutex<Option<Upgrade>>,
}

impl Client {
    /// A client that has asked nothing yet.
    pub(crate) fn new(config: &Config, kit: &Kit) -> Arc<Self> {
        let (interval, wait) = (config.min_interval, LONGEST_WAIT);
        let pace = match &kit.state {
            Some(folder) => Pace::shared_in(folder.clone(), "pace.json", interval, wait),
            None => Pace::new(interval, wait),
        };
        let pace = Arc::new(pace.at_once(AT_ONCE));
        let mut settings = Settings::new(config.web.clone(), Arc::clone(&pace));
        settings.headers = headers();
        settings.limits = Limits {
            attempt: config.attempt,
            call: config.call(),
            body_bytes: BODY_BYTES,
            ..Limits::default()
        };
        settings.back_off = config.retry_pause;
        Arc::new(Self {
            session: Session::new(settings.clone()),
            settings,
            shared: Arc::new(Shared {
                web: config.web.clone(),
                gateway: config.gateway.clone(),
                pace,
                back_off: config.back_off,
                interval: config.min_interval,
                skill_version: config.skill_version.clone(),
                upgrade: Mutex::default(),
            }),
        })
    }

    /// The gateway, asked with a key.
    pub(crate) fn gateway(&self, key: SecretString) -> Gateway {
        let session = self.session.sharing(Settings {
            base: self.shared.gateway.clone(),
            jar: Jar::default(),
            ..self.settings.clone()
        });
        Gateway::new(session, key, Arc::clone(&self.shared))
    }

    /// The web surface, with no cookie yet.
    pub(crate) fn web(&self) -> Web {
        let jar = Jar::by_name();
        let session = self.session.sharing(self.of_web(jar.clone()));
        Web::new(session, jar, Arc::clone(&self.shared))
    }

    /// A sign-in by a scanned code. Its polls last long, so they stand in no queue.
    pub(crate) fn scanner(&self) -> Scanner {
        let jar = Jar::by_name();
        let mut settings = self.of_web(jar.clone());
        settings.pace = Arc::new(Pace::new(
            self.shared.interval.saturating_mul(3),
            LONGEST_WAIT,
        ));
        settings.limits.attempt = POLL;
        settings.limits.call = POLL;
        Scanner::new(
            self.session.sharing(settings),
            jar,
            Arc::clone(&self.shared),
        )
    }

    /// Somebody's CookieCloud server.
    pub(crate) fn cloud(&self, server: Origin) -> CloudServer {
        CloudServer(self.session.sharing(Settings {
            base: server,
            headers: agent(),
            jar: Jar::default(),
            pace: Arc::new(Pace::new(self.shared.interval, LONGEST_WAIT)),
            ..self.settings.clone()
        }))
    }

    /// What the gateway has said about a newer skill, as data for the user.
    pub(crate) fn upgrade(&self) -> Option<Upgrade> {
        self.shared.upgrade().clone()
    }

    fn of_web(&self, jar: Jar) -> Settings {
        let mut settings = Settings {
            jar,
            ..self.settings.clone()
        };
        if let Ok(page) = HeaderValue::from_str(self.shared.web.url("").as_str()) {
            settings.headers.insert(REFERER, page);
        }
        settings
    }
}

impl Shared {
    pub(super) fn note_upgrade(&self, upgrade: Option<Upgrade>) {
        if upgrade.is_some() {
            *self.upgrade() = upgrade;
        }
    }

    /// An answer without data, as a caller meets it. When the service was asked too often, nobody asks it for
    /// a while, in all processes.
    pub(super) async fn rejected(
        &self,
        path: &'static str,
        status: u16,
        rejected: Rejected,
    ) -> Error {
        let refusal = match rejected {
            Rejected::Refused(refusal) if is_bare(status, &refusal) => return failed(path, status),
            Rejected::Drift(_) if status >= 400 => return failed(path, status),
            Rejected::Refused(refusal) => refusal,
            Rejected::Nothing => return Error::Nothing { path },
            Rejected::UpgradeOnly(upgrade) => return Error::Upgrade(upgrade),
            Rejected::Drift(drift) => return Error::changed(path, drift),
        };
        match refusal.reason() {
            Reason::RateLimited => Error::TooFast {
                retry_after_seconds: self.pace.pause(self.back_off).await.as_secs().max(1),
            },
            reason @ (Reason::Unauthenticated
            | Reason::Expired
            | Reason::Replaced
            | Reason::WeChatExpired) => Error::SignedOut {
                reason,
                said: refusal.said,
            },
            _ => Error::Refused(refusal),
        }
    }

    fn upgrade(&self) -> MutexGuard<'_, Option<Upgrade>> {
        self.upgrade.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the service itself said nothing: its servers' own error pages are JSON too. By 401 and 499 it says
/// enough (docs/upstreams/weread.md, 1).
fn is_bare(status: u16, refusal: &Refusal) -> bool {
    let is_of_status = refusal.code == i64::from(status) && refusal.said.is_empty();
    is_of_status && ![401, 499].contains(&status)
}

fn failed(path: &str, status: u16) -> Error {
    let path = path.to_owned();
    http_session::Error::Status { path, status }.into()
}

/// What every request to the service carries.
fn headers() -> HeaderMap {
    let mut headers = agent();
    let accept = HeaderValue::from_static("application/json, text/plain, */*");
    headers.insert(ACCEPT, accept);
    headers
}

/// Who asks, honestly, in the form that the web reader's servers expect.
fn agent() -> HeaderMap {
    let agent = concat!(
        "Mozilla/5.0 (compatible; weread-mcp/",
        env!("CARGO_PKG_VERSION"),
        ")"
    );
    HeaderMap::from_iter([(USER_AGENT, HeaderValue::from_static(agent))])
}
