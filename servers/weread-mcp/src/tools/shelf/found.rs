//! A book that a search has found.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::told;

use super::super::books::{beginning, category, rating, translator};
use crate::{
    domain::{
        books::{Book, Progress},
        ids::BookId,
        link,
    },
    service::{
        books::Detailed,
        shelf::{Counts, Match, Owned},
    },
};

/// Characters of an introduction that a list shows.
const SUMMARY: usize = 100;

/// A book that was found: with details nested as in the seed, without them with flat counts.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub(super) struct Found {
    pub(super) book_id: BookId,
    title: String,
    author: String,
    translator: String,
    cover_url: String,
    /// Where the keyword was found.
    matched: Vec<&'static str>,
    in_shelf: Option<bool>,
    has_notes: Option<bool>,
    #[serde(flatten)]
    counts: Option<NoteCounts>,
    #[serde(flatten)]
    details: Option<Details>,
}

/// The seed's flat counts.
#[derive(Serialize, JsonSchema)]
struct NoteCounts {
    note_count: u64,
    bookmark_count: u64,
    review_count: u64,
}

/// The seed's nested details and more.
#[derive(Serialize, JsonSchema)]
struct Details {
    category: String,
    categories: Vec<String>,
    publish_info: String,
    finished: Option<bool>,
    author_completed: Option<bool>,
    store_edition: Option<BookId>,
    link: Option<String>,
    reading_status: ReadingStatus,
    book_info: Information,
}

/// How far it was read.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[("reading_time", "秒"), ("note_count", "划线数"), ("review_count", "想法与点评数")]))]
struct ReadingStatus {
    /// Whole per cent.
    progress: u8,
    /// Seconds.
    reading_time: u64,
    last_read_time: String,
    #[serde(flatten)]
    counts: NoteCounts,
}

/// What it is.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
struct Information {
    word_count: u64,
    /// Of ten, two decimals.
    rating: f64,
    rating_count: u64,
    rating_title: Option<String>,
    description: String,
}

impl Found {
    /// With flat counts.
    pub(super) fn flat(found: &Match) -> Self {
        Self {
            counts: Some(NoteCounts::of(found.owned.notes)),
            ..Self::bare(found, &found.owned.book)
        }
    }

    /// With details.
    pub(super) fn detailed(found: &Match, known: &Detailed, web: &str) -> Self {
        let owned = &found.owned;
        let book = &known.book;
        let progress = known.progress.as_ref();
        let is_read = progress.is_some_and(|progress| progress.finished.is_some())
            || book.finished == Some(true);
        Self {
            details: Some(Details {
                category: category(book),
                categories: book.categories.clone(),
                publish_info: published(book),
                finished: match is_read {
                    true => Some(true),
                    false => owned.finished().or(book.finished),
                },
                author_completed: book.author_completed,
                store_edition: book.store_edition.clone(),
                link: link::reader(web, &book.book_id, None),
                reading_status: ReadingStatus::of(owned, progress),
                book_info: Information::of(book),
            }),
            ..Self::bare(found, book)
        }
    }

    fn bare(found: &Match, book: &Book) -> Self {
        let owned = &found.owned;
        Self {
            book_id: book.book_id.clone(),
            title: book.title.clone(),
            author: book.author.clone().unwrap_or_default(),
            translator: translator(book),
            cover_url: book.cover_url.clone().unwrap_or_default(),
            matched: found.places.iter().map(|place| place.name()).collect(),
            in_shelf: owned.in_shelf,
            has_notes: owned.has_notes(),
            counts: None,
            details: None,
        }
    }
}

impl NoteCounts {
    fn of(notes: Option<Counts>) -> Self {
        let notes = notes.unwrap_or_default();
        Self {
            note_count: notes.highlights,
            bookmark_count: notes.bookmarks,
            review_count: notes.thoughts,
        }
    }
}

impl ReadingStatus {
    fn of(owned: &Owned, progress: Option<&Progress>) -> Self {
        let percent = progress.and_then(|progress| progress.percent);
        let last = progress.and_then(|progress| progress.updated);
        let last = last.or(owned.book.last_read);
        Self {
            progress: percent.or(owned.percent).unwrap_or_default(),
            reading_time: progress
                .and_then(|progress| progress.reading_seconds)
                .unwrap_or_default(),
            last_read_time: last.map(|moment| moment.to_string()).unwrap_or_default(),
            counts: NoteCounts::of(owned.notes),
        }
    }
}

impl Information {
    fn of(book: &Book) -> Self {
        let (rating, rating_count) = rating(book);
        let introduction = book.introduction.as_deref().unwrap_or_default();
        Self {
            word_count: book.word_count.unwrap_or_default(),
            rating,
            rating_count,
            rating_title: book.rating.as_ref().and_then(|rating| rating.title.clone()),
            description: beginning(introduction, SUMMARY, "..."),
        }
    }
}

/// `浙江教育出版社 2019-12`, or the half that is known.
fn published(book: &Book) -> String {
    let month = book.published.map(|day| day.strftime("%Y-%m").to_string());
    let parts = [book.publisher.clone(), month];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
