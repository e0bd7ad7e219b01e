//! Notes as the index on this machine keeps them.

use super::ids::BookId;

/// What a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A highlighted passage.
    Highlight,
    /// Something that was written.
    Thought,
}

/// A note as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is.
    pub kind: Kind,
    /// The service's id for it.
    pub id: String,
    /// Its chapter.
    pub chapter_uid: Option<i64>,
    /// The chapter's title, or the article's.
    pub chapter_title: Option<String>,
    /// What was written; `None` for a highlight.
    pub content: Option<String>,
    /// The passage.
    pub passage: Option<String>,
    /// The service's number of its colour.
    pub color: Option<i64>,
    /// Seconds since 1970.
    pub created: Option<i64>,
}

/// A book as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBook {
    /// Its id.
    pub book_id: BookId,
    /// Its title.
    pub title: String,
    /// Its author.
    pub author: Option<String>,
    /// The service's mark of the last change that was read; `None` when it gave none.
    pub changed: Option<i64>,
}

/// A note with its book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// By which the next page is asked for.
    pub row: i64,
    /// The book's id.
    pub book_id: String,
    /// Its title.
    pub book_title: String,
    /// Its author.
    pub author: Option<String>,
    /// The note.
    pub note: Note,
}
