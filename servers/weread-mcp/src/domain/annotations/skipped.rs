//! The order of notes within a chapter, and the count of those that are left out.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, HashSet},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{time::Moment, told};

use crate::domain::notes::{Highlight, Range, Thought};

/// Notes that are not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub struct Skipped {
    /// What they are.
    pub kind: Kind,
    /// Why.
    pub reason: Reason,
    /// How many; at least 1.
    pub count: usize,
}

/// What was skipped.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Kind {
    /// Highlights.
    Highlight,
    /// Thoughts and reviews.
    Note,
    /// Bookmarks of a place.
    Bookmark,
}

/// Why it was skipped; the first that holds.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Reason {
    /// It marks a place and has no text.
    NoText,
    /// The service names it as taken away.
    Removed,
    /// The service listed the same id again; the newest is here.
    Duplicate,
    /// It stands in another chapter than the one asked for.
    OtherChapter,
    /// It has another style than the one asked for, or none is told.
    OtherStyle,
    /// It has another colour than the one asked for.
    OtherColor,
}

/// What highlights and thoughts have in common.
pub(super) trait Note: Ord {
    fn id(&self) -> &str;
    fn range(&self) -> &Range;
    fn created(&self) -> Option<Moment>;
}

/// By the begin of the range as a number, then by time; what has none comes last. Equals are told apart by
/// their whole value, the id first.
pub(super) fn by_place<T: Note>(one: &T, other: &T) -> Ordering {
    let place = |note: &T| {
        let (start, created) = (note.range().start, note.created());
        (start.is_none(), start, created.is_none(), created)
    };
    place(one).cmp(&place(other)).then_with(|| one.cmp(other))
}

/// What was left out so far.
#[derive(Default)]
pub(super) struct Left(BTreeMap<(Kind, Reason), usize>);

impl Left {
    pub(super) fn add(&mut self, kind: Kind, reason: Reason, count: usize) {
        if count > 0 {
            *self.0.entry((kind, reason)).or_default() += count;
        }
    }

    /// Each id once, with its newest note. Notes without an id are not compared.
    pub(super) fn unique<T: Note>(&mut self, kind: Kind, mut notes: Vec<T>) -> Vec<T> {
        let listed = notes.len();
        notes.sort_by(|one, other| {
            let newest = |note: &T| Reverse(note.created());
            newest(one).cmp(&newest(other)).then_with(|| one.cmp(other))
        });
        let mut seen = HashSet::new();
        notes.retain(|note| note.id().is_empty() || seen.insert(note.id().to_owned()));
        self.add(kind, Reason::Duplicate, listed - notes.len());
        notes
    }

    pub(super) fn skipped(self) -> Vec<Skipped> {
        let entry = |((kind, reason), count)| Skipped {
            kind,
            reason,
            count,
        };
        self.0.into_iter().map(entry).collect()
    }
}

impl Note for Highlight {
    fn id(&self) -> &str {
        &self.id
    }

    fn range(&self) -> &Range {
        &self.range
    }

    fn created(&self) -> Option<Moment> {
        self.created
    }
}

impl Note for Thought {
    fn id(&self) -> &str {
        &self.id
    }

    fn range(&self) -> &Range {
        &self.range
    }

    fn created(&self) -> Option<Moment> {
        self.created
    }
}
