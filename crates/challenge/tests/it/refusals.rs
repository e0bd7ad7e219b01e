//! Whom the page does not answer: other hosts, other origins, other methods, too much, too late.

use std::time::Duration;

use challenge::Challenges;
use state::Clock;

use crate::{
    captcha_question,
    toy::{Step, Toy},
    wire::{exchange, get, place},
};

/// Requests with the answer's status and heading. `PORT` and `PATH` stand for the page's own.
const CASES: [(&str, &[&str], &str, u16, &str); 29] = [
    ("GET PATH", &[], "", 421, ""),
    ("GET PATH", &["host: example.com"], "", 421, ""),
    ("GET PATH", &["host: 127.0.0.1"], "", 421, ""),
    ("GET PATH", &["host: 127.0.0.1:1"], "", 421, ""),
    ("GET PATH", &["host: 127.0.0.1:PORT.example"], "", 421, ""),
    ("GET PATH", &[HOST, "host: example.com"], "", 421, ""),
    ("POST PATH", &["host: example.com"], "answer=1", 421, ""),
    (
        "GET http://example.com/PATH",
        &["host: example.com"],
        "",
        421,
        "",
    ),
    ("GET /", &[HOST], "", 404, MISSING),
    ("GET /favicon.ico", &[HOST], "", 404, MISSING),
    ("GET /PATH", &[HOST], "", 404, MISSING),
    ("GET PATH/", &[HOST], "", 404, MISSING),
    ("GET PATH0", &[HOST], "", 404, MISSING),
    ("POST /", &[HOST], "answer=1", 404, MISSING),
    ("HEAD PATH", &[HOST], "", 405, ""),
    ("PUT PATH", &[HOST], "answer=1", 405, METHOD),
    ("DELETE PATH", &[HOST], "", 405, METHOD),
    ("OPTIONS PATH", &[HOST], "", 405, METHOD),
    (
        "POST PATH",
        &[HOST, "origin: http://example.com"],
        "answer=1",
        403,
        FOREIGN,
    ),
    (
        "POST PATH",
        &[HOST, "origin: null"],
        "answer=1",
        403,
        FOREIGN,
    ),
    (
        "POST PATH",
        &[HOST, "origin: https://127.0.0.1:PORT"],
        "answer=1",
        403,
        FOREIGN,
    ),
    (
        "POST PATH",
        &["host: localhost:PORT", ORIGIN],
        "answer=1",
        403,
        FOREIGN,
    ),
    (
        "POST PATH",
        &[HOST, ORIGIN, "origin: http://example.com"],
        "answer=1",
        403,
        FOREIGN,
    ),
    (
        "POST PATH",
        &[HOST, "sec-fetch-site: cross-site"],
        "answer=1",
        403,
        FOREIGN,
    ),
    (
        "POST PATH",
        &[HOST, ORIGIN, "sec-fetch-site: same-site"],
        "answer=1",
        403,
        FOREIGN,
    ),
    ("POST PATH", &[HOST, ORIGIN], TOO_LONG, 413, "内容太长"),
    ("POST PATH", &[HOST, ORIGIN], FITS, 422, QUESTION),
    // A link may be followed from anywhere.
    (
        "GET PATH",
        &[HOST, "sec-fetch-site: cross-site"],
        "",
        200,
        QUESTION,
    ),
    ("GET PATH", &["host: localhost:PORT"], "", 200, QUESTION),
];

const HOST: &str = "host: 127.0.0.1:PORT";
const ORIGIN: &str = "origin: http://127.0.0.1:PORT";
const QUESTION: &str = "输入验证码";
const MISSING: &str = "没有这个页面";
const METHOD: &str = "不支持这种请求";
const FOREIGN: &str = "来源不对";

/// Bodies of 8193 and of 8192 bytes.
const TOO_LONG: &str = "LONG1";
const FITS: &str = "LONG";

#[tokio::test]
async fn who_may_not_ask_is_refused_and_the_question_waits_on() {
    let toy = Toy::new();
    let open = toy.ask(captcha_question(), [Step::Done("好了")]).await;
    let (port, path) = place(open.page_url.as_deref().unwrap());
    let long = "1".repeat(8 << 10);
    let filled = |text: &str| {
        let text = text.replace("PORT", &port.to_string());
        text.replace("PATH", &path).replace("LONG", &long)
    };
    for (line, headers, body, status, expected) in CASES {
        let told: Vec<_> = headers.iter().map(|header| filled(header)).collect();
        let told: Vec<_> = told.iter().map(String::as_str).collect();
        let answer = exchange(port, &filled(line), &told, &filled(body)).await;
        let heading = match answer.body.contains("<h1>") {
            true => answer.element("h1"),
            false => "",
        };
        assert_eq!(
            (answer.status(), heading),
            (status, expected),
            "{line} {headers:?}"
        );
        assert_eq!(
            answer.header("allow"),
            (status == 405).then_some("GET, POST")
        );
        assert_eq!(toy.seen(), [], "{line} {headers:?}");
    }
    // Under its other name the page takes an answer too, and one that no page sent.
    let named = [
        "host: localhost:PORT",
        "origin: http://localhost:PORT",
        "sec-fetch-site: none",
    ];
    let named = named.map(filled);
    let named = named.each_ref().map(String::as_str);
    let done = exchange(port, &filled("POST PATH"), &named, "answer=1").await;
    assert_eq!((done.status(), done.element("h1")), (200, "完成了"));
}

#[tokio::test]
async fn who_comes_too_late_is_told_so() {
    let ttl = Duration::from_millis(20);
    let toy = Toy::on(Challenges::new(None, Clock::system(), ttl));
    let open = toy.ask(captcha_question(), [Step::Done("")]).await;
    toy.challenges.settled(&open.id).await;
    let url = open.page_url.as_deref().unwrap();
    let late = get(url).await;
    assert_eq!((late.status(), late.element("h1")), (410, "页面已过期"));
    let (port, path) = place(url);
    let host = format!("host: 127.0.0.1:{port}");
    let late = exchange(port, &format!("POST {path}"), &[&host], "answer=1").await;
    assert_eq!((late.status(), late.element("h1")), (410, "页面已过期"));
    assert!(toy.seen().is_empty());
}
