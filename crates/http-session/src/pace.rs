//! One polite queue in front of an upstream; the only place of the crate that waits.

use std::sync::Arc;
use std::time::Duration;

use state::StateDir;
use state::clock::unix_millis;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Sent};
use crate::slots::{Book, LONGEST_PAUSE, Refusal};

/// A queue of requests: one at a time in this process unless [`Pace::at_once`] says otherwise, in order of
/// asking, and started `interval` apart among all processes on one state folder.
///
/// Sessions that speak to the same upstream share one. Without a usable folder the spacing holds in this
/// process only.
pub struct Pace {
    book: Arc<Book>,
    /// How many may be under way.
    open: Arc<Semaphore>,
    /// The slot of the first in the queue; it is left to the next when the first goes away.
    queue: Arc<Mutex<Option<i64>>>,
    /// Every waiter and the one whose turn it is hold a clone, so their number is known.
    places: Arc<()>,
}

/// Leave to send one request; the next in the queue waits until this is dropped.
pub struct Turn {
    _permit: OwnedSemaphorePermit,
    _place: Arc<()>,
}

impl Pace {
    /// A queue of this process. Zero is no spacing. A turn farther away than `max_wait` is refused.
    pub fn new(interval: Duration, max_wait: Duration) -> Self {
        Self::with(Book::new(interval, max_wait, None))
    }

    /// A queue shared by all processes that use the same file name in the same state folder.
    pub fn shared_in(folder: StateDir, file: &str, interval: Duration, max_wait: Duration) -> Self {
        Self::with(Book::new(
            interval,
            max_wait,
            Some((folder, file.to_owned())),
        ))
    }

    fn with(book: Book) -> Self {
        Self {
            book: Arc::new(book),
            open: Arc::new(Semaphore::new(1)),
            queue: Arc::default(),
            places: Arc::default(),
        }
    }

    /// Lets so many requests of this process be under way at once, at least one.
    #[must_use]
    pub fn at_once(mut self, requests: usize) -> Self {
        self.open = Arc::new(Semaphore::new(requests.max(1)));
        self
    }

    /// Waits for one's turn. Dropping the future gives the place and the slot to the next.
    ///
    /// Fails at once when the wait would exceed the longest one: with [`Error::RateLimited`] in a pause and
    /// with [`Error::Busy`] in a long queue.
    pub async fn turn(&self) -> Result<Turn, Error> {
        let place = Arc::clone(&self.places);
        let ahead = Arc::strong_count(&self.places).saturating_sub(2);
        let Book {
            interval, max_wait, ..
        } = &*self.book;
        let queued = interval.saturating_mul(u32::try_from(ahead).unwrap_or(u32::MAX));
        if queued > *max_wait {
            return Err(Error::busy(queued));
        }
        let permit = Arc::clone(&self.open).acquire_owned().await;
        let Ok(permit) = permit else {
            return Err(Error::busy(Duration::ZERO)); // Nobody closes it.
        };
        let mut queue = Arc::clone(&self.queue).lock_owned().await;
        loop {
            let book = Arc::clone(&self.book);
            // The queue goes along, so that a slot is noted even when nobody waits for it any more.
            let step = move || {
                let now = unix_millis();
                let slot = book.reserve(now, *queue);
                *queue = slot.ok();
                (queue, slot.map(|at| at.abs_diff(now)))
            };
            let Ok((back, wait_millis)) = tokio::task::spawn_blocking(step).await else {
                return Err(Error::busy(Duration::ZERO)); // The runtime stops, nobody asks again.
            };
            queue = back;
            match wait_millis {
                Ok(0) => break,
                Ok(millis) => wait(Duration::from_millis(millis)).await,
                Err(Refusal::Paused(wait)) => return Err(Error::rate_limited(wait, Sent::No)),
                Err(Refusal::Busy(wait)) => return Err(Error::busy(wait)),
            }
        }
        *queue = None;
        Ok(Turn {
            _permit: permit,
            _place: place,
        })
    }

    /// Lets no request start for a while, in all processes, and gives how long: at most an hour.
    pub async fn pause(&self, pause: Duration) -> Duration {
        let pause = pause.min(LONGEST_PAUSE);
        let book = Arc::clone(&self.book);
        let step = move || book.pause(unix_millis(), pause);
        let _stopped = tokio::task::spawn_blocking(step).await;
        pause
    }
}

/// Waits, by the runtime's time.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the one place of the crate that waits"
)]
pub(crate) async fn wait(duration: Duration) {
    tokio::time::sleep(duration).await;
}
