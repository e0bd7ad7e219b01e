//! Cookies go back whole, and only where their path and host say.

use http_session::{Error, Jar, Session, Settings, Url};

use crate::upstream::{Answer, Upstream, answer, json, settings};

fn set(cookies: &[&str]) -> Answer {
    let lines: Vec<String> = cookies
        .iter()
        .map(|cookie| format!("set-cookie: {cookie}"))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    answer("200 OK", &lines, "")
}

fn some(header: &str) -> Option<String> {
    Some(header.to_owned())
}

#[tokio::test]
async fn cookies_follow_their_paths_and_keep_their_values() {
    let cookies = [
        "JSESSIONID=0A1B; Path=/otn",
        "route=c5c6=2d==; Path=/",
        "BIGipServerotn=1406730506.64545.0000; path=/",
        "elsewhere=1; Domain=rail.example; Path=/",
        "gone=1; Max-Age=0; Path=/",
    ];
    let upstream = Upstream::start([set(&cookies), json("{}"), json("{}"), json("{}")]).await;
    let session = upstream.session();
    for path in [
        "otn/leftTicket/init",
        "otn/leftTicket/query",
        "lcquery/query",
        "otnx",
    ] {
        session.get(path).send().await.unwrap();
    }
    let everywhere = "BIGipServerotn=1406730506.64545.0000; route=c5c6=2d==";
    let expected = [
        None,
        Some(format!("JSESSIONID=0A1B; {everywhere}")),
        some(everywhere),
        some(everywhere),
    ];
    assert_eq!(upstream.headers("cookie"), expected);
}

#[tokio::test]
async fn a_later_cookie_replaces_or_removes_an_earlier_one() {
    let script = [
        set(&["a=1; Path=/"]),
        set(&["a=2; Path=/"]),
        set(&["a=; Max-Age=0; Path=/"]),
        json("{}"),
    ];
    let upstream = Upstream::start(script).await;
    let session = upstream.session();
    for _ in 0..4 {
        session.clone().get("p").send().await.unwrap();
    }
    let expected = [None, some("a=1"), some("a=2"), None];
    assert_eq!(upstream.headers("cookie"), expected);
}

#[tokio::test]
async fn sessions_share_no_cookies_unless_they_share_a_jar() {
    let upstream = Upstream::start([set(&["a=1; Path=/"]), json("{}")]).await;
    upstream.read().await.unwrap();
    upstream.read().await.unwrap();
    assert_eq!(upstream.headers("cookie"), [None, None]);
}

/// As browsers do: the sign-in site marks its cookie `Secure`, and a fake of it on loopback has no TLS.
#[tokio::test]
async fn a_secure_cookie_is_sent_over_plain_http_on_loopback() {
    let upstream = Upstream::start([
        set(&["CASTGC=TGT-1; Path=/cas; Secure; HttpOnly"]),
        json("{}"),
    ])
    .await;
    let session = upstream.session();
    session.get("cas/login").send().await.unwrap();
    session.get("cas/login").send().await.unwrap();
    assert_eq!(upstream.headers("cookie"), [None, some("CASTGC=TGT-1")]);
}

#[tokio::test]
async fn sessions_with_one_jar_share_what_belongs_to_both_and_a_third_host_gets_nothing() {
    let cas = Upstream::start([
        set(&["CASTGC=TGT-1; Path=/cas", "shared=1; Path=/"]),
        json("{}"),
    ])
    .await;
    let api = Upstream::start([set(&["jsq=2; Path=/jsq"]), json("{}")]).await;
    let third = Upstream::start([set(&["theirs=3; Path=/"]), json("{}")]).await;
    let jar = Jar::default();
    let session = |base: String| {
        Session::new(Settings {
            jar: jar.clone(),
            also: vec![third.other_base().parse().unwrap()],
            ..settings(&base)
        })
    };
    let sessions = (session(format!("{}/cas", cas.base())), session(api.base()));
    let away = Url::parse(&third.other_base()).unwrap();
    sessions.0.get("login").send().await.unwrap();
    sessions.1.get("jsq/a").send().await.unwrap();
    sessions.1.visit(&away).unwrap().send().await.unwrap();
    sessions.0.visit(&away).unwrap().send().await.unwrap();
    sessions.0.get("login").send().await.unwrap();
    sessions.1.get("jsq/a").send().await.unwrap();
    assert_eq!(
        cas.headers("cookie"),
        [None, some("CASTGC=TGT-1; shared=1")]
    );
    assert_eq!(
        api.headers("cookie"),
        [some("shared=1"), some("jsq=2; shared=1")]
    );
    assert_eq!(third.headers("cookie"), [None, some("theirs=3")]);
}

#[tokio::test]
async fn a_jar_is_copied_and_put_back() {
    let upstream = Upstream::start([set(&["a=1; Path=/"]), json("{}"), json("{}")]).await;
    let jar = Jar::default();
    let session = Session::new(Settings {
        jar: jar.clone(),
        ..upstream.settings()
    });
    assert!(jar.is_empty());
    session.get("p").send().await.unwrap();
    let copy = jar.cookies();
    assert_eq!(format!("{jar:?} {copy:?}"), "[1 cookies] [1 cookies]");
    assert!(!jar.is_empty());
    jar.replace(Jar::default().cookies());
    assert!(jar.is_empty());
    session.get("p").send().await.unwrap();
    jar.replace(copy);
    session.get("p").send().await.unwrap();
    assert_eq!(upstream.headers("cookie"), [None, None, some("a=1")]);
}

#[tokio::test]
async fn sessions_that_share_connections_have_cookies_and_limits_of_their_own() {
    let script = [set(&["a=1; Path=/"]), json("[1, 2]"), json("[1, 2]")];
    let upstream = Upstream::start(script).await;
    let first = upstream.session();
    let mut settings = upstream.settings();
    settings.limits.body_bytes = 5;
    let second = first.sharing(settings);
    first.get("p").send().await.unwrap();
    let limit_bytes = 5;
    let path = "/p".to_owned();
    assert_eq!(
        second.get("p").send().await.unwrap_err(),
        Error::TooLarge { path, limit_bytes }
    );
    first.get("p").send().await.unwrap();
    assert_eq!(upstream.headers("cookie"), [None, None, some("a=1")]);
}

/// Two of a name, for the host and for its domain, are refused by some services; an empty value takes
/// a cookie away.
#[tokio::test]
async fn a_jar_by_name_keeps_the_last_cookie_of_each_name() {
    let script = [
        set(&["key=1; Path=/", "key=2; Path=/web", "other=3; Path=/"]),
        set(&["key=4; Path=/; Domain=127.0.0.1"]),
        set(&["key=5; Path=/; Domain=rail.example"]),
        set(&["key=; Path=/"]),
        set(&["other=6; Path=/; Max-Age=0"]),
        json("{}"),
    ];
    let upstream = Upstream::start(script).await;
    let session = Session::new(Settings {
        jar: Jar::by_name(),
        ..upstream.settings()
    });
    for _ in 0..6 {
        session.get("web/p").send().await.unwrap();
    }
    let expected = [
        None,
        some("key=2; other=3"),
        some("key=4; other=3"),
        some("key=4; other=3"),
        some("other=3"),
        None,
    ];
    assert_eq!(upstream.headers("cookie"), expected);
}

#[cfg(feature = "sealed")]
#[tokio::test]
async fn cookies_are_put_in_and_looked_at_by_name() {
    use secrecy::{ExposeSecret, SecretString};

    let upstream = Upstream::start([json("{}")]).await;
    let jar = Jar::by_name();
    let origin = upstream.base().parse().unwrap();
    let put = |name, value: &str| jar.put(&origin, name, &SecretString::from(value));
    let taken = [
        put("key", "old"),
        put("key", "AbCd1234"),
        put("rt", "web%40Token=_AL"),
        put("name", "读者"),
        put("bad", "a;b"),
        put("", "x"),
    ];
    assert_eq!(taken, [true, true, true, false, false, false]);
    let value = |name| {
        jar.value(name)
            .map(|value| value.expose_secret().to_owned())
    };
    assert_eq!(
        [value("key"), value("rt"), value("name")],
        [some("AbCd1234"), some("web%40Token=_AL"), None]
    );
    let session = Session::new(Settings {
        jar,
        ..upstream.settings()
    });
    session.get("p").send().await.unwrap();
    let expected = some("key=AbCd1234; rt=web%40Token=_AL");
    assert_eq!(upstream.headers("cookie"), [expected]);
}
