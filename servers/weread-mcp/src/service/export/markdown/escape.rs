//! Text from outside as Markdown that shows exactly that text.

use std::fmt::Write as _;

/// What stands for a picture in the service's texts, left as it is.
const PICTURES: [&str; 2] = ["[插图]", "[图片]"];

/// What a highlight or a thought without text shows.
const NOTHING: &str = "（无文字）";

/// The lines of a text, escaped; never none. Two spaces at the end of a line keep its break.
pub(super) fn lines(text: &str) -> Vec<String> {
    let escaped = text.lines().map(line);
    let mut lines: Vec<_> = escaped.skip_while(String::is_empty).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    if lines.is_empty() {
        lines.push(NOTHING.to_owned());
    }
    let mut followed = false;
    for line in lines.iter_mut().rev() {
        let empty = line.is_empty();
        if followed && !empty {
            line.push_str("  ");
        }
        followed = !empty;
    }
    lines
}

/// A text as the title of a heading: some dialects read a brace at its end as attributes, escaped or not.
pub(super) fn title(text: &str) -> String {
    line(text).replace('{', "&#123;")
}

/// A text as one line.
pub(super) fn line(text: &str) -> String {
    let flat = text.replace(char::is_control, " ");
    let text = flat.trim_matches(' ');
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut before, mut number) = (text, None, true);
    loop {
        if let Some((picture, after)) = picture(rest) {
            out.push_str(picture);
            (rest, before, number) = (after, Some(']'), false);
            continue;
        }
        let mut after = rest.chars();
        let Some(next) = after.next() else {
            return out;
        };
        let position = Position {
            before,
            number,
            after: after.clone().next(),
        };
        match (position.has_meaning(next), next) {
            // Behind a bare address a backslash is taken for a part of it, and the entity for one.
            (true, '&') => out.push_str("&amp;"),
            (true, next) => out.extend(['\\', next]),
            (false, next) => out.push(next),
        }
        (rest, before) = (after.as_str(), Some(next));
        number &= next.is_ascii_digit();
    }
}

/// A picture's stand-in, unless what follows would make it a link or a footnote.
fn picture(text: &str) -> Option<(&'static str, &str)> {
    PICTURES.into_iter().find_map(|picture| {
        let after = text.strip_prefix(picture)?;
        (!after.starts_with(['(', ':', '['])).then_some((picture, after))
    })
}

/// Where a character stands in its line.
struct Position {
    before: Option<char>,
    /// Whether nothing but digits comes before.
    number: bool,
    after: Option<char>,
}

impl Position {
    /// Whether Markdown, or one of its dialects, could read the character as more than itself.
    fn has_meaning(&self, character: char) -> bool {
        let first = self.before.is_none();
        let twice = self.before == Some(character) || self.after == Some(character);
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '~' | '|' | '$' | '#' | '^' => true,
            // An entity.
            '&' => self
                .after
                .is_some_and(|after| after == '#' || after.is_ascii_alphabetic()),
            // A comment of Obsidian.
            '%' => twice,
            // A marked text, or the line under a title.
            '=' => twice || first,
            '>' | '-' | '+' | ':' | '!' => first,
            '.' | ')' => self.number && !first && self.after.is_none_or(|after| after == ' '),
            _ => false,
        }
    }
}

/// A comment that names an id, whatever that consists of.
pub(super) fn comment(kind: &str, id: &str) -> String {
    let mut safe = String::new();
    for byte in id.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"_.~:".contains(&byte);
        // Two hyphens would end the comment.
        if plain || (byte == b'-' && !safe.ends_with('-')) {
            safe.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(safe, "%{byte:02X}");
        }
    }
    format!("<!-- {kind}:{safe} -->")
}

/// An address as the destination of a link; `None` for what is no web address.
pub(super) fn destination(address: &str) -> Option<String> {
    let web = address.starts_with("https://") || address.starts_with("http://");
    let plain = |c: char| c.is_ascii_graphic() && !r#"<>\()"'`|"#.contains(c);
    let is_plain = web && address.chars().all(plain);
    is_plain.then(|| match address.split_once('&') {
        // Addresses hold entities too: one that looks like one must not become it.
        Some((_, rest)) if rest.contains(';') => address.replace('&', "&amp;"),
        _ => address.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_a_meaning_where_it_stands_is_escaped() {
        for (text, expected) in [
            (
                "普通的话，a-b: 50% & c > d = e (f) R&D!",
                "普通的话，a-b: 50% & c > d = e (f) R&amp;D!",
            ),
            // Seen broken: the end of a bare address.
            ("https://a.b/c&lt;>微信", "https://a.b/c&amp;lt;>微信"),
            ("---", "\\---"),
            ("  - a", "\\- a"),
            ("1. a", "1\\. a"),
            ("12) a", "12\\) a"),
            ("3.14", "3.14"),
            ("第1. a", "第1. a"),
            ("|a|b|", "\\|a\\|b\\|"),
            ("!!! note", "\\!!! note"),
            ("==a==", "\\=\\=a\\=\\="),
            ("%%a%%", "\\%\\%a\\%\\%"),
            ("a_b*c*#d `e`", "a\\_b\\*c\\*\\#d \\`e\\`"),
            ("[插图][图片] 完", "\\[插图\\][图片] 完"),
            (
                "前[插图]后 [图片](a) [插图]: b",
                "前[插图]后 \\[图片\\](a) \\[插图\\]: b",
            ),
            ("[a](b)", "\\[a\\](b)"),
        ] {
            assert_eq!(line(text), expected, "{text}");
        }
        assert_eq!(title("a {#b}"), "a &#123;\\#b}");
    }

    #[test]
    fn lines_keep_their_breaks_and_lose_empty_ends() {
        assert_eq!(lines("\n\n a \r\nb\n\n\n-\n"), ["a  ", "b", "", "", "\\-"]);
        assert_eq!(lines(" \n\u{85}"), [NOTHING]);
    }

    #[test]
    fn no_id_ends_its_comment() {
        for (id, expected) in [
            (
                "27416212_57_1227-1255",
                "<!-- note:27416212_57_1227-1255 -->",
            ),
            ("--> <b>", "<!-- note:-%2D%3E%20%3Cb%3E -->"),
            ("a---b-", "<!-- note:a-%2D-b- -->"),
        ] {
            assert_eq!(comment("note", id), expected);
        }
    }

    #[test]
    fn only_a_web_address_becomes_a_link() {
        for (address, is_link) in [
            ("https://example.com/a?b=c&d", true),
            ("http://example.com", true),
            ("javascript:alert(1)", false),
            ("https://example.com/) [x](https://example.com", false),
            ("https://example.com/图", false),
            ("", false),
        ] {
            assert_eq!(
                destination(address),
                is_link.then(|| address.to_owned()),
                "{address}"
            );
        }
        let entity = destination("https://example.com/a?b=1&lt;2");
        assert_eq!(
            entity.as_deref(),
            Some("https://example.com/a?b=1&amp;lt;2")
        );
    }
}
