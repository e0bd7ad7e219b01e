//! The queue: spacing between processes, pauses, refused turns and places given back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::{Either, select};
use http_session::{Error, Pace, Sent, Session, Settings};
use state::StateDir;
use tokio::time::timeout;

use crate::upstream::{Answer, Upstream, answer, json};

const INTERVAL: Duration = Duration::from_millis(80);
const PATIENCE: Duration = Duration::from_secs(30);

fn shared(folder: &tempfile::TempDir, interval: Duration) -> Arc<Pace> {
    Arc::new(Pace::shared_in(
        StateDir::at(folder.path().to_owned()),
        "pace.json",
        interval,
        PATIENCE,
    ))
}

fn with(upstream: &Upstream, pace: Arc<Pace>) -> Session {
    Session::new(Settings {
        pace,
        ..upstream.settings()
    })
}

/// Six requests take five intervals, less what the first may be late on a busy machine; two processes
/// that did not agree would take about two.
#[tokio::test]
async fn two_processes_keep_the_spacing() {
    let folder = tempfile::tempdir().unwrap();
    let upstream = Upstream::start(std::iter::repeat_with(|| json("{}")).take(6)).await;
    let sessions = [(); 2].map(|()| with(&upstream, shared(&folder, INTERVAL)));
    let reads = (0..6).map(|n| sessions[n % 2].get("p").send());
    for reply in futures::future::join_all(reads).await {
        reply.unwrap();
    }
    let seen = upstream.seen();
    let span = seen[5].at - seen[0].at;
    assert!(span >= INTERVAL * 4, "{span:?}");
}

#[tokio::test]
async fn one_request_at_a_time_and_in_order() {
    let pace = Pace::new(Duration::ZERO, PATIENCE);
    let first = pace.turn().await.ok().unwrap();
    let (mut second, mut third) = (Box::pin(pace.turn()), Box::pin(pace.turn()));
    for turn in [&mut second, &mut third] {
        assert!(timeout(Duration::from_millis(50), turn).await.is_err());
    }
    drop(first);
    let Either::Right((second, mut third)) = select(third, second).await else {
        panic!("out of order")
    };
    assert!(
        timeout(Duration::from_millis(50), &mut third)
            .await
            .is_err()
    );
    drop(second);
    assert!(third.await.is_ok());
}

#[tokio::test]
async fn a_rate_limit_pauses_every_process() {
    let date = "date: Mon, 30 Nov 2026 10:00:00 GMT";
    let limited = "429 Too Many Requests";
    let cases: [(&str, &[&str], u64); 12] = [
        (limited, &["retry-after: 120"], 120),
        (limited, &["retry-after:  7 "], 7),
        (
            limited,
            &[date, "retry-after: Mon, 30 Nov 2026 10:01:30 GMT"],
            90,
        ),
        (
            limited,
            &[date, "retry-after: Mon, 30 Nov 2026 09:00:00 GMT"],
            1,
        ),
        (limited, &["retry-after: 0"], 1),
        (limited, &["retry-after: soon"], 60),
        (limited, &[], 60),
        (limited, &["retry-after: 172800"], 3_600),
        (limited, &["retry-after: 18446744073709551615"], 3_600),
        (
            limited,
            &[date, "retry-after: Tue, 30 Nov 2027 10:00:00 GMT"],
            3_600,
        ),
        ("503 Service Unavailable", &["retry-after: 120"], 120),
        ("503 Service Unavailable", &["retry-after: 172800"], 3_600),
    ];
    for (status, headers, seconds) in cases {
        let folder = tempfile::tempdir().unwrap();
        let upstream = Upstream::start([answer(status, headers, ""), json("{}")]).await;
        let one = with(&upstream, shared(&folder, INTERVAL));
        let error = one.get("p").send().await.unwrap_err();
        assert_eq!(
            error,
            Error::RateLimited {
                retry_after_seconds: seconds,
                sent: Sent::Yes
            }
        );
        if seconds <= PATIENCE.as_secs() {
            continue;
        }
        for session in [one, with(&upstream, shared(&folder, INTERVAL))] {
            let error = session.get("p").send().await.unwrap_err();
            assert_eq!(
                error,
                Error::RateLimited {
                    retry_after_seconds: seconds,
                    sent: Sent::No
                }
            );
            assert_eq!(error.sent(), Sent::No);
        }
        assert_eq!(upstream.targets().len(), 1);
    }
}

#[tokio::test]
async fn a_pause_refuses_those_who_wait_already() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (
        shared(&folder, Duration::from_millis(800)),
        shared(&folder, INTERVAL),
    );
    drop(one.turn().await.ok().unwrap());
    let mut waiting = Box::pin(one.turn());
    assert!(
        timeout(Duration::from_millis(100), &mut waiting)
            .await
            .is_err()
    );
    other.pause(Duration::from_secs(1_000)).await;
    let error = waiting.await.err().unwrap();
    let Error::RateLimited {
        retry_after_seconds: 990..=1_000,
        sent: Sent::No,
    } = error
    else {
        panic!("{error:?}")
    };
}

#[tokio::test]
async fn a_queue_that_is_too_long_refuses_at_once() {
    let pace = Pace::new(Duration::from_secs(1), Duration::from_secs(2));
    let _first = pace.turn().await.ok().unwrap();
    let mut waiting = [Box::pin(pace.turn()), Box::pin(pace.turn())];
    for turn in &mut waiting {
        assert!(futures::poll!(turn).is_pending());
    }
    let error = pace.turn().await.err().unwrap();
    let busy = Error::Busy {
        retry_after_seconds: 3,
    };
    assert_eq!((error.sent(), error), (Sent::No, busy));
    drop(waiting);
    assert!(
        futures::poll!(Box::pin(pace.turn())).is_pending(),
        "their places are free again"
    );
}

#[tokio::test]
async fn a_waiter_who_leaves_gives_the_slot_back() {
    let pace = Pace::new(Duration::from_secs(1), PATIENCE);
    let start = Instant::now();
    drop(pace.turn().await.ok().unwrap());
    for _ in 0..5 {
        assert!(
            timeout(Duration::from_millis(20), pace.turn())
                .await
                .is_err()
        );
    }
    drop(pace.turn().await.ok().unwrap());
    let waited = start.elapsed();
    assert!(
        waited >= Duration::from_millis(950) && waited < Duration::from_millis(1_950),
        "{waited:?}"
    );
}

#[tokio::test]
async fn a_cancelled_read_frees_the_queue() {
    let upstream = Upstream::start([Answer::Hold(Vec::new()), json("{}")]).await;
    let session = upstream.session();
    tokio::select! {
        reply = session.get("a").send() => panic!("{reply:?}"),
        () = upstream.asked() => {}
    }
    assert_eq!(session.get("b").send().await.unwrap().text(), "{}");
    assert_eq!(upstream.targets(), ["GET /a", "GET /b"]);
}

#[tokio::test]
async fn without_a_usable_folder_reads_still_work() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let upstream = Upstream::start([json("{}"), json("{}")]).await;
    let folder = StateDir::at(file.path().to_owned());
    let pace = Arc::new(Pace::shared_in(folder, "pace.json", INTERVAL, PATIENCE));
    let session = with(&upstream, pace);
    session.get("p").send().await.unwrap();
    session.get("p").send().await.unwrap();
}

#[tokio::test]
async fn a_stopped_process_that_holds_the_lock_delays_a_read_and_stops_none() {
    let folder = tempfile::tempdir().unwrap();
    let upstream = Upstream::start([answer("429 Too Many Requests", &[], ""), json("{}")]).await;
    let _stopped = StateDir::at(folder.path().to_owned())
        .lock("pace.json")
        .unwrap();
    let session = with(&upstream, shared(&folder, INTERVAL));
    let start = Instant::now();
    let mut errors = Vec::new();
    for _ in 0..2 {
        errors.push(session.get("p").send().await.unwrap_err());
    }
    let limited = |sent| Error::RateLimited {
        retry_after_seconds: 60,
        sent,
    };
    assert_eq!(errors, [limited(Sent::Yes), limited(Sent::No)]);
    let waited = start.elapsed();
    assert!(waited < Duration::from_secs(3), "{waited:?}");
}

#[tokio::test]
async fn a_pause_is_an_hour_at_most() {
    let pace = Pace::new(INTERVAL, PATIENCE);
    let hour = Duration::from_secs(3_600);
    assert_eq!(pace.pause(Duration::MAX).await, hour);
    assert_eq!(pace.pause(Duration::from_secs(5)).await.as_secs(), 5);
    let error = pace.turn().await.err().unwrap();
    let Error::RateLimited {
        retry_after_seconds: 3_590..=3_600,
        sent: Sent::No,
    } = error
    else {
        panic!("{error:?}")
    };
}

#[tokio::test]
async fn as_many_requests_are_under_way_as_the_queue_allows() {
    let pace = Pace::new(Duration::ZERO, PATIENCE).at_once(2);
    let first = pace.turn().await.ok().unwrap();
    let _second = pace.turn().await.ok().unwrap();
    let mut third = Box::pin(pace.turn());
    let waited = timeout(Duration::from_millis(50), &mut third).await;
    assert!(waited.is_err());
    drop(first);
    assert!(third.await.is_ok());
}
