//! Equal reads under way share one request, and a result is kept for a short time.

use std::collections::HashMap;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::{BoxFuture, Shared, WeakShared};
use tokio::time::Instant;

/// `None` after a panic: one that left the shared future would leave its other waiters asleep.
type Read<V, E> = BoxFuture<'static, Option<Result<V, E>>>;

/// Joins equal reads and keeps their results.
///
/// No task is started: a joined read runs inside whichever of its callers is polled. It goes on while one
/// caller is left and is dropped with the last. A failure or a panic reaches all who wait and is not kept.
pub struct Joined<K, V, E> {
    entries: Mutex<HashMap<K, Entry<V, E>>>,
    keep: Duration,
    capacity: usize,
}

enum Entry<V, E> {
    UnderWay(WeakShared<Read<V, E>>),
    Kept { value: V, until: Instant },
}

impl<K, V, E> Joined<K, V, E>
where
    K: Eq + Hash + Clone,
    V: Clone + 'static,
    E: Clone + 'static,
{
    /// Keeps at most `capacity` results, each for the time `keep`.
    pub fn new(keep: Duration, capacity: usize) -> Self {
        Self {
            entries: Mutex::default(),
            keep,
            capacity,
        }
    }

    /// The kept result, else that of the equal read under way, else that of a new `read`.
    pub async fn get<F>(&self, key: K, read: impl FnOnce() -> F) -> Result<V, E>
    where
        F: Future<Output = Result<V, E>> + Send + 'static,
    {
        let shared = match self.find_or_start(&key, read) {
            Ok(value) => return Ok(value),
            Err(shared) => shared,
        };
        let outcome = shared.clone().await;
        self.settle(key, &shared, &outcome);
        outcome.unwrap_or_else(|| resume_unwind(Box::new("a joined read panicked")))
    }

    /// Drops the kept result if it is `unfit`, so that the next caller reads anew. A read under way
    /// stays.
    pub fn forget_if(&self, key: &K, unfit: impl FnOnce(&V) -> bool) {
        let mut entries = self.entries();
        if let Some(Entry::Kept { value, .. }) = entries.get(key)
            && unfit(value)
        {
            entries.remove(key);
        }
    }

    fn find_or_start<F>(&self, key: &K, read: impl FnOnce() -> F) -> Result<V, Shared<Read<V, E>>>
    where
        F: Future<Output = Result<V, E>> + Send + 'static,
    {
        let mut entries = self.entries();
        match entries.get(key) {
            Some(Entry::Kept { value, until }) if *until > Instant::now() => {
                return Ok(value.clone());
            }
            Some(Entry::UnderWay(weak)) => {
                if let Some(shared) = weak.upgrade() {
                    return Err(shared);
                }
            }
            Some(Entry::Kept { .. }) | None => {}
        }
        let shared = AssertUnwindSafe(read())
            .catch_unwind()
            .map(Result::ok)
            .boxed()
            .shared();
        if let Some(weak) = shared.downgrade() {
            self.make_room(&mut entries);
            entries.insert(key.clone(), Entry::UnderWay(weak));
        }
        Err(shared)
    }

    /// Puts the outcome in the place of its read; the first of the callers to get here does it.
    fn settle(&self, key: K, shared: &Shared<Read<V, E>>, outcome: &Option<Result<V, E>>) {
        let mut entries = self.entries();
        match entries.get(&key) {
            Some(Entry::UnderWay(weak)) if weak.upgrade().is_some_and(|own| own.ptr_eq(shared)) => {
            }
            _ => return,
        }
        match outcome {
            Some(Ok(value)) => {
                let kept = Entry::Kept {
                    value: value.clone(),
                    until: Instant::now() + self.keep,
                };
                entries.insert(key, kept);
            }
            Some(Err(_)) | None => {
                entries.remove(&key);
            }
        }
    }

    /// Reads under way stay: their number is that of the callers.
    fn make_room(&self, entries: &mut HashMap<K, Entry<V, E>>) {
        let now = Instant::now();
        entries.retain(|_, entry| match entry {
            Entry::UnderWay(weak) => weak.upgrade().is_some(),
            Entry::Kept { until, .. } => *until > now,
        });
        while entries.len() >= self.capacity {
            let kept = entries.iter().filter_map(|(key, entry)| match entry {
                Entry::UnderWay(_) => None,
                Entry::Kept { until, .. } => Some((*until, key)),
            });
            let Some(oldest) = kept
                .min_by_key(|(until, _)| *until)
                .map(|(_, key)| key.clone())
            else {
                return;
            };
            entries.remove(&oldest);
        }
    }

    /// A panic of a caller's `read` leaves the map as it was, so it stays usable.
    fn entries(&self) -> MutexGuard<'_, HashMap<K, Entry<V, E>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
