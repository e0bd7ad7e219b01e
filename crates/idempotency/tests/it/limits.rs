//! Rate and cooldown to the millisecond, and the order of the limits.

use std::time::Duration;

use idempotency::{Claim, Cooldown, Error, Limits, Outcome, Places, Quota, Rate, Verdict};
use proptest::prelude::*;
use serde_json::json;

use crate::{Desk, at, call, millis};

const GRANTED: Verdict = Verdict::Granted;

fn refused(retry_after: u64) -> Verdict {
    Verdict::Refused { retry_after }
}

#[test]
fn so_many_in_any_sixty_seconds() {
    let mut desk = Desk::new();
    let (mut two, mut three) = (
        Rate {
            scope: "s",
            per_minute: 2,
        },
        Rate {
            scope: "s",
            per_minute: 3,
        },
    );
    let none = Rate {
        scope: "s",
        per_minute: 0,
    };
    let cases = [
        (0, two, GRANTED),
        (10_500, two, GRANTED),
        (10_500, two, refused(50)),
        (11_000, two, refused(49)),
        (11_001, two, refused(49)),
        (59_000, two, refused(1)),
        (59_999, two, refused(1)),
        // The refused ones were not counted.
        (60_000, two, GRANTED),
        (60_000, two, refused(11)),
        (60_000, none, refused(60)),
        // A rate that was raised and lowered.
        (60_001, three, GRANTED),
        (60_002, two, refused(60)),
        (60_002, three, refused(11)),
        (70_500, three, GRANTED),
        (119_999, two, refused(1)),
        // The clock goes back: what lies ahead counts from then.
        (0, three, refused(60)),
        (59_999, three, refused(1)),
        (60_000, three, GRANTED),
    ];
    for (now, rate, expected) in cases {
        let verdict = desk.book.rate(millis(now), "me", &rate).unwrap();
        assert_eq!(verdict, expected, "{now} {rate:?}");
        desk.restart();
    }
    (two.scope, three.per_minute) = ("other", 1);
    assert_eq!(desk.book.rate(millis(60_000), "me", &two).unwrap(), GRANTED);
    assert_eq!(
        desk.book.rate(millis(60_000), "you", &three).unwrap(),
        GRANTED
    );
}

#[test]
fn so_long_after_the_last() {
    let mut desk = Desk::new();
    let (mut ten, twenty) = (
        Cooldown {
            scope: "tool",
            length: Duration::from_secs(10),
        },
        Cooldown {
            scope: "tool",
            length: Duration::from_secs(20),
        },
    );
    let cases = [
        (0, ten, GRANTED),
        (0, ten, refused(10)),
        (1, ten, refused(10)),
        (9_000, ten, refused(1)),
        (9_999, ten, refused(1)),
        // A refused one starts nothing.
        (10_000, ten, GRANTED),
        (20_000, twenty, refused(10)),
        (30_000, twenty, GRANTED),
        // The clock goes back: it lasts once more from then.
        (-90_000, ten, refused(10)),
        (-85_000, ten, refused(5)),
        (-80_000, ten, GRANTED),
    ];
    for (now, cooldown, expected) in cases {
        let verdict = desk.book.cooldown(millis(now), "me", &cooldown).unwrap();
        assert_eq!(verdict, expected, "{now} {cooldown:?}");
        desk.restart();
    }
    let never = Cooldown {
        scope: "none",
        length: Duration::ZERO,
    };
    let for_ever = Cooldown {
        scope: "none",
        length: Duration::MAX,
    };
    assert_eq!(desk.book.cooldown(at(0), "me", &never).unwrap(), GRANTED);
    assert_eq!(desk.book.cooldown(at(0), "me", &never).unwrap(), GRANTED);
    assert_eq!(
        desk.book.cooldown(at(1_000_000), "me", &for_ever).unwrap(),
        refused(
            u64::try_from(i64::MAX / 4 - 1_000_000_000)
                .unwrap()
                .div_ceil(1000)
        )
    );
    ten.scope = "other tool";
    assert_eq!(
        desk.book.cooldown(millis(-80_000), "me", &ten).unwrap(),
        GRANTED
    );
}

#[test]
fn the_first_limit_in_order_refuses_and_leaves_no_trace() {
    let mut desk = Desk::new();
    let rate = Some(Rate {
        scope: "writes",
        per_minute: 2,
    });
    let cooldown = Some(Cooldown {
        scope: "tool",
        length: Duration::from_secs(10),
    });
    let window = Duration::from_secs(3600);
    let quota = Some(Quota { limit: 1, window });
    let all = Limits {
        rate,
        cooldown,
        quota,
    };
    let Claim::Fresh(hold) = desk.claim(at(0), &all, "A") else {
        panic!("not fresh");
    };
    desk.book.note(at(0), &hold, &json!(null)).unwrap();
    // The token is new, so that what is refused must not have been entered.
    let over = Claim::OverQuota(Places {
        limit: 1,
        used: 0,
        held: 1,
        retry_after: None,
    });
    let expected = [
        (1, Claim::CoolingDown { retry_after: 9 }),
        (9, Claim::CoolingDown { retry_after: 1 }),
        (10, over.clone()),
        (10, over),
    ];
    for (second, expected) in expected {
        assert_eq!(desk.claim(at(second), &all, "B"), expected, "{second}");
    }
    let twice = Limits {
        quota: Some(Quota { limit: 2, window }),
        ..all
    };
    let claim = desk.claim(at(10), &twice, "B");
    assert!(matches!(claim, Claim::Fresh(_)), "{claim:?}");
    assert_eq!(
        desk.claim(at(11), &all, "C"),
        Claim::RateLimited { retry_after: 49 }
    );
    assert_eq!(
        desk.claim(at(60), &all, "C"),
        Claim::OverQuota(Places {
            limit: 1,
            used: 0,
            held: 2,
            retry_after: None
        })
    );
}

#[test]
fn what_is_given_back_does_not_count() {
    let mut desk = Desk::new();
    let length = Duration::from_secs(30);
    let scope = "writes";
    let one = Limits {
        rate: Some(Rate {
            scope,
            per_minute: 2,
        }),
        cooldown: Some(Cooldown { scope, length }),
        ..Limits::default()
    };
    let fresh = |desk: &mut Desk, second, token: &str| match desk.claim(at(second), &one, token) {
        Claim::Fresh(hold) => hold,
        other => panic!("{token}: {other:?}"),
    };
    let sent = fresh(&mut desk, 0, "A");
    desk.book.note(at(0), &sent, &json!(null)).unwrap();
    for second in 30..40 {
        let hold = fresh(&mut desk, second, "B");
        // While it is held it counts.
        assert_eq!(
            desk.claim(at(second), &one, "C"),
            Claim::RateLimited {
                retry_after: 60 - u64::try_from(second).unwrap()
            }
        );
        desk.book.release(&hold).unwrap();
    }
    // Neither did the first one lose its place.
    let hold = fresh(&mut desk, 40, "B");
    desk.book.note(at(40), &hold, &json!(null)).unwrap();
    let released = desk.book.release(&hold);
    assert!(matches!(released, Err(Error::Noted)), "{released:?}");
    assert_eq!(
        desk.claim(at(41), &one, "C"),
        Claim::RateLimited { retry_after: 19 }
    );
    assert_eq!(
        desk.claim(at(61), &one, "C"),
        Claim::CoolingDown { retry_after: 9 }
    );
}

#[test]
fn what_sends_nothing_is_limited_and_does_not_count() {
    let mut desk = Desk::new();
    let one = Limits {
        rate: Some(Rate {
            scope: "writes",
            per_minute: 1,
        }),
        cooldown: Some(Cooldown {
            scope: "tool",
            length: Duration::from_secs(90),
        }),
        ..Limits::default()
    };
    let Claim::Fresh(hold) = desk.claim(at(0), &one, "A") else {
        panic!("not fresh");
    };
    assert_eq!(
        desk.claim(at(59), &one, "A"),
        Claim::RateLimited { retry_after: 1 }
    );
    assert_eq!(
        desk.claim(at(89), &one, "A"),
        Claim::CoolingDown { retry_after: 1 }
    );
    // Its lease ran out and it had sent nothing: given back, and fresh at once.
    let Claim::Unknown(again, _) = desk.claim(at(90), &one, "A") else {
        panic!("not in doubt");
    };
    assert_ne!(again, hold);
    desk.book.release(&again).unwrap();
    let Claim::Fresh(hold) = desk.claim(at(90), &one, "A") else {
        panic!("not fresh");
    };
    desk.book.note(at(91), &hold, &json!(null)).unwrap();
    // Settling counts, since it may send.
    assert!(matches!(desk.claim(at(180), &one, "A"), Claim::Unknown(..)));
    assert_eq!(
        desk.claim(at(239), &one, "A"),
        Claim::RateLimited { retry_after: 1 }
    );
    let until = at(240);
    desk.book
        .settle(until, &hold, &Outcome::Done(json!("r")))
        .unwrap();
    let replay = Claim::Done {
        result: json!("r"),
        call: call("A"),
    };
    for second in [270, 270, 271] {
        assert_eq!(desk.claim(at(second), &one, "A"), replay);
    }
    assert!(matches!(desk.claim(at(271), &one, "B"), Claim::Fresh(_)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Against a list of all that were granted.
    #[test]
    fn rate_and_cooldown_agree_with_a_list(
        steps in prop::collection::vec((0..30_000i64, 1..4u32, 0..40u64), 1..40)
    ) {
        let mut desk = Desk::new();
        let (mut now, mut rated, mut cooled) = (0, vec![], vec![]);
        for (step, per_minute, seconds) in steps {
            now += step;
            let recent: Vec<i64> = rated.iter().rev().copied().take_while(|then| then + 60_000 > now).collect();
            let expected = match recent.get(per_minute as usize - 1) {
                None => { rated.push(now); GRANTED }
                Some(then) => refused(((then + 60_000 - now) as u64).div_ceil(1000)),
            };
            let rate = Rate { scope: "s", per_minute };
            prop_assert_eq!(desk.book.rate(millis(now), "me", &rate).unwrap(), expected);

            let left = cooled.last().map_or(0, |then: &i64| then + 1000 * seconds as i64 - now);
            let expected = if left > 0 { refused((left as u64).div_ceil(1000)) } else { cooled.push(now); GRANTED };
            let cooldown = Cooldown { scope: "s", length: Duration::from_secs(seconds) };
            prop_assert_eq!(desk.book.cooldown(millis(now), "me", &cooldown).unwrap(), expected);
        }
    }
}
