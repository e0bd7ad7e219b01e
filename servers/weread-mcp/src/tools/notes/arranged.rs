//! A book's notes in the order of reading, put under chapters or in two lists, page by page.

use serde::Serialize;

use super::answer::{Chapter, Chaptered, Highlight, Note};
use crate::domain::{
    annotations::{BookNotes, ChapterNotes},
    ids::BookId,
};

/// How notes are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Under their chapters.
    Chapters,
    /// In two lists, each note with its chapter.
    Placed,
    /// In two lists, without chapters.
    Bare,
}

/// A highlight or thought to be put on a page. As JSON it is as large as what it adds there.
#[derive(Serialize)]
pub(super) struct Entry<'a> {
    #[serde(skip)]
    chapter: &'a ChapterNotes,
    /// With the first one of a chapter.
    heading: Option<Chapter>,
    item: Item,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item {
    Highlight(Highlight),
    Note(Note),
}

/// What stands on a page.
pub(super) struct Arranged {
    pub(super) chapters: Option<Vec<Chapter>>,
    pub(super) highlights: Option<Vec<Highlight>>,
    pub(super) notes: Option<Vec<Note>>,
    pub(super) highlight_count: usize,
    pub(super) note_count: usize,
}

/// All notes in the order of reading: a highlight, then the thoughts about it.
pub(super) fn entries<'a>(
    notes: &'a BookNotes,
    book: &BookId,
    web: &str,
    shape: Shape,
) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for chapter in &notes.chapters {
        let place = || (shape == Shape::Placed).then(|| Chaptered::of(chapter));
        let mut heading = (shape == Shape::Chapters).then(|| Chapter::of(chapter, book, web));
        for passage in chapter.passages() {
            let marked = passage.highlight.into_iter();
            let marked = marked.map(|one| Item::Highlight(Highlight::of(one, place())));
            let written = passage.notes.into_iter();
            let written = written.map(|one| Item::Note(Note::of(one, place())));
            entries.extend(marked.chain(written).map(|item| Entry {
                chapter,
                heading: heading.take(),
                item,
            }));
        }
    }
    entries
}

/// The notes of one page.
pub(super) fn arranged(
    entries: Vec<Entry<'_>>,
    book: &BookId,
    web: &str,
    shape: Shape,
) -> Arranged {
    let mut chapters: Vec<Chapter> = Vec::new();
    let (mut highlights, mut notes) = (Vec::new(), Vec::new());
    let (mut highlight_count, mut note_count) = (0, 0);
    let mut under = None;
    for entry in entries {
        if shape == Shape::Chapters && !under.is_some_and(|it| std::ptr::eq(it, entry.chapter)) {
            let mut chapter = Chapter::of(entry.chapter, book, web);
            chapter.continued = entry.heading.is_none();
            chapters.push(chapter);
            under = Some(entry.chapter);
        }
        let (highlights, notes) = match chapters.last_mut() {
            Some(chapter) => (&mut chapter.highlights, &mut chapter.notes),
            None => (&mut highlights, &mut notes),
        };
        match entry.item {
            Item::Highlight(highlight) => {
                highlight_count += 1;
                highlights.push(highlight);
            }
            Item::Note(note) => {
                note_count += 1;
                notes.push(note);
            }
        }
    }
    let grouped = shape == Shape::Chapters;
    Arranged {
        chapters: grouped.then_some(chapters),
        highlights: (!grouped).then_some(highlights),
        notes: (!grouped).then_some(notes),
        highlight_count,
        note_count,
    }
}

impl Shape {
    /// Without chapters there is nothing to group by, and nothing is lost for it.
    pub(super) fn of(include_chapters: bool, organize_by_chapter: bool) -> Self {
        match (include_chapters, organize_by_chapter) {
            (true, true) => Self::Chapters,
            (true, false) => Self::Placed,
            (false, _) => Self::Bare,
        }
    }
}

impl Entry<'_> {
    /// Tells it from all others of the book.
    pub(super) fn key(&self) -> (bool, String) {
        match &self.item {
            Item::Highlight(highlight) => (false, highlight.highlight_id.clone()),
            Item::Note(note) => (true, note.note_id.clone()),
        }
    }
}
