//! A relay between a server and its upstream that tells how long the upstream took over its answers.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;

/// Begin of each exchange at the first byte of the request, and its end at the last byte seen of the answer.
type Exchanges = Arc<Mutex<Vec<(Instant, Option<Instant>)>>>;

/// A listener on loopback that hands every connection on to one address.
pub(crate) struct Relay {
    port: u16,
    exchanges: Exchanges,
}

impl Relay {
    /// Begins to relay to `upstream`, which is `host:port`. The threads end with the process.
    pub(crate) fn start(upstream: &str) -> Outcome<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let relay = Self {
            port: listener.local_addr()?.port(),
            exchanges: Exchanges::default(),
        };
        let (upstream, exchanges) = (upstream.to_owned(), Arc::clone(&relay.exchanges));
        thread::spawn(move || {
            for server in listener.incoming().map_while(Result::ok) {
                if let Err(error) = join(server, &upstream, &exchanges) {
                    eprintln!("relay to {upstream}: {error}");
                }
            }
        });
        Ok(relay)
    }

    /// Where the server is pointed at.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// How long the upstream took in all since the last time this was asked.
    pub(crate) fn taken(&self) -> Duration {
        let mut exchanges = self
            .exchanges
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        exchanges
            .drain(..)
            .filter_map(|(begun, ended)| Some(ended? - begun))
            .sum()
    }
}

/// Copies both ways, one thread each.
fn join(server: TcpStream, upstream: &str, exchanges: &Exchanges) -> std::io::Result<()> {
    let fake = TcpStream::connect(upstream)?;
    for stream in [&server, &fake] {
        stream.set_nodelay(true)?;
    }
    let (requests, answers) = (Arc::clone(exchanges), Arc::clone(exchanges));
    let (to_fake, to_server) = (fake.try_clone()?, server.try_clone()?);
    thread::spawn(move || {
        copy(server, to_fake, || {
            let mut known = requests.lock().unwrap_or_else(PoisonError::into_inner);
            if known.last().is_none_or(|(_, ended)| ended.is_some()) {
                known.push((Instant::now(), None));
            }
        })
    });
    thread::spawn(move || {
        copy(fake, to_server, || {
            if let Some((_, ended)) = answers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .last_mut()
            {
                *ended = Some(Instant::now());
            }
        })
    });
    Ok(())
}

/// Copies until either side ends, and notes each piece before it is handed on.
fn copy(mut from: TcpStream, mut to: TcpStream, note: impl Fn()) {
    let mut piece = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut piece) {
        note();
        let Some(filled) = piece.get(..length) else {
            break;
        };
        if to.write_all(filled).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Write));
}
