//! A book and how far it was read.

use jiff::civil::Date;
use server_kit::time::Moment;

use super::ids::{BookId, ChapterUid};

/// A book as the service describes it; every field but the id may be missing there.
#[derive(Debug, Clone, PartialEq)]
pub struct Book {
    /// Its id.
    pub book_id: BookId,
    /// Its title; empty when the service names none.
    pub title: String,
    /// Its author, without the white space that the service puts around.
    pub author: Option<String>,
    /// Its translators, one by one.
    pub translators: Vec<String>,
    /// The picture of its cover.
    pub cover_url: Option<String>,
    /// All its categories, as `科学技术-科学科普`, without repetition.
    pub categories: Vec<String>,
    /// Its publisher.
    pub publisher: Option<String>,
    /// The day of its publication.
    pub published: Option<Date>,
    /// Its ISBN.
    pub isbn: Option<String>,
    /// Words of the whole book.
    pub word_count: Option<u64>,
    /// What readers think of it; `None` when nobody has said.
    pub rating: Option<Rating>,
    /// What it is about.
    pub introduction: Option<String>,
    /// Its price in hundredths of a yuan.
    pub price_fen: Option<u64>,
    /// `epub`, `pdf`, `txt` …
    pub format: Option<String>,
    /// Whether the author has completed it (serials).
    pub author_completed: Option<bool>,
    /// Whether the reader has marked it as read.
    pub finished: Option<bool>,
    /// Whether it was taken off the store.
    pub sold_out: Option<bool>,
    /// Whether it is read privately.
    pub private: Option<bool>,
    /// Whether it stands at the top of the shelf.
    pub pinned: Option<bool>,
    /// The store's edition of an imported book.
    pub store_edition: Option<BookId>,
    /// When it was last changed in the store or on the shelf.
    pub updated: Option<Moment>,
    /// When it was last read.
    pub last_read: Option<Moment>,
}

impl Book {
    /// Takes from another description of the same book what this one lacks, and its further categories.
    /// The times stay: each list has its own.
    pub fn fill(&mut self, other: &Self) {
        fn lacking<T: Clone>(mine: &mut Option<T>, other: &Option<T>) {
            if mine.is_none() {
                mine.clone_from(other);
            }
        }
        if self.title.is_empty() {
            self.title.clone_from(&other.title);
        }
        if self.translators.is_empty() {
            self.translators.clone_from(&other.translators);
        }
        for category in &other.categories {
            if !self.categories.contains(category) {
                self.categories.push(category.clone());
            }
        }
        lacking(&mut self.author, &other.author);
        lacking(&mut self.cover_url, &other.cover_url);
        lacking(&mut self.publisher, &other.publisher);
        lacking(&mut self.published, &other.published);
        lacking(&mut self.isbn, &other.isbn);
        lacking(&mut self.word_count, &other.word_count);
        lacking(&mut self.rating, &other.rating);
        lacking(&mut self.introduction, &other.introduction);
        lacking(&mut self.price_fen, &other.price_fen);
        lacking(&mut self.format, &other.format);
        lacking(&mut self.author_completed, &other.author_completed);
        lacking(&mut self.finished, &other.finished);
        lacking(&mut self.sold_out, &other.sold_out);
        lacking(&mut self.private, &other.private);
        lacking(&mut self.pinned, &other.pinned);
        lacking(&mut self.store_edition, &other.store_edition);
    }
}

/// What readers think of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rating {
    /// Of a thousand: 826 is 8.26 of ten, or 82.6 % who recommend it.
    pub per_mille: u16,
    /// How many have said so; at least 1.
    pub count: u64,
    /// Those who found it good, fair, poor.
    pub shares: Option<[u64; 3]>,
    /// The service's title for it, `神作`.
    pub title: Option<String>,
    /// What the reader said: `good`, `fair`, `poor`.
    pub mine: Option<String>,
}

impl Book {
    /// A book of which only the id is known.
    pub fn unnamed(book_id: BookId) -> Self {
        Self {
            book_id,
            title: String::new(),
            author: None,
            translators: Vec::new(),
            cover_url: None,
            categories: Vec::new(),
            publisher: None,
            published: None,
            isbn: None,
            word_count: None,
            rating: None,
            introduction: None,
            price_fen: None,
            format: None,
            author_completed: None,
            finished: None,
            sold_out: None,
            private: None,
            pinned: None,
            store_edition: None,
            updated: None,
            last_read: None,
        }
    }
}

impl Rating {
    /// On the scale of 0 to 10, with two decimals.
    pub fn of_ten(&self) -> f64 {
        f64::from(self.per_mille) / 100.0
    }
}

/// How far a book was read; nothing is known of one that was never opened.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// Whole per cent, 0 to 100.
    pub percent: Option<u8>,
    /// Seconds of reading in total.
    pub reading_seconds: Option<u64>,
    /// The chapter in which reading stopped.
    pub chapter_uid: Option<ChapterUid>,
    /// Its place in the book.
    pub chapter_idx: Option<i64>,
    /// The place in its source, in characters.
    pub chapter_offset: Option<i64>,
    /// The text at that place.
    pub summary: Option<String>,
    /// When reading was last noted.
    pub updated: Option<Moment>,
    /// When reading began.
    pub started: Option<Moment>,
    /// When the book was finished.
    pub finished: Option<Moment>,
}
