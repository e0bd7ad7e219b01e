//! The questions of one server: asked, looked at, taken, lost.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use state::{Clock, StateDir};
use tokio::{sync::watch, task::spawn_blocking, time::timeout};

use crate::{
    By, Error, Lost, Open, OpenError, Page, Pending, Question, Refused, TakeError,
    ledger::{Ledger, Turn},
    random,
};

/// What a question is whose time ended between reading the clock and looking for it.
const GONE: Refused = Refused::Lost(Lost::Expired);

/// The questions of one server over all its accounts, each with the use `T` that waits for its
/// answer. Clones share. Making one touches nothing; the state folder is used from the first call.
///
/// Its methods run on the current runtime. A question is forgotten, with what waits for it, when its
/// time is over; a fixed clock never gets there by itself.
pub struct Challenges<T> {
    inner: Arc<Inner<T>>,
}

impl<T> Clone for Challenges<T> {
    fn clone(&self) -> Self {
        Self::from(Arc::clone(&self.inner))
    }
}

impl<T> From<Arc<Inner<T>>> for Challenges<T> {
    fn from(inner: Arc<Inner<T>>) -> Self {
        Self { inner }
    }
}

pub(crate) struct Inner<T> {
    ledger: Ledger,
    clock: Clock,
    /// How long a question waits.
    ttl: Duration,
    /// The questions that wait here, by id. Put in and taken during a turn of the ledger only, so
    /// that what is pending there and ours is here until its time is over.
    held: Mutex<HashMap<String, Held<T>>>,
    page: OnceLock<Page>,
}

struct Held<T> {
    open: Open,
    suspended: T,
    offered: bool,
    /// Closed when this is dropped, which tells all who wait that the question is settled.
    alive: watch::Sender<()>,
}

impl<T: Send + 'static> Challenges<T> {
    /// No question yet. Without a `folder` they are kept in memory. One is answered within `ttl`,
    /// as `clock` tells the time.
    pub fn new(folder: Option<StateDir>, clock: Clock, ttl: Duration) -> Self {
        let inner = Inner {
            ledger: Ledger::new(folder),
            clock,
            ttl,
            held: Mutex::default(),
            page: OnceLock::new(),
        };
        Self::from(Arc::new(inner))
    }

    /// Lets questions be answered on `page` as well. Nothing is served before the first one. A
    /// second page is not taken. A desk that holds these questions keeps them, and itself, until the
    /// process ends.
    pub fn attach(&self, page: Page) {
        let _second = self.inner.page.set(page);
    }

    /// Whether a page can be served; it is from now on if so.
    pub async fn has_page(&self) -> bool {
        match self.inner.page.get() {
            Some(page) => page.port(&self.inner).await.is_some(),
            None => false,
        }
    }

    /// Asks `question` on behalf of `account` and keeps `suspended` until it is answered or its time
    /// is over.
    ///
    /// Fails with [`OpenError::AlreadyOpen`] while the account has a question, of any process.
    pub async fn open(
        &self,
        account: &str,
        question: Question,
        suspended: T,
    ) -> Result<Open, OpenError> {
        let id = format!("ch_{}", random::name::<6>()?);
        let link = match self.inner.page.get() {
            Some(page) => page.path(&self.inner).await?,
            None => None,
        };
        let account = account.to_owned();
        self.turn(move |inner, mut turn| {
            if let Some(pending) = inner.pending(&turn, &account) {
                return Err(OpenError::AlreadyOpen(pending));
            }
            let now = turn.now();
            let open = Open {
                id,
                account,
                question,
                expires_at: now.checked_add(inner.ttl).unwrap_or(Timestamp::MAX),
                page_url: link.as_ref().map(|link| link.url.clone()),
            };
            turn.add(&open)?;
            if let (Some(page), Some(link)) = (inner.page.get(), link) {
                page.lead(link, &open);
            }
            let held = Held {
                open: open.clone(),
                suspended,
                offered: false,
                alive: watch::Sender::default(),
            };
            let (clock, weak, (expires_at, alive)) =
                (inner.clock, Arc::downgrade(inner), held.end());
            inner.held().insert(open.id.clone(), held);
            tokio::spawn(async move {
                ended(clock, expires_at, alive).await;
                if let Some(inner) = weak.upgrade() {
                    inner.forget(clock.now());
                }
            });
            Ok(open)
        })
        .await?
    }

    /// The question that `account` waits with.
    pub async fn pending(&self, account: &str) -> Result<Option<Pending>, Error> {
        let account = account.to_owned();
        self.turn(move |inner, turn| inner.pending(&turn, &account))
            .await
    }

    /// The question `id` of `account`, which goes on waiting.
    ///
    /// Fails with [`TakeError::Refused`] when it cannot be answered here.
    pub async fn look(&self, account: &str, id: &str) -> Result<Open, TakeError> {
        let (account, id) = (account.to_owned(), id.to_owned());
        self.turn(move |inner, turn| {
            turn.answerable(&account, &id)?;
            let held = inner.held();
            Ok(held.get(&id).ok_or(GONE)?.open.clone())
        })
        .await?
    }

    /// Gives the question `id` of `account` and what waits for it to whoever answers it. Of several
    /// takers one gets it; to the others it is no longer pending.
    ///
    /// Fails with [`TakeError::Refused`] when it cannot be answered here.
    pub async fn take(&self, account: &str, id: &str, by: By) -> Result<(Open, T), TakeError> {
        let (account, id) = (account.to_owned(), id.to_owned());
        self.turn(move |inner, mut turn| {
            turn.answerable(&account, &id)?;
            turn.answered(&id, by).map_err(Error::from)?;
            let held = inner.held().remove(&id).ok_or(GONE)?;
            Ok((held.open, held.suspended))
        })
        .await?
    }

    /// Ends the pending questions of `account`, or of all, of whichever process: they are lost with what
    /// waits for them. Gives their ids.
    pub async fn withdraw(&self, account: Option<&str>) -> Result<Vec<String>, Error> {
        let account = account.map(str::to_owned);
        self.turn(move |inner, mut turn| {
            let ended = turn.withdraw(account.as_deref())?;
            inner.held().retain(|id, _| !ended.contains(id));
            Ok(ended)
        })
        .await?
    }

    /// Returns when the question `id` does not wait in this process: it was answered, its time is
    /// over, or it never did.
    pub async fn settled(&self, id: &str) {
        let end = self.inner.held().get(id).map(Held::end);
        if let Some((expires_at, alive)) = end {
            ended(self.inner.clock, expires_at, alive).await;
        }
    }

    /// Whether the question `id` waits in this process and this is the first time it is asked: a
    /// client is shown a question once.
    pub fn offered(&self, id: &str) -> bool {
        let mut held = self.inner.held();
        let held = held.get_mut(id);
        held.is_some_and(|held| !std::mem::replace(&mut held.offered, true))
    }

    /// Runs `step` with the records to itself, to its end even when the caller stops waiting.
    async fn turn<R: Send + 'static>(
        &self,
        step: impl FnOnce(&Arc<Inner<T>>, Turn<'_>) -> R + Send + 'static,
    ) -> Result<R, Error> {
        let inner = Arc::clone(&self.inner);
        let stepped = spawn_blocking(move || {
            let turn = inner.ledger.turn(inner.clock)?;
            inner.forget(turn.now());
            Ok(step(&inner, turn))
        });
        stepped.await.map_err(|_stopped| Error::Ending)?
    }
}

impl<T> Inner<T> {
    pub(crate) fn page(&self) -> Option<&Page> {
        self.page.get()
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Held<T>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pending(&self, turn: &Turn<'_>, account: &str) -> Option<Pending> {
        let record = turn.pending(account)?;
        if turn.answerable(account, &record.id).is_ok() {
            let held = self.held();
            return Some(Pending::Ours(held.get(&record.id)?.open.clone()));
        }
        Some(Pending::Elsewhere {
            id: record.id.clone(),
            expires_at: record.expires_at,
        })
    }

    /// Drops what has waited too long.
    fn forget(&self, now: Timestamp) {
        self.held().retain(|_, held| now < held.open.expires_at);
    }
}

impl<T> Held<T> {
    /// What [`ended`] needs.
    fn end(&self) -> (Timestamp, watch::Receiver<()>) {
        (self.open.expires_at, self.alive.subscribe())
    }
}

/// Returns when a question is settled. Its moment is compared anew after each wait, since the clock
/// may have been set meanwhile.
async fn ended(clock: Clock, expires_at: Timestamp, mut alive: watch::Receiver<()>) {
    loop {
        let left = match expires_at.duration_since(clock.now()) {
            _ if clock.is_fixed() => Duration::MAX,
            left => left.try_into().unwrap_or_default(),
        };
        if left.is_zero() || timeout(left, alive.changed()).await.is_ok() {
            return;
        }
    }
}
