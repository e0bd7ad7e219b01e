//! Books, tables of contents and reading progress.

use http_session::drift::Drift;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::{
    Surface,
    envelope::read,
    wire::{
        books as wire,
        scalar::{Number, shown},
    },
};
use crate::{
    domain::{
        books::{Book, Progress, Rating},
        chapters::{Anchor, Chapter},
        ids::{BookId, ChapterUid},
    },
    error::Error,
};

/// A book, from `/book/info` or `api/book/info`.
pub fn book(answer: Value) -> Result<Book, Drift> {
    let sent: wire::Book = read(answer)?;
    let id = sent.book_id.book_id();
    Ok(described(
        sent,
        id.ok_or_else(|| Drift::form("", "bookId"))?,
    ))
}

/// The chapters of one book in reading order, from `/book/chapterinfo` or `web/book/chapterInfos`.
pub fn chapters(answer: Value) -> Result<Vec<Chapter>, Drift> {
    let sent: wire::Contents = read(answer)?;
    let (at, sent) = match (sent.chapters, sent.data) {
        (Some(chapters), _) => ("chapters", Some(chapters)),
        (None, Some(books)) => {
            let first = books.into_iter().next();
            ("data[0].updated", first.and_then(|book| book.updated))
        }
        (None, None) => ("chapters", None),
    };
    let mut chapters = listed(at, sent.ok_or_else(|| Drift::form("", at))?)?;
    chapters.sort_by_key(|chapter| chapter.idx.unwrap_or(i64::MAX));
    Ok(chapters)
}

/// How far a book was read, from `/book/getprogress` or `web/book/getProgress`.
///
/// Nothing is known of a book that was never opened: its `book` is empty.
pub fn progress(answer: Value) -> Result<Progress, Drift> {
    let sent: wire::BookProgress = read(answer)?;
    sent.book
        .map(reached)
        .ok_or_else(|| Drift::form("", "book"))
}

/// What is known of the book of that id.
pub(super) fn described(sent: wire::Book, book_id: BookId) -> Book {
    let rating = rating(&sent);
    let categories = sent.categories.unwrap_or_default();
    let categories = categories.into_iter().map(|category| category.title);
    let mut titles = Vec::new();
    for title in [sent.category]
        .into_iter()
        .chain(categories)
        .filter_map(|text| text.line())
    {
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    Book {
        book_id,
        title: sent.title.line().unwrap_or_default(),
        author: sent.author.line(),
        translators: translators(sent.translator.sent()),
        cover_url: sent.cover.line(),
        categories: titles,
        publisher: sent.publisher.line(),
        published: day(sent.publish_time.sent()),
        isbn: sent.isbn.line(),
        word_count: sent
            .total_words
            .or(sent.word_count)
            .count()
            .filter(|words| *words > 0),
        rating,
        introduction: sent.intro.passage(),
        price_fen: sent.cent_price.count().or_else(|| sent.price.hundredths()),
        format: sent.format.line(),
        author_completed: sent.finished.get(),
        finished: sent.finish_reading.get(),
        sold_out: sent.soldout.get(),
        private: sent.secret.get(),
        pinned: sent.is_top.get(),
        store_edition: sent.in_store_book_id.book_id(),
        updated: sent.update_time.moment(),
        last_read: sent.read_update_time.moment(),
    }
}

/// What readers think; none while nobody has said, since the service sends 0 then.
fn rating(sent: &wire::Book) -> Option<Rating> {
    let per_mille = sent.new_rating.at_most(1000)?;
    let count = sent.new_rating_count.count().filter(|count| *count > 0)?;
    let none = wire::RatingDetail::default();
    let detail = sent.new_rating_detail.as_ref().unwrap_or(&none);
    let shares = (
        detail.good.count(),
        detail.fair.count(),
        detail.poor.count(),
    );
    Some(Rating {
        per_mille,
        count,
        shares: match shares {
            (Some(good), Some(fair), Some(poor)) => Some([good, fair, poor]),
            _ => None,
        },
        title: detail.title.line(),
        mine: detail.my_rating.line(),
    })
}

/// Several are kept apart by two blanks or a full-width one; a single blank belongs to a name.
fn translators(sent: &str) -> Vec<String> {
    let names = sent.split('\u{3000}').flat_map(|names| names.split("  "));
    names.filter_map(shown).collect()
}

/// The day of `2019-12-19 00:00:00`; none of anything else.
fn day(sent: &str) -> Option<Date> {
    sent.get(..10)?.parse().ok()
}

/// How far a book was read.
pub(super) fn reached(sent: wire::Progress) -> Progress {
    Progress {
        percent: sent.progress.at_most(100),
        reading_seconds: sent.reading_time.count(),
        chapter_uid: sent.chapter_uid.get().map(ChapterUid),
        chapter_idx: sent.chapter_idx.get(),
        chapter_offset: sent.chapter_offset.get(),
        summary: sent.summary.passage(),
        updated: sent.update_time.moment(),
        started: sent.start_reading_time.moment(),
        finished: sent.finish_time.moment(),
    }
}

/// Chapters as they came; `at` is where they stand in the answer.
pub(super) fn listed(at: &str, sent: Vec<wire::Chapter>) -> Result<Vec<Chapter>, Drift> {
    let chapters = sent.into_iter().enumerate().map(|(number, sent)| {
        let form = || Drift::form(&format!("{at}[{number}]"), "chapterUid");
        let anchors = sent.anchors.unwrap_or_default().into_iter();
        let anchors = anchors.filter_map(|anchor| {
            let level = level(anchor.level);
            Some(Anchor {
                title: anchor.title.line()?,
                level,
            })
        });
        Ok(Chapter {
            uid: ChapterUid(sent.chapter_uid.get().ok_or_else(form)?),
            idx: sent.chapter_idx.get(),
            title: sent.title.line().unwrap_or_default(),
            level: level(sent.level),
            word_count: sent.word_count.count(),
            paid_only: sent.price.get().map(|price| price != 0.0),
            anchors: anchors.collect(),
        })
    });
    chapters.collect()
}

/// A depth from 1, which is also that of one without.
fn level(sent: Number) -> u8 {
    sent.at_most(i64::from(u8::MAX))
        .map_or(1, |level: u8| level.max(1))
}

impl Surface {
    /// A book of the store, an imported one or an account.
    pub(crate) async fn book(&self, id: &BookId) -> Result<Book, Error> {
        let (path, answer) = match self {
            Self::Gateway(gateway) => {
                let path = "/book/info";
                (path, gateway.ask(path, json!({ "bookId": id })).await?)
            }
            Self::Web(web) => {
                let path = "/api/book/info";
                (path, web.get(path, &[("bookId", id.as_str())]).await?)
            }
        };
        book(answer).map_err(|drift| Error::changed(path, drift))
    }

    /// The table of contents of a book, in reading order.
    pub(crate) async fn chapters(&self, id: &BookId) -> Result<Vec<Chapter>, Error> {
        let (path, answer) = match self {
            Self::Gateway(gateway) => {
                let path = "/book/chapterinfo";
                (path, gateway.ask(path, json!({ "bookId": id })).await?)
            }
            Self::Web(web) => {
                let path = "/web/book/chapterInfos";
                (path, web.post(path, &json!({ "bookIds": [id] })).await?)
            }
        };
        chapters(answer).map_err(|drift| Error::changed(path, drift))
    }

    /// How far a book was read.
    pub(crate) async fn progress(&self, id: &BookId) -> Result<Progress, Error> {
        let (path, answer) = match self {
            Self::Gateway(gateway) => {
                let path = "/book/getprogress";
                (path, gateway.ask(path, json!({ "bookId": id })).await?)
            }
            Self::Web(web) => {
                let path = "/web/book/getProgress";
                (path, web.get(path, &[("bookId", id.as_str())]).await?)
            }
        };
        progress(answer).map_err(|drift| Error::changed(path, drift))
    }
}
