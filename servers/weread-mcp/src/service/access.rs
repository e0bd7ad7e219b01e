//! How the service knows us: the ways that are set up, tried in their order.

mod line;
mod standing;

use std::collections::HashMap;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use data_encoding::HEXLOWER;
use http_session::sealed::Saved as Session;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use server_kit::Kit;
use sha2::{Digest, Sha256};

use self::line::{Line, Source};
pub(crate) use self::standing::{Origin, Standing, Told};
use crate::{
    client::{Client, Gateway, Surface},
    config::Config,
    domain::credentials::{Cloud, Credentials},
    error::{Closed, Error, Way},
    store::credentials::{Kept, Saved},
};

/// Which surface can answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Either.
    Any,
    /// Only the gateway.
    Gateway,
    /// Only the web surface.
    Web,
}

/// All ways to the service.
pub(crate) struct Access {
    pub(crate) client: Arc<Client>,
    kit: Kit,
    config: Config,
    saved: Saved,
    keys: Mutex<HashMap<String, Arc<Key>>>,
    lines: Mutex<HashMap<String, Arc<Line>>>,
    /// Rises with each change of credentials.
    changes: AtomicU64,
}

/// The gateway with one key.
struct Key {
    digest: String,
    gateway: Arc<Gateway>,
    closed: Mutex<Option<(Closed, Timestamp)>>,
}

/// A way that is set up.
enum Door {
    Key(Arc<Key>),
    Line(Arc<Line>),
}

impl Access {
    pub(crate) fn new(config: &Config, kit: &Kit) -> Arc<Self> {
        Arc::new(Self {
            client: Client::new(config, kit),
            kit: kit.clone(),
            config: config.clone(),
            saved: Saved::new(kit),
            keys: Mutex::default(),
            lines: Mutex::default(),
            changes: AtomicU64::default(),
        })
    }

    /// Asks by the first way that leads to the service. A session that the service calls over is renewed
    /// once and asked once more, and a way that stays closed gives way to the next; so `ask` must change
    /// nothing, and what it asks for in pages it asks for from the beginning.
    ///
    /// A way by which nothing is answered gives way too. Fails with what is wrong with each way when none
    /// is left.
    pub(crate) async fn ask<T, F>(&self, need: Need, ask: impl Fn(Surface) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let answered = self.ask_whom(need, ask).await?;
        Ok(answered.1)
    }

    /// The same, with the account that has answered: [`Access::account`] says what that is.
    pub(crate) async fn ask_whom<T, F>(
        &self,
        need: Need,
        ask: impl Fn(Surface) -> F,
    ) -> Result<(String, T), Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let (mut closed, mut silent) = (Vec::new(), None);
        for way in need.ways() {
            let answered = match self.door(*way).await {
                Ok(None) => continue,
                Ok(Some(door)) => match self.ask_through(&door, &ask).await {
                    Ok(answer) => Ok((door.account(), answer)),
                    Err(error) => Err(error),
                },
                Err(why) => Err(Error::Closed(why)),
            };
            match answered {
                Err(Error::Closed(why)) => closed.push((*way, why)),
                Err(error @ (Error::Nothing { .. } | Error::Upgrade(_))) => {
                    silent.get_or_insert(error);
                }
                answered => return answered,
            }
        }
        if let Some(silent) = silent {
            return Err(silent);
        }
        Err(match need {
            Need::Gateway => Error::NeedsApiKey(closed),
            Need::Web => Error::NeedsWeb(closed),
            Need::Any if closed.is_empty() => Error::NoCredentials,
            Need::Any => Error::AllClosed(closed),
        })
    }

    async fn ask_through<T, F>(&self, door: &Door, ask: &impl Fn(Surface) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let line = match door {
            Door::Key(key) => return self.ask_with(key, ask).await,
            Door::Line(line) => line,
        };
        let (web, epoch) = line.open(&self.client).await?;
        let answered = match ask(Surface::Web(Arc::clone(&web))).await {
            Err(Error::SignedOut { reason, said }) => {
                line.renew(&self.client, epoch, reason, said).await?;
                match ask(Surface::Web(web)).await {
                    Err(Error::SignedOut { reason, said }) => {
                        Err(line.close(Closed::of(reason, said)).await.into())
                    }
                    answered => answered,
                }
            }
            answered => answered,
        };
        line.keep().await;
        answered
    }

    async fn ask_with<T, F>(&self, key: &Key, ask: &impl Fn(Surface) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let now = self.kit.clock.now();
        if let Some(why) = key.closed_at(now) {
            return Err(why.into());
        }
        match ask(Surface::Gateway(Arc::clone(&key.gateway))).await {
            Err(Error::SignedOut { said, .. }) => {
                let why = Closed::Key { said };
                let until = now.saturating_add(self.config.rest).unwrap_or(now);
                *key.closed() = Some((why.clone(), until));
                Err(why.into())
            }
            answered => answered,
        }
    }

    /// The way, if it is set up.
    async fn door(&self, way: Way) -> Result<Option<Door>, Closed> {
        let given = &self.config.given;
        Ok(match way {
            Way::ApiKey => {
                let key = match given.api_key.clone() {
                    Some(key) => Some(key),
                    None => self.saved().await?.api_key,
                };
                key.map(|key| Door::Key(self.key(key)))
            }
            Way::Cookie => {
                let cookie = match given.cookie.clone() {
                    Some(cookie) => Some(cookie),
                    None => self.saved().await?.cookie,
                };
                cookie.map(|cookie| Door::Line(self.line(Source::Cookie(cookie))))
            }
            Way::CookieCloud => {
                let cloud = match given.cloud.clone() {
                    Some(cloud) => Some(cloud),
                    None => self.saved().await?.cloud,
                };
                cloud.map(|cloud| Door::Line(self.line(Source::Cloud(cloud))))
            }
            Way::Scan => {
                let line = self.scan();
                line.is_kept().await.map(|_| Door::Line(line))
            }
        })
    }

    /// The session that begins with a scanned code.
    pub(crate) fn scan(&self) -> Arc<Line> {
        self.line(Source::Scan)
    }

    async fn saved(&self) -> Result<Credentials, Closed> {
        let saved = self.saved.get().await;
        saved.map_err(|error| Closed::Store {
            why: server_kit::Failure::from(error).message,
        })
    }

    /// Whether the environment gives a credential of a kind that is among these, and so comes before it.
    pub(crate) fn is_hidden(&self, saved: &Credentials) -> bool {
        let given = &self.config.given;
        given.api_key.is_some() && saved.api_key.is_some()
            || given.cookie.is_some() && saved.cookie.is_some()
            || given.cloud.is_some() && saved.cloud.is_some()
    }

    /// Saves credentials; ways that had failed are tried anew.
    pub(crate) async fn save(&self, given: Credentials) -> Kept {
        let kept = self.saved.set(given).await;
        for key in self.keys().values() {
            *key.closed() = None;
        }
        let lines: Vec<_> = self.lines().values().cloned().collect();
        for line in lines {
            line.reopen().await;
        }
        self.changed();
        kept
    }

    /// Forgets what was saved and all sessions, and tells whether there was anything. What the environment
    /// gives stays.
    pub(crate) async fn forget(&self) -> Result<bool, Error> {
        self.keys().clear();
        self.lines().clear();
        self.changed();
        let kept = |error: String| Error::Kept(error);
        let had = self
            .saved
            .clear()
            .await
            .map_err(|error| kept(error.to_string()))?;
        let sessions = line::forget_all(&self.kit).await;
        Ok(sessions.map_err(kept)? > 0 || had)
    }

    /// How often credentials have changed in this process: answers from before are another reader's.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// The account that would be asked first, without asking anybody: it tells accounts apart and does not
    /// tell them. A way that is closed is taken when no other is left.
    pub(crate) async fn account(&self) -> Result<String, Error> {
        let (mut closed, mut last) = (Vec::new(), None);
        for way in Way::ALL {
            let door = match self.door(way).await {
                Ok(None) => continue,
                Ok(Some(door)) => door,
                Err(why) => {
                    closed.push((way, why));
                    continue;
                }
            };
            let is_known = match &door {
                Door::Key(_) => true,
                Door::Line(line) => line.has_reader().await,
            };
            match self.is_closed(&door).await {
                _ if !is_known => {}
                None => return Ok(door.account()),
                Some(why) => {
                    closed.push((way, why));
                    last.get_or_insert_with(|| door.account());
                }
            }
        }
        last.ok_or(match closed.is_empty() {
            true => Error::NoCredentials,
            false => Error::AllClosed(closed),
        })
    }

    async fn is_closed(&self, door: &Door) -> Option<Closed> {
        match door {
            Door::Key(key) => key.closed_at(self.kit.clock.now()),
            Door::Line(line) => line.is_closed().await,
        }
    }

    /// Takes the cookies of a finished sign-in. Gives whether they outlive the process.
    pub(crate) async fn sign_in(&self, session: Session) -> bool {
        let is_kept = self.scan().sign_in(session).await;
        self.changed();
        is_kept
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    fn key(&self, key: SecretString) -> Arc<Key> {
        let digest = digest(&[key.expose_secret()]);
        let mut keys = self.keys();
        let made = keys.entry(digest.clone()).or_insert_with(|| {
            Arc::new(Key {
                digest,
                gateway: Arc::new(self.client.gateway(key)),
                closed: Mutex::default(),
            })
        });
        Arc::clone(made)
    }

    fn line(&self, source: Source) -> Arc<Line> {
        let name = source.name();
        let mut lines = self.lines();
        let made = lines.entry(name.clone()).or_insert_with(|| {
            Arc::new(Line::new(
                source,
                &name,
                &self.client,
                &self.config,
                &self.kit,
            ))
        });
        Arc::clone(made)
    }

    fn keys(&self) -> MutexGuard<'_, HashMap<String, Arc<Key>>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<String, Arc<Line>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Need {
    /// The ways that lead there, in the order in which they are tried.
    pub(crate) fn ways(self) -> &'static [Way] {
        match self {
            Self::Any => &Way::ALL,
            Self::Gateway => &[Way::ApiKey],
            Self::Web => &[Way::Cookie, Way::CookieCloud, Way::Scan],
        }
    }
}

impl Door {
    /// Tells its account apart from others.
    fn account(&self) -> String {
        match self {
            Self::Key(key) => key.digest.clone(),
            Self::Line(line) => digest(&[&line.reader()]),
        }
    }
}

impl Key {
    /// Why it leads nowhere, as long as that is believed.
    fn closed_at(&self, now: Timestamp) -> Option<Closed> {
        let closed = self.closed();
        let closed = closed.as_ref().filter(|(_, until)| now < *until);
        closed.map(|(why, _)| why.clone())
    }

    fn closed(&self) -> MutexGuard<'_, Option<(Closed, Timestamp)>> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells credentials apart without telling them.
pub(super) fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.len().to_le_bytes());
        hasher.update(part);
    }
    let digest = hasher.finalize();
    HEXLOWER.encode(digest.get(..8).unwrap_or_default())
}

/// The same for a CookieCloud account. Its password is left out: a name must not be good to try one.
fn digest_of_cloud(cloud: &Cloud) -> String {
    digest(&[&cloud.url, &cloud.id])
}
