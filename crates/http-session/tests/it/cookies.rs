//! Cookies go back whole, and only where their path and origin say.

use crate::upstream::{Upstream, answer, json};

#[tokio::test]
async fn cookies_follow_their_paths_and_keep_their_values() {
    let cookies = [
        "set-cookie: JSESSIONID=0A1B; Path=/otn",
        "set-cookie: route=c5c6=2d==; Path=/",
        "set-cookie: BIGipServerotn=1406730506.64545.0000; path=/",
        "set-cookie: elsewhere=1; Domain=rail.example; Path=/",
        "set-cookie: gone=1; Max-Age=0; Path=/",
    ];
    let upstream = Upstream::start([
        answer("200 OK", &cookies, ""),
        json("{}"),
        json("{}"),
        json("{}"),
    ])
    .await;
    let session = upstream.session();
    for path in [
        "otn/leftTicket/init",
        "otn/leftTicket/query",
        "lcquery/query",
        "otnx",
    ] {
        session.get(path).send().await.unwrap();
    }
    let sent: Vec<_> = upstream
        .seen()
        .iter()
        .map(|seen| seen.header("cookie"))
        .collect();
    let everywhere = "BIGipServerotn=1406730506.64545.0000; route=c5c6=2d==";
    assert_eq!(
        sent,
        [
            None,
            Some(format!("JSESSIONID=0A1B; {everywhere}")),
            Some(everywhere.to_owned()),
            Some(everywhere.to_owned()),
        ]
    );
}

#[tokio::test]
async fn a_later_cookie_replaces_or_removes_an_earlier_one() {
    let set = |cookie: &str| answer("200 OK", &[&format!("set-cookie: {cookie}")], "");
    let script = [
        set("a=1; Path=/"),
        set("a=2; Path=/"),
        set("a=; Max-Age=0; Path=/"),
        json("{}"),
    ];
    let upstream = Upstream::start(script).await;
    let session = upstream.session();
    for _ in 0..4 {
        session.clone().get("p").send().await.unwrap();
    }
    let sent: Vec<_> = upstream
        .seen()
        .iter()
        .map(|seen| seen.header("cookie"))
        .collect();
    assert_eq!(
        sent,
        [None, Some("a=1".to_owned()), Some("a=2".to_owned()), None]
    );
}

#[tokio::test]
async fn sessions_share_no_cookies() {
    let upstream = Upstream::start([
        answer("200 OK", &["set-cookie: a=1; Path=/"], ""),
        json("{}"),
    ])
    .await;
    upstream.read().await.unwrap();
    upstream.read().await.unwrap();
    assert_eq!(upstream.seen()[1].header("cookie"), None);
}
