//! Ids of the service: opaque texts, never taken apart.

use std::{borrow::Cow, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// A book, an imported file, or an official account. 1 to 64 of letters, digits, `_`, `-`.
///
/// Always a text: ids of imported files and accounts are no numbers (docs/upstreams/weread.md, 6).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct BookId(String);

/// What stands behind a book id, as far as its form tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum BookKind {
    /// Digits: a book of the store.
    Store,
    /// `CB_…`: a file that the user imported.
    Imported,
    /// `MP_WXS_…`: an official account, whose articles have no chapters.
    OfficialAccount,
    /// `mpbook`: the articles that the user has kept.
    Articles,
    /// A form that is not known.
    Other,
}

/// Why a text is no book id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "应为 1 到 64 个字母、数字、_ 或 -，例如 27416212；只知道书名时先用 search_books 取得 book_id"
)]
pub struct NotABookId;

impl BookId {
    /// The id as the service writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands behind it.
    pub fn kind(&self) -> BookKind {
        match self.0.as_str() {
            "mpbook" => BookKind::Articles,
            id if id.bytes().all(|byte| byte.is_ascii_digit()) => BookKind::Store,
            id if id.starts_with("CB_") => BookKind::Imported,
            id if id.starts_with("MP_WXS_") => BookKind::OfficialAccount,
            _ => BookKind::Other,
        }
    }
}

impl FromStr for BookId {
    type Err = NotABookId;

    fn from_str(text: &str) -> Result<Self, NotABookId> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if text.is_empty() || text.len() > 64 || !text.bytes().all(is_plain) {
            return Err(NotABookId);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for BookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for BookId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "BookId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// A chapter within its book. Not in reading order, and negative on some shelves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct ChapterUid(pub i64);
