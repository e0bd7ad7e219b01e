//! What a search must give, worked out anew from the documentation by trying every place.

use std::{collections::BTreeMap, ops::Range};

use text_index::{Filter, Hit, Tag};
use unicode_normalization::UnicodeNormalization;

/// Rows by number, with their tags.
#[derive(Debug, Clone, Default)]
pub(crate) struct Oracle(pub(crate) BTreeMap<i64, (String, Vec<Tag>)>);

impl Oracle {
    /// All that match the parts and pass the filter, whatever its limit, newest first.
    pub(crate) fn all(&self, parts: &[String], filter: &Filter) -> Vec<Hit> {
        let parts: Vec<_> = parts.iter().map(|part| trimmed(part)).collect();
        let passing = self.0.iter().rev().filter(|(row, (_, tags))| {
            filter.from.is_none_or(|from| from <= **row)
                && filter.before.is_none_or(|before| **row < before)
                && filter.tags_all.iter().all(|tag| tags.contains(tag))
                && filter
                    .tags_any
                    .iter()
                    .all(|group| group.iter().any(|tag| tags.contains(tag)))
        });
        passing
            .filter_map(|(row, (text, _))| {
                Some(Hit {
                    row: *row,
                    text: text.clone(),
                    spans: spans(text, &parts)?,
                })
            })
            .collect()
    }
}

/// Whether a part can be searched for.
pub(crate) fn is_findable(part: &str) -> bool {
    fold(part).iter().any(|c| is_word(*c) || is_chinese(*c))
}

fn trimmed(part: &str) -> Vec<char> {
    let folded: String = fold(part).into_iter().collect();
    folded.trim_matches(' ').chars().collect()
}

/// The whole text at once.
pub(crate) fn fold(text: &str) -> Vec<char> {
    let seen = text.chars().filter(|c| !HIDDEN.contains(c));
    let folded: String = seen.nfkc().flat_map(char::to_lowercase).nfc().collect();
    let mut chars: Vec<char> = folded
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect();
    chars.dedup_by(|next, before| *next == ' ' && *before == ' ');
    chars
}

/// Those that occur here.
const HIDDEN: [char; 6] = [
    '\u{0}',
    '\u{1b}',
    '\u{200b}',
    '\u{200d}',
    '\u{fe0f}',
    '\u{e0100}',
];

/// By the names of blocks rather than by what they hold.
fn is_chinese(c: char) -> bool {
    let block = match u32::from(c) {
        0x3005 | 0x3007 => "々〇",
        0x3040..=0x30ff if !"・゠".contains(c) => "kana",
        0xac00..=0xd7a3 => "hangul syllables",
        0x3400..=0x4dbf | 0x20000..=0x323af => "Han extensions",
        0x4e00..=0x9fff => "Han",
        _ => "",
    };
    !block.is_empty()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !is_chinese(c)
}

/// Where any part matches in the original; none if one does not.
fn spans(text: &str, parts: &[Vec<char>]) -> Option<Vec<Range<usize>>> {
    let folded = fold(text);
    let mut is_marked = vec![false; folded.len()];
    let mut places = Vec::new();
    for part in parts {
        let starts = 0..(folded.len() + 1).saturating_sub(part.len());
        let found: Vec<_> = starts
            .filter(|start| folded[*start..].starts_with(part))
            .filter(|start| *start == 0 || !is_word(part[0]) || !is_word(folded[*start - 1]))
            .collect();
        if found.is_empty() {
            return None;
        }
        for start in found {
            is_marked[start..start + part.len()].fill(true);
            places.push(start..start + part.len());
        }
    }
    let mut is_marked = vec![false; text.len()];
    for place in places {
        is_marked[origin(text, &folded, &place)].fill(true);
    }
    let edges = |from: bool| {
        let is_marked = &is_marked;
        (0..=text.len()).filter(move |at| {
            let before = *at > 0 && is_marked[*at - 1];
            let here = *at < text.len() && is_marked[*at];
            before != here && here == from
        })
    };
    Some(
        edges(true)
            .zip(edges(false))
            .map(|(start, end)| start..end)
            .collect(),
    )
}

/// The bytes of the original whose folding is that place: the beginnings of the text whose foldings are
/// beginnings of the whole folding tell how far each comes.
fn origin(text: &str, folded: &[char], place: &Range<usize>) -> Range<usize> {
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let reach: Vec<_> = ends
        .map(|at| (at, fold(&text[..at])))
        .filter(|(_, front)| folded.starts_with(front))
        .map(|(at, front)| (at, front.len()))
        .collect();
    let start = reach.iter().rfind(|(_, reached)| *reached <= place.start);
    let end = reach.iter().find(|(_, reached)| *reached >= place.end);
    start.unwrap().0..end.unwrap().0
}
