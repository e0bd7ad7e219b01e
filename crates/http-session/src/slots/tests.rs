//! Slots of two processes, pauses, jumped clocks, and folders that cannot be used.

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
