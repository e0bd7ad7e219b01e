//! The rules of one process, on a folder and in memory alike.

use std::{sync::Barrier, thread};

use challenge::{By, Challenges, Lost, Open, OpenError, Pending, Refused, TakeError};
use futures::FutureExt;
use state::StateDir;

use crate::{TTL, after, at, captcha_question, folder, noon, sms_question};

/// Runs `check` on questions that are kept in a folder, then on ones that are not.
async fn both(check: impl AsyncFn(Challenges<&'static str>)) {
    let (_root, folder) = folder();
    check(at(Some(&folder), noon())).await;
    check(at(None, noon())).await;
}

async fn refused(challenges: &Challenges<&'static str>, account: &str, id: &str) -> Refused {
    let looked = challenges.look(account, id).await.unwrap_err();
    let taken = challenges.take(account, id, By::Tool).await.unwrap_err();
    match (looked, taken) {
        (TakeError::Refused(looked), TakeError::Refused(taken)) => {
            assert_eq!(looked, taken);
            taken
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_open_question_is_seen_and_given_with_what_waits_for_it() {
    both(async |challenges| {
        assert_eq!(challenges.pending("default").await.unwrap(), None);
        let opened = challenges.open("default", captcha_question(), "flow").await;
        let open = opened.unwrap();
        let digits = open.id.strip_prefix("ch_").unwrap();
        assert!(
            digits.len() == 12
                && digits
                    .chars()
                    .all(|digit| "0123456789abcdef".contains(digit)),
            "{open:?}"
        );
        let expected = Open {
            id: open.id.clone(),
            account: "default".to_owned(),
            question: captcha_question(),
            expires_at: after(TTL.as_secs().try_into().unwrap()),
            page_url: None,
        };
        assert_eq!(open, expected);
        for _ in 0..2 {
            assert_eq!(challenges.look("default", &open.id).await.unwrap(), open);
        }
        assert_eq!(
            challenges.pending("default").await.unwrap(),
            Some(Pending::Ours(open.clone()))
        );
        let taken = challenges.take("default", &open.id, By::Tool).await;
        assert_eq!(taken.unwrap(), (open, "flow"));
        assert_eq!(challenges.pending("default").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn an_account_has_one_question_and_another_account_its_own() {
    both(async |challenges| {
        let first = challenges.open("one", captcha_question(), "first").await;
        let first = first.unwrap();
        let again = challenges.open("one", sms_question(), "again").await;
        match again.unwrap_err() {
            OpenError::AlreadyOpen(pending) => assert_eq!(pending, Pending::Ours(first.clone())),
            other => panic!("{other:?}"),
        }
        let other = challenges.open("two", sms_question(), "other").await;
        let other = other.unwrap();
        assert_ne!(first.id, other.id);
        let taken = challenges.take("one", &first.id, By::Page).await.unwrap();
        assert_eq!(taken.1, "first");
        let next = challenges.open("one", sms_question(), "next").await;
        assert_ne!(next.unwrap().id, first.id);
    })
    .await;
}

#[tokio::test]
async fn an_id_is_told_apart_never_given_of_another_account_and_used() {
    both(async |challenges| {
        let never = "ch_000000000000";
        assert_eq!(refused(&challenges, "one", never).await, Refused::NotFound);
        for by in [By::Tool, By::Page] {
            let open = challenges.open("one", captcha_question(), "flow").await;
            let id = open.unwrap().id;
            assert_eq!(refused(&challenges, "two", &id).await, Refused::NotFound);
            challenges.take("one", &id, by).await.unwrap();
            let used = Refused::NotPending { by };
            assert_eq!(refused(&challenges, "one", &id).await, used);
            assert_eq!(refused(&challenges, "two", &id).await, Refused::NotFound);
        }
    })
    .await;
}

#[tokio::test]
async fn a_question_is_offered_once_while_it_waits() {
    both(async |challenges| {
        assert!(!challenges.offered("ch_000000000000"));
        let open = challenges.open("one", captcha_question(), "flow").await;
        let id = open.unwrap().id;
        assert_eq!(
            [(); 3].map(|()| challenges.offered(&id)),
            [true, false, false]
        );
        challenges.take("one", &id, By::Tool).await.unwrap();
        let open = challenges.open("one", captcha_question(), "flow").await;
        assert!(challenges.offered(&open.unwrap().id));
        assert!(!challenges.offered(&id));
    })
    .await;
}

#[tokio::test]
async fn who_waits_for_the_end_hears_of_the_answer() {
    both(async |challenges| {
        challenges.settled("ch_000000000000").await;
        let open = challenges.open("one", captcha_question(), "flow").await;
        let id = open.unwrap().id;
        let mut settled = Box::pin(challenges.settled(&id));
        assert_eq!(settled.as_mut().now_or_never(), None);
        challenges.take("one", &id, By::Tool).await.unwrap();
        settled.await;
        challenges.settled(&id).await;
    })
    .await;
}

/// Runs `race` on this many threads at once, each with a runtime of its own, and gives what it gave.
fn raced<R: Send>(race: impl AsyncFn(usize) -> R + Sync) -> Vec<R> {
    const RACERS: usize = 12;
    let start = Barrier::new(RACERS);
    let racer = |number| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        start.wait();
        runtime.block_on(race(number))
    };
    thread::scope(|scope| {
        let racers: Vec<_> = (0..RACERS)
            .map(|number| scope.spawn(move || racer(number)))
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().unwrap())
            .collect()
    })
}

fn one_taker_wins(folder: Option<&StateDir>) {
    let challenges = at(folder, noon());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    for _ in 0..5 {
        let opened = runtime.block_on(challenges.open("one", captcha_question(), "flow"));
        let open = opened.unwrap();
        let by = |number| if number % 2 == 0 { By::Tool } else { By::Page };
        let taken = raced(async |number| challenges.take("one", &open.id, by(number)).await);
        let won: Vec<_> = taken
            .iter()
            .enumerate()
            .filter(|(_, taken)| taken.is_ok())
            .collect();
        let [(winner, Ok(gave))] = won[..] else {
            panic!("{taken:?}")
        };
        assert_eq!(gave, &(open, "flow"));
        let by = by(winner);
        for lost in taken.iter().filter_map(|taken| taken.as_ref().err()) {
            let TakeError::Refused(refused) = lost else {
                panic!("{lost:?}")
            };
            assert_eq!(refused, &Refused::NotPending { by });
        }
    }
}

#[test]
fn of_racing_takers_one_wins() {
    let (_root, folder) = folder();
    one_taker_wins(Some(&folder));
    one_taker_wins(None);
}

#[test]
fn of_racing_processes_one_asks() {
    let (_root, folder) = folder();
    // Each stays alive until all have asked.
    let opened = raced(async |number| {
        let challenges = at(Some(&folder), noon());
        let opened = challenges.open("one", captcha_question(), number).await;
        (challenges, opened)
    });
    let asked: Vec<_> = opened
        .iter()
        .filter_map(|(_, opened)| opened.as_ref().ok())
        .collect();
    let [asked] = asked[..] else {
        panic!("{} asked", asked.len())
    };
    let elsewhere = Pending::Elsewhere {
        id: asked.id.clone(),
        expires_at: asked.expires_at,
    };
    for (_, opened) in &opened {
        match opened {
            Ok(_) => {}
            Err(OpenError::AlreadyOpen(pending)) => assert_eq!(pending, &elsewhere),
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_question_that_ended_before_it_was_asked_for_is_lost() {
    let challenges = Challenges::new(None, state::Clock::system(), std::time::Duration::ZERO);
    let open = challenges.open("one", captcha_question(), "flow").await;
    let id = open.unwrap().id;
    assert_eq!(
        refused(&challenges, "one", &id).await,
        Refused::Lost(Lost::Expired)
    );
}
