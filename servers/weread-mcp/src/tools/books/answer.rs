//! Parts of what the tools for one book answer.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use server_kit::told;

use super::{category, translator};
use crate::domain::{
    books::{Book, Rating},
    chapters::Chapter,
    ids::{BookId, BookKind, ChapterUid},
    link,
};

/// Characters of an introduction that are told; longer ones end in an ellipsis.
const INTRODUCTION: usize = 3000;

/// What a book is.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Described {
    book_id: BookId,
    kind: BookKind,
    title: String,
    author: String,
    translator: String,
    category: String,
    categories: Vec<String>,
    cover_url: Option<String>,
    publisher: Option<String>,
    #[schemars(with = "Option<String>")]
    published: Option<Date>,
    isbn: Option<String>,
    word_count: Option<u64>,
    price_fen: Option<u64>,
    format: Option<String>,
    description: Option<String>,
    author_completed: Option<bool>,
    finished: Option<bool>,
    sold_out: Option<bool>,
    private: Option<bool>,
    store_edition: Option<BookId>,
}

impl Described {
    pub(super) fn of(book: &Book) -> Self {
        let description = book.introduction.as_deref();
        Self {
            kind: book.book_id.kind(),
            book_id: book.book_id.clone(),
            title: book.title.clone(),
            author: book.author.clone().unwrap_or_default(),
            translator: translator(book),
            category: category(book),
            categories: book.categories.clone(),
            cover_url: book.cover_url.clone(),
            publisher: book.publisher.clone(),
            published: book.published,
            isbn: book.isbn.clone(),
            word_count: book.word_count,
            price_fen: book.price_fen,
            format: book.format.clone(),
            description: description.map(|text| beginning(text, INTRODUCTION, "…")),
            author_completed: book.author_completed,
            finished: book.finished,
            sold_out: book.sold_out,
            private: book.private,
            store_edition: book.store_edition.clone(),
        }
    }
}

/// The first characters of a text, and what shows that it goes on.
pub(crate) fn beginning(text: &str, most: usize, more: &str) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most).collect::<String>() + more,
    }
}

/// What readers think of a book.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub(super) struct Judgement {
    /// Of ten, two decimals.
    score: f64,
    count: u64,
    title: Option<String>,
    good: Option<u64>,
    fair: Option<u64>,
    poor: Option<u64>,
    /// The reader's own: `good`, `fair`, `poor`.
    mine: Option<String>,
}

impl Judgement {
    pub(super) fn of(rating: &Rating) -> Self {
        let share = |at: usize| rating.shares.and_then(|shares| shares.get(at).copied());
        Self {
            score: rating.of_ten(),
            count: rating.count,
            title: rating.title.clone(),
            good: share(0),
            fair: share(1),
            poor: share(2),
            mine: rating.mine.clone(),
        }
    }
}

/// A chapter in the table of contents.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub(super) struct ChapterRow {
    chapter_id: ChapterUid,
    chapter_idx: Option<i64>,
    title: String,
    level: u8,
    word_count: Option<u64>,
    paid_only: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    anchors: Vec<AnchorRow>,
    link: Option<String>,
}

/// A heading inside a chapter.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
struct AnchorRow {
    title: String,
    level: u8,
}

impl ChapterRow {
    pub(super) fn of(chapter: &Chapter, book: &BookId, web: &str) -> Self {
        let anchors = chapter.anchors.iter().map(|anchor| AnchorRow {
            title: anchor.title.clone(),
            level: anchor.level,
        });
        Self {
            chapter_id: chapter.uid,
            chapter_idx: chapter.idx,
            title: chapter.title.clone(),
            level: chapter.level,
            word_count: chapter.word_count,
            paid_only: chapter.paid_only,
            anchors: anchors.collect(),
            link: link::reader(web, book, Some(chapter.uid)),
        }
    }

    pub(super) fn key(&self) -> ChapterUid {
        self.chapter_id
    }
}

/// The chapter in which reading stopped.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub(super) struct Here {
    chapter_id: ChapterUid,
    chapter_idx: Option<i64>,
    title: Option<String>,
}

impl Here {
    /// `known` is what the table of contents says of it.
    pub(super) fn of(uid: ChapterUid, idx: Option<i64>, known: Option<Chapter>) -> Self {
        Self {
            chapter_id: uid,
            chapter_idx: idx.or(known.as_ref().and_then(|chapter| chapter.idx)),
            title: known.map(|chapter| chapter.title),
        }
    }
}
