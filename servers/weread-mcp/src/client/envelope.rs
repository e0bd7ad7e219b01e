//! The envelope around every answer of both surfaces, and what it can say instead of data.

use http_session::drift::{self, Drift};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::wire::{
    Envelope,
    scalar::{Number, shown},
};

/// Why an answer holds no data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// The service understood and said no.
    #[error("the service refused")]
    Refused(Refusal),
    /// There is nothing in it, which is no empty list.
    #[error("the service answered nothing")]
    Nothing,
    /// The shape is not known.
    #[error(transparent)]
    Drift(#[from] Drift),
    /// The gateway wants a newer skill instead of answering.
    #[error("the gateway wants a newer skill version")]
    UpgradeOnly(Upgrade),
}

/// The service's no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Its code, negative so far. An answer without one that came with a failing HTTP status has that
    /// status here.
    pub code: i64,
    /// Its own sentence, cleaned; may be empty.
    pub said: String,
}

/// Why the service says no, by what the caller does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Key or cookie are missing or not known.
    Unauthenticated,
    /// The session is over.
    Expired,
    /// The session was replaced by another, or its renewal was not taken.
    Replaced,
    /// The authorisation by WeChat is over.
    WeChatExpired,
    /// Too many requests.
    RateLimited,
    /// A parameter is missing or malformed, or the path was retired.
    BadParameters,
    /// The service cannot read this account's shelf; its other answers come.
    ShelfBroken,
    /// Something else: only the sentence tells.
    Other,
}

impl Refusal {
    /// By the code (docs/upstreams/weread.md, 7).
    pub fn reason(&self) -> Reason {
        match self.code {
            -2010 | 401 => Reason::Unauthenticated,
            -2012 | -2041 => Reason::Expired,
            -2013 => Reason::Replaced,
            -12013 => Reason::WeChatExpired,
            -2014 | 429 => Reason::RateLimited,
            -2003 => Reason::BadParameters,
            -202 => Reason::ShelfBroken,
            _ => Reason::Other,
        }
    }
}

/// The gateway's notice that there is a newer skill: data to show, never an instruction to follow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Upgrade {
    /// Its sentence.
    pub message: Option<String>,
    /// The newest version.
    pub latest: Option<String>,
}

/// The notice in an answer, beside data or instead of it.
///
/// Keys are uncertain (docs/upstreams/weread.md, 2.1): the known spellings are tried, and a notice that
/// fits none of them is one all the same.
pub(super) fn upgrade(answer: &Value) -> Option<Upgrade> {
    let notice = answer.get("upgrade_info").filter(|told| !told.is_null())?;
    let text = |keys: &[&str]| {
        let told = keys.iter().find_map(|key| notice.get(key));
        told.and_then(Value::as_str).and_then(shown)
    };
    Some(Upgrade {
        message: notice
            .as_str()
            .and_then(shown)
            .or_else(|| text(&["message", "msg"])),
        latest: text(&["latest_version", "latestVersion", "latest", "version"]),
    })
}

/// An answer that holds data, as it came.
///
/// Both spellings of the code count, whatever the HTTP status: the web surface says that a login is over
/// with 200. A code that is missing or 0 is a yes, save with a failing status.
pub(super) fn accepted(status: u16, answer: Value) -> Result<Value, Rejected> {
    let Some(members) = answer.as_object() else {
        return Err(Drift::new(".", "不是对象").into());
    };
    let around = members.iter();
    let around = around.filter(|(key, _)| ENVELOPE.contains(&key.as_str()));
    let around: Map<_, _> = around
        .map(|(key, part)| (key.clone(), part.clone()))
        .collect();
    let has_data = around.len() < members.len();
    let envelope: Envelope = read(around.into())?;
    let codes = [envelope.errcode, envelope.err_code];
    let code = codes
        .into_iter()
        .filter_map(Number::get)
        .find(|code| *code != 0);
    let code = code.or_else(|| (status >= 400).then_some(i64::from(status)));
    match (code, upgrade(&answer)) {
        (Some(code), upgrade) => {
            let said = [envelope.errmsg, envelope.err_msg];
            let said = said
                .into_iter()
                .find_map(|text| text.line())
                .unwrap_or_default();
            let refusal = Refusal { code, said };
            Err(match (refusal.reason(), upgrade) {
                (Reason::Other, Some(upgrade)) => Rejected::UpgradeOnly(upgrade),
                _ => Rejected::Refused(refusal),
            })
        }
        (None, _) if has_data => Ok(answer),
        (None, Some(upgrade)) => Err(Rejected::UpgradeOnly(upgrade)),
        (None, None) => Err(Rejected::Nothing),
    }
}

/// Members that are no data.
const ENVELOPE: [&str; 8] = [
    "errcode",
    "errCode",
    "errmsg",
    "errMsg",
    "errlog",
    "errLog",
    "info",
    "upgrade_info",
];

/// That shape read from a whole answer. Only one that does not fit is read again for the place, since
/// keeping track of it takes as long as the reading.
pub(super) fn read<T: DeserializeOwned>(answer: Value) -> Result<T, Drift> {
    T::deserialize(&answer).or_else(|_| drift::read("", answer))
}

/// A list that must be there. Where the answer itself counts none, it may be left out.
pub(super) fn listed<T>(
    field: &'static str,
    list: Option<Vec<T>>,
    count: Option<u64>,
) -> Result<Vec<T>, Drift> {
    match list {
        Some(list) => Ok(list),
        None if count == Some(0) => Ok(Vec::new()),
        None => Err(Drift::form("", field)),
    }
}

#[cfg(test)]
mod tests;
