//! Which thoughts are about which passage.

use std::collections::HashMap;

use super::{ChapterNotes, Marked, Written};
use crate::domain::notes::{Highlight, Range, Thought};

/// A passage with what was written about it: a highlight, thoughts, or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage<'a> {
    /// The highlight, where there is one.
    pub highlight: Option<&'a Marked>,
    /// The thoughts in order; one at least without a highlight.
    pub notes: Vec<&'a Written>,
}

/// Highlights and thoughts of one place, both in order, with what ties them: the same range. Of several
/// highlights of one range the first has the thoughts.
pub(super) fn joined(
    highlights: Vec<Highlight>,
    thoughts: Vec<Thought>,
) -> (Vec<Marked>, Vec<Written>) {
    let mut marked: Vec<_> = highlights
        .into_iter()
        .map(|highlight| Marked {
            highlight,
            note_ids: Vec::new(),
        })
        .collect();
    let mut at_range = HashMap::new();
    for (at, one) in marked.iter().enumerate() {
        if let Some(range) = named(&one.highlight.range) {
            at_range.entry(range.to_owned()).or_insert(at);
        }
    }
    let write = |thought: Thought| {
        let found = named(&thought.range).and_then(|range| at_range.get(range));
        let found = found.and_then(|at| marked.get_mut(*at));
        let quote = thought.quote.clone();
        let Some(found) = found else {
            return Written {
                highlight_id: None,
                passage: quote,
                thought,
            };
        };
        found.note_ids.push(thought.id.clone());
        let text = Some(found.highlight.text.clone()).filter(|text| !text.is_empty());
        Written {
            highlight_id: Some(found.highlight.id.clone()),
            passage: text.or(quote),
            thought,
        }
    };
    let written = thoughts.into_iter().map(write).collect();
    (marked, written)
}

impl Passage<'_> {
    /// Its text, as far as it is known.
    pub fn text(&self) -> Option<&str> {
        let highlighted = self.highlight.map(|marked| marked.highlight.text.as_str());
        let quoted = || self.notes.iter().find_map(|note| note.passage.as_deref());
        highlighted.filter(|text| !text.is_empty()).or_else(quoted)
    }

    fn range(&self) -> Option<&Range> {
        let highlight = self.highlight.map(|marked| &marked.highlight.range);
        highlight.or_else(|| self.notes.first().map(|note| &note.thought.range))
    }
}

impl ChapterNotes {
    /// Its passages in order, each highlight and each thought in exactly one. Thoughts of one range stand
    /// together, also without a highlight.
    pub fn passages(&self) -> Vec<Passage<'_>> {
        let mut passages: Vec<Passage<'_>> = Vec::new();
        let mut at_range = HashMap::new();
        for marked in &self.highlights {
            if let Some(range) = named(&marked.highlight.range) {
                at_range.entry(range).or_insert(passages.len());
            }
            passages.push(Passage {
                highlight: Some(marked),
                notes: Vec::new(),
            });
        }
        for note in &self.notes {
            let range = named(&note.thought.range);
            let at = range.map_or(passages.len(), |range| {
                *at_range.entry(range).or_insert(passages.len())
            });
            match passages.get_mut(at) {
                Some(passage) => passage.notes.push(note),
                None => passages.push(Passage {
                    highlight: None,
                    notes: vec![note],
                }),
            }
        }
        passages.sort_by_key(|passage| {
            let start = passage.range().and_then(|range| range.start);
            (start.is_none(), start)
        });
        passages
    }
}

fn named(range: &Range) -> Option<&str> {
    Some(range.text.as_str()).filter(|text| !text.is_empty())
}
