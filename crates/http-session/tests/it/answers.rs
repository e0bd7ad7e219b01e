//! What an answer becomes: a reply, or one of the errors that say why it is none.

use std::sync::atomic::{AtomicUsize, Ordering};

use http_session::header::{ACCEPT, AUTHORIZATION, HeaderValue};
use http_session::{Error, Fault, Location, Sent, Session, Settings};
use serde::Deserialize;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::upstream::{Answer, Upstream, answer, bytes, json, settings};

#[derive(Debug, PartialEq, Deserialize)]
struct Trains {
    total: u32,
}

fn path() -> String {
    "/p".to_owned()
}

#[tokio::test]
async fn a_read_keeps_the_order_of_its_query_and_its_headers() {
    let upstream = Upstream::start([json("{\"total\":3}")]).await;
    let mut settings = settings(&format!("{}/mirror/", upstream.base()));
    settings
        .headers
        .insert(ACCEPT, HeaderValue::from_static("application/json"));
    settings
        .headers
        .insert(AUTHORIZATION, HeaderValue::from_static("Bearer old"));
    let reply = Session::new(settings)
        .get("/left ticket/query")
        .query([("z.date", "2026-12-02"), ("a.from", "北京 &=")])
        .query([("z.date", "again")])
        .header(AUTHORIZATION, HeaderValue::from_static("Bearer new"))
        .send()
        .await
        .unwrap();
    assert_eq!(reply.json::<Trains>(), Ok(Trains { total: 3 }));
    assert_eq!(reply.text(), "{\"total\":3}");
    let seen = &upstream.seen()[0];
    let target = "/mirror/left%20ticket/query?z.date=2026-12-02&a.from=%E5%8C%97%E4%BA%AC+%26%3D&z.date=again";
    assert_eq!(seen.target(), format!("GET {target}"));
    assert_eq!(seen.header("accept").as_deref(), Some("application/json"));
    assert_eq!(seen.header("authorization").as_deref(), Some("Bearer new"));
}

#[tokio::test]
async fn a_write_carries_its_body() {
    let upstream = Upstream::start([json("{}")]).await;
    let request = upstream
        .session()
        .post("p")
        .body(HeaderValue::from_static("text/plain"), "words");
    request.send().await.unwrap();
    let seen = &upstream.seen()[0];
    assert_eq!((seen.target(), seen.body.as_str()), ("POST /p", "words"));
    assert_eq!(seen.header("content-type").as_deref(), Some("text/plain"));
}

/// Every failure of one exchange, without retries.
#[tokio::test]
async fn each_failure_is_told_apart() {
    let cut = || Error::Cut { path: path() };
    let fault = |fault| Error::Unreachable {
        host: "127.0.0.1".into(),
        fault,
    };
    let status = |status| Error::Status {
        path: path(),
        status,
    };
    let cases = [
        (answer("404 Not Found", &[], "{}"), status(404), Sent::Yes),
        (
            answer("403 Forbidden", &["content-type: text/html"], "<html>"),
            status(403),
            Sent::Yes,
        ),
        (answer("500 Oops", &[], ""), status(500), Sent::Yes),
        (answer("304 Not Modified", &[], ""), status(304), Sent::Yes),
        (answer("302 Found", &[], ""), status(302), Sent::Yes),
        (
            answer("302 Found", &["location: /otn/passport?redirect=/p"], ""),
            Error::Redirected {
                path: path(),
                to: Location::Path("/otn/passport".into()),
            },
            Sent::Yes,
        ),
        (
            answer("429 Too Many Requests", &["retry-after: 7"], ""),
            Error::RateLimited {
                retry_after_seconds: 7,
                sent: Sent::Yes,
            },
            Sent::Yes,
        ),
        (
            Answer::Bytes(bytes("200 OK", &["content-length: 99"], "{\"total\":3}")),
            cut(),
            Sent::Yes,
        ),
        (
            Answer::Bytes(bytes(
                "200 OK",
                &["transfer-encoding: chunked"],
                "5\r\n{\"tot\r\n",
            )),
            cut(),
            Sent::Yes,
        ),
        (
            Answer::Bytes(bytes("200 OK", &[], "{\"total\":")),
            cut(),
            Sent::Yes,
        ),
        (
            answer("200 OK", &[], "<html>maintenance</html>"),
            Error::Html { path: path() },
            Sent::Yes,
        ),
        (json("busy"), Error::NotJson { path: path() }, Sent::Yes),
        (
            json("{\"total\":\"three\"}"),
            Error::Shape {
                path: path(),
                field: "total".into(),
                why: "invalid type: string, expected u32".into(),
            },
            Sent::Yes,
        ),
        (Answer::Bytes(Vec::new()), fault(Fault::Reset), Sent::Maybe),
        (
            Answer::Bytes(b"HTTP/1.1 200 OK\r\ncontent-le".to_vec()),
            fault(Fault::Reset),
            Sent::Maybe,
        ),
        (
            Answer::Bytes(b"SSH-2.0-OpenSSH\r\n\r\n".to_vec()),
            fault(Fault::Other),
            Sent::Maybe,
        ),
    ];
    for (answer, error, sent) in cases {
        let upstream = Upstream::start([answer]).await;
        let session = Session::new(Settings {
            retries: 0,
            ..upstream.settings()
        });
        let reply = session.get("p").query([("token", "secret")]).send().await;
        let met = reply.and_then(|reply| reply.json::<Trains>()).unwrap_err();
        assert_eq!(met, error);
        assert_eq!(met.sent(), sent, "{met:?}");
        assert!(!format!("{met} {met:?}").contains("secret"), "{met:?}");
    }
}

#[tokio::test]
async fn a_closed_port_is_not_sent() {
    let upstream = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", upstream.local_addr().unwrap());
    drop(upstream);
    let error = Session::new(settings(&base))
        .get("p")
        .send()
        .await
        .unwrap_err();
    assert_eq!(
        error,
        Error::Unreachable {
            host: "127.0.0.1".into(),
            fault: Fault::Connect
        }
    );
    assert_eq!(error.sent(), Sent::No);
}

#[tokio::test]
async fn an_upstream_without_encryption_gets_nothing_and_is_asked_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let session = Session::new(settings(&format!(
        "https://{}",
        listener.local_addr().unwrap()
    )));
    let asked = AtomicUsize::new(0);
    let plain = async {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            asked.fetch_add(1, Ordering::Relaxed);
            let _hello = stream.read(&mut [0; 4096]).await.unwrap();
            stream
                .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                .await
                .unwrap();
        }
    };
    let error = tokio::select! {
        reply = session.get("p").send() => reply.unwrap_err(),
        () = plain => panic!("it goes on"),
    };
    assert_eq!(
        error,
        Error::Unreachable {
            host: "127.0.0.1".into(),
            fault: Fault::Tls
        }
    );
    assert_eq!((error.sent(), asked.into_inner()), (Sent::No, 1));
}

#[tokio::test]
async fn debug_prints_show_neither_headers_nor_bodies() {
    let upstream = Upstream::start([json("{\"total\":3}")]).await;
    let mut settings = upstream.settings();
    settings
        .headers
        .insert(AUTHORIZATION, HeaderValue::from_static("secret"));
    let session = Session::new(settings);
    assert_eq!(
        format!("{session:?}"),
        format!("Session {{ base: \"{}/\", .. }}", upstream.base())
    );
    let reply = session
        .get("p")
        .query([("q", "secret")])
        .send()
        .await
        .unwrap();
    let shown = "Reply { body: [11 bytes], path: \"/p\" }";
    assert_eq!(format!("{reply:?}"), shown);
}

#[tokio::test]
async fn a_failure_is_a_reply_where_it_is_asked_for() {
    let failed = |status| Error::Status {
        path: path(),
        status,
    };
    let upstream = Upstream::start([
        answer("499 Refused", &[], "{\"total\":4}"),
        answer("401 Unauthorized", &[], "{\"total\":5}"),
        answer("403 Forbidden", &[], "<html>"),
        answer("302 Found", &["location: /elsewhere"], ""),
    ])
    .await;
    let session = upstream.session();
    let taken = || session.get("p").taking_failures().send();
    let reply = taken().await.unwrap();
    assert_eq!(
        (reply.status(), reply.json()),
        (499, Ok(Trains { total: 4 }))
    );
    assert_eq!(
        session.get("p").send().await.map(|reply| reply.status()),
        Err(failed(401))
    );
    let page = taken().await.unwrap();
    assert_eq!(page.json::<Trains>(), Err(failed(403)));
    let to = Location::Path("/elsewhere".to_owned());
    let moved = Error::Redirected { path: path(), to };
    assert_eq!(taken().await.map(|reply| reply.status()), Err(moved));
}

#[tokio::test]
async fn a_failure_that_may_pass_is_repeated_before_it_is_a_reply() {
    let broken = || answer("502 Bad Gateway", &[], "{\"total\":1}");
    let torn = || Answer::Bytes(bytes("502 Bad Gateway", &["content-length: 9"], "{"));
    let upstream = Upstream::start([
        broken(),
        json("{\"total\":2}"),
        broken(),
        broken(),
        broken(),
        torn(),
        torn(),
    ])
    .await;
    let session = upstream.session();
    let read = || session.get("p").taking_failures().send();
    for (status, total) in [(200, 2), (502, 1)] {
        let reply = read().await.unwrap();
        assert_eq!(
            (reply.status(), reply.json()),
            (status, Ok(Trains { total }))
        );
    }
    // A write is not repeated.
    let reply = session.post("p").taking_failures().send().await.unwrap();
    assert_eq!(reply.status(), 502);
    let status = 502;
    let path = path();
    assert_eq!(read().await.unwrap_err(), Error::Status { path, status });
}
