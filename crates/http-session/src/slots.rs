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
mod tests {
    use std::time::Instant;

    use super::Refusal::{Busy, Paused};
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn in_folder(path: &std::path::Path) -> Book {
        let file = Some((StateDir::at(path.to_owned()), "pace.json".to_owned()));
        Book::new(seconds(1), seconds(30), file)
    }

    #[test]
    fn two_processes_get_slots_one_interval_apart() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (in_folder(folder.path()), in_folder(folder.path()));
        let slots = [
            one.reserve(NOW, None),
            other.reserve(NOW + 100, None),
            one.reserve(NOW + 200, None),
            other.reserve(NOW + 5_000, None),
        ];
        assert_eq!(
            slots,
            [Ok(NOW), Ok(NOW + 1_000), Ok(NOW + 2_000), Ok(NOW + 5_000)]
        );
    }

    #[test]
    fn a_pause_is_seen_by_the_other_process() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (in_folder(folder.path()), in_folder(folder.path()));
        one.pause(NOW, seconds(60));
        one.pause(NOW, seconds(5));
        assert_eq!(
            other.reserve(NOW + 1, None),
            Err(Paused(Duration::from_millis(59_999)))
        );
        assert_eq!(other.reserve(NOW + 30_000, None), Ok(NOW + 60_000));
        assert_eq!(one.reserve(NOW + 30_000, None), Err(Paused(seconds(31))));
        assert_eq!(one.reserve(NOW + 62_000, None), Ok(NOW + 62_000));
    }

    #[test]
    fn a_held_slot_is_kept_unless_a_pause_began() {
        let book = Book::new(seconds(1), seconds(30), None);
        assert_eq!(book.reserve(NOW, None), Ok(NOW));
        assert_eq!(book.reserve(NOW, None), Ok(NOW + 1_000));
        assert_eq!(book.reserve(NOW + 500, Some(NOW + 1_000)), Ok(NOW + 1_000));
        book.pause(NOW + 600, seconds(10));
        assert_eq!(
            book.reserve(NOW + 1_003, Some(NOW + 1_000)),
            Ok(NOW + 10_600)
        );
    }

    #[test]
    fn a_late_start_moves_the_slots_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (in_folder(folder.path()), in_folder(folder.path()));
        let reserved = [0, 1, 2].map(|_| one.reserve(NOW, None));
        assert_eq!(reserved, [Ok(NOW), Ok(NOW + 1_000), Ok(NOW + 2_000)]);
        assert_eq!(one.reserve(NOW + 1_700, Some(NOW + 1_000)), Ok(NOW + 1_700));
        assert_eq!(
            other.reserve(NOW + 2_001, Some(NOW + 2_000)),
            Ok(NOW + 2_700)
        );
        assert_eq!(
            other.reserve(NOW + 2_700, Some(NOW + 2_700)),
            Ok(NOW + 2_700)
        );
        assert_eq!(one.reserve(NOW + 2_701, None), Ok(NOW + 3_700));
    }

    #[test]
    fn times_far_ahead_are_a_jumped_clock_and_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let book = in_folder(folder.path());
        let day = 86_400_000;
        let planted = Slots {
            next_at: NOW + day,
            started_at: NOW + day,
            paused_until: NOW + day,
        };
        StateDir::at(folder.path().to_owned())
            .write("pace.json", &planted)
            .unwrap();
        assert_eq!(book.reserve(NOW, None), Ok(NOW));
        assert_eq!(book.reserve(NOW, None), Ok(NOW + 1_000));
    }

    #[test]
    fn the_longest_pause_is_no_jump_of_the_clock() {
        let book = Book::new(seconds(1), seconds(30), None);
        book.pause(NOW, LONGEST_PAUSE);
        assert_eq!(book.reserve(NOW, None), Err(Paused(seconds(3_600))));
    }

    #[test]
    fn the_longest_pause_holds_for_one_who_read_the_clock_before() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (in_folder(folder.path()), in_folder(folder.path()));
        one.pause(NOW, seconds(3_600));
        assert_eq!(
            other.reserve(NOW - 900, None),
            Err(Paused(Duration::from_millis(3_600_900)))
        );
    }

    #[test]
    fn a_pause_met_without_the_folder_is_told_when_it_is_back() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("state");
        std::fs::write(&path, "").unwrap();
        let book = in_folder(&path);
        book.pause(NOW, seconds(60));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(book.reserve(NOW, None), Err(Paused(seconds(60))));
        book.pause(NOW, seconds(1));
        let next = in_folder(&path);
        assert_eq!(next.reserve(NOW, None), Err(Paused(seconds(60))));
    }

    #[test]
    fn no_interval_means_no_spacing_and_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = Some((
            StateDir::at(folder.path().to_owned()),
            "pace.json".to_owned(),
        ));
        let book = Book::new(Duration::ZERO, seconds(30), file);
        assert_eq!(
            [book.reserve(NOW, None), book.reserve(NOW, None)],
            [Ok(NOW), Ok(NOW)]
        );
        assert!(!folder.path().join("pace.json").exists());
    }

    #[test]
    fn a_spoilt_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("pace.json"), "{").unwrap();
        let (one, other) = (in_folder(folder.path()), in_folder(folder.path()));
        assert_eq!(
            [one.reserve(NOW, None), other.reserve(NOW, None)],
            [Ok(NOW), Ok(NOW + 1_000)]
        );
    }

    #[test]
    fn without_a_usable_folder_the_spacing_is_kept_here() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let book = in_folder(file.path());
        assert_eq!(
            [book.reserve(NOW, None), book.reserve(NOW, None)],
            [Ok(NOW), Ok(NOW + 1_000)]
        );
    }

    #[test]
    fn a_pause_outlives_the_folder() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("state");
        let book = in_folder(&path);
        book.pause(NOW, seconds(60));
        std::fs::remove_dir_all(&path).unwrap();
        std::fs::write(&path, "").unwrap();
        assert_eq!(book.reserve(NOW, None), Err(Paused(seconds(60))));
    }

    #[test]
    fn a_held_lock_costs_one_short_wait_and_the_spacing_is_kept_here() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = in_folder(folder.path());
        book.lock_within = Duration::from_millis(200);
        let stopped = StateDir::at(folder.path().to_owned()).lock("pace.json");
        let began = Instant::now();
        assert_eq!(book.reserve(NOW, None), Ok(NOW));
        assert!(began.elapsed() >= book.lock_within);
        let began = Instant::now();
        assert_eq!(book.reserve(NOW, None), Ok(NOW + 1_000));
        book.pause(NOW, seconds(60));
        assert_eq!(book.reserve(NOW, None), Err(Paused(seconds(60))));
        assert!(began.elapsed() < book.lock_within);
        assert!(!folder.path().join("pace.json").exists());
        drop(stopped.unwrap());
        assert_eq!(book.reserve(NOW, None), Err(Paused(seconds(60))));
        book.pause(NOW, seconds(90));
        let other = in_folder(folder.path());
        assert_eq!(other.reserve(NOW, None), Err(Paused(seconds(90))));
    }

    #[test]
    fn a_long_queue_is_told_from_a_pause() {
        let book = Book::new(seconds(20), seconds(30), None);
        let slots = [0, 1, 2].map(|_| book.reserve(NOW, None));
        let expected = [Ok(NOW), Ok(NOW + 20_000), Err(Busy(seconds(40)))];
        assert_eq!(slots, expected);
        book.pause(NOW, seconds(31));
        assert_eq!(book.reserve(NOW, None), Err(Paused(seconds(40))));
    }

    #[test]
    fn a_start_is_respected_by_one_who_read_the_clock_before() {
        let book = Book::new(seconds(1), seconds(30), None);
        assert_eq!(book.reserve(NOW, None), Ok(NOW));
        assert_eq!(book.reserve(NOW - 1, Some(NOW - 1)), Ok(NOW + 1_000));
    }
}
