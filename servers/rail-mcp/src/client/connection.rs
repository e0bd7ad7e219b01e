//! Three hosts of one service, asked politely: all that a call needs in one queue.

use std::{sync::Arc, time::Duration};

use http_session::{
    Joined, Limits, Origin, Pace, Session, Settings,
    header::{
        ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, REFERER,
        USER_AGENT,
    },
};
use jiff::civil::Date;
use serde_json::Value;
use server_kit::{Kit, time::Moment};
use state::Clock;

use super::{
    Rejected,
    paths::{Asked, Paths},
    tickets::TicketsQuery,
    transfers::{Plans, TransfersQuery},
};
use crate::{
    config::Config,
    domain::{
        routes::{Stop, TrainHits},
        tickets::{Train, TrainCode, TrainNo},
    },
    error::Error,
};

/// Answers kept for equal queries.
const KEPT_ANSWERS: usize = 64;

/// The share of a call's time that pages after the first may take.
const PAGE_SHARE: f32 = 0.8;

/// A turn farther away than this is refused: a host cuts a silent call at about 60 s.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The whole of 12306 that this program asks.
pub(crate) struct Client {
    pub(super) site: Session,
    kyfw: Session,
    search: Session,
    /// How long pages of one list may take, so that what was read is answered within the call's limit.
    pub(super) page_time: Duration,
    clock: Clock,
    pub(super) tickets: Joined<TicketsQuery, Arc<Reading<Train>>, Error>,
    pub(super) transfers: Joined<TransfersQuery, Arc<Plans>, Error>,
    pub(super) searches: Joined<(TrainCode, Date), Arc<TrainHits>, Error>,
    pub(super) stops: Joined<(TrainNo, Date), Arc<Reading<Stop>>, Error>,
    paths: Paths,
}

/// A list as the service gave it, and when.
pub(crate) struct Reading<T> {
    pub(crate) list: Vec<T>,
    pub(crate) as_of: Moment,
}

impl Client {
    /// A client that has asked nothing yet.
    pub(crate) fn new(config: &Config, kit: &Kit) -> Self {
        let (interval, wait) = (config.min_interval, LONGEST_WAIT);
        let pace = Arc::new(match &kit.state {
            Some(folder) => Pace::shared_in(folder.clone(), "pace.json", interval, wait),
            None => Pace::new(interval, wait),
        });
        // The stations are read once a day, behind an answer: in the common queue a slow site would
        // hold up the calls that follow.
        let behind = Arc::new(Pace::new(interval, wait));
        let session = |base: &Origin, pace: &Arc<Pace>| {
            let mut settings = Settings::new(base.clone(), Arc::clone(pace));
            settings.headers = headers(&config.kyfw);
            settings.limits = Limits {
                attempt: config.attempt,
                ..Limits::default()
            };
            settings.back_off = config.retry_pause;
            Session::new(settings)
        };
        Self {
            site: session(&config.site, &behind),
            kyfw: session(&config.kyfw, &pace),
            search: session(&config.search, &pace),
            page_time: kit.call_limit.mul_f32(PAGE_SHARE),
            clock: kit.clock,
            tickets: Joined::new(config.cache, KEPT_ANSWERS),
            transfers: Joined::new(config.cache, KEPT_ANSWERS),
            searches: Joined::new(config.cache, KEPT_ANSWERS),
            stops: Joined::new(config.cache, KEPT_ANSWERS),
            paths: Paths::default(),
        }
    }

    /// Asks the ticket site, in the session and at the path of today, and reads the answer with
    /// `map`. A retired path, a lost session and an error page look alike, so each is met by
    /// learning the path anew, once.
    pub(super) async fn ask<T>(
        &self,
        asked: Asked,
        query: &[(&'static str, String)],
        map: impl Fn(Value) -> Result<T, Rejected>,
    ) -> Result<T, Error> {
        let mut first = true;
        loop {
            let way = self.paths.of(asked, &self.kyfw).await?;
            let moved = match self.ask_at(&way.path, query, &map).await? {
                Step::Here(data) => return Ok(data),
                Step::Moved(to) => to,
            };
            if !first {
                return Err(Error::TurnedAway {
                    path: format!("/{}", way.path),
                });
            }
            first = false;
            self.paths.leave(asked, &way, moved.as_deref()).await;
        }
    }

    async fn ask_at<T>(
        &self,
        path: &str,
        query: &[(&'static str, String)],
        map: impl Fn(Value) -> Result<T, Rejected>,
    ) -> Result<Step<T>, Error> {
        use http_session::Error as E;
        let request = self.kyfw.get(path).query(query.iter().cloned());
        let reply = request
            .header(
                HeaderName::from_static("x-requested-with"),
                HeaderValue::from_static("XMLHttpRequest"),
            )
            .header(IF_MODIFIED_SINCE, HeaderValue::from_static("0"))
            .send()
            .await;
        match reply.and_then(|reply| reply.json()).map(map) {
            Ok(Ok(data)) => Ok(Step::Here(data)),
            Ok(Err(Rejected::Moved(to))) => Ok(Step::Moved(Some(to))),
            Ok(Err(rejected)) => Err(Error::rejected(path, rejected)),
            Err(E::Redirected { .. } | E::Html { .. } | E::Status { status: 404, .. }) => {
                Ok(Step::Moved(None))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Asks the search site, which needs no session.
    pub(super) async fn look_up<T>(
        &self,
        path: &str,
        query: &[(&'static str, String)],
        map: impl Fn(Value) -> Result<T, Rejected>,
    ) -> Result<T, Error> {
        let reply = self
            .search
            .get(path)
            .query(query.iter().cloned())
            .send()
            .await?;
        map(reply.json()?).map_err(|rejected| Error::rejected(path, rejected))
    }

    /// The paths that tickets and transfers are asked at today.
    pub(crate) async fn learn_paths(&self) -> Result<[String; 2], Error> {
        let tickets = self.paths.of(Asked::Tickets, &self.kyfw).await?;
        let transfers = self.paths.of(Asked::Transfers, &self.kyfw).await?;
        Ok([tickets.path, transfers.path])
    }

    /// Now, in China.
    pub(super) fn now(&self) -> Moment {
        Moment::of(self.clock.now())
    }
}

enum Step<T> {
    Here(T),
    Moved(Option<String>),
}

/// What a browser sends. Since mid 2026 a request without them may get a page that lacks the query
/// path (docs/upstreams/rail.md, headers); the product is named all the same.
fn headers(kyfw: &Origin) -> HeaderMap {
    let agent = concat!(
        "Mozilla/5.0 (compatible; rail-mcp/",
        env!("CARGO_PKG_VERSION"),
        ")"
    );
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::from_static(agent));
    headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
    headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("zh-CN,zh;q=0.9"));
    let page = format!(
        "{}/otn/leftTicket/init",
        kyfw.to_string().trim_end_matches('/')
    );
    if let Ok(page) = HeaderValue::from_str(&page) {
        headers.insert(REFERER, page);
    }
    headers
}
