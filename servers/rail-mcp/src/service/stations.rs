//! The catalogue in use: bundled, or read from the site when that has grown old.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use server_kit::{Kit, time::Moment};

use crate::{
    client::{
        Client,
        stations::{bundled, catalogue},
    },
    domain::{
        catalogue::{Catalogue, Source},
        stations::{Place, Unresolved},
    },
    error::Error,
    store::stations::{Saved, Shelf},
};

/// A refresh that failed is tried again after this.
const TRY_AGAIN: SignedDuration = SignedDuration::from_hours(24);

/// What another process reads just now is looked for again after this.
const LOOK_AGAIN: SignedDuration = SignedDuration::from_mins(10);

/// Fewer stations than this share of today's is no catalogue (3,404 on 2026-09-30; the number grows).
const LEAST_PERCENT: usize = 90;

/// The stations in use. Clones share them.
#[derive(Clone)]
pub(crate) struct Stations(Arc<Inner>);

struct Inner {
    client: Arc<Client>,
    kit: Kit,
    shelf: Option<Shelf>,
    age: Option<Duration>,
    current: Mutex<Option<Arc<Catalogue>>>,
    /// When this process last looked whether to refresh.
    looked: Mutex<Option<Timestamp>>,
}

impl Stations {
    /// Stations that were not needed yet: nothing is read or parsed here.
    pub(crate) fn new(client: Arc<Client>, kit: Kit, age: Option<Duration>) -> Self {
        let shelf = kit.state.clone().map(Shelf::new);
        Self(Arc::new(Inner {
            client,
            kit,
            shelf,
            age,
            current: Mutex::default(),
            looked: Mutex::default(),
        }))
    }

    /// The catalogue: the newer of the bundled one and the one read last.
    pub(crate) async fn catalogue(&self) -> Arc<Catalogue> {
        if let Some(known) = self.known() {
            return known;
        }
        let inner = Arc::clone(&self.0);
        let loaded = tokio::task::spawn_blocking(move || inner.load()).await;
        // The task fails only when the runtime is stopping.
        let loaded = loaded.unwrap_or_else(|_| Arc::new(shipped()));
        self.adopt(&loaded);
        loaded
    }

    /// What the words in an argument mean.
    pub(crate) async fn place(&self, field: &'static str, query: &str) -> Result<Place, Error> {
        let query = query.trim();
        self.catalogue().await.resolve(query).map_err(|unresolved| {
            let query = query.to_owned();
            match unresolved {
                Unresolved::Ambiguous(candidates) => Error::StationAmbiguous {
                    field,
                    query,
                    candidates,
                },
                Unresolved::NotFound(candidates) => Error::StationNotFound {
                    field,
                    query,
                    candidates,
                },
            }
        })
    }

    /// What the words in an optional argument mean.
    pub(crate) async fn place_if_given(
        &self,
        field: &'static str,
        query: Option<&str>,
    ) -> Result<Option<Place>, Error> {
        match query {
            Some(query) => self.place(field, query).await.map(Some),
            None => Ok(None),
        }
    }

    /// Reads the catalogue from the site in the background, when the one in use is old and no
    /// process has tried since yesterday. Never needed to answer, so a failure is only logged.
    pub(crate) fn refresh_if_old(&self) {
        let Some(known) = self.known() else { return };
        let now = self.0.kit.clock.now();
        let old = self.0.age.is_some_and(|age| {
            known
                .as_of
                .timestamp()
                .saturating_add(age)
                .is_ok_and(|due| due < now)
        });
        let mut looked = self.looked();
        if old && is_due(&mut looked, now) {
            let stations = self.clone();
            tokio::spawn(async move { stations.refresh(now).await });
        }
    }

    async fn refresh(&self, now: Timestamp) {
        let Some(shelf) = self.0.shelf.clone() else {
            return self.read_anew(now, None).await;
        };
        let claimed = tokio::task::spawn_blocking(move || shelf.claim(now, TRY_AGAIN)).await;
        match claimed {
            Ok(Ok(true)) => self.read_anew(now, self.0.shelf.as_ref()).await,
            Ok(Ok(false)) => self.take_over(now).await,
            Ok(Err(error)) => tracing::warn!(%error, "the stations are not refreshed"),
            Err(_) => {}
        }
    }

    /// Another process has tried; what it read serves here too. It may still be reading, so this one
    /// looks again soon.
    async fn take_over(&self, now: Timestamp) {
        let inner = Arc::clone(&self.0);
        let Ok(loaded) = tokio::task::spawn_blocking(move || inner.load()).await else {
            return;
        };
        if self.known().is_none_or(|known| known.as_of < loaded.as_of) {
            self.adopt(&loaded);
        } else {
            *self.looked() = Some(now - TRY_AGAIN + LOOK_AGAIN);
        }
    }

    fn looked(&self) -> MutexGuard<'_, Option<Timestamp>> {
        self.0.looked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn read_anew(&self, now: Timestamp, shelf: Option<&Shelf>) {
        let (script, catalogue) = match self.0.client.catalogue(Moment::of(now)).await {
            Ok(read) => read,
            Err(error) => return tracing::warn!(%error, "the stations were not refreshed"),
        };
        let before = self.known().map_or(0, |known| known.stations().len());
        let fresh = catalogue.stations().len();
        if fresh * 100 < before * LEAST_PERCENT {
            return tracing::warn!(
                fresh,
                before,
                "the new catalogue is too short and was left alone"
            );
        }
        if let Some(shelf) = shelf.cloned() {
            let saved = Saved {
                read_at: now,
                script,
            };
            if let Ok(Err(error)) = tokio::task::spawn_blocking(move || shelf.keep(&saved)).await {
                tracing::warn!(%error, "the stations were not kept for the next start");
            }
        }
        self.adopt(&Arc::new(catalogue));
        tracing::info!(stations = fresh, "the stations were refreshed");
    }

    fn known(&self) -> Option<Arc<Catalogue>> {
        self.0
            .current
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn adopt(&self, catalogue: &Arc<Catalogue>) {
        *self
            .0
            .current
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(catalogue));
    }
}

impl Inner {
    fn load(&self) -> Arc<Catalogue> {
        let shipped = shipped();
        let saved = self.shelf.as_ref().and_then(Shelf::take);
        let saved = saved.and_then(|saved| {
            catalogue(&saved.script, Source::Downloaded, Moment::of(saved.read_at))
                .inspect_err(|drift| tracing::warn!(%drift, "the kept stations are left aside"))
                .ok()
        });
        match saved {
            Some(saved) if saved.as_of > shipped.as_of => Arc::new(saved),
            _ => Arc::new(shipped),
        }
    }
}

/// Whether to look now: of all answers of a process, one in [`TRY_AGAIN`], so that the others need
/// not touch the disk and a process that runs for weeks refreshes again.
fn is_due(looked: &mut Option<Timestamp>, now: Timestamp) -> bool {
    let due = looked.is_none_or(|looked| now < looked || now.duration_since(looked) >= TRY_AGAIN);
    if due {
        *looked = Some(now);
    }
    due
}

/// The catalogue in the program; a test reads it, so that it cannot fail here.
fn shipped() -> Catalogue {
    bundled().unwrap_or_else(|drift| {
        tracing::error!(%drift, "the bundled stations cannot be read");
        Catalogue::new([], Source::Bundled, Moment::of(Timestamp::UNIX_EPOCH))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_looks_once_a_day() {
        let mut looked = None;
        let at = |hours: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours);
        let hours = [0, 1, 23, 24, 25, 47, 72, 71, 72];
        let due = hours.map(|hours| is_due(&mut looked, at(hours)));
        let expected = [true, false, false, true, false, false, true, true, false];
        assert_eq!(due, expected);
    }
}
