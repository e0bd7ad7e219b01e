//! A client's side of the protocol inside the process, so that a command runs exactly what a host
//! runs.

use std::{io, sync::Arc};

use rmcp::{ServiceExt, model::ErrorData};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};
use tokio_util::sync::CancellationToken;

use crate::{Errand, input::Input, served::Served};

/// What a call came to.
pub(crate) enum Answer {
    /// The tool's result, success or failure.
    Result(Value),
    /// The protocol refused: no such tool.
    Refused(ErrorData),
}

/// Calls one tool over the protocol.
pub(crate) async fn call<S: Errand>(
    served: Arc<Served<S>>,
    tool: &str,
    arguments: Value,
) -> io::Result<Answer> {
    let (ours, theirs) = duplex(1 << 16);
    let (read, write) = split(theirs);
    let input = Input::new(read, write, CancellationToken::new());
    tokio::spawn(async move {
        if let Ok(running) = served.serve(input).await {
            let _ = running.waiting().await;
        }
    });
    let (read, mut write) = split(ours);
    let me = json!({ "name": "command-line", "version": env!("CARGO_PKG_VERSION") });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": me });
    for message in [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } }),
    ] {
        write.write_all(format!("{message}\n").as_bytes()).await?;
    }
    let mut lines = BufReader::new(read).lines();
    while let Some(line) = lines.next_line().await? {
        let mut message: Value = serde_json::from_str(&line)?;
        if message.get("id") == Some(&json!(1)) {
            return Ok(match message.get_mut("error").map(Value::take) {
                Some(error) => Answer::Refused(serde_json::from_value(error)?),
                None => Answer::Result(
                    message
                        .get_mut("result")
                        .map(Value::take)
                        .unwrap_or_default(),
                ),
            });
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}
