//! The scripted upstream: each connection gets the next answer, and every request is kept.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use http_session::{Error, Limits, Pace, Reply, Session, Settings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What one connection gets.
pub(crate) enum Answer {
    /// These bytes, then the end.
    Bytes(Vec<u8>),
    /// These bytes, then silence until the client leaves.
    Hold(Vec<u8>),
}

/// One request as it came.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) at: Instant,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Seen {
    /// Method and target.
    pub(crate) fn target(&self) -> &str {
        self.head
            .lines()
            .next()
            .unwrap()
            .trim_end_matches(" HTTP/1.1")
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    }
}

/// A listener on loopback that ends with the test's runtime.
pub(crate) struct Upstream {
    pub(crate) port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Upstream {
    /// Answers the connections in order; those beyond the script are closed without an answer.
    pub(crate) async fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::<Mutex<Vec<Seen>>>::default();
        let script: Vec<Answer> = script.into_iter().collect();
        let journal = Arc::clone(&seen);
        tokio::spawn(async move {
            let mut script = script.into_iter();
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, script.next(), Arc::clone(&journal)));
            }
        });
        Self { port, seen }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn targets(&self) -> Vec<String> {
        self.seen()
            .iter()
            .map(|seen| seen.target().to_owned())
            .collect()
    }

    /// Ends when a request has come.
    pub(crate) async fn asked(&self) {
        while self.seen().is_empty() {
            tokio::task::yield_now().await;
        }
    }

    pub(crate) fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The same upstream as another host, to which cookies of [`Upstream::base`] do not belong.
    pub(crate) fn other_base(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// A header of each request so far.
    pub(crate) fn headers(&self, name: &str) -> Vec<Option<String>> {
        self.seen().iter().map(|seen| seen.header(name)).collect()
    }

    /// Settings without spacing and with a short pause before a retry.
    pub(crate) fn settings(&self) -> Settings {
        settings(&self.base())
    }

    pub(crate) fn session(&self) -> Session {
        Session::new(self.settings())
    }

    /// One plain read of `/p`.
    pub(crate) async fn read(&self) -> Result<Reply, Error> {
        self.session().get("p").send().await
    }
}

pub(crate) fn settings(base: &str) -> Settings {
    let pace = Arc::new(Pace::new(Duration::ZERO, Duration::from_secs(30)));
    let back_off = Duration::from_millis(1);
    Settings {
        back_off,
        ..Settings::new(base.parse().unwrap(), pace)
    }
}

/// The default limits with a short one for each attempt.
pub(crate) fn short_attempt(attempt: Duration) -> Limits {
    Limits {
        attempt,
        ..Limits::default()
    }
}

/// A whole answer with the given status line, header lines and body.
pub(crate) fn answer(status: &str, headers: &[&str], body: &str) -> Answer {
    let length = format!("content-length: {}", body.len());
    Answer::Bytes(bytes(status, &[headers, &[&length]].concat(), body))
}

/// An answer exactly as given, but for `connection: close`.
pub(crate) fn bytes(status: &str, headers: &[&str], body: &str) -> Vec<u8> {
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n{body}").into_bytes()
}

/// Success with a JSON body.
pub(crate) fn json(body: &str) -> Answer {
    answer("200 OK", &["content-type: application/json"], body)
}

async fn serve(mut stream: TcpStream, answer: Option<Answer>, journal: Arc<Mutex<Vec<Seen>>>) {
    let Some(seen) = request(&mut stream).await else {
        return;
    };
    journal.lock().unwrap().push(seen);
    match answer {
        None => {}
        Some(Answer::Bytes(bytes)) => {
            let _gone = stream.write_all(&bytes).await;
            let _gone = stream.shutdown().await;
        }
        Some(Answer::Hold(bytes)) => {
            let _gone = stream.write_all(&bytes).await;
            let _left = stream.read(&mut [0]).await;
        }
    }
}

/// `None` when the connection ends before a request has come.
async fn request(stream: &mut TcpStream) -> Option<Seen> {
    let mut text = String::new();
    loop {
        let mut chunk = [0; 4096];
        let read = stream
            .read(&mut chunk)
            .await
            .ok()
            .filter(|read| *read > 0)?;
        text.push_str(std::str::from_utf8(&chunk[..read]).unwrap());
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let seen = Seen {
            at: Instant::now(),
            head: head.to_owned(),
            body: body.to_owned(),
        };
        let length = seen
            .header("content-length")
            .map_or(0, |length| length.parse().unwrap());
        if body.len() >= length {
            return Some(seen);
        }
    }
}
