//! Time and size limits, and how far a call had come when one was met.

use std::sync::Arc;
use std::time::Duration;

use http_session::{Error, Limits, Pace, Sent, Session, Settings};

use crate::upstream::{Answer, Upstream, answer, bytes, json, settings, short_attempt};

/// Long enough for a busy machine to get as far as each test means.
const SHORT: Duration = Duration::from_millis(400);

fn late(after: Duration, sent: Sent) -> Error {
    Error::TimedOut {
        host: "127.0.0.1".into(),
        after,
        sent,
    }
}

#[tokio::test]
async fn silence_is_a_time_out_that_may_have_been_sent() {
    let upstream = Upstream::start([Answer::Hold(Vec::new())]).await;
    let session = Session::new(Settings {
        retries: 0,
        limits: short_attempt(SHORT),
        ..upstream.settings()
    });
    let error = session.get("p").send().await.unwrap_err();
    assert_eq!(error, late(SHORT, Sent::Maybe));
    assert_eq!(error.sent(), Sent::Maybe);
}

#[tokio::test]
async fn a_slow_body_is_a_time_out_after_an_answer() {
    let slow = || Answer::Hold(bytes("200 OK", &["content-length: 99"], "{\"total\":"));
    let upstream = Upstream::start([slow(), slow()]).await;
    let session = Session::new(Settings {
        limits: short_attempt(SHORT),
        ..upstream.settings()
    });
    let error = session.get("p").send().await.unwrap_err();
    assert_eq!(error, late(SHORT, Sent::Yes));
    assert_eq!(error.sent(), Sent::Yes);
    assert_eq!(upstream.targets().len(), 2, "a time-out is repeated");
}

#[tokio::test]
async fn a_slow_attempt_is_repeated_within_the_call() {
    let upstream = Upstream::start([Answer::Hold(Vec::new()), json("{}")]).await;
    let session = Session::new(Settings {
        limits: short_attempt(SHORT),
        ..upstream.settings()
    });
    assert_eq!(session.get("p").send().await.unwrap().text(), "{}");
}

#[tokio::test]
async fn the_whole_call_ends_at_its_limit() {
    let upstream =
        Upstream::start(std::iter::repeat_with(|| Answer::Hold(Vec::new())).take(9)).await;
    let limits = Limits {
        call: SHORT,
        ..Limits::default()
    };
    let session = Session::new(Settings {
        retries: 9,
        limits,
        ..upstream.settings()
    });
    let error = session.get("p").send().await.unwrap_err();
    assert_eq!(error, late(SHORT, Sent::Maybe));
    assert_eq!(upstream.targets().len(), 1);
}

#[tokio::test]
async fn a_call_that_ends_in_the_queue_was_not_sent() {
    let upstream = Upstream::start([json("{}")]).await;
    let limits = Limits {
        call: SHORT,
        ..Limits::default()
    };
    let pace = Arc::new(Pace::new(Duration::ZERO, Duration::from_secs(30)));
    let session = Session::new(Settings {
        limits,
        pace: Arc::clone(&pace),
        ..upstream.settings()
    });
    let turn = pace.turn().await.ok().unwrap();
    let error = session.get("p").send().await.unwrap_err();
    assert_eq!(error, late(SHORT, Sent::No));
    assert_eq!(error.sent(), Sent::No);
    drop(turn);
    assert_eq!(upstream.targets().len(), 0);
}

#[tokio::test]
async fn a_handshake_that_hangs_is_a_connect_time_out() {
    let upstream = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = settings(&format!("https://{}", upstream.local_addr().unwrap()));
    let limits = Limits {
        connect: SHORT,
        ..Limits::default()
    };
    let error = Session::new(Settings {
        retries: 0,
        limits,
        ..settings
    })
    .get("p")
    .send()
    .await
    .unwrap_err();
    assert_eq!(error, late(SHORT, Sent::No));
    assert_eq!(error.sent(), Sent::No);
}

#[tokio::test]
async fn a_body_may_fill_its_limit_and_not_exceed_it() {
    let body = "0123456789";
    let answers = [
        || answer("200 OK", &[], "0123456789"),
        || Answer::Bytes(bytes("200 OK", &[], "0123456789")),
        || {
            Answer::Bytes(bytes(
                "200 OK",
                &["transfer-encoding: chunked"],
                "a\r\n0123456789\r\n0\r\n\r\n",
            ))
        },
    ];
    for answer in answers {
        let read = async |body_bytes| {
            let upstream = Upstream::start([answer()]).await;
            let limits = Limits {
                body_bytes,
                ..Limits::default()
            };
            Session::new(Settings {
                limits,
                ..upstream.settings()
            })
            .get("p")
            .send()
            .await
        };
        assert_eq!(read(10).await.unwrap().text(), body);
        let error = read(9).await.unwrap_err();
        assert_eq!(
            error,
            Error::TooLarge {
                path: "/p".into(),
                limit_bytes: 9
            }
        );
        assert_eq!(error.sent(), Sent::Yes);
    }
}

#[tokio::test]
async fn a_stated_length_above_the_limit_is_not_read() {
    let endless = Answer::Hold(bytes("200 OK", &["content-length: 4194305"], ""));
    let upstream = Upstream::start([endless]).await;
    let error = upstream.read().await.unwrap_err();
    assert_eq!(
        error,
        Error::TooLarge {
            path: "/p".into(),
            limit_bytes: 4_194_304
        }
    );
}
