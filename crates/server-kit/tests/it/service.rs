//! The service behind the toy, which does as the test says.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use fixtures::shell::TWO_SECONDS;
use serde_json::{Value, json};

/// What becomes of one question.
pub(crate) enum Way {
    /// It is done and answered.
    Normal,
    /// It is not done, and that is said.
    Refuse,
    /// It is done, and the connection ends without an answer.
    LoseDone,
    /// It is not done, and the connection ends without an answer.
    LoseNothing,
    /// The answer says nothing.
    Absent,
    /// It is answered by what breaks the toy.
    Break,
    /// It is answered, and nobody listens any more.
    ThenGone,
    /// It is told that it came, and waits to be told what becomes of it.
    Hold(Sender<()>, Receiver<Way>),
}

/// A question that waits.
pub(crate) struct Held {
    came: Receiver<()>,
    go: Sender<Way>,
}

impl Held {
    /// Waits until it has come.
    pub(crate) fn came(&self) {
        let came = self.came.recv_timeout(10 * TWO_SECONDS);
        came.expect("the question");
    }

    pub(crate) fn go(&self, way: Way) {
        // Who asked may be gone.
        let _gone = self.go.send(way);
    }
}

/// A running service. Clones are the same.
#[derive(Clone)]
pub(crate) struct Service {
    address: SocketAddr,
    mind: Arc<Mutex<Mind>>,
}

#[derive(Default)]
struct Mind {
    script: VecDeque<(&'static str, Way)>,
    asked: Vec<String>,
    /// Ids of the notes.
    notes: Vec<String>,
}

impl Service {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let service = Self {
            address: listener.local_addr().unwrap(),
            mind: Arc::default(),
        };
        service.listen(listener);
        service
    }

    /// Listens again after [`Way::ThenGone`].
    pub(crate) fn back(&self) {
        self.listen(TcpListener::bind(self.address).unwrap());
    }

    /// The variable by which the toy finds it.
    pub(crate) fn variable(&self) -> (String, String) {
        ("TOY_SERVICE".to_owned(), self.address.to_string())
    }

    /// What becomes of the next question of that kind for which nothing is said yet.
    pub(crate) fn next(&self, kind: &'static str, way: Way) {
        self.mind.lock().unwrap().script.push_back((kind, way));
    }

    /// Lets the next question of that kind wait.
    pub(crate) fn hold(&self, kind: &'static str) -> Held {
        let ((told, came), (go, way)) = (channel(), channel());
        self.next(kind, Way::Hold(told, way));
        Held { came, go }
    }

    /// The kinds of all questions so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.mind.lock().unwrap().asked.clone()
    }

    /// How often it was asked to store something, and how many notes it has.
    pub(crate) fn stores(&self) -> (usize, usize) {
        let mind = self.mind.lock().unwrap();
        let asked = mind.asked.iter().filter(|kind| *kind == "store");
        (asked.count(), mind.notes.len())
    }

    fn listen(&self, listener: TcpListener) {
        let service = self.clone();
        thread::spawn(move || {
            loop {
                let (stream, _) = listener.accept().unwrap();
                let mut line = String::new();
                let read = BufReader::new(&stream).read_line(&mut line);
                if read.unwrap_or_default() == 0 {
                    continue;
                }
                let question: Value = serde_json::from_str(&line).unwrap();
                let way = service.way(question["do"].as_str().unwrap());
                if matches!(way, Way::ThenGone) {
                    drop(listener);
                    return service.answer(stream, &question, Way::Normal);
                }
                let service = service.clone();
                thread::spawn(move || service.answer(stream, &question, way));
            }
        });
    }

    fn way(&self, kind: &str) -> Way {
        let mut mind = self.mind.lock().unwrap();
        mind.asked.push(kind.to_owned());
        let next = mind.script.iter().position(|(other, _)| *other == kind);
        next.and_then(|next| mind.script.remove(next))
            .map_or(Way::Normal, |(_, way)| way)
    }

    fn answer(&self, mut stream: TcpStream, question: &Value, way: Way) {
        let answer = match way {
            Way::Normal | Way::ThenGone => self.done(question),
            Way::Refuse => json!({ "refused": "closed today" }),
            Way::LoseDone => return drop(self.done(question)),
            Way::LoseNothing => return,
            Way::Absent => json!({}),
            Way::Break => json!({ "breaks": true }),
            Way::Hold(told, way) => {
                told.send(()).unwrap();
                // When nobody says any more, the connection ends.
                if let Ok(way) = way.recv() {
                    self.answer(stream, question, way);
                }
                return;
            }
        };
        let _gone = stream.write_all(format!("{answer}\n").as_bytes());
    }

    /// Does it; a note that is there already is not stored again.
    fn done(&self, question: &Value) -> Value {
        let mut mind = self.mind.lock().unwrap();
        let id = question["id"].as_str().unwrap_or_default();
        let there = mind.notes.iter().any(|note| note == id);
        match question["do"].as_str().unwrap() {
            "store" if !there => mind.notes.push(id.to_owned()),
            "find" if !there => return json!({}),
            _ => {}
        }
        json!({ "stored": mind.notes.len() })
    }
}
