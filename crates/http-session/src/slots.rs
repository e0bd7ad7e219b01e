//! When the next request may start, agreed between all processes on one state folder.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use state::StateDir;

/// No upstream is believed when it asks for a longer rest.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(3600);
/// A slot farther ahead was not reserved: the clock has jumped.
const FARTHEST_SLOT: Duration = Duration::from_secs(120);

/// How long the file's lock is waited for: its holders write a few bytes, so a longer hold is a
/// stopped process.
const LOCK_WITHIN: Duration = Duration::from_secs(1);
/// Another process may have read the clock later than one that waited for the lock.
const CLOCK_LAG: Duration = Duration::from_secs(2);

/// What the processes agree on; all times in milliseconds since 1970 by the wall clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Slots {
    /// The first slot that nobody holds.
    next_at: i64,
    started_at: i64,
    paused_until: i64,
}

/// Why there is no slot, with the wait that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The upstream asked for a pause, which lasts.
    Paused(Duration),
    /// Others of our own come first.
    Busy(Duration),
}

/// Reserves slots in a small file, or in memory where there is no usable folder. All calls block.
pub(crate) struct Book {
    pub(crate) interval: Duration,
    pub(crate) max_wait: Duration,
    file: Option<(StateDir, String)>,
    /// Whether the last change reached the file.
    is_shared: AtomicBool,
    lock_within: Duration,
    memory: Mutex<Slots>,
}

impl Book {
    pub(crate) fn new(
        interval: Duration,
        max_wait: Duration,
        file: Option<(StateDir, String)>,
    ) -> Self {
        let is_shared = AtomicBool::new(file.is_some());
        Self {
            interval,
            max_wait,
            file,
            is_shared,
            lock_within: LOCK_WITHIN,
            memory: Mutex::default(),
        }
    }

    /// The time at which a request may start: it does when that is not after `now`, and else asks again
    /// then with the slot it holds. A slot moves when others started late or a pause has begun.
    /// Fails when the wait exceeds the longest one.
    pub(crate) fn reserve(&self, now: i64, held: Option<i64>) -> Result<i64, Refusal> {
        self.change(|slots| {
            slots.forget_jumps(now, self.farthest_slot());
            let spacing = millis(self.interval);
            let free = now.max(slots.started_at + spacing);
            let at = match held.filter(|at| slots.paused_until <= now.max(*at)) {
                Some(at) => at.max(free),
                None => free.max(slots.next_at).max(slots.paused_until),
            };
            let wait = Duration::from_millis(at.abs_diff(now));
            if wait > self.max_wait {
                return Err(if slots.paused_until > now {
                    Refusal::Paused(wait)
                } else {
                    Refusal::Busy(wait)
                });
            }
            if spacing > 0 {
                slots.next_at = slots.next_at.max(at + spacing);
                if at == now {
                    slots.started_at = now;
                }
            }
            Ok(at)
        })
    }

    /// Lets nothing start for a while, which is no longer than the longest pause.
    pub(crate) fn pause(&self, now: i64, pause: Duration) {
        self.change(|slots| {
            slots.forget_jumps(now, self.farthest_slot());
            slots.paused_until = slots.paused_until.max(now + millis(pause));
        });
    }

    fn farthest_slot(&self) -> Duration {
        FARTHEST_SLOT
            .max(self.max_wait)
            .saturating_add(self.interval)
    }

    fn change<T>(&self, step: impl Fn(&mut Slots) -> T) -> T {
        if let Some((folder, name)) = &self.file {
            // A stuck lock costs one wait, not one for each request.
            let within = match self.is_shared.load(Ordering::Relaxed) {
                true => self.lock_within,
                false => Duration::ZERO,
            };
            match self.change_file(folder, name, within, &step) {
                Ok(done) => {
                    self.is_shared.store(true, Ordering::Relaxed);
                    return done;
                }
                Err(error) => {
                    if self.is_shared.swap(false, Ordering::Relaxed) {
                        tracing::warn!(%error, "requests are spaced in this process only");
                    }
                }
            }
        }
        step(&mut self.memory())
    }

    fn change_file<T>(
        &self,
        folder: &StateDir,
        name: &str,
        within: Duration,
        step: impl Fn(&mut Slots) -> T,
    ) -> Result<T, state::Error> {
        let _lock = folder.lock_within(name, within)?;
        let before = match folder.read::<Slots>(name) {
            // Spoilt spacing is not worth an error: it is agreed anew.
            Err(state::Error::Malformed { .. }) => Slots::default(),
            read => read?.unwrap_or_default(),
        };
        // What was agreed on here while the file could not be used holds too.
        let mut after = before.or_later(*self.memory());
        let done = step(&mut after);
        if before != after {
            folder.write(name, &after)?;
        }
        // Should the folder fail later, a pause is still known here.
        *self.memory() = after;
        Ok(done)
    }

    fn memory(&self) -> MutexGuard<'_, Slots> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    /// The later of each time.
    fn or_later(self, other: Self) -> Self {
        Self {
            next_at: self.next_at.max(other.next_at),
            started_at: self.started_at.max(other.started_at),
            paused_until: self.paused_until.max(other.paused_until),
        }
    }

    fn forget_jumps(&mut self, now: i64, farthest_slot: Duration) {
        if self.next_at > now + millis(farthest_slot) {
            self.next_at = 0;
        }
        if self.started_at > now + millis(CLOCK_LAG) {
            self.started_at = 0;
        }
        if self.paused_until > now + millis(LONGEST_PAUSE + CLOCK_LAG) {
            self.paused_until = 0;
        }
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests;
