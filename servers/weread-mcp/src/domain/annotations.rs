//! A book's highlights and thoughts, joined and in the order of reading; none is lost uncounted.

mod filter;
mod headings;
mod passages;
mod skipped;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use server_kit::time::Moment;

use self::{
    headings::Headings,
    passages::joined,
    skipped::{Left, by_place},
};
use super::{
    chapters::Chapter,
    ids::ChapterUid,
    notes::{Highlight, Highlights, Subject, Thought, Thoughts},
};

pub use self::{
    filter::NoteFilter,
    passages::Passage,
    skipped::{Kind, Reason, Skipped},
};

/// Everything that a reader left in a book, after a filter.
#[derive(Debug, Clone, PartialEq)]
pub struct BookNotes {
    /// Chapters by their place in the book, then articles with the newest first, then reviews of the whole
    /// book, then what stands nowhere. None is empty.
    pub chapters: Vec<ChapterNotes>,
    /// How many there were and how many are here.
    pub counts: Counts,
    /// When the newest of all was made, filtered or not.
    pub newest: Option<Moment>,
    /// What is not here, and why. The counts of each kind add up to `total - returned`.
    pub skipped: Vec<Skipped>,
}

/// What was left in one chapter or article.
#[derive(Debug, Clone, PartialEq)]
pub struct ChapterNotes {
    /// Which it is.
    pub place: Place,
    /// The chapter's place in the book.
    pub idx: Option<i64>,
    /// Its title; `未知章节` where nothing names one.
    pub title: String,
    /// Its depth, from 1.
    pub level: u8,
    /// Whether the table of contents, or the list of articles, has it. A chapter of an earlier
    /// edition is not known, and none is in an imported book without contents.
    pub known: bool,
    /// By range, then by time.
    pub highlights: Vec<Marked>,
    /// By range, then by time; those without a range last.
    pub notes: Vec<Written>,
}

/// Where notes stand.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// In a chapter.
    Chapter(ChapterUid),
    /// In an article of an official account.
    Article(String),
    /// They are about the whole book.
    Book,
    /// The service names no place.
    Nowhere,
}

/// A highlight, and the thoughts about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Marked {
    /// The highlight.
    pub highlight: Highlight,
    /// The ids of the thoughts about the same passage, in order.
    pub note_ids: Vec<String>,
}

/// A thought, and what it hangs on.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The thought.
    pub thought: Thought,
    /// The highlight of the same passage, also when a filter has left that out.
    pub highlight_id: Option<String>,
    /// The passage: the highlight's text, else the quote that came with the thought.
    pub passage: Option<String>,
}

/// How many there were and how many came through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Highlights.
    pub highlights: Tally,
    /// Thoughts and reviews.
    pub notes: Tally,
    /// Bookmarks of a place, which have no text and are always skipped.
    pub bookmarks: usize,
}

/// Of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// As many as the service listed.
    pub total: usize,
    /// As many as are here.
    pub returned: usize,
}

impl BookNotes {
    /// All notes of a book; `chapters` is its table of contents and may be empty. The order of what is
    /// given makes no difference.
    pub fn of(
        chapters: &[Chapter],
        highlights: Highlights,
        thoughts: Thoughts,
        filter: &NoteFilter,
    ) -> Self {
        let mut left = Left::default();
        let mut counts = Counts {
            highlights: Tally::of(highlights.items.len() + highlights.removed),
            notes: Tally::of(thoughts.items.len() + thoughts.removed),
            bookmarks: highlights.positions,
        };
        left.add(Kind::Bookmark, Reason::NoText, counts.bookmarks);
        left.add(Kind::Highlight, Reason::Removed, highlights.removed);
        left.add(Kind::Note, Reason::Removed, thoughts.removed);

        let mut newest = None;
        let mut groups: HashMap<Place, (Vec<Highlight>, Vec<Thought>)> = HashMap::new();
        for highlight in left.unique(Kind::Highlight, highlights.items) {
            newest = newest.max(highlight.created);
            let place = Place::of_highlight(&highlight);
            groups.entry(place).or_default().0.push(highlight);
        }
        for thought in left.unique(Kind::Note, thoughts.items) {
            newest = newest.max(thought.created);
            let place = Place::of_thought(&thought);
            groups.entry(place).or_default().1.push(thought);
        }

        let headings = Headings::of(chapters, &highlights.chapters, &highlights.articles);
        let mut groups: Vec<_> = groups
            .into_iter()
            .map(|(place, (mut highlights, mut thoughts))| {
                highlights.sort_by(by_place);
                thoughts.sort_by(by_place);
                let (rank, heading) = headings.heading(place, &highlights, &thoughts);
                let (highlights, notes) = joined(highlights, thoughts);
                let chapter = ChapterNotes {
                    highlights,
                    notes,
                    ..heading
                };
                (rank, chapter)
            })
            .collect();
        groups.sort_by(|(one, _), (other, _)| one.cmp(other));

        let mut kept = Vec::new();
        for (_, mut chapter) in groups {
            filter.apply(&mut chapter, &mut left);
            counts.highlights.returned += chapter.highlights.len();
            counts.notes.returned += chapter.notes.len();
            if !chapter.highlights.is_empty() || !chapter.notes.is_empty() {
                kept.push(chapter);
            }
        }
        Self {
            chapters: kept,
            counts,
            newest,
            skipped: left.skipped(),
        }
    }

    /// All highlights in the order of reading, each with its chapter.
    pub fn highlights(&self) -> impl Iterator<Item = (&ChapterNotes, &Marked)> {
        self.chapters
            .iter()
            .flat_map(|chapter| chapter.highlights.iter().map(move |it| (chapter, it)))
    }

    /// Whether hidden characters were taken out of any text that is here.
    pub fn is_cleaned(&self) -> bool {
        self.highlights().any(|(_, it)| it.highlight.cleaned)
            || self.notes().any(|(_, it)| it.thought.cleaned)
    }

    /// All thoughts in the order of reading, each with its chapter.
    pub fn notes(&self) -> impl Iterator<Item = (&ChapterNotes, &Written)> {
        self.chapters
            .iter()
            .flat_map(|chapter| chapter.notes.iter().map(move |it| (chapter, it)))
    }
}

impl Place {
    /// The chapter, when it is one.
    pub fn chapter(&self) -> Option<ChapterUid> {
        match self {
            Self::Chapter(uid) => Some(*uid),
            Self::Article(_) | Self::Book | Self::Nowhere => None,
        }
    }

    fn of_highlight(highlight: &Highlight) -> Self {
        match (&highlight.article_id, highlight.chapter_uid) {
            (Some(article), _) => Self::Article(article.clone()),
            (None, Some(uid)) => Self::Chapter(uid),
            (None, None) => Self::Nowhere,
        }
    }

    fn of_thought(thought: &Thought) -> Self {
        match (&thought.article_id, thought.subject, thought.chapter_uid) {
            (Some(article), ..) => Self::Article(article.clone()),
            (None, Subject::Book, _) => Self::Book,
            (None, _, Some(uid)) => Self::Chapter(uid),
            (None, _, None) => Self::Nowhere,
        }
    }
}

impl Counts {
    /// Everything that the service listed.
    pub fn total(&self) -> usize {
        self.highlights.total + self.notes.total + self.bookmarks
    }

    /// Everything that is here.
    pub fn returned(&self) -> usize {
        self.highlights.returned + self.notes.returned
    }
}

impl Tally {
    fn of(total: usize) -> Self {
        Self { total, returned: 0 }
    }
}
