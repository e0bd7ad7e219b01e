//! What is logged at the finest level, of this crate and those below it.

use std::io;
use std::sync::{Mutex, Once};

use http_session::{Session, Url};

use crate::upstream::{Upstream, answer, settings};

/// The lines of all tests so far; one looks for its own words.
static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Lets every thread log to [`LINES`] from now on.
pub(crate) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let all = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_writer(|| Lines)
            .with_ansi(false);
        tracing::subscriber::set_global_default(all.finish()).unwrap();
    });
}

/// The lines with a word in them.
pub(crate) fn lines_with(word: &str) -> Vec<String> {
    let text = String::from_utf8(LINES.lock().unwrap().clone()).unwrap();
    let lines = text.lines().filter(|line| line.contains(word));
    lines.map(str::to_owned).collect()
}

struct Lines;

impl io::Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        LINES.lock().unwrap().write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_query_cookie_token_or_hidden_path_is_logged() {
    listen();
    let canary = "canary0A1B";
    let away = format!("location: /log-b;jsessionid={canary}?ticket={canary}");
    let cookie = format!("set-cookie: {canary}={canary}; Path=/");
    let upstream = Upstream::start([
        answer("302 Found", &[&away, &cookie], ""),
        answer("200 OK", &[], canary),
        answer("200 OK", &[&cookie], canary),
        answer("404 Not Found", &[], canary),
    ])
    .await;
    let session = Session::new(settings(&upstream.base()));
    let ask = session.get("log-a").query([("token", canary)]).follow(1);
    ask.send().await.unwrap();
    let page = Url::parse(&format!("{}/log-c;a={canary}", upstream.base())).unwrap();
    let form = session.submit(&page).unwrap().form([("p", canary)]);
    form.hop().await.unwrap();
    let path = format!("auth/{canary}");
    let hidden = session.post(&path).shown_as("/log-d");
    hidden.send().await.unwrap_err();
    assert!(upstream.seen()[3].head.contains(canary));
    for path in ["/log-a", "/log-b", "/log-c", "/log-d"] {
        assert_eq!(lines_with(path).len(), 1, "{path}");
    }
    assert_eq!(lines_with(canary), Vec::<String>::new());
}
