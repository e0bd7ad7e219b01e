//! One cookie session: opened, renewed by one process at a time, kept, closed.

mod file;

use std::sync::Arc;
use std::time::Duration;

use http_session::sealed::{self, Generation, Renewal, Saved, SessionFile};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use server_kit::Kit;
use state::Clock;
use tokio::sync::{Mutex, MutexGuard};

pub(super) use self::file::forget_all;
use self::file::{PREFIX, session_file};
use super::{digest, digest_of_cloud};
use crate::{
    client::{Client, Reason, Web, same},
    config::Config,
    domain::credentials::{Cloud, pairs},
    error::{Closed, CloudStep, Error},
    service::to_the_end,
};

/// Where a session comes from.
pub(super) enum Source {
    /// A cookie that the user gave.
    Cookie(SecretString),
    /// A CookieCloud account.
    Cloud(Cloud),
    /// A scanned code.
    Scan,
}

/// One cookie session, shared with other processes through its file.
pub(crate) struct Line {
    source: Source,
    web: Arc<Web>,
    /// Where the session is kept; `None` without a state folder.
    file: Option<SessionFile>,
    clock: Clock,
    rest: Duration,
    held: Mutex<Held>,
}

/// What is known of the session. Whoever holds it has the line to themselves.
#[derive(Default)]
struct Held {
    /// Which writing of the file the session is.
    generation: Option<Generation>,
    /// Its cookies as they were last read or written.
    kept: [Option<SecretString>; 2],
    /// All of it, as it was last asked with: an answer that calls it over may take the cookies away by which it
    /// is renewed.
    asked: Saved,
    /// Rises with each new session, so that of several who met its end one renews it.
    epoch: u64,
    /// Why it leads nowhere, and until when that is believed.
    closed: Option<(Closed, Timestamp)>,
}

impl Source {
    /// The name of its session's file: another credential is another session.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Cookie(text) => {
                format!("{PREFIX}cookie-{}.json", digest(&[text.expose_secret()]))
            }
            Self::Cloud(cloud) => format!("{PREFIX}cloud-{}.json", digest_of_cloud(cloud)),
            Self::Scan => format!("{PREFIX}scan.json"),
        }
    }
}

impl Line {
    pub(super) fn new(
        source: Source,
        name: &str,
        client: &Client,
        config: &Config,
        kit: &Kit,
    ) -> Self {
        let folder = kit.state.clone();
        let file = folder.and_then(|folder| session_file(folder, name, kit));
        Self {
            source,
            web: Arc::new(client.web()),
            file: file.map(|file| file.waiting(config.call())),
            clock: kit.clock,
            rest: config.rest,
            held: Mutex::default(),
        }
    }

    /// The session, with its epoch, as far as is known without asking the service.
    pub(super) async fn open(&self, client: &Client) -> Result<(Arc<Web>, u64), Error> {
        let mut held = self.held.lock().await;
        self.adopt(&mut held).await;
        if let Some(why) = self.closed(&held) {
            return Err(why.into());
        }
        if !self.web.missing().is_empty() {
            match self.fetch(client).await {
                Ok(true) => self.save(&mut held).await,
                Ok(false) => held.kept = self.web.state(),
                Err(why) => return Err(self.note(&mut held, why).into()),
            }
        }
        let cookies = self.web.missing();
        if !cookies.is_empty() {
            return Err(self.note(&mut held, Closed::Missing { cookies }).into());
        }
        held.asked = self.web.saved();
        Ok((Arc::clone(&self.web), held.epoch))
    }

    /// Whether the session outlives the process; `None` when there is none.
    pub(crate) async fn is_kept(&self) -> Option<bool> {
        let mut held = self.held.lock().await;
        self.adopt(&mut held).await;
        let has_session = self.web.missing().is_empty();
        has_session.then_some(held.generation.is_some())
    }

    /// Whether it is known whose session it is, without asking the service: it is kept, or given.
    pub(super) async fn has_reader(&self) -> bool {
        let mut held = self.held.lock().await;
        self.adopt(&mut held).await;
        if let (true, Source::Cookie(text)) = (!self.web.missing().is_empty(), &self.source) {
            self.web.take(&pairs(text));
        }
        !self.web.reader().is_empty()
    }

    /// Whose session it is, as the service numbers readers; empty while that is not known.
    pub(super) fn reader(&self) -> String {
        self.web.reader()
    }

    /// Why the session leads nowhere, as long as that is believed.
    pub(super) async fn is_closed(&self) -> Option<Closed> {
        let held = self.held.lock().await;
        self.closed(&held)
    }

    /// Whether the session can be renewed without a person; `None` while there is none.
    pub(super) fn is_renewable(&self) -> Option<bool> {
        let has_session = self.web.missing().is_empty();
        has_session.then(|| self.web.is_renewable())
    }

    /// A session in place of that of `epoch`, which the service has called over for `reason`: the one that
    /// another call or process has got since, else a renewed one.
    ///
    /// Goes on to its end when the caller goes away: by then the service may have changed the renewal cookie,
    /// and the old one is worth nothing.
    pub(super) async fn renew(
        self: &Arc<Self>,
        client: &Arc<Client>,
        epoch: u64,
        reason: Reason,
        said: String,
    ) -> Result<(), Error> {
        let (line, client) = (Arc::clone(self), Arc::clone(client));
        let over = Closed::of(reason, said);
        to_the_end(async move { line.renew_here(&client, epoch, over).await }).await
    }

    async fn renew_here(&self, client: &Client, epoch: u64, over: Closed) -> Result<(), Error> {
        let mut held = self.held.lock().await;
        if !self.web.missing().is_empty() || !self.web.is_renewable() {
            self.web.restore(held.asked.clone());
        }
        if held.epoch != epoch {
            return Ok(());
        }
        // Another question beside this one has met the same end, and could not undo it.
        if let Some(why) = self.closed(&held) {
            return Err(why.into());
        }
        let renewed = match &self.file {
            None => self.renewed(client, over).await,
            Some(file) => {
                let used = held.generation.clone();
                let renewal = file.renew(used.as_ref(), async |saved| {
                    if let Some(saved) = saved {
                        self.web.restore(saved);
                    }
                    self.renewed(client, over.clone()).await?;
                    Ok(self.web.saved())
                });
                match renewal.await {
                    Ok((saved, generation)) => {
                        self.web.restore(saved);
                        held.generation = Some(generation);
                        Ok(())
                    }
                    Err(Renewal::Failed(error)) => Err(error),
                    Err(Renewal::File(sealed::Error::Busy)) => {
                        return Err(Error::Busy);
                    }
                    // Without a place to keep it, the session lives in this process only.
                    Err(Renewal::File(error)) => {
                        tell(&error);
                        match same(&held.kept, &self.web.state()) {
                            true => self.renewed(client, over).await,
                            false => Ok(()),
                        }
                    }
                }
            }
        };
        match renewed {
            Ok(()) => {
                held.epoch += 1;
                held.kept = self.web.state();
                held.asked = self.web.saved();
                Ok(())
            }
            Err(Error::Closed(why)) => Err(self.note(&mut held, why).into()),
            Err(error) => Err(error),
        }
    }

    /// Renews by the renewal cookie; of CookieCloud the browser may have a newer session.
    async fn renewed(&self, client: &Client, over: Closed) -> Result<(), Error> {
        let (before, state) = (self.web.saved(), self.web.state());
        let failed = match self.web.is_renewable() {
            true => match self.web.renew().await {
                Ok(()) => return Ok(()),
                // Refused renewals all carry the code of a replaced session: how this one ended says more.
                Err(Error::SignedOut { said, .. }) => match over {
                    Closed::Replaced { .. } => over,
                    _ => Closed::Expired { said },
                },
                Err(error) => return Err(error),
            },
            false => match over {
                Closed::Replaced { .. } => over,
                _ => Closed::Unrenewable,
            },
        };
        if let Source::Cloud(_) = &self.source {
            match self.fetch(client).await {
                Ok(_) if !same(&state, &self.web.state()) => return Ok(()),
                Ok(_) => {}
                // That the session could not be renewed is what the reader can mend.
                Err(why) => tracing::warn!(%why, "CookieCloud has no newer session"),
            }
        }
        // A refusal may take the cookies away, and with them what is told of this way.
        self.web.restore(before);
        Err(failed.into())
    }

    /// Puts in the cookies that the source has, and gives whether they came from elsewhere.
    async fn fetch(&self, client: &Client) -> Result<bool, Closed> {
        match &self.source {
            Source::Cookie(text) => {
                self.web.take(&pairs(text));
                Ok(false)
            }
            Source::Cloud(cloud) => {
                let server = cloud.url.parse();
                let server = server.map_err(|_| CloudStep::Form {
                    why: "地址不可用"
                })?;
                self.web.take(&client.cloud(server).cookies(cloud).await?);
                Ok(true)
            }
            Source::Scan => Ok(false),
        }
    }

    /// Takes the session of a finished sign-in. Gives whether it outlives the process.
    pub(super) async fn sign_in(&self, session: Saved) -> bool {
        let mut held = self.held.lock().await;
        self.web.restore(session);
        held.epoch += 1;
        held.closed = None;
        self.save(&mut held).await;
        held.generation.is_some()
    }

    /// Keeps what an answer has changed: any may refresh a cookie. What another process has written since stays
    /// as it is, and what was forgotten stays forgotten.
    pub(super) async fn keep(&self) {
        let mut held = self.held.lock().await;
        if !self.web.missing().is_empty() {
            self.web.restore(held.asked.clone());
        }
        if same(&held.kept, &self.web.state()) {
            return;
        }
        held.kept = self.web.state();
        let Some(file) = &self.file else { return };
        let used = held.generation.clone();
        let mut is_ours = false;
        let kept = file.renew(used.as_ref(), async |there| {
            is_ours = used.is_none() || there.is_some();
            is_ours.then(|| self.web.saved()).ok_or(())
        });
        match kept.await {
            Ok((_, generation)) if is_ours => held.generation = Some(generation),
            Ok(_) | Err(Renewal::Failed(())) => self.adopt(&mut held).await,
            Err(Renewal::File(error)) => tell(&error),
        }
    }

    /// Believes no longer that the session leads nowhere.
    pub(super) async fn reopen(&self) {
        self.held.lock().await.closed = None;
    }

    /// Notes that the session leads nowhere, and gives why.
    pub(super) async fn close(&self, why: Closed) -> Closed {
        let mut held = self.held.lock().await;
        self.note(&mut held, why)
    }

    /// Why the session leads nowhere, as far as that is still believed.
    fn closed(&self, held: &Held) -> Option<Closed> {
        let now = self.clock.now();
        let believed = held.closed.as_ref().filter(|(_, until)| now < *until);
        believed.map(|(why, _)| why.clone())
    }

    fn note(&self, held: &mut MutexGuard<'_, Held>, why: Closed) -> Closed {
        let now = self.clock.now();
        let until = now.saturating_add(self.rest).unwrap_or(now);
        held.closed = Some((why.clone(), until));
        why
    }

    /// Takes over what another process has done since.
    async fn adopt(&self, held: &mut MutexGuard<'_, Held>) {
        let Some(file) = &self.file else { return };
        let found = match file.generation().await {
            Ok(found) => found,
            Err(error) => return tell(&error),
        };
        if found == held.generation {
            return;
        }
        match file.load().await {
            Ok(Some((saved, generation))) => {
                self.web.restore(saved);
                held.generation = Some(generation);
            }
            Ok(None) if held.generation.take().is_some() => {
                self.web.restore(Saved::default());
            }
            Ok(None) => return,
            Err(error) => return tell(&error),
        }
        held.kept = self.web.state();
        held.closed = None;
        held.epoch += 1;
    }

    async fn save(&self, held: &mut MutexGuard<'_, Held>) {
        held.kept = self.web.state();
        let Some(file) = &self.file else { return };
        match file.save(&self.web.saved()).await {
            Ok(generation) => held.generation = Some(generation),
            Err(error) => tell(&error),
        }
    }
}

impl Closed {
    /// What the service's word about a session means for the way.
    pub(super) fn of(reason: Reason, said: String) -> Self {
        match reason {
            Reason::Replaced => Self::Replaced { said },
            _ => Self::Expired { said },
        }
    }
}

fn tell(error: &sealed::Error) {
    tracing::warn!(%error, "the session is kept in memory only");
}
