//! A book as lists name it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::{books::Book, ids::BookId};

/// A book as lists name it; what the service does not tell is empty, as in the seed.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(inline, transform = server_kit::told(&[]))]
pub(crate) struct BookRef {
    pub(crate) book_id: BookId,
    title: String,
    author: String,
    translator: String,
    category: String,
    cover_url: Option<String>,
}

impl BookRef {
    pub(crate) fn of(book: &Book) -> Self {
        Self {
            book_id: book.book_id.clone(),
            title: book.title.clone(),
            author: book.author.clone().unwrap_or_default(),
            translator: translator(book),
            category: category(book),
            cover_url: book.cover_url.clone(),
        }
    }
}

/// All translators in one text.
pub(crate) fn translator(book: &Book) -> String {
    book.translators.join("、")
}

/// The first category.
pub(crate) fn category(book: &Book) -> String {
    book.categories.first().cloned().unwrap_or_default()
}

/// A rating of 0 to 10 with two decimals, and how many have given one; 0 of 0 when nobody has.
pub(crate) fn rating(book: &Book) -> (f64, u64) {
    let rating = book.rating.as_ref();
    rating.map_or((0.0, 0), |rating| (rating.of_ten(), rating.count))
}
