//! A small MCP client: one server process, one question at a time, one JSON message a line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Outcome;
use crate::process::Environment;

/// How long an answer may take before the server counts as hung.
const ANSWER: Duration = Duration::from_secs(60);
/// How long a server may take to end after its stdin has closed.
const EXIT: Duration = Duration::from_secs(2);

/// A running server, spoken to over stdio in the era of the handshake.
pub(crate) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    /// Each with the moment it came, since reading its JSON is no part of the server's time.
    lines: Receiver<(Instant, String)>,
    last_id: u64,
    answered: Instant,
}

impl Session {
    /// Starts a server with some environment variables beside the inherited ones; `log` takes its stderr.
    pub(crate) fn spawn(program: &Path, environment: &Environment, log: Stdio) -> Outcome<Self> {
        let mut child = Command::new(program)
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let stdout = child.stdout.take().ok_or("the server has no stdout")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(stdout)
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send((Instant::now(), line)))
        });
        Ok(Self {
            stdin: child.stdin.take(),
            child,
            lines,
            last_id: 0,
            answered: Instant::now(),
        })
    }

    /// The number of the process.
    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// When the last answer came.
    pub(crate) fn answered(&self) -> Instant {
        self.answered
    }

    /// The handshake; gives the server's answer to `initialize`.
    pub(crate) fn initialize(&mut self) -> Outcome<Value> {
        let client = json!({ "name": "xtask", "version": env!("CARGO_PKG_VERSION") });
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let answer = self.request("initialize", &params)?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(answer)
    }

    /// One request and its result; what the server sends of its own accord meanwhile is passed over.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Outcome<Value> {
        self.last_id += 1;
        self.send(
            &json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params }),
        )?;
        loop {
            let (came, line) = self
                .lines
                .recv_timeout(ANSWER)
                .map_err(|error| format!("{method} was not answered: {error}"))?;
            let mut message: Value = serde_json::from_str(&line)
                .map_err(|error| format!("a line of stdout is not JSON ({error}): {line}"))?;
            if message["id"] == self.last_id {
                self.answered = came;
                let result = message.get_mut("result").map(Value::take);
                return result
                    .ok_or_else(|| format!("{method} was refused: {}", message["error"]).into());
            }
        }
    }

    /// One tool call; gives its structured result, from the text where a picture stands in its place.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Outcome<Value> {
        let mut result = self.request(
            "tools/call",
            &json!({ "name": tool, "arguments": arguments }),
        )?;
        if let Some(structure) = result.get_mut("structuredContent") {
            return Ok(structure.take());
        }
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let read = serde_json::from_str(text);
        read.map_err(|error| {
            format!("{tool} answered without structure ({error}): {result}").into()
        })
    }

    /// Closes stdin and waits for the end, which must come within two seconds and with success.
    pub(crate) fn close(mut self) -> Outcome {
        drop(self.stdin.take());
        loop {
            match self.lines.recv_timeout(EXIT) {
                Ok(_late) => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err("the server outlived its stdin".into());
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the server ended with {status}").into())
        }
    }

    fn send(&mut self, message: &Value) -> Outcome {
        let stdin = self.stdin.as_mut().ok_or("stdin is closed")?;
        stdin.write_all(format!("{message}\n").as_bytes())?;
        Ok(stdin.flush()?)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
