//! Whole addresses, single hops, bodies, and what an answer tells beside its body.

use std::collections::HashMap;

use http_session::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use http_session::{Error, Hop, Sent, Session, Settings, Url};

use crate::upstream::{Upstream, answer, json, settings};

const TOKEN: HeaderName = HeaderName::from_static("token");

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[tokio::test]
async fn a_hop_gives_a_page_or_the_whole_place_without_going_there() {
    let foreign = Upstream::start([json("{}")]).await;
    let away = format!("{}/in?ticket=ST-1#/home", foreign.other_base());
    let upstream = Upstream::start([
        answer("302 Found", &["location: next?a=1"], ""),
        answer("302 Found", &[&format!("location: {away}")], ""),
        answer("200 OK", &["content-type: text/html"], "<p>"),
        answer("503 Service Unavailable", &[], ""),
    ])
    .await;
    let session = upstream.session();
    let hop = async || session.get("cas/login").follow(9).hop().await;
    let moved = |hop: Hop| match hop {
        Hop::Moved(to) => to.to_string(),
        Hop::Page(page) => panic!("{page:?}"),
    };
    let near = format!("{}/cas/next?a=1", upstream.base());
    assert_eq!(moved(hop().await.unwrap()), near);
    let far = hop().await.unwrap();
    assert_eq!(format!("{far:?}"), r#"Moved("localhost/in")"#);
    assert_eq!(moved(far), away);
    let Hop::Page(page) = hop().await.unwrap() else {
        panic!("no page")
    };
    assert_eq!(page.text(), "<p>");
    let broken = Error::Status {
        path: "/cas/login".into(),
        status: 503,
    };
    assert_eq!(hop().await.unwrap_err(), broken);
    assert_eq!(upstream.targets().len(), 4, "a hop is one exchange");
    assert_eq!(foreign.targets().len(), 0);
}

#[tokio::test]
async fn a_form_is_submitted_once_and_its_redirect_is_told() {
    let moved = answer("302 Found", &["location: /in?ticket=ST-1"], "");
    let upstream = Upstream::start([moved]).await;
    let session = Session::new(settings(&format!("{}/cas", upstream.base())));
    let action = format!("{}/cas/login;jsessionid=0A?service=x", upstream.base());
    let request = session.submit(&url(&action)).unwrap();
    let hop = request
        .form([("username", "a b"), ("password", "&=密+")])
        .hop()
        .await;
    let Hop::Moved(to) = hop.unwrap() else {
        panic!("no redirect")
    };
    assert_eq!(
        to.as_str(),
        format!("{}/in?ticket=ST-1", upstream.base()),
        "outside the base's prefix"
    );
    let seen = &upstream.seen()[0];
    assert_eq!(seen.target(), "POST /cas/login;jsessionid=0A?service=x");
    assert_eq!(seen.body, "username=a+b&password=%26%3D%E5%AF%86%2B");
    let kind = seen.header("content-type");
    assert_eq!(kind.as_deref(), Some("application/x-www-form-urlencoded"));
}

#[tokio::test]
async fn only_listed_addresses_are_visited() {
    let upstream = Upstream::start([json("{}"), json("{}")]).await;
    let session = Session::new(Settings {
        also: vec!["https://cas.example/cas".parse().unwrap()],
        ..settings(&format!("{}/jsq", upstream.base()))
    });
    let port = upstream.port;
    let cases = [
        ("https://other.example/in;a=1/b?ticket=ST-1#c", "/in/b"),
        ("http://cas.example/cas", "/cas"),
        ("https://cas.example:8443/", "/"),
        ("https://user@cas.example/cas", "/cas"),
        ("ftp://cas.example/cas", "/cas"),
    ];
    for (address, path) in cases {
        let address = url(address);
        let expected = Error::NotListed {
            host: address.host_str().unwrap().into(),
            path: path.into(),
        };
        assert_eq!(expected.sent(), Sent::No);
        assert_eq!(session.visit(&address).err(), Some(expected.clone()));
        assert_eq!(session.submit(&address).err(), Some(expected));
    }
    let error = session.visit(&url("mailto:a@b.example?c")).err().unwrap();
    assert_eq!(error.to_string(), "a@b.example is not a listed address");
    for place in ["jsq/a?b=1", "rem/a"] {
        let place = url(&format!("http://127.0.0.1:{port}/{place}"));
        let request = session.visit(&place).unwrap();
        request.query([("c", "2")]).send().await.unwrap();
    }
    let targets = ["GET /jsq/a?b=1&c=2", "GET /rem/a?c=2"];
    assert_eq!(upstream.targets(), targets);
    assert!(session.visit(&url("https://cas.example/out")).is_ok());
}

#[tokio::test]
async fn a_token_goes_to_the_base_only_and_a_body_keeps_its_type() {
    let other = Upstream::start([json("{}")]).await;
    let upstream = Upstream::start([json("{}")]).await;
    let mut settings = Settings {
        also: vec![other.other_base().parse().unwrap()],
        ..upstream.settings()
    };
    let secret = HeaderValue::from_static("secret");
    settings.headers.insert(TOKEN, secret.clone());
    let session = Session::new(settings);
    for base in [upstream.base(), other.other_base()] {
        let request = session.submit(&url(&format!("{base}/p"))).unwrap();
        let request = request.header(AUTHORIZATION, secret.clone());
        request.json(&[1, 2]).send().await.unwrap();
    }
    let names = ["token", "authorization", "content-type"];
    let seen = |upstream: &Upstream| names.map(|name| upstream.headers(name)[0].clone());
    let [secret, kind] = ["secret", "application/json"].map(|text| Some(text.to_owned()));
    assert_eq!(
        seen(&upstream),
        [secret.clone(), secret.clone(), kind.clone()]
    );
    assert_eq!(seen(&other), [None, None, kind]);
    assert_eq!(upstream.seen()[0].body, "[1,2]");
}

#[tokio::test]
async fn a_body_that_is_no_json_is_not_sent() {
    let upstream = Upstream::start([json("{}")]).await;
    let pairs_as_keys = HashMap::from([((1, 2), 3)]);
    let error = upstream.session().post("p").json(&pairs_as_keys).send();
    let error = error.await.unwrap_err();
    assert_eq!(error, Error::Unwritable { path: "/p".into() });
    assert_eq!(error.sent(), Sent::No);
    let hop = upstream.session().post("p").json(&pairs_as_keys).hop();
    assert_eq!(hop.await.unwrap_err(), error);
    assert_eq!(upstream.targets().len(), 0);
}

#[tokio::test]
async fn a_reply_tells_its_address_time_and_type() {
    let facts = [
        "date: Thu, 25 Jun 2026 03:00:00 GMT",
        "content-type: image/jpeg",
    ];
    let upstream = Upstream::start([
        answer("302 Found", &["location: /b?x=1"], ""),
        answer("200 OK", &facts, ""),
        answer("200 OK", &["date: yesterday"], ""),
    ])
    .await;
    let reply = upstream.session().get("a").follow(1).send().await.unwrap();
    let time = reply.date().unwrap();
    assert_eq!(
        (time.to_string().as_str(), reply.content_type()),
        ("2026-06-25T03:00:00Z", Some("image/jpeg"))
    );
    assert_eq!(
        reply.url().as_str(),
        format!("{}/b?x=1", upstream.base()),
        "the last address"
    );
    let reply = upstream.read().await.unwrap();
    assert_eq!((reply.date(), reply.content_type()), (None, None));
}

#[tokio::test]
async fn a_secret_in_a_path_is_in_no_error() {
    let upstream = Upstream::start([
        answer("404 Not Found", &[], ""),
        json("no"),
        answer("302 Found", &["location: /in;jsessionid=0A"], ""),
    ])
    .await;
    let session = upstream.session();
    let ask = async || {
        let request = session.post("auth/cas/eyJhbGciOi").shown_as("/auth/cas/…");
        request.send().await?.json::<Nothing>()
    };
    let path = || "/auth/cas/…".to_owned();
    let status = Error::Status {
        path: path(),
        status: 404,
    };
    assert_eq!(ask().await.unwrap_err(), status);
    assert_eq!(ask().await.unwrap_err(), Error::NotJson { path: path() });
    let error = ask().await.unwrap_err();
    assert_eq!(error.to_string(), "/auth/cas/… redirects to /in");
    assert_eq!(upstream.targets()[0], "POST /auth/cas/eyJhbGciOi");
}

/// Nothing is read into it.
#[derive(Debug, serde::Deserialize)]
struct Nothing {}

#[tokio::test]
async fn later_headers_replace_earlier_ones() {
    let upstream = Upstream::start([json("{}")]).await;
    let mut settings = upstream.settings();
    settings.headers = HeaderMap::from_iter([(TOKEN, HeaderValue::from_static("old"))]);
    let request = Session::new(settings).get("p");
    let request = request.header(TOKEN, HeaderValue::from_static("new"));
    request.send().await.unwrap();
    let head = &upstream.seen()[0].head;
    assert_eq!(head.matches("token: ").count(), 1);
    assert!(head.contains("token: new"));
}
