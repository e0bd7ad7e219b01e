//! The envelope around every answer, and what it can say instead of data.

use http_session::drift::{Drift, read};
use serde_json::Value;

use super::wire::Envelope;

/// Why an answer holds no data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// The query path has moved; the answer names the new one, which is to be checked before use.
    #[error("the query path has moved")]
    Moved(String),
    /// The service understood and said no, in these words of its own.
    #[error("the service refused")]
    Refused(String),
    /// The shape is not known.
    #[error(transparent)]
    Drift(#[from] Drift),
}

/// The data of an answer; none where the member is missing or null.
pub(super) fn data(answer: Value) -> Result<Option<Value>, Rejected> {
    let envelope: Envelope = read("", answer)?;
    let refused = envelope.status == Some(false);
    if let (true, Some(path)) = (refused, envelope.c_url) {
        return Err(Rejected::Moved(path));
    }
    let said = texts(&envelope.messages);
    if !said.is_empty() {
        return Err(Rejected::Refused(said));
    }
    match (refused, envelope.error_msg) {
        (false, _) => Ok(envelope.data),
        (true, Some(said)) if !said.is_empty() => Err(Rejected::Refused(said)),
        (true, _) => Err(Drift::new("status", "为 false 而没有说明").into()),
    }
}

/// `messages` is an empty text on success and a list of texts on refusal.
fn texts(messages: &Value) -> String {
    let listed = messages.as_array().into_iter().flatten();
    let texts: Vec<&str> = std::iter::once(messages)
        .chain(listed)
        .filter_map(Value::as_str)
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("；")
}
