//! The end of a question's time on a clock that runs, and on one that stands still.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use challenge::{By, Challenges, Lost, Refused, TakeError};
use state::Clock;
use tokio::time::timeout;

use crate::{at, captcha_question, folder, noon};

#[tokio::test]
async fn what_waits_is_dropped_when_its_time_is_over() {
    let (_root, folder) = folder();
    for folder in [Some(folder), None] {
        let challenges = Challenges::new(folder, Clock::system(), Duration::from_millis(30));
        let flow = Arc::new(());
        let weak: Weak<()> = Arc::downgrade(&flow);
        let open = challenges.open("one", captcha_question(), flow).await;
        let id = open.unwrap().id;
        challenges.settled(&id).await;
        // A task drops it that wakes beside us; no call of ours has to.
        let dropped = async {
            while weak.strong_count() > 0 {
                tokio::task::yield_now().await;
            }
        };
        assert_eq!(timeout(Duration::from_secs(10), dropped).await, Ok(()));
        match challenges.take("one", &id, By::Tool).await.unwrap_err() {
            TakeError::Refused(refused) => assert_eq!(refused, Refused::Lost(Lost::Expired)),
            error => panic!("{error:?}"),
        }
        let next = challenges
            .open("one", captcha_question(), Arc::new(()))
            .await;
        assert_ne!(next.unwrap().id, id);
    }
}

#[tokio::test]
async fn what_waits_is_dropped_with_its_taker_and_with_the_questions() {
    let challenges = at(None, noon());
    let flow = Arc::new(());
    let weak = Arc::downgrade(&flow);
    let open = challenges.open("one", captcha_question(), flow).await;
    let taken = challenges.take("one", &open.unwrap().id, By::Tool).await;
    assert_eq!(weak.strong_count(), 1);
    drop(taken);
    assert_eq!(weak.strong_count(), 0);

    let flow = Arc::new(());
    let weak = Arc::downgrade(&flow);
    challenges
        .open("one", captcha_question(), flow)
        .await
        .unwrap();
    drop(challenges);
    assert_eq!(weak.strong_count(), 0);
}
