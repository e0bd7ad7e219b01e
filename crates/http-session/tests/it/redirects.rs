//! Redirects are followed by hand: a few, to listed origins, without the user's headers elsewhere.

use http_session::header::{AUTHORIZATION, HeaderValue, REFERER, USER_AGENT};
use http_session::{Error, Location, Sent, Session, Settings};

use crate::upstream::{Answer, Upstream, answer, json};

fn to(place: &str) -> Answer {
    answer("302 Found", &[&format!("location: {place}")], "")
}

fn refused(path: &str, to: Location) -> Error {
    Error::Redirected {
        path: path.into(),
        to,
    }
}

#[tokio::test]
async fn a_chain_is_followed_to_its_end() {
    let upstream = Upstream::start([to("/b?x=1"), to("c"), json("{}")]).await;
    let request = upstream.session().get("a").query([("q", "1")]).follow(2);
    assert_eq!(request.send().await.unwrap().text(), "{}");
    assert_eq!(upstream.targets(), ["GET /a?q=1", "GET /b?x=1", "GET /c"]);
}

#[tokio::test]
async fn a_loop_ends_after_the_hops() {
    let upstream = Upstream::start([to("/b"), to("/a"), to("/b"), to("/a")]).await;
    let error = upstream
        .session()
        .get("a")
        .follow(2)
        .send()
        .await
        .unwrap_err();
    assert_eq!(error, refused("/a", Location::Path("/b".into())));
    assert_eq!(error.sent(), Sent::Yes);
    assert_eq!(upstream.targets(), ["GET /a", "GET /b", "GET /a"]);
}

#[tokio::test]
async fn an_origin_that_is_not_listed_is_not_asked() {
    let foreign = Upstream::start([json("{}")]).await;
    let cases = [
        (format!("{}/x?ticket=1", foreign.base()), "127.0.0.1"),
        (format!("//localhost:{}/x", foreign.port), "localhost"),
        ("http://rail.example/x".to_owned(), "rail.example"),
    ];
    for (place, host) in cases {
        let upstream = Upstream::start([to(&place)]).await;
        let error = upstream
            .session()
            .get("a")
            .follow(5)
            .send()
            .await
            .unwrap_err();
        assert_eq!(error, refused("/a", Location::Host(host.into())));
    }
    assert_eq!(foreign.targets().len(), 0);
}

#[tokio::test]
async fn a_listed_host_gets_neither_our_cookies_nor_authorization() {
    let foreign =
        Upstream::start([answer("200 OK", &["set-cookie: theirs=1; Path=/"], "{}")]).await;
    let away = format!("location: {}/x", foreign.other_base());
    let first = answer("302 Found", &[&away, "set-cookie: ours=1; Path=/"], "");
    let upstream = Upstream::start([first, json("{}")]).await;
    let mut settings = Settings {
        also: vec![foreign.other_base().parse().unwrap()],
        ..upstream.settings()
    };
    for (name, value) in [
        (USER_AGENT, "errands"),
        (REFERER, "https://private.example"),
    ] {
        settings
            .headers
            .insert(name, HeaderValue::from_static(value));
    }
    let session = Session::new(settings);
    let request = session
        .get("a")
        .header(AUTHORIZATION, HeaderValue::from_static("Bearer secret"))
        .follow(1);
    assert_eq!(request.send().await.unwrap().text(), "{}");
    assert_eq!(foreign.targets(), ["GET /x"]);
    let seen = &foreign.seen()[0];
    let names = ["user-agent", "authorization", "referer", "cookie"];
    assert_eq!(
        names.map(|name| seen.header(name)),
        [Some("errands".to_owned()), None, None, None]
    );

    session.get("b").send().await.unwrap();
    assert_eq!(
        upstream.seen()[1].header("cookie").as_deref(),
        Some("ours=1")
    );
}

#[tokio::test]
async fn a_write_follows_nothing() {
    let upstream = Upstream::start([to("/b"), json("{}")]).await;
    let error = upstream
        .session()
        .post("a")
        .follow(3)
        .send()
        .await
        .unwrap_err();
    assert_eq!(error, refused("/a", Location::Path("/b".into())));
    assert_eq!(upstream.targets(), ["POST /a"]);
}
