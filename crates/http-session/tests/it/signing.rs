//! Signatures are made anew for each attempt and hop, and for the base only; a repeatable POST is a read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http_session::header::{HeaderMap, HeaderName, HeaderValue};
use http_session::{Error, Method, Session, Settings, Sign, Url};

use crate::upstream::{Answer, Upstream, answer, json};

const STAMP: HeaderName = HeaderName::from_static("x-stamp");

/// Stamps with a number that never comes twice, and with what was signed.
#[derive(Default)]
struct Counter(AtomicUsize);

impl Sign for Counter {
    fn headers(&self, method: &Method, url: &Url) -> HeaderMap {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let stamp = format!("{number} {method} {}", url.path());
        HeaderMap::from_iter([(STAMP, HeaderValue::from_str(&stamp).unwrap())])
    }
}

fn broken() -> Answer {
    answer("502 Bad Gateway", &[], "")
}

fn some(stamp: &str) -> Option<String> {
    Some(stamp.to_owned())
}

#[tokio::test]
async fn each_attempt_and_hop_on_the_base_is_signed_and_no_other() {
    let other = Upstream::start([json("{}")]).await;
    let away = format!("location: {}/c", other.other_base());
    let upstream = Upstream::start([
        broken(),
        answer("302 Found", &["location: /b"], ""),
        answer("302 Found", &[&away], ""),
    ])
    .await;
    let sign = Arc::new(Counter::default());
    let session = Session::new(Settings {
        sign: Some(sign.clone()),
        also: vec![other.other_base().parse().unwrap()],
        ..upstream.settings()
    });
    let request = session
        .get("a")
        .header(STAMP, HeaderValue::from_static("unsigned"));
    request.follow(2).send().await.unwrap();
    let stamps = [some("1 GET /a"), some("2 GET /a"), some("3 GET /b")];
    assert_eq!(upstream.headers("x-stamp"), stamps);
    assert_eq!(other.headers("x-stamp"), [None]);
    assert_eq!(sign.0.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn a_post_is_repeated_only_when_it_is_said_to_change_nothing() {
    let upstream = Upstream::start([broken(), json("{}"), broken(), json("{}")]).await;
    let session = Session::new(Settings {
        sign: Some(Arc::new(Counter::default())),
        ..upstream.settings()
    });
    let read = session.post("read").json(&()).repeatable();
    assert_eq!(read.send().await.unwrap().text(), "{}");
    let error = session.post("write").json(&()).send().await.unwrap_err();
    let expected = Error::Status {
        path: "/write".into(),
        status: 502,
    };
    assert_eq!(error, expected);
    let stamps = [
        some("1 POST /read"),
        some("2 POST /read"),
        some("3 POST /write"),
    ];
    assert_eq!(upstream.headers("x-stamp"), stamps);
    let bodies: Vec<_> = upstream.seen().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, ["null"; 3]);
}

#[tokio::test]
async fn a_repeatable_post_follows_no_redirect() {
    let upstream = Upstream::start([answer("302 Found", &["location: /b"], ""), json("{}")]).await;
    let request = upstream.session().post("a").repeatable().follow(3);
    let error = request.send().await.unwrap_err();
    assert_eq!(error.to_string(), "/a redirects to /b");
    assert_eq!(upstream.targets(), ["POST /a"]);
}
