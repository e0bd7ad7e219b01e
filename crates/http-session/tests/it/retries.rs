//! Which failures a read survives, and that a write is sent once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http_session::header::HeaderValue;
use http_session::{Error, Fault, Pace, Sent, Session, Settings};

use crate::upstream::{Answer, Upstream, answer, bytes, json};

#[tokio::test]
async fn a_read_survives_one_passing_fault() {
    let faults = [
        || answer("503 Service Unavailable", &[], ""),
        || answer("500 Oops", &[], ""),
        || answer("408 Request Timeout", &[], ""),
        || Answer::Bytes(Vec::new()),
    ];
    for fault in faults {
        let upstream = Upstream::start([fault(), json("{}")]).await;
        assert_eq!(upstream.read().await.unwrap().text(), "{}");
        assert_eq!(upstream.targets(), ["GET /p", "GET /p"]);
    }
}

#[tokio::test]
async fn retries_are_counted() {
    for (retries, expected) in [(0, 1), (1, 2), (3, 4)] {
        let script = std::iter::repeat_with(|| answer("503 Service Unavailable", &[], "")).take(9);
        let upstream = Upstream::start(script).await;
        let session = Session::new(Settings {
            retries,
            ..upstream.settings()
        });
        let error = session.get("p").send().await.unwrap_err();
        assert_eq!(
            error,
            Error::Status {
                path: "/p".into(),
                status: 503
            }
        );
        assert_eq!(upstream.targets().len(), expected);
    }
}

#[tokio::test]
async fn a_retry_that_would_end_too_late_is_not_begun() {
    let upstream = Upstream::start([answer("503 Service Unavailable", &[], ""), json("{}")]).await;
    let session = Session::new(Settings {
        back_off: Duration::from_secs(60),
        ..upstream.settings()
    });
    let error = session.get("p").send().await.unwrap_err();
    assert_eq!(
        error,
        Error::Status {
            path: "/p".into(),
            status: 503
        }
    );
    assert_eq!(upstream.targets().len(), 1);
}

#[tokio::test]
async fn what_repeating_does_not_mend_is_not_repeated() {
    let answers = [
        answer("404 Not Found", &[], ""),
        answer("429 Too Many Requests", &["retry-after: 1"], ""),
        answer("503 Service Unavailable", &["retry-after: 1"], ""),
        answer("302 Found", &["location: /error.html"], ""),
        Answer::Bytes(bytes("200 OK", &["content-length: 99"], "{")),
    ];
    for answer in answers {
        let upstream = Upstream::start([answer, json("{}")]).await;
        upstream.read().await.unwrap_err();
        assert_eq!(upstream.targets().len(), 1);
    }
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_not_repeated() {
    let upstream = Upstream::start([Answer::Bytes(Vec::new()), json("{}")]).await;
    let request = upstream
        .session()
        .post("p")
        .body(HeaderValue::from_static("text/plain"), "words");
    let error = request.send().await.unwrap_err();
    assert_eq!(
        error,
        Error::Unreachable {
            host: "127.0.0.1".into(),
            fault: Fault::Reset
        }
    );
    assert_eq!(error.sent(), Sent::Maybe);
    assert_eq!(upstream.targets(), ["POST /p"]);
}

#[tokio::test]
async fn a_rate_limit_is_waited_for_only_where_that_is_allowed_and_short() {
    let limited = || answer("429 Too Many Requests", &["retry-after: 1"], "");
    let upstream = Upstream::start([limited(), json("{}")]).await;
    let session = Session::new(Settings {
        retries_rate_limit: true,
        ..upstream.settings()
    });
    assert_eq!(session.get("p").send().await.unwrap().text(), "{}");
    let seen = upstream.seen();
    assert!(
        seen[1].at - seen[0].at >= Duration::from_millis(900),
        "the pause is kept"
    );

    let upstream = Upstream::start([limited(), json("{}")]).await;
    let pace = Arc::new(Pace::new(Duration::ZERO, Duration::from_millis(500)));
    let session = Session::new(Settings {
        retries_rate_limit: true,
        pace,
        ..upstream.settings()
    });
    let error = session.get("p").send().await.unwrap_err();
    assert_eq!(
        error,
        Error::RateLimited {
            retry_after_seconds: 1,
            sent: Sent::No
        }
    );
    assert_eq!(upstream.targets().len(), 1);
}

#[tokio::test]
async fn a_refused_turn_is_not_tried_again() {
    let upstream = Upstream::start([json("{}")]).await;
    let pace = Arc::new(Pace::new(Duration::ZERO, Duration::ZERO));
    pace.pause(Duration::from_secs(100)).await;
    let back_off = Duration::from_secs(5);
    let session = Session::new(Settings {
        retries_rate_limit: true,
        back_off,
        pace,
        ..upstream.settings()
    });
    let start = Instant::now();
    let error = session.get("p").send().await.unwrap_err();
    assert_eq!(
        error,
        Error::RateLimited {
            retry_after_seconds: 100,
            sent: Sent::No
        }
    );
    assert!(start.elapsed() < back_off);
}

#[tokio::test]
async fn a_read_behind_a_long_queue_is_not_tried_again() {
    let upstream = Upstream::start([json("{}"), json("{}")]).await;
    let minute = Duration::from_secs(60);
    let session = Session::new(Settings {
        retries_rate_limit: true,
        pace: Arc::new(Pace::new(minute, Duration::ZERO)),
        ..upstream.settings()
    });
    session.get("p").send().await.unwrap();
    let error = session.get("p").send().await.unwrap_err();
    let Error::Busy {
        retry_after_seconds: 50..=60,
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(error.sent(), Sent::No);
    assert_eq!(upstream.targets().len(), 1);
}
