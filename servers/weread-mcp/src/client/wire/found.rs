//! What the store finds or suggests.

use serde::Deserialize;

use super::{
    books::Book,
    scalar::{Flag, Number, Text},
};

/// Hits in groups; `books` without groups by an older form.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Search {
    pub(in crate::client) results: Option<Vec<Group>>,
    pub(in crate::client) books: Option<Vec<Hit>>,
    pub(in crate::client) has_more: Flag,
}

/// Hits of one kind; those that are no books have no `books`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct Group {
    pub(in crate::client) title: Text,
    pub(in crate::client) books: Option<Vec<Hit>>,
}

/// Suggestions by a book.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct Similar {
    pub(in crate::client) booksimilar: Option<Books>,
}

/// Suggestions.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Books {
    pub(in crate::client) books: Option<Vec<Hit>>,
    /// With those by a book.
    pub(in crate::client) session_id: Text,
}

/// A book that was found: in `bookInfo`, in `book`, or spread over the hit itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Hit {
    pub(in crate::client) search_idx: Number,
    pub(in crate::client) idx: Number,
    pub(in crate::client) reading_count: Number,
    pub(in crate::client) reason: Text,
    pub(in crate::client) book_info: Option<Book>,
    pub(in crate::client) book: Option<Book>,
    #[serde(flatten)]
    pub(in crate::client) itself: Book,
}

impl Hit {
    /// Its place among the hits.
    pub(in crate::client) fn index(&self) -> Option<i64> {
        self.search_idx.or(self.idx).get()
    }
}
