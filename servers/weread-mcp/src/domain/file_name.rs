//! The name of a file that a caller chose, as it may stand in a folder of the user's.

use std::fmt;

use server_kit::outside;

/// A plain name with its ending: no part of a path, nothing hidden, the same file on every system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName(String);

/// Why a text is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAFileName {
    /// There is nothing, or nothing beside the ending.
    #[error("文件名不能为空")]
    Empty,
    /// It is more than one part of a path.
    #[error("只能是文件名，不能带目录，也不能以点开头")]
    Path,
    /// Some system does not take it, or a person would not see all of it.
    #[error("文件名不能含控制字符、不可见字符和 < > : \" | ? *，首尾不能是空格")]
    Character,
    /// It names a device on Windows.
    #[error("这是系统保留的名字")]
    Reserved,
    /// Longer than 200 bytes.
    #[error("文件名太长，最多 200 字节（约 60 个汉字）")]
    Long,
    /// It ends as a file of another format does.
    #[error("文件名的扩展名与 format 不符")]
    Format,
}

/// Endings of all formats.
const ENDINGS: [&str; 3] = ["md", "json", "csv"];

/// Bytes of the whole name: systems take 255, and the temporary file beside it needs none of them.
const LONGEST: usize = 200;

impl FileName {
    /// The name with `ending` (`md`), which is added where it is missing.
    pub fn new(text: &str, ending: &str) -> Result<Self, NotAFileName> {
        if text.starts_with('.') || text.contains(['/', '\\']) {
            return Err(NotAFileName::Path);
        }
        if text != outside(text) && text.len() <= LONGEST
            || text != text.trim()
            || text.contains(['<', '>', ':', '"', '|', '?', '*'])
        {
            return Err(NotAFileName::Character);
        }
        let ends_as = |ending: &str| {
            let parts = text.rsplit_once('.');
            parts.is_some_and(|(_, last)| last.eq_ignore_ascii_case(ending))
        };
        let name = match ENDINGS.into_iter().find(|ending| ends_as(ending)) {
            Some(found) if found == ending => text.to_owned(),
            Some(_) => return Err(NotAFileName::Format),
            None if text.is_empty() => return Err(NotAFileName::Empty),
            None => format!("{text}.{ending}"),
        };
        if is_device(text) {
            return Err(NotAFileName::Reserved);
        }
        if name.len() > LONGEST {
            return Err(NotAFileName::Long);
        }
        Ok(Self(name))
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether Windows takes it for a device, whatever follows the first dot.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let stem = stem.to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().any(|port| {
        let number = stem.strip_prefix(port).map(|rest| rest.chars());
        number.is_some_and(|mut rest| {
            let one = rest.next().is_some_and(|c| "0123456789¹²³".contains(c));
            one && rest.next().is_none()
        })
    });
    numbered || ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_with_its_ending_or_refused() {
        use NotAFileName::{Character, Empty, Format, Long, Path, Reserved};
        let (long, too_long) = ("长".repeat(65), "长".repeat(66));
        let longest = format!("{long}.md");
        for (text, expected) in [
            ("三体", Ok("三体.md")),
            ("三体.md", Ok("三体.md")),
            ("三体.MD", Ok("三体.MD")),
            ("第 2.0 版", Ok("第 2.0 版.md")),
            ("a'b (1), 《c》", Ok("a'b (1), 《c》.md")),
            ("--- x", Ok("--- x.md")),
            ("console", Ok("console.md")),
            ("com10", Ok("com10.md")),
            (long.as_str(), Ok(longest.as_str())),
            (too_long.as_str(), Err(Long)),
            ("", Err(Empty)),
            (".", Err(Path)),
            ("..", Err(Path)),
            (".md", Err(Path)),
            ("../a", Err(Path)),
            ("a/../b", Err(Path)),
            ("/etc/passwd", Err(Path)),
            ("a\\b", Err(Path)),
            ("C:a", Err(Character)),
            ("a\0b", Err(Character)),
            ("a\nb", Err(Character)),
            ("a\u{202e}dm.b", Err(Character)),
            ("a\u{200b}", Err(Character)),
            (" a", Err(Character)),
            ("a ", Err(Character)),
            ("a?", Err(Character)),
            ("a.json", Err(Format)),
            ("a.CSV", Err(Format)),
            ("CON", Err(Reserved)),
            ("nul.md", Err(Reserved)),
            ("Lpt1.x", Err(Reserved)),
            ("com¹", Err(Reserved)),
        ] {
            let name = FileName::new(text, "md");
            assert_eq!(
                name.as_ref().map(FileName::as_str),
                expected.as_ref().map(|name| *name),
                "{text:?}"
            );
        }
    }
}
