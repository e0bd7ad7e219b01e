//! What may not stand in the log is taken out here, whoever wrote it.
//!
//! Three nets, since a secret may come where none is expected: the name of a field, words before a
//! sign of assignment inside a text, and the forms of known tokens. When in doubt it is hidden.

use serde_json::{Map, Value};

/// Stands for a secret.
const HIDDEN: &str = "***";

/// Longer texts are replaced by their length. In characters.
const MAX_TEXT: usize = 64;

/// Deeper arrays and objects are left out.
const MAX_DEPTH: usize = 8;

/// More values than this in one call are counted and left out.
const MAX_VALUES: usize = 200;

/// A field whose name contains one of these is secret, and so is what follows one in a text after a
/// sign of assignment.
const SECRET_WORDS: [&str; 21] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "cookie",
    "token",
    "authorization",
    "bearer",
    "credential",
    "api_key",
    "api-key",
    "apikey",
    "private_key",
    "privatekey",
    "skey",
    "captcha",
    "密码",
    "口令",
    "令牌",
    "验证码",
];

/// A field of exactly this name is secret: the answers to challenges.
const SECRET_FIELDS: [&str; 8] = [
    "code",
    "answer",
    "otp",
    "pin",
    "auth",
    "sms_code",
    "verify_code",
    "verification_code",
];

/// Tokens by name that are none: they make a write repeatable, and one looks for them in the log.
const OPEN_FIELDS: [&str; 2] = ["client_token", "client_message_id"];

/// A field of this name holds what somebody wrote, or who somebody is (the last two), which is not the
/// log's business at any length.
const WRITTEN_FIELDS: [&str; 7] = [
    "content",
    "body",
    "text",
    "html",
    "markdown",
    "username",
    "phone_hint",
];

/// A field of this name holds a file or picture.
const BINARY_FIELDS: [&str; 6] = ["image", "image_base64", "base64", "data", "file", "avatar"];

/// How a token begins. What follows is hidden, the beginning stays and says what it was.
const TOKEN_FORMS: [&str; 4] = ["fh_mcp_", "vta_", "wrk-", "bearer "];

/// What the name of a field says about its value.
#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Secret,
    Written,
    Binary,
}

impl Kind {
    fn of(field: &str) -> Self {
        let field = field.to_lowercase();
        let field = field.as_str();
        if OPEN_FIELDS.contains(&field) {
            Self::Plain
        } else if SECRET_FIELDS.contains(&field)
            || SECRET_WORDS.iter().any(|word| field.contains(word))
        {
            Self::Secret
        } else if WRITTEN_FIELDS.contains(&field) {
            Self::Written
        } else if BINARY_FIELDS.contains(&field) {
            Self::Binary
        } else {
            Self::Plain
        }
    }
}

/// Whether what stands under this name may be shown nowhere: a field of arguments, a setting.
pub fn is_secret_name(name: &str) -> bool {
    matches!(Kind::of(name), Kind::Secret)
}

/// The arguments of a call as they may be kept: the same shape, short, without secrets.
pub(crate) fn arguments(arguments: &Value) -> Value {
    walk(arguments, Kind::Plain, MAX_DEPTH, &mut { MAX_VALUES })
}

/// A text as it may be kept. At most 64 characters and in one line, or `[len=N]` with the number of
/// characters, or `[blob=NB]` with the number of bytes as received.
pub(crate) fn text(text: &str) -> String {
    let length = text.chars().count();
    if length > MAX_TEXT {
        return if is_binary(text) {
            blob(text)
        } else {
            format!("[len={length}]")
        };
    }
    without_secrets(text)
}

/// A text in one line, with `***` in place of what looks like a secret: the login in an address, what
/// follows `password=` and the like, tokens of known forms.
pub fn without_secrets(text: &str) -> String {
    let line = text.replace(char::is_control, " ");
    let line = hide_login(&hide_assigned(&line));
    TOKEN_FORMS
        .iter()
        .fold(line, |line, form| hide_token(&line, form))
}

fn walk(value: &Value, kind: Kind, depth: usize, left: &mut usize) -> Value {
    match (value, kind) {
        (Value::Null, _) => Value::Null,
        (_, Kind::Secret) => HIDDEN.into(),
        (Value::Bool(_) | Value::Number(_), _) => value.clone(),
        (Value::String(string), Kind::Written) => {
            format!("[len={}]", string.chars().count()).into()
        }
        (Value::String(string), Kind::Binary) => blob(string).into(),
        (Value::String(string), Kind::Plain) => text(string).into(),
        (Value::Array(_) | Value::Object(_), _) if depth == 0 => "[deep]".into(),
        (Value::Array(items), kind) => {
            let mut kept: Vec<_> = items
                .iter()
                .map_while(|item| take(left).then(|| walk(item, kind, depth - 1, left)))
                .collect();
            if kept.len() < items.len() {
                kept.push(format!("[more={}]", items.len() - kept.len()).into());
            }
            kept.into()
        }
        (Value::Object(fields), _) => {
            let mut kept = Map::new();
            for (met, (field, value)) in fields.iter().enumerate() {
                if !take(left) {
                    kept.insert("[more]".to_owned(), (fields.len() - met).into());
                    break;
                }
                kept.insert(text(field), walk(value, Kind::of(field), depth - 1, left));
            }
            kept.into()
        }
    }
}

/// Takes one from what is left; false when there is nothing.
fn take(left: &mut usize) -> bool {
    let more = left.checked_sub(1);
    *left = more.unwrap_or(0);
    more.is_some()
}

fn blob(text: &str) -> String {
    format!("[blob={}B]", text.len())
}

/// A data URL, or letters without any space or punctuation as only an encoding has them.
fn is_binary(text: &str) -> bool {
    let encoded = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_\r\n".contains(&byte);
    text.starts_with("data:") || text.bytes().all(encoded)
}

/// Hides all that follows the first assignment to a secret word: `password: …`, `"token":"…`.
fn hide_assigned(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    let values = SECRET_WORDS.iter().flat_map(|word| {
        let ends = lower
            .match_indices(word)
            .map(|(start, word)| start + word.len());
        ends.filter_map(|end| Some(line.len() - assigned(lower.get(end..)?)?.len()))
    });
    match values.min() {
        Some(start) => line.split_at(start).0.to_owned() + HIDDEN,
        None => line.to_owned(),
    }
}

/// What stands behind the sign of assignment, when one comes next.
fn assigned(after_word: &str) -> Option<&str> {
    let name_end = |c: char| c.is_ascii_alphanumeric() || "_-[]".contains(c);
    let after = after_word
        .trim_start_matches(name_end)
        .trim_start_matches(['"', '\'', '\\', ' ']);
    ["=", ":", "：", "%3d", "%3a"]
        .iter()
        .find_map(|sign| after.strip_prefix(sign))
}

/// Hides name and password in `https://name:password@host`.
fn hide_login(line: &str) -> String {
    let mut parts = line.split("://");
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        clean.push_str("://");
        let authority = part.split(['/', '?', '#', ' ']).next().unwrap_or_default();
        match authority.rfind('@') {
            Some(at) => clean.extend([HIDDEN, part.split_at(at).1]),
            None => clean.push_str(part),
        }
    }
    clean
}

/// Hides what follows each `form` up to the token's end.
fn hide_token(line: &str, form: &str) -> String {
    let in_token = |c: char| c.is_ascii_graphic() && !"\"'`,;()[]{}<>&".contains(c);
    let (mut clean, mut rest) = (String::new(), line);
    while let Some(start) = rest.to_ascii_lowercase().find(form) {
        let (kept, token) = rest.split_at(start + form.len());
        clean.extend([kept, HIDDEN]);
        rest = token.trim_start_matches(' ').trim_start_matches(in_token);
    }
    clean + rest
}

#[cfg(test)]
mod tests;
