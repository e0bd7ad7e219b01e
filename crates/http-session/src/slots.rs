//! When the next request may start, agreed between all processes on one state folder.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use state::StateDir;

/// No upstream is believed when it asks for a longer rest.
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);
/// A slot farther ahead was not reserved: the clock has jumped.
const FARTHEST_SLOT: Duration = Duration::from_secs(120);

/// What the processes agree on; all times in milliseconds since 1970 by the wall clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Slots {
    /// The first slot that nobody holds.
    next_at: i64,
    started_at: i64,
    paused_until: i64,
}

/// Reserves slots in a small file, or in memory where there is no usable folder. All calls block.
pub(crate) struct Book {
    pub(crate) interval: Duration,
    pub(crate) max_wait: Duration,
    file: Option<(StateDir, String)>,
    is_shared: AtomicBool,
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
            memory: Mutex::default(),
        }
    }

    /// Whether the last change reached the file.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared.load(Ordering::Relaxed)
    }

    /// The time at which a request may start: it does when that is not after `now`, and else asks again
    /// then with the slot it holds. A slot moves when others started late or a pause has begun.
    /// Fails with the wait when that exceeds the longest one.
    pub(crate) fn reserve(&self, now: i64, held: Option<i64>) -> Result<i64, Duration> {
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
                return Err(wait);
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

    /// Lets nothing start for a while, at most an hour.
    pub(crate) fn pause(&self, now: i64, pause: Duration) {
        self.change(|slots| {
            slots.forget_jumps(now, self.farthest_slot());
            slots.paused_until = slots
                .paused_until
                .max(now + millis(pause.min(LONGEST_PAUSE)));
        });
    }

    fn farthest_slot(&self) -> Duration {
        FARTHEST_SLOT
            .max(self.max_wait)
            .saturating_add(self.interval)
    }

    fn change<T>(&self, step: impl Fn(&mut Slots) -> T) -> T {
        if let Some((folder, name)) = &self.file {
            match self.change_file(folder, name, &step) {
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
        step(&mut self.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn change_file<T>(
        &self,
        folder: &StateDir,
        name: &str,
        step: impl Fn(&mut Slots) -> T,
    ) -> Result<T, state::Error> {
        let _lock = folder.lock(name)?;
        let before = match folder.read::<Slots>(name) {
            // Spoilt spacing is not worth an error: it is agreed anew.
            Err(state::Error::Malformed { .. }) => Slots::default(),
            read => read?.unwrap_or_default(),
        };
        let mut after = before;
        let done = step(&mut after);
        if before != after {
            folder.write(name, &after)?;
        }
        // Should the folder fail later, a pause is still known here.
        *self.memory.lock().unwrap_or_else(PoisonError::into_inner) = after;
        Ok(done)
    }
}

impl Slots {
    fn forget_jumps(&mut self, now: i64, farthest_slot: Duration) {
        if self.next_at > now + millis(farthest_slot) {
            self.next_at = 0;
        }
        if self.started_at > now {
            self.started_at = 0;
        }
        if self.paused_until > now + millis(LONGEST_PAUSE) {
            self.paused_until = 0;
        }
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
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
        assert!(one.is_shared());
    }

    #[test]
    fn a_pause_is_seen_by_the_other_process() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (in_folder(folder.path()), in_folder(folder.path()));
        one.pause(NOW, seconds(60));
        one.pause(NOW, seconds(5));
        assert_eq!(
            other.reserve(NOW + 1, None),
            Err(Duration::from_millis(59_999))
        );
        assert_eq!(other.reserve(NOW + 30_000, None), Ok(NOW + 60_000));
        assert_eq!(one.reserve(NOW + 30_000, None), Err(seconds(31)));
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
    fn a_pause_is_an_hour_at_most() {
        let book = Book::new(seconds(1), seconds(30), None);
        book.pause(NOW, seconds(1_000_000));
        assert_eq!(book.reserve(NOW, None), Err(seconds(3_600)));
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
        assert!(!book.is_shared());
    }
    #[test]
    fn a_pause_outlives_the_folder() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("state");
        let book = in_folder(&path);
        book.pause(NOW, seconds(60));
        std::fs::remove_dir_all(&path).unwrap();
        std::fs::write(&path, "").unwrap();
        assert_eq!(book.reserve(NOW, None), Err(seconds(60)));
        assert!(!book.is_shared());
    }
}
