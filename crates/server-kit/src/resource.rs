//! A text that hosts may read by its address, beside the tools.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use percent_encoding::percent_decode_str;
use rmcp::model;

use crate::{Call, Failure};

/// What stands in the places of a prompt or an address, by their names.
pub type Filled = BTreeMap<&'static str, String>;

/// How a resource is read; fails as a tool does, with `NOT_FOUND` when nothing is there.
pub type Read<S> = for<'a> fn(&'a S, Call, Filled) -> BoxFuture<'a, Result<String, Failure>>;

/// A text that a host may read by its address: one, or with places in it many of a kind.
///
/// The list of them is the same at all times; what is there for a reader to choose from is told by tools.
/// A text longer than a result may be is cut at the end of a line and says so.
#[derive(Debug)]
pub struct Resource<S: 'static> {
    /// `weread://shelf`, or `weread://book/{id}/notes`, whose place stands for all between two
    /// slashes.
    pub address: &'static str,
    /// Its name, as of a tool: `book_notes`.
    pub name: &'static str,
    /// A few Chinese words for lists.
    pub title: &'static str,
    /// What it holds, and which tool tells what can stand in a place.
    pub description: &'static str,
    /// `text/markdown` or another kind of text that bears to be cut at the end of a line.
    pub media_type: &'static str,
    /// Where the whole is had when it is cut, naming the tool.
    pub whole: &'static str,
    /// Reads it.
    pub read: Read<S>,
}

impl<S> Resource<S> {
    /// Whether the address has places, so that it stands for many.
    pub(crate) fn is_template(&self) -> bool {
        self.address.contains('{')
    }

    /// As hosts are told of one without places.
    pub(crate) fn listed(&self, reword: impl Fn(&str) -> String) -> model::Resource {
        model::Resource::new(self.address, self.name)
            .with_title(self.title)
            .with_description(reword(self.description))
            .with_mime_type(self.media_type)
    }

    /// As hosts are told of one with places.
    pub(crate) fn listed_template(
        &self,
        reword: impl Fn(&str) -> String,
    ) -> model::ResourceTemplate {
        model::ResourceTemplate::new(self.address, self.name)
            .with_title(self.title)
            .with_description(reword(self.description))
            .with_mime_type(self.media_type)
    }

    /// What stands in the places of `asked`; `None` when it is no address of this resource.
    pub(crate) fn filled(&self, asked: &str) -> Option<Filled> {
        let (mut places, mut parts) = (self.address.split('/'), asked.split('/'));
        let mut filled = Filled::new();
        loop {
            let (place, part) = match (places.next(), parts.next()) {
                (None, None) => return Some(filled),
                (place, part) => (place?, part?),
            };
            let name = place
                .strip_prefix('{')
                .and_then(|rest| rest.strip_suffix('}'));
            match name {
                None if place == part => {}
                Some(name) if !part.is_empty() => {
                    let text = percent_decode_str(part).decode_utf8().ok()?;
                    filled.insert(name, text.into_owned());
                }
                _ => return None,
            }
        }
    }
}

/// `text` within `bytes`, cut at the end of a line, where it says how much is missing and, by `whole`,
/// where to have it.
pub(crate) fn cut(text: String, bytes: usize, whole: &str) -> String {
    if text.len() <= bytes {
        return text;
    }
    let all = text.chars().count();
    let note = |kept: &str| {
        let kept = kept.chars().count();
        format!("\n（内容过长，已截断：共 {all} 字，以上为前 {kept} 字。{whole}）")
    };
    let room = bytes.saturating_sub(note(&text).len());
    let fits = |end: &usize| *end <= room;
    let line = text
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .take_while(fits);
    let letter = || {
        text.char_indices()
            .map(|(at, _)| at)
            .take_while(fits)
            .last()
    };
    let end = line.last().or_else(letter).unwrap_or(0);
    let kept = text.get(..end).unwrap_or_default();
    kept.to_owned() + &note(kept)
}

/// The answer to an address that no resource has.
pub(crate) fn unknown(asked: &str) -> Failure {
    Failure::new("NOT_FOUND", "没有这个资源")
        .next("资源的地址见 resources/list 与 resources/templates/list")
        .data("uri", asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(address: &'static str) -> Resource<()> {
        Resource {
            address,
            name: "notes",
            title: "",
            description: "",
            media_type: "text/markdown",
            whole: "",
            read: |(), _, _| Box::pin(async { Ok(String::new()) }),
        }
    }

    #[test]
    fn an_address_fits_by_its_parts() {
        let filled = |pairs: &[(&'static str, &str)]| {
            let owned = pairs.iter().map(|(name, text)| (*name, (*text).to_owned()));
            Some(owned.collect::<Filled>())
        };
        let both = "toy://book/{id}/notes/{day}";
        for (address, asked, expected) in [
            ("toy://shelf", "toy://shelf", filled(&[])),
            ("toy://shelf", "toy://shelf/", None),
            ("toy://shelf", "toy://Shelf", None),
            ("toy://book/{id}", "toy://book/12", filled(&[("id", "12")])),
            ("toy://book/{id}", "toy://book/", None),
            ("toy://book/{id}", "toy://book", None),
            ("toy://book/{id}", "toy://book/1/2", None),
            (
                "toy://book/{id}",
                "toy://book/a%2Fb",
                filled(&[("id", "a/b")]),
            ),
            (
                "toy://book/{id}",
                "toy://book/%E4%B9%A6",
                filled(&[("id", "书")]),
            ),
            ("toy://book/{id}", "toy://book/%FF", None),
            (
                both,
                "toy://book/1/notes/2",
                filled(&[("id", "1"), ("day", "2")]),
            ),
            (both, "toy://book/1/note/2", None),
        ] {
            assert_eq!(resource(address).filled(asked), expected, "{asked}");
        }
    }

    #[test]
    fn a_long_text_ends_with_a_line_and_says_what_is_missing() {
        let lines = "一二三\n".repeat(50);
        let note = "\n（内容过长，已截断：共 200 字，以上为前 68 字。用 all 取全文）";
        for (text, bytes, expected) in [
            (lines.clone(), 500, lines.clone()),
            (lines.clone(), 260, "一二三\n".repeat(17) + note),
            // A line that is too long by itself is cut between letters.
            (
                "字".repeat(200),
                260,
                "字".repeat(57) + &note.replace("68", "57"),
            ),
        ] {
            let cut = cut(text, bytes, "用 all 取全文");
            assert!(cut.len() <= bytes, "{} bytes", cut.len());
            assert_eq!(cut, expected);
        }
    }
}
