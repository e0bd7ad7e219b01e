//! The name under which a caller keeps one reader's session.

use std::{fmt, str::FromStr};

use serde::Serialize;

/// Names that Windows keeps for devices, with any ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// One reader, as the caller names them: 1 to 64 of `[A-Za-z0-9_.@-]`, no dot first or last, no
/// device name of Windows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct UserKey(String);

/// Why a text is no user key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadUserKey {
    /// Nothing there.
    #[error("不能为空")]
    Empty,
    /// More than 64 characters.
    #[error("最多 {} 个字符", UserKey::LONGEST)]
    TooLong,
    /// This one is not allowed.
    #[error("不能含有 {0:?}，只可用字母、数字和 _ . @ -")]
    Character(char),
    /// `.`, `..`, hidden files, and names that Windows cuts.
    #[error("不能以点开头或结尾")]
    Dot,
    /// Windows cannot have a folder of that name.
    #[error("是 Windows 的保留名")]
    Reserved,
}

impl UserKey {
    const LONGEST: usize = 64;

    /// The key as the caller wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A folder name that no other key has, also where file names differ by more than case only.
    ///
    /// The key itself without capitals; else with `~` and a hexadecimal mark of where they stand,
    /// since no key holds a `~`.
    pub fn folder_name(&self) -> String {
        let capitals = self.0.bytes().enumerate();
        let capitals = capitals.filter(|(_, b)| b.is_ascii_uppercase());
        match capitals.fold(0_u64, |mark, (at, _)| mark | 1 << at) {
            0 => self.0.clone(),
            mark => format!("{}~{mark:x}", self.0.to_ascii_lowercase()),
        }
    }
}

impl FromStr for UserKey {
    type Err = BadUserKey;

    fn from_str(text: &str) -> Result<Self, BadUserKey> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '@' | '-');
        if text.is_empty() {
            return Err(BadUserKey::Empty);
        }
        if let Some(other) = text.chars().find(|c| !allowed(*c)) {
            return Err(BadUserKey::Character(other));
        }
        if text.len() > Self::LONGEST {
            return Err(BadUserKey::TooLong);
        }
        if text.starts_with('.') || text.ends_with('.') {
            return Err(BadUserKey::Dot);
        }
        if is_device(text) {
            return Err(BadUserKey::Reserved);
        }
        Ok(Self(text.to_owned()))
    }
}

fn is_device(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or_default();
    let stem = stem.to_ascii_lowercase();
    let port = |name| stem.strip_prefix(name).map(str::as_bytes);
    let numbered = [port("com"), port("lpt")].into_iter().flatten();
    let mut ports = numbered.filter(|rest| matches!(rest, [digit] if digit.is_ascii_digit()));
    DEVICES.contains(&stem.as_str()) || ports.next().is_some()
}

impl fmt::Display for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_taken_or_refused_with_a_reason() {
        let long = "a".repeat(64);
        for text in [
            "default",
            "a",
            "person_1@qq.com",
            "-x",
            "a.b",
            "com",
            "com10",
            "nul_",
            &long,
        ] {
            assert_eq!(text.parse().map(|key: UserKey| key.0).as_deref(), Ok(text));
        }
        for (text, expected) in [
            ("", BadUserKey::Empty),
            (&"a".repeat(65), BadUserKey::TooLong),
            ("../..", BadUserKey::Character('/')),
            ("a\\b", BadUserKey::Character('\\')),
            ("a b", BadUserKey::Character(' ')),
            ("a\0", BadUserKey::Character('\0')),
            ("张", BadUserKey::Character('张')),
            ("a~1", BadUserKey::Character('~')),
            (".", BadUserKey::Dot),
            ("..", BadUserKey::Dot),
            (".ssh", BadUserKey::Dot),
            ("a.", BadUserKey::Dot),
            ("CON", BadUserKey::Reserved),
            ("nul.json", BadUserKey::Reserved),
            ("Aux", BadUserKey::Reserved),
            ("prn", BadUserKey::Reserved),
            ("com1", BadUserKey::Reserved),
            ("LPT9.x", BadUserKey::Reserved),
        ] {
            assert_eq!(text.parse::<UserKey>(), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn folders_of_two_keys_differ_by_more_than_case() {
        let folder = |text: &str| text.parse::<UserKey>().expect(text).folder_name();
        assert_eq!(folder("person-1"), "person-1");
        assert_eq!(folder("Ab"), "ab~1");
        assert_eq!(
            folder(&format!("{}Z", "a".repeat(63))),
            format!("{}z~8000000000000000", "a".repeat(63))
        );
        let folders: BTreeSet<String> = ["ab", "Ab", "aB", "AB"].map(folder).into_iter().collect();
        assert_eq!(folders.len(), 4);
        assert!(
            folders
                .iter()
                .all(|name| !name.bytes().any(|b| b.is_ascii_uppercase()))
        );
    }
}
