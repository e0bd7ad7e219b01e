//! What keeps the notes: this process, or a service on a loopback port that answers one line with one line.
//!
//! A line is JSON. `{"do":"count"}` is answered by `{"stored":2}`; `{"do":"store","id":…,"note":…}` by the same or by
//! `{"refused":"why"}`, or by `{"breaks":true}`, which breaks the toy; `{"do":"find","id":…}` by `{"stored":2}` or `{}`; `{"do":"page"}` when the person is done with it.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use server_kit::settings::{Refusal, Settings};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    time::timeout,
};

#[derive(Clone)]
pub(crate) enum Service {
    Here {
        /// Ids of the notes.
        notes: Arc<Mutex<Vec<String>>>,
        storing: Duration,
    },
    At(SocketAddr),
}

/// Why there is no answer.
pub(crate) enum Silence {
    /// Nothing left this machine.
    Unsent,
    /// It was asked, and then fell silent.
    Lost,
}

impl Service {
    pub(crate) fn read(settings: &mut Settings) -> Result<Self, Refusal> {
        let storing = settings.millis("TOY_STORING_MS", 0, "存一条笔记要多久（毫秒）")?;
        match settings.text("TOY_SERVICE", "存笔记的服务（IP:端口），不设则存于内存")
        {
            None => Ok(Self::Here {
                notes: Arc::default(),
                storing,
            }),
            Some(text) => match text.parse() {
                Ok(address) => Ok(Self::At(address)),
                Err(why) => Err(Refusal::new("TOY_SERVICE", &text, why)),
            },
        }
    }

    pub(crate) async fn ask(&self, question: Value) -> Result<Value, Silence> {
        match self {
            Self::At(address) => {
                let stream = TcpStream::connect(address).await;
                let mut stream = stream.map_err(|_| Silence::Unsent)?;
                let asked = stream.write_all(format!("{question}\n").as_bytes()).await;
                asked.map_err(|_| Silence::Lost)?;
                let mut line = String::new();
                let read = BufReader::new(stream).read_line(&mut line).await;
                read.map_err(|_| Silence::Lost)?;
                serde_json::from_str(&line).map_err(|_| Silence::Lost)
            }
            Self::Here { notes, storing } => {
                let id = question.get("id").and_then(Value::as_str);
                let stores = question.get("do") == Some(&json!("store"));
                if stores {
                    drop(timeout(*storing, std::future::pending::<()>()).await);
                }
                let mut notes = notes.lock().map_err(|_| Silence::Lost)?;
                match id {
                    Some(id) if stores => notes.push(id.to_owned()),
                    Some(id) if !notes.iter().any(|note| note == id) => return Ok(json!({})),
                    _ => {}
                }
                Ok(json!({ "stored": notes.len() }))
            }
        }
    }
}
