//! Many at once, each with a connection of its own, as processes have.

use std::{
    sync::{Arc, Barrier},
    thread,
    time::Duration,
};

use idempotency::{Book, Claim, Cooldown, Limits, Quota, Rate, Verdict};
use serde_json::Value;

use crate::{Desk, LEASE, at, call, key};

/// Lets eight do the same at once, and gives what each got.
fn eight<T: Send + 'static>(
    desk: &Desk,
    act: impl Fn(&mut Book, usize) -> T + Send + Sync + 'static,
) -> Vec<T> {
    let (start, act) = (Arc::new(Barrier::new(8)), Arc::new(act));
    let racers: Vec<_> = (0..8)
        .map(|who| {
            let (start, act) = (Arc::clone(&start), Arc::clone(&act));
            let mut book = Book::open(&desk.path).unwrap();
            thread::spawn(move || {
                start.wait();
                act(&mut book, who)
            })
        })
        .collect();
    racers
        .into_iter()
        .map(|racer| racer.join().unwrap())
        .collect()
}

fn count<T>(all: &[T], which: impl Fn(&&T) -> bool) -> usize {
    all.iter().filter(which).count()
}

#[test]
fn one_of_eight_finds_a_token_fresh_and_one_settles_it() {
    for _ in 0..5 {
        let mut desk = Desk::new();
        for (second, unknown) in [(0, false), (60, true), (120, true)] {
            let claims = eight(&desk, move |book, who| {
                let call = call(&who.to_string());
                book.claim(at(second), &Limits::default(), &key("t"), "h", call, LEASE)
                    .unwrap()
            });
            let winners: Vec<_> = claims
                .iter()
                .filter_map(|claim| match claim {
                    Claim::Fresh(hold) if !unknown => Some(hold),
                    Claim::Unknown(hold, _) if unknown => Some(hold),
                    _ => None,
                })
                .collect();
            assert_eq!(winners.len(), 1, "{claims:?}");
            let (call, until) = (winners[0].call(), winners[0].until());
            let others = Claim::InProgress { call, until };
            assert_eq!(count(&claims, |claim| **claim == others), 7);
            if second == 0 {
                desk.book.note(at(1), winners[0], &Value::Null).unwrap();
            }
        }
    }
}

#[test]
fn no_place_is_taken_twice() {
    let quota = Some(Quota {
        limit: 3,
        window: Duration::from_secs(86400),
    });
    let desk = Desk::new();
    let claims = eight(&desk, move |book, who| {
        let (name, limits) = (
            who.to_string(),
            Limits {
                quota,
                ..Limits::default()
            },
        );
        book.claim(at(0), &limits, &key(&name), "h", call(&name), LEASE)
            .unwrap()
    });
    let fresh = count(&claims, |claim| matches!(claim, Claim::Fresh(_)));
    let over = count(&claims, |claim| matches!(claim, Claim::OverQuota(_)));
    assert_eq!((fresh, over), (3, 5), "{claims:?}");
}

#[test]
fn rate_and_cooldown_count_each_once() {
    let desk = Desk::new();
    let rated = eight(&desk, |book, _| {
        let rate = Rate {
            scope: "writes",
            per_minute: 5,
        };
        book.rate(at(0), "me", &rate).unwrap()
    });
    assert_eq!(count(&rated, |verdict| **verdict == Verdict::Granted), 5);
    let cooled = eight(&desk, |book, _| {
        let cooldown = Cooldown {
            scope: "tool",
            length: Duration::from_secs(10),
        };
        book.cooldown(at(0), "me", &cooldown).unwrap()
    });
    assert_eq!(count(&cooled, |verdict| **verdict == Verdict::Granted), 1);
}
