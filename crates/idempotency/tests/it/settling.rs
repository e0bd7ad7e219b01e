//! The settle rules against services that read back, deduplicate, or do neither, with callers that
//! are stopped between any two steps.

use std::{cell::RefCell, time::Duration};

use idempotency::{Answer, Attempt, Doubt, Next, Note, Outcome, Upstream};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    Desk, at, call,
    driver::{Driver, Report, World},
    key,
    toy::{FATES, Fate, KINDS},
};

/// What happens next.
#[derive(Debug, Clone)]
enum Event {
    Start,
    Step { who: usize, fate: Fate, late: bool },
    Kill { who: usize },
    Clock { seconds: i64 },
}

/// Mostly steps, and mostly unlucky ones: once a write is done and stored, little happens any more.
fn events() -> impl Strategy<Value = Vec<Event>> {
    let who = 0..3usize;
    let fate = prop_oneof![
        1 => Just(Fate::IsLost),
        1 => Just(Fate::AnswerIsLost),
        1 => prop::sample::select(FATES),
    ];
    let step = (who.clone(), fate, any::<bool>()).prop_map(|(who, fate, late)| Event::Step {
        who,
        fate,
        late,
    });
    let seconds = prop_oneof![
        3 => Just(60i64),
        1 => 0..60i64,
        1 => -200..0i64,
        1 => 600..1100i64,
    ];
    let event = prop_oneof![
        3 => Just(Event::Start),
        12 => step,
        1 => who.prop_map(|who| Event::Kill { who }),
        3 => seconds.prop_map(|seconds| Event::Clock { seconds }),
    ];
    prop::collection::vec(event, 10..60)
}

thread_local! {
    /// One book for all cases, each with a token of its own: opening one takes longer than a case.
    static BOOK: RefCell<(Desk, u128)> = RefCell::new((Desk::new(), 0));
}

proptest! {
    // `PROPTEST_CASES` asks for more.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(1000)))]

    #[test]
    fn a_write_happens_at_most_once_and_nobody_is_told_otherwise(
        kind in prop::sample::select(KINDS),
        events in events(),
    ) {
        BOOK.with_borrow_mut(|(desk, calls)| {
            let token = format!("token-{calls}");
            Case::new(desk, calls, kind, &token).play(&events);
        });
    }
}

/// One token, with all who call for it.
struct Case<'a> {
    desk: &'a mut Desk,
    calls: &'a mut u128,
    world: World,
    drivers: Vec<Driver>,
    /// What was told first, and is to be told to all.
    success: Option<Value>,
}

impl<'a> Case<'a> {
    fn new(desk: &'a mut Desk, calls: &'a mut u128, kind: Upstream, token: &str) -> Self {
        Self {
            desk,
            calls,
            world: World::new(kind, key(token)),
            drivers: vec![],
            success: None,
        }
    }

    fn play(mut self, events: &[Event]) {
        self.start();
        for event in events {
            match *event {
                Event::Start => self.start(),
                Event::Step { who, fate, late } => {
                    self.step(who, fate, late);
                }
                Event::Kill { who } if who < self.drivers.len() => {
                    self.drivers.remove(who);
                }
                Event::Kill { .. } => {}
                Event::Clock { seconds } => self.pass(seconds),
            }
        }
        self.finish();
    }

    /// A service that forgets is asked again by the age of a note: that needs a clock that does not go
    /// back, and callers that look at it before they send.
    fn forgets(&self) -> bool {
        let remembers = self.world.toy.offers.remembers;
        remembers.is_some_and(|memory| memory < Duration::MAX)
    }

    fn pass(&mut self, seconds: i64) {
        let back = seconds < 0;
        if !(back && self.forgets()) {
            self.world.now += seconds;
        }
    }

    fn start(&mut self) {
        if self.drivers.len() < 3 {
            *self.calls += 1;
            self.drivers.push(Driver::new(*self.calls));
        }
    }

    fn step(&mut self, who: usize, fate: Fate, late: bool) -> Option<Report> {
        let late = late && !self.forgets();
        let driver = self.drivers.get_mut(who)?;
        let report = driver.step(&mut self.desk.book, &mut self.world, fate, late)?;
        self.drivers.remove(who);
        self.hear(&report);
        Some(report)
    }

    /// Lets all callers end, while the service is well; what they were told.
    fn run(&mut self) -> Vec<Report> {
        let mut told = vec![];
        while !self.drivers.is_empty() {
            told.extend(self.step(0, Fate::Works, false));
        }
        told
    }

    fn hear(&mut self, report: &Report) {
        let happened = self.world.toy.happened();
        match report {
            Report::Success(result) => {
                assert!(happened, "a success without effect: {:#?}", self.world);
                let first = self.success.get_or_insert_with(|| result.clone());
                assert_eq!(first, result, "two results");
            }
            Report::Nothing => assert!(!happened, "it did happen: {:#?}", self.world),
            Report::Unknown | Report::Busy => {}
        }
    }

    /// All callers end, the service is well again, and others call until nothing changes any more.
    fn finish(mut self) {
        self.run();
        let told: Vec<_> = (0..3)
            .flat_map(|_| {
                self.pass(60);
                self.start();
                self.run()
            })
            .collect();
        let offers = self.world.toy.offers;
        let settles = offers.reads_back || offers.remembers.is_some();
        if settles && self.world.toy.happened() {
            let last = matches!(told.last(), Some(Report::Success(_)));
            assert!(last, "never settled: {told:?} {:#?}", self.world);
        }
    }
}

#[test]
fn what_may_be_done_follows_from_the_note_and_the_service() {
    let doubt = |note| Doubt {
        call: call("A"),
        since: at(60),
        note,
    };
    let noted = |ended| {
        doubt(Some(Note {
            memo: json!("m"),
            first: at(0),
            ended,
        }))
    };
    let [reads, remembers, both, neither] = *KINDS else {
        panic!("four kinds");
    };
    let cases = [
        (doubt(None), 60, reads, Next::Release),
        (doubt(None), 60, neither, Next::Release),
        (noted(false), 60, reads, Next::LookUp),
        (noted(true), 60, neither, Next::Leave),
        (noted(false), 60, remembers, Next::SendAgain),
        (noted(false), 90_000_000, remembers, Next::SendAgain),
        // It remembers for 1000 s, and the request may take a lease.
        (noted(false), 700, both, Next::SendAgain),
        (noted(false), 701, both, Next::LookUp),
        (noted(false), -1, both, Next::LookUp),
        (noted(false), -1, remembers, Next::SendAgain),
    ];
    for (doubt, second, upstream, expected) in cases {
        let next = doubt.next(at(second), upstream);
        assert_eq!(next, expected, "{doubt:?} {second} {upstream:?}");
    }
    let found = Outcome::Done(json!("r"));
    for doubt in [doubt(None), noted(false), noted(true)] {
        assert_eq!(doubt.looked_up(Some(json!("r"))), found);
    }
    assert_eq!(noted(true).looked_up(None), Outcome::Nothing);
    assert_eq!(noted(false).looked_up(None), Outcome::Unknown);
}

#[test]
fn a_refusal_proves_something_only_for_the_first_attempt() {
    let done = Answer::Done(json!("r"));
    let cases = [
        (done.clone(), Attempt::First, Outcome::Done(json!("r"))),
        (done, Attempt::Again, Outcome::Done(json!("r"))),
        (Answer::No, Attempt::First, Outcome::Nothing),
        (Answer::No, Attempt::Again, Outcome::Unknown),
        (Answer::Lost, Attempt::First, Outcome::Unknown),
        (Answer::Lost, Attempt::Again, Outcome::Unknown),
    ];
    for (answer, attempt, expected) in cases {
        assert_eq!(answer.outcome(attempt), expected);
    }
}
