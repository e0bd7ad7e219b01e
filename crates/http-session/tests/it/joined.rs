//! Equal reads share one request, whoever of them leaves.

use std::future::{Ready, pending, ready};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::FutureExt as _;
use http_session::{Error, Joined, Session};
use tokio::sync::Notify;
use tokio::time::advance;

use crate::upstream::{Upstream, answer, json};

const KEEP: Duration = Duration::from_secs(30);

type Texts = Joined<&'static str, String, Error>;

async fn text(session: Session) -> Result<String, Error> {
    session
        .get("p")
        .send()
        .await
        .map(|reply| reply.text().into_owned())
}

#[tokio::test]
async fn two_waiters_cost_one_request_and_the_result_is_kept() {
    let upstream = Upstream::start([json("1"), json("2"), json("3")]).await;
    let session = upstream.session();
    let joined = Texts::new(KEEP, 8);
    let read = |key| joined.get(key, || text(session.clone()));
    assert_eq!(
        futures::join!(read("a"), read("a")),
        (Ok("1".into()), Ok("1".into()))
    );
    assert_eq!(read("a").await, Ok("1".into()));
    assert_eq!(read("b").await, Ok("2".into()));
    assert_eq!(upstream.targets().len(), 2);
}

#[tokio::test]
async fn a_failure_reaches_both_waiters_and_is_not_kept() {
    let upstream = Upstream::start([answer("404 Not Found", &[], ""), json("2")]).await;
    let session = upstream.session();
    let joined = Texts::new(KEEP, 8);
    let read = || joined.get("a", || text(session.clone()));
    let error = || {
        Err(Error::Status {
            path: "/p".into(),
            status: 404,
        })
    };
    assert_eq!(futures::join!(read(), read()), (error(), error()));
    assert_eq!(read().await, Ok("2".into()));
    assert_eq!(upstream.targets().len(), 2);
}

/// A read that counts its starts and ends when told.
struct Gate {
    starts: AtomicUsize,
    open: Notify,
}

impl Gate {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            starts: AtomicUsize::new(0),
            open: Notify::new(),
        })
    }

    async fn pass(self: Arc<Self>) -> Result<usize, ()> {
        let start = self.starts.fetch_add(1, Ordering::Relaxed) + 1;
        self.open.notified().await;
        Ok(start)
    }

    /// Ends when a read has begun and every other task had its chance to join it.
    async fn reached(&self) {
        while self.starts.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_second_waiter_is_answered_when_the_first_leaves() {
    let (gate, joined) = (Gate::new(), Arc::new(Joined::<u8, usize, ()>::new(KEEP, 8)));
    let wait = || {
        let (gate, joined) = (Arc::clone(&gate), Arc::clone(&joined));
        tokio::spawn(async move { joined.get(1, || gate.pass()).await })
    };
    let (first, second) = (wait(), wait());
    gate.reached().await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    gate.open.notify_one();
    assert_eq!(second.await.unwrap(), Ok(1));
    assert_eq!(gate.starts.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_read_that_all_have_left_is_dropped_and_begun_anew() {
    let (gate, joined) = (Gate::new(), Joined::<u8, usize, ()>::new(KEEP, 8));
    let mut waiters = [1, 1].map(|key| Box::pin(joined.get(key, || Arc::clone(&gate).pass())));
    for waiter in &mut waiters {
        assert!(futures::poll!(waiter).is_pending());
    }
    assert_eq!(Arc::strong_count(&gate), 2);
    drop(waiters);
    assert_eq!(Arc::strong_count(&gate), 1, "the read is gone");
    gate.open.notify_one();
    assert_eq!(joined.get(1, || Arc::clone(&gate).pass()).await, Ok(2));
}

#[tokio::test(start_paused = true)]
async fn a_result_is_kept_for_its_time() {
    let joined = Joined::<u8, u8, ()>::new(KEEP, 8);
    assert_eq!(joined.get(1, || async { Ok(1) }).await, Ok(1));
    advance(KEEP - Duration::from_millis(1)).await;
    assert_eq!(joined.get(1, || async { Ok(2) }).await, Ok(1));
    advance(Duration::from_millis(1)).await;
    assert_eq!(joined.get(1, || async { Ok(3) }).await, Ok(3));
}

#[tokio::test]
async fn a_forgotten_result_is_read_anew_and_a_read_under_way_stays() {
    let (gate, joined) = (Gate::new(), Joined::<u8, usize, ()>::new(KEEP, 8));
    for key in [1, 2] {
        assert_eq!(joined.get(key, || ready(Ok(0))).await, Ok(0));
    }
    joined.forget_if(&2, |kept| *kept > 0);
    joined.forget_if(&1, |kept| *kept == 0);
    let mut waiters = [1, 1].map(|key| Box::pin(joined.get(key, || Arc::clone(&gate).pass())));
    for waiter in &mut waiters {
        joined.forget_if(&1, |_| true);
        assert!(futures::poll!(waiter).is_pending());
    }
    gate.open.notify_one();
    assert_eq!(futures::future::join_all(waiters).await, [Ok(1), Ok(1)]);
    assert_eq!(joined.get(1, || ready(Ok(9))).await, Ok(1));
    assert_eq!(joined.get(2, || ready(Ok(9))).await, Ok(0));
}

#[tokio::test(start_paused = true)]
async fn the_oldest_result_makes_room() {
    let joined = Joined::<u8, u8, ()>::new(KEEP, 2);
    for key in 1..=3 {
        assert_eq!(joined.get(key, || async { Ok(0) }).await, Ok(0));
        advance(Duration::from_millis(1)).await;
    }
    assert_eq!(joined.get(3, || async { Ok(1) }).await, Ok(0));
    assert_eq!(joined.get(2, || async { Ok(1) }).await, Ok(0));
    assert_eq!(joined.get(1, || async { Ok(1) }).await, Ok(1));
}

#[tokio::test(start_paused = true)]
async fn a_read_that_was_left_takes_no_room() {
    let joined = Joined::<u8, u8, ()>::new(KEEP, 2);
    assert_eq!(joined.get(1, || ready(Ok(0))).await, Ok(0));
    assert!(futures::poll!(Box::pin(joined.get(2, pending))).is_pending());
    assert_eq!(joined.get(3, || ready(Ok(0))).await, Ok(0));
    assert_eq!(joined.get(1, || ready(Ok(1))).await, Ok(0));
}

#[tokio::test]
async fn a_late_waiter_of_a_failure_leaves_the_next_read_alone() {
    let (gate, joined) = (Gate::new(), Joined::<u8, usize, ()>::new(KEEP, 8));
    let fail = || {
        let passed = Arc::clone(&gate).pass();
        async { passed.await.and(Err(())) }
    };
    let (mut early, mut late) = (Box::pin(joined.get(1, fail)), Box::pin(joined.get(1, fail)));
    assert!(futures::poll!(&mut early).is_pending() && futures::poll!(&mut late).is_pending());
    gate.open.notify_one();
    assert_eq!(early.await, Err(()));
    let mut next = Box::pin(joined.get(1, || Arc::clone(&gate).pass()));
    assert!(futures::poll!(&mut next).is_pending());
    assert_eq!(late.await, Err(()));
    let mut joins = Box::pin(joined.get(1, || Arc::clone(&gate).pass()));
    assert!(futures::poll!(&mut joins).is_pending());
    gate.open.notify_one();
    assert_eq!((joins.await, next.await), (Ok(2), Ok(2)));
}

#[tokio::test]
async fn a_panic_reaches_both_waiters_and_spoils_nothing() {
    let (gate, joined) = (Gate::new(), Arc::new(Joined::<u8, usize, ()>::new(KEEP, 8)));
    let wait = || {
        let (gate, joined) = (Arc::clone(&gate), Arc::clone(&joined));
        let read = || async move { panic!("start {:?}", gate.pass().await) };
        tokio::spawn(async move { joined.get(1, read).await })
    };
    let waiters = [wait(), wait()];
    gate.reached().await;
    gate.open.notify_one();
    for waiter in waiters {
        assert!(waiter.await.unwrap_err().is_panic());
    }
    assert_eq!(gate.starts.load(Ordering::Relaxed), 1);
    assert_eq!(joined.get(1, || ready(Ok(1))).await, Ok(1));
}

#[tokio::test]
async fn a_panic_before_the_read_spoils_nothing() {
    let joined = Joined::<u8, u8, ()>::new(KEEP, 8);
    let at_start = joined.get(1, || -> Ready<Result<u8, ()>> { panic!("no read") });
    assert!(AssertUnwindSafe(at_start).catch_unwind().await.is_err());
    assert_eq!(joined.get(1, || ready(Ok(1))).await, Ok(1));
}
