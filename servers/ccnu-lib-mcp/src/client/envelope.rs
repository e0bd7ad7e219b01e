//! The envelope around every answer, and what it can say instead of data.

use std::fmt;

use http_session::drift::{Drift, read};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use server_kit::outside;

use super::wire::{Conflict, Envelope, scalar::Text};
use crate::domain::ids::ReservationId;

/// Why an answer holds no data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// The service understood and said no.
    #[error("the service refused")]
    Refused(Refusal),
    /// The shape is not known.
    #[error(transparent)]
    Drift(#[from] Drift),
}

/// A code of the service: a number or a text on the wire, compared as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code(String);

impl Code {
    /// The code as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Codes that come with success.
    fn is_success(&self) -> bool {
        matches!(self.as_str(), "200" | "0")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The service's no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Its code.
    pub code: Option<Code>,
    /// Its own sentence, cleaned; may be empty.
    pub said: String,
    /// The reservation that stands in the way, `ctId`.
    pub in_the_way: Option<ReservationId>,
}

/// Why the service says no, by what the caller does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The token is missing, wrong or over.
    SignedOut,
    /// The signature or the token was not taken; which one is not told.
    Unauthorised,
    /// The reader holds a reservation already.
    AlreadyReserved,
    /// The reader may not book for now.
    Blacklisted,
    /// A captcha is asked for.
    Captcha,
    /// Somebody else was faster, or that seat is not to be had then.
    SeatTaken,
    /// Something else: only the sentence tells.
    Other,
}

impl Refusal {
    /// By code and `ctId` first, then by what the sentence says (docs/upstreams/ccnu-lib.md, 4).
    pub fn reason(&self) -> Reason {
        match self.code.as_ref().map(Code::as_str) {
            Some("20002" | "20003" | "10001" | "10002" | "10003") => return Reason::SignedOut,
            Some("401" | "403") => return Reason::Unauthorised,
            _ if self.in_the_way.is_some() => return Reason::AlreadyReserved,
            _ => {}
        }
        let said = |words: &[&str]| words.iter().any(|word| self.said.contains(word));
        if said(&["有效预约"]) {
            Reason::AlreadyReserved
        } else if said(&["黑名单"]) {
            Reason::Blacklisted
        } else if said(&["验证码", "滑块"]) {
            Reason::Captcha
        } else if said(&["座位", "时段"]) {
            Reason::SeatTaken
        } else {
            Reason::Other
        }
    }
}

/// An answer that says yes.
pub(super) struct Accepted {
    /// Null when the member is missing.
    pub(super) data: Value,
    /// The service's sentence, cleaned.
    pub(super) said: Option<String>,
}

/// The inside of an answer that says yes: `status` true, `success` not false, and a `code` that is
/// missing, 200 or 0.
pub(super) fn open(answer: Value) -> Result<Accepted, Rejected> {
    let envelope: Envelope = read("", answer)?;
    let code = envelope.code.map(|Text(code)| Code(outside(&code)));
    let said = shown(envelope.message);
    let granted = match (envelope.status, envelope.success) {
        (_, Some(false)) | (Some(false), _) => false,
        (Some(true), _) => true,
        (None, _) if code.as_ref().is_some_and(|code| !code.is_success()) => false,
        (None, _) => return Err(Drift::new("status", "缺失").into()),
    };
    if granted && code.as_ref().is_none_or(Code::is_success) {
        let data = envelope.data.unwrap_or_default();
        return Ok(Accepted { data, said });
    }
    // A no stays a no, whatever else comes with it.
    let conflict = envelope
        .data
        .and_then(|data| Conflict::deserialize(data).ok());
    let in_the_way = conflict.and_then(|conflict| conflict.ct_id);
    Err(Rejected::Refused(Refusal {
        code,
        said: said.unwrap_or_default(),
        in_the_way: in_the_way.and_then(|Text(id)| ReservationId::parse(&id)),
    }))
}

/// Whether an answer says yes, whatever it holds: enough to know that a session lives.
pub fn accepted(answer: Value) -> Result<(), Rejected> {
    open(answer).map(|_| ())
}

/// The data of an answer that says yes, in that shape.
pub(super) fn data<T: DeserializeOwned>(answer: Value) -> Result<T, Rejected> {
    Ok(read("data", open(answer)?.data)?)
}

/// An outside text made harmless to show; none when nothing is left.
pub(super) fn shown(text: Option<String>) -> Option<String> {
    let text = outside(text?.trim());
    (!text.is_empty()).then_some(text)
}

/// What is passed on as it came, with every text in it made harmless to show.
pub(super) fn cleaned(sent: Value) -> Value {
    match sent {
        Value::String(text) => Value::String(outside(&text)),
        Value::Array(items) => items.into_iter().map(cleaned).collect(),
        Value::Object(members) => {
            let members = members.into_iter();
            members
                .map(|(member, sent)| (outside(&member), cleaned(sent)))
                .collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
