//! Books, tables of contents and reading progress.

use serde::Deserialize;

use super::scalar::{Decimal, Flag, Number, Text};

/// A book, wherever it stands: by itself, on the shelf, beside notes, in search results.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Book {
    pub(in crate::client) book_id: Text,
    pub(in crate::client) title: Text,
    pub(in crate::client) author: Text,
    pub(in crate::client) translator: Text,
    pub(in crate::client) cover: Text,
    pub(in crate::client) intro: Text,
    pub(in crate::client) category: Text,
    pub(in crate::client) categories: Option<Vec<Category>>,
    pub(in crate::client) publisher: Text,
    pub(in crate::client) publish_time: Text,
    pub(in crate::client) isbn: Text,
    /// By the web surface.
    pub(in crate::client) total_words: Number,
    /// By the gateway.
    pub(in crate::client) word_count: Number,
    pub(in crate::client) new_rating: Number,
    pub(in crate::client) new_rating_count: Number,
    pub(in crate::client) new_rating_detail: Option<RatingDetail>,
    /// Yuan.
    pub(in crate::client) price: Decimal,
    /// Hundredths of a yuan.
    pub(in crate::client) cent_price: Number,
    pub(in crate::client) format: Text,
    /// Whether the author has completed it.
    pub(in crate::client) finished: Flag,
    /// Whether the reader has.
    pub(in crate::client) finish_reading: Flag,
    pub(in crate::client) soldout: Flag,
    pub(in crate::client) secret: Flag,
    pub(in crate::client) is_top: Flag,
    pub(in crate::client) in_store_book_id: Text,
    pub(in crate::client) update_time: Number,
    pub(in crate::client) read_update_time: Number,
}

/// One category of a book.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct Category {
    pub(in crate::client) title: Text,
}

/// Who found a book what.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct RatingDetail {
    pub(in crate::client) good: Number,
    pub(in crate::client) fair: Number,
    pub(in crate::client) poor: Number,
    pub(in crate::client) my_rating: Text,
    pub(in crate::client) title: Text,
}

/// A table of contents: `chapters` by the gateway, `data` with one entry for each book by the web surface.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct Contents {
    pub(in crate::client) chapters: Option<Vec<Chapter>>,
    pub(in crate::client) data: Option<Vec<BookContents>>,
}

/// The chapters of one book by the web surface.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct BookContents {
    pub(in crate::client) updated: Option<Vec<Chapter>>,
}

/// A chapter.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Chapter {
    pub(in crate::client) chapter_uid: Number,
    pub(in crate::client) chapter_idx: Number,
    pub(in crate::client) title: Text,
    pub(in crate::client) level: Number,
    pub(in crate::client) word_count: Number,
    pub(in crate::client) price: Decimal,
    pub(in crate::client) anchors: Option<Vec<Anchor>>,
}

/// A heading inside a chapter.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct Anchor {
    pub(in crate::client) title: Text,
    pub(in crate::client) level: Number,
}

/// How far one book was read; `book` is empty for one that was never opened.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct BookProgress {
    pub(in crate::client) book: Option<Progress>,
}

/// How far a book was read, by itself and in the list of the shelf, which alone names the book here.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Progress {
    pub(in crate::client) book_id: Text,
    pub(in crate::client) progress: Number,
    pub(in crate::client) reading_time: Number,
    pub(in crate::client) chapter_uid: Number,
    pub(in crate::client) chapter_idx: Number,
    pub(in crate::client) chapter_offset: Number,
    pub(in crate::client) summary: Text,
    pub(in crate::client) update_time: Number,
    pub(in crate::client) start_reading_time: Number,
    pub(in crate::client) finish_time: Number,
}
