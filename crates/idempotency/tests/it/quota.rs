//! Places: when one is taken, held and free again, to the second.

use std::time::Duration;

use idempotency::{Book, Claim, Hold, LONGEST_LEASE, Limits, Outcome, Places, Quota};
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Desk, LEASE, at, call, key};

const DAY: i64 = 86_400;

fn limits(limit: u32) -> Limits<'static> {
    let window = Duration::from_secs(DAY as u64);
    Limits {
        quota: Some(Quota { limit, window }),
        ..Limits::default()
    }
}

impl Desk {
    fn fresh(&mut self, second: i64, limit: u32, token: &str) -> Hold {
        match self.claim(at(second), &limits(limit), token) {
            Claim::Fresh(hold) => hold,
            other => panic!("{token}: {other:?}"),
        }
    }

    fn sent(&mut self, second: i64, limit: u32, token: &str) -> Hold {
        let hold = self.fresh(second, limit, token);
        self.book.note(at(second), &hold, &Value::Null).unwrap();
        hold
    }

    fn settle(&mut self, second: i64, hold: &Hold, outcome: Outcome) {
        self.book.settle(at(second), hold, &outcome).unwrap();
    }

    /// Used, held, and the seconds until one is free.
    fn places(&self, second: i64, limit: u32) -> (u32, u32, Option<u64>) {
        let quota = limits(limit).quota.unwrap();
        let places = self.book.places(at(second), "me", "create_thread", &quota);
        let Places {
            limit: same,
            used,
            held,
            retry_after,
        } = places.unwrap();
        assert_eq!(same, limit);
        (used, held, retry_after)
    }

    fn is_refused(&mut self, second: i64, limit: u32, token: &str) -> bool {
        matches!(
            self.claim(at(second), &limits(limit), token),
            Claim::OverQuota(_)
        )
    }
}

fn done() -> Outcome {
    Outcome::Done(json!("r"))
}

#[test]
fn a_write_that_happened_takes_a_place_for_the_window() {
    let mut desk = Desk::new();
    assert_eq!(desk.places(0, 1), (0, 0, Some(0)));
    let hold = desk.sent(0, 1, "A");
    desk.settle(2, &hold, done());
    let cases = [
        (2, 1, (1, 0, Some(86_400))),
        (3, 1, (1, 0, Some(86_399))),
        (3, 2, (1, 0, Some(0))),
        (3, 0, (1, 0, None)),
        (DAY + 1, 1, (1, 0, Some(1))),
        (DAY + 2, 1, (0, 0, Some(0))),
    ];
    for (second, limit, expected) in cases {
        assert_eq!(desk.places(second, limit), expected, "{second} {limit}");
    }
    assert!(desk.is_refused(DAY + 1, 1, "B"));
    desk.fresh(DAY + 2, 1, "B");
}

#[test]
fn a_reservation_holds_a_place_until_it_is_given_back_or_its_lease_ends() {
    let mut desk = Desk::new();
    let hold = desk.fresh(0, 1, "A");
    assert_eq!(desk.places(0, 1), (0, 1, Some(60)));
    assert!(desk.is_refused(1, 1, "B"));
    desk.book.release(&hold).unwrap();
    assert_eq!(desk.places(1, 1), (0, 0, Some(0)));

    let hold = desk.sent(2, 1, "A");
    assert_eq!(desk.places(2, 1), (0, 1, None));
    desk.settle(3, &hold, Outcome::Nothing);
    assert_eq!(desk.places(3, 1), (0, 0, Some(0)));

    // Its process ended: the place is free again, and cannot be used by who comes back.
    let hold = desk.fresh(10, 1, "A");
    assert_eq!(desk.places(69, 1), (0, 1, Some(1)));
    assert!(desk.is_refused(69, 1, "B"));
    desk.fresh(70, 1, "B");
    assert!(desk.book.note(at(70), &hold, &Value::Null).is_err());
    // Settling it takes no place either: nothing can be sent under it.
    let Claim::Unknown(hold, _) = desk.claim(at(71), &limits(1), "A") else {
        panic!("not in doubt");
    };
    assert!(desk.book.note(at(71), &hold, &Value::Null).is_err());
    assert_eq!(desk.places(71, 1), (0, 1, Some(59)));
}

#[test]
fn no_reservation_is_longer_than_the_longest_lease() {
    let mut desk = Desk::new();
    let claim = desk
        .book
        .claim(at(0), &limits(1), &key("A"), "h", call("A"), LEASE * 1000);
    assert!(matches!(claim, Ok(Claim::Fresh(_))), "{claim:?}");
    assert_eq!(LONGEST_LEASE, Duration::from_secs(300));
    assert_eq!(desk.places(0, 1), (0, 1, Some(300)));
    assert!(desk.is_refused(299, 1, "B"));
    desk.fresh(300, 1, "B");
}

#[test]
fn an_unknown_write_keeps_its_place_until_it_is_settled() {
    let mut desk = Desk::new();
    let vanished = desk.sent(0, 2, "A");
    let lost = desk.sent(0, 2, "B");
    desk.settle(5, &lost, Outcome::Unknown);
    for second in [6, 60, 61, 40 * DAY] {
        assert_eq!(desk.places(second, 2), (0, 2, None), "{second}");
        assert!(desk.is_refused(second, 2, "C"));
    }
    desk.book.prune(at(40 * DAY)).unwrap();
    assert!(desk.is_refused(40 * DAY, 2, "C"));
    // That it happened comes out long after: it happened then, and its day is over.
    desk.settle(40 * DAY, &lost, done());
    assert_eq!(desk.places(40 * DAY, 2), (0, 1, Some(0)));
    desk.settle(40 * DAY, &vanished, Outcome::Nothing);
    assert_eq!(desk.places(40 * DAY, 2), (0, 0, Some(0)));
}

#[test]
fn a_write_that_was_in_doubt_counts_from_when_it_was_sent_last() {
    let mut desk = Desk::new();
    let hold = desk.sent(0, 1, "A");
    desk.settle(5, &hold, Outcome::Unknown);
    let Claim::Unknown(hold, _) = desk.claim(at(100), &limits(1), "A") else {
        panic!("not in doubt");
    };
    desk.settle(110, &hold, done());
    assert_eq!(desk.places(110, 1), (1, 0, Some(86_400 - 105)));

    let hold = desk.sent(2 * DAY, 1, "B");
    desk.settle(2 * DAY + 5, &hold, Outcome::Unknown);
    let Claim::Unknown(hold, _) = desk.claim(at(2 * DAY + 100), &limits(1), "B") else {
        panic!("not in doubt");
    };
    desk.book
        .note(at(2 * DAY + 100), &hold, &Value::Null)
        .unwrap();
    desk.settle(2 * DAY + 110, &hold, done());
    assert_eq!(desk.places(2 * DAY + 110, 1), (1, 0, Some(86_400)));
}

#[test]
fn a_replay_takes_no_place_and_needs_none() {
    let mut desk = Desk::new();
    let hold = desk.sent(0, 1, "A");
    desk.settle(1, &hold, done());
    let replay = Claim::Done {
        result: json!("r"),
        call: call("A"),
    };
    assert_eq!(desk.claim(at(2), &limits(1), "A"), replay);
    assert_eq!(desk.places(2, 1), (1, 0, Some(86_399)));
}

#[test]
fn the_next_place_is_the_one_that_counts_against_the_limit() {
    let mut desk = Desk::new();
    for (second, token) in [(0, "A"), (10, "B"), (20, "C")] {
        let hold = desk.sent(second, 9, token);
        desk.settle(second, &hold, done());
    }
    desk.sent(30, 9, "D");
    let cases = [
        (5, Some(0)),
        (4, Some(86_360)),
        (3, Some(86_370)),
        (2, Some(86_380)),
        (1, None),
        (0, None),
    ];
    for (limit, expected) in cases {
        assert_eq!(desk.places(40, limit), (3, 1, expected), "{limit}");
    }
}

#[test]
fn a_clock_that_goes_back_holds_a_place_for_one_window_more() {
    let mut desk = Desk::new();
    let hold = desk.sent(9 * DAY, 3, "A");
    desk.settle(9 * DAY, &hold, done());
    desk.fresh(9 * DAY, 3, "B");
    assert_eq!(desk.places(0, 2), (1, 1, Some(86_400)));
    assert!(desk.is_refused(0, 2, "C"));
    assert!(desk.is_refused(59, 2, "C"));
    desk.fresh(60, 2, "C");
    assert_eq!(desk.places(DAY - 1, 1), (1, 0, Some(1)));
    assert_eq!(desk.places(DAY, 1), (0, 0, Some(0)));
}

/// One write of the property test.
#[derive(Debug, Clone)]
struct Try {
    after: i64,
    ends: u8,
}

fn tries() -> impl Strategy<Value = Vec<Try>> {
    prop::collection::vec(
        (0..20_000i64, 0..6u8).prop_map(|(after, ends)| Try { after, ends }),
        1..25,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Whatever happens to the writes, no window holds more of them than there are places, and who
    /// waits as long as told, and not a second less, gets one.
    #[test]
    fn no_window_holds_more_than_the_limit(tries in tries(), limit in 1..4u32) {
        let mut desk = Desk::new();
        let (mut now, mut happened) = (0, Vec::<i64>::new());
        for (number, attempt) in tries.into_iter().enumerate() {
            now += attempt.after;
            let token = format!("t{number}");
            let mut claim = desk.claim(at(now), &limits(limit), &token);
            if let Claim::OverQuota(Places { retry_after, .. }) = claim {
                let Some(wait) = retry_after else { continue };
                let end = now + wait as i64;
                prop_assert!(desk.is_refused(end - 1, limit, &token));
                now = end;
                claim = desk.claim(at(now), &limits(limit), &token);
            }
            let Claim::Fresh(hold) = claim else { panic!("{claim:?}") };
            let sent = write(&mut desk.book, at(now), &hold, attempt.ends);
            happened.extend(sent.then_some(now));
            let recent = happened.iter().filter(|then| **then + DAY > now).count();
            prop_assert!(recent <= limit as usize, "{happened:?}");
        }
    }
}

/// Ends a write in one of six ways; whether it happened.
fn write(book: &mut Book, now: Timestamp, hold: &Hold, ends: u8) -> bool {
    if ends > 1 {
        book.note(now, hold, &Value::Null).unwrap();
    }
    let outcome = match ends {
        // Its process ends before or after sending.
        0 => return false,
        2 => return true,
        1 => {
            book.release(hold).unwrap();
            return false;
        }
        3 => Outcome::Nothing,
        4 => Outcome::Unknown,
        _ => done(),
    };
    book.settle(now, hold, &outcome).unwrap();
    ends > 3
}
