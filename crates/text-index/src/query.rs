//! What is searched for, and where it is in a text.

use std::{collections::BTreeSet, iter, ops::Range};

use crate::{
    fold::Folded,
    tokens::{self, Needle, is_word},
};

/// How many tokens the index is asked for at most. More would hardly narrow the search down, and what is
/// found is checked against the text anyway.
const MOST: usize = 32;

/// What opens and closes a quoted part. Input methods for Chinese give the curved ones.
const QUOTES: [char; 4] = ['"', '＂', '“', '”'];

/// What to search for: parts that must all match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    parts: Vec<Part>,
    clauses: Vec<String>,
    is_certain: bool,
}

/// Why a query cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadQuery {
    /// There is nothing but white space.
    #[error("the query is empty")]
    Empty,
    /// A part has neither a letter nor a digit nor a Chinese character.
    #[error("`{part}` has no letter, digit or Chinese character to search for")]
    NothingToFind {
        /// The part as it was written, without its quotes.
        part: String,
    },
}

impl Query {
    /// Reads a query: parts between white space, or between quotes with their white space. The quotes
    /// are `"`, `＂`, `“` and `”`; without a closing one, the part goes to the end.
    pub fn parse(text: &str) -> Result<Self, BadQuery> {
        let mut parts = Vec::new();
        let mut clauses = BTreeSet::new();
        let mut is_certain = true;
        for written in split(text) {
            let part = Part::of(written);
            let needles = tokens::of_part(&part.text);
            let [first, more @ ..] = needles.as_slice() else {
                let part = written.to_owned();
                return Err(BadQuery::NothingToFind { part });
            };
            is_certain &= more.is_empty() && first.text() == part.text;
            clauses.extend(needles.iter().map(Needle::clause));
            parts.push(part);
        }
        if parts.is_empty() {
            return Err(BadQuery::Empty);
        }
        Ok(Self {
            parts,
            is_certain: is_certain && clauses.len() <= MOST,
            clauses: clauses.into_iter().take(MOST).collect(),
        })
    }

    /// What the parts ask of the index, as clauses that must all hold.
    pub(crate) fn clauses(&self) -> &[String] {
        &self.clauses
    }

    /// Whether all that the index finds matches.
    pub(crate) fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// Where the parts match in the original, in order, overlapping and touching places joined; none
    /// when a part does not match.
    pub(crate) fn places(&self, original: &str) -> Option<Vec<Range<usize>>> {
        let folded = Folded::of(original);
        let mut places = Vec::new();
        for part in &self.parts {
            let before = places.len();
            let found = part.places(&folded.text);
            places.extend(found.filter_map(|place| folded.origin(&place)));
            if places.len() == before {
                return None;
            }
        }
        places.sort_by_key(|place| (place.start, place.end));
        places.dedup_by(|next, place| {
            let joins = next.start <= place.end;
            if joins {
                place.end = place.end.max(next.end);
            }
            joins
        });
        Some(places)
    }
}

/// One part, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    text: String,
}

impl Part {
    fn of(written: &str) -> Self {
        let text = Folded::of(written).text.trim().to_owned();
        Self { text }
    }

    /// Where it matches in a folded text, in order; places may overlap.
    fn places(&self, folded: &str) -> impl Iterator<Item = Range<usize>> {
        let first = self.text.chars().next().map_or(1, char::len_utf8);
        let begins_with_word = self.text.starts_with(is_word);
        let mut from = 0;
        let all = iter::from_fn(move || {
            let start = from + folded.get(from..)?.find(&self.text)?;
            from = start + first;
            Some(start..start + self.text.len())
        });
        all.filter(move |place| {
            let before = folded.get(..place.start);
            !(begins_with_word && before.is_some_and(|before| before.ends_with(is_word)))
        })
    }
}

/// The parts as they are written, without their quotes.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        rest = rest.trim_start();
        let part;
        if let Some(quoted) = rest.strip_prefix(QUOTES) {
            (part, rest) = quoted.split_once(QUOTES).unwrap_or((quoted, ""));
        } else {
            let ends = |c: char| c.is_whitespace() || QUOTES.contains(&c);
            (part, rest) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
            if part.is_empty() {
                return None;
            }
        }
        Some(part)
    })
}
