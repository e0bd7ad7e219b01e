//! The shelf, and the list of books with notes.

use std::collections::HashMap;

use jiff::Timestamp;
use server_kit::time::Moment;

use super::{
    books::{Book, Progress},
    ids::BookId,
};

/// Everything that stands on the shelf.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shelf {
    /// Books, files and official accounts.
    pub books: Vec<Book>,
    /// How far they were read, where the service says; some may stand on no shelf.
    pub progress: HashMap<BookId, Progress>,
    /// Audio albums; `None` where the service does not tell them.
    pub albums: Option<Vec<Album>>,
    /// The collection of kept articles, when the shelf shows it.
    pub articles: Option<Book>,
    /// The reader's groups.
    pub groups: Vec<Group>,
}

/// An audio album.
#[derive(Debug, Clone, PartialEq)]
pub struct Album {
    /// Its id.
    pub album_id: String,
    /// Its name.
    pub title: String,
    /// Who made it.
    pub author: Option<String>,
    /// Its picture.
    pub cover_url: Option<String>,
    /// Its tracks.
    pub track_count: Option<u64>,
    /// Whether it is complete.
    pub author_completed: Option<bool>,
    /// Whether it is heard privately.
    pub private: Option<bool>,
}

/// A group that the reader made.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its books.
    pub book_ids: Vec<BookId>,
    /// Its albums.
    pub album_ids: Vec<String>,
}

/// All books with notes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notebooks {
    /// Newest change first.
    pub books: Vec<Notebook>,
    /// How many the service counts.
    pub total_books: Option<u64>,
    /// How many notes the service counts in all of them.
    pub total_notes: Option<u64>,
    /// Reviews that belong to no book.
    pub bookless_reviews: Option<u64>,
}

/// A book with notes.
#[derive(Debug, Clone, PartialEq)]
pub struct Notebook {
    /// The book.
    pub book: Book,
    /// Highlights.
    pub highlight_count: u64,
    /// Thoughts and reviews.
    pub thought_count: u64,
    /// Bookmarks of a place, without text.
    pub bookmark_count: u64,
    /// How far it was read, in whole per cent.
    pub percent: Option<u8>,
    /// Changes whenever a note in it does: seconds since 1970.
    pub changed: Option<i64>,
}

impl Notebook {
    /// When a note in it changed last; `None` where the service does not say.
    pub fn changed_at(&self) -> Option<Moment> {
        let seconds = self.changed.filter(|seconds| *seconds > 0)?;
        Timestamp::from_second(seconds).ok().map(Moment::of)
    }
}
