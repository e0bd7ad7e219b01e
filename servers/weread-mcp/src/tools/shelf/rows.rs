//! What the lists of shelf and notes show of a book.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{time::Moment, told};

use super::super::books::{BookRef, category, translator};
use crate::{
    domain::{
        books::Book,
        ids::{BookId, BookKind},
        shelf::Album,
    },
    service::shelf::{Collection, Owned},
};

/// Which part of the shelf is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum Only {
    #[default]
    All,
    Finished,
    Unfinished,
    WithNotes,
    Albums,
}

impl Only {
    /// Whether a book belongs to it.
    pub(super) fn admits(self, owned: &Owned) -> bool {
        match self {
            Self::All => true,
            Self::Finished => owned.is_finished(),
            Self::Unfinished => !owned.is_finished(),
            Self::WithNotes => owned.has_notes() == Some(true),
            Self::Albums => false,
        }
    }
}

/// A book on the shelf, under the seed's names, with more.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[("noteCount", "划线数"), ("reviewCount", "想法与点评数")]))]
#[serde(rename_all = "camelCase")]
pub(super) struct Shelved {
    book_id: BookId,
    title: String,
    author: String,
    translator: String,
    category: String,
    /// Whether the reader has finished it.
    finished: bool,
    /// When it was last read or written in.
    update_time: String,
    note_count: u64,
    review_count: u64,
    bookmark_count: u64,
    #[serde(rename = "in_shelf")]
    in_shelf: Option<bool>,
    #[serde(rename = "has_notes")]
    has_notes: Option<bool>,
    #[serde(rename = "author_completed")]
    author_completed: Option<bool>,
    progress: Option<u8>,
    private: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<String>,
    kind: BookKind,
}

impl Shelved {
    pub(super) fn of(owned: &Owned) -> Self {
        let book = &owned.book;
        let notes = owned.notes.unwrap_or_default();
        Self {
            book_id: book.book_id.clone(),
            title: book.title.clone(),
            author: book.author.clone().unwrap_or_default(),
            translator: translator(book),
            category: category(book),
            finished: owned.is_finished(),
            update_time: owned
                .touched()
                .map(|moment| moment.to_string())
                .unwrap_or_default(),
            note_count: notes.highlights,
            review_count: notes.thoughts,
            bookmark_count: notes.bookmarks,
            in_shelf: owned.in_shelf,
            has_notes: owned.has_notes(),
            author_completed: book.author_completed,
            progress: owned.percent,
            private: book.private,
            groups: owned.groups.clone(),
            kind: book.book_id.kind(),
        }
    }

    pub(super) fn key(&self) -> BookId {
        self.book_id.clone()
    }
}

/// An audio album.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub(super) struct AlbumRow {
    album_id: String,
    title: String,
    author: Option<String>,
    track_count: Option<u64>,
    author_completed: Option<bool>,
    private: Option<bool>,
}

impl AlbumRow {
    pub(super) fn of(album: &Album) -> Self {
        Self {
            album_id: album.album_id.clone(),
            title: album.title.clone(),
            author: album.author.clone(),
            track_count: album.track_count,
            author_completed: album.author_completed,
            private: album.private,
        }
    }

    pub(super) fn key(&self) -> String {
        self.album_id.clone()
    }
}

/// Bytes that rows take in a result.
pub(super) fn size(rows: &[AlbumRow]) -> usize {
    serde_json::to_string(rows).map_or(0, |text| text.len())
}

/// The collection of kept articles.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub(super) struct Articles {
    book_id: BookId,
    title: String,
    private: Option<bool>,
}

impl Articles {
    pub(super) fn of(book: &Book) -> Self {
        Self {
            book_id: book.book_id.clone(),
            title: book.title.clone(),
            private: book.private,
        }
    }
}

/// The whole shelf in numbers; null where the list that tells one is missing.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub(super) struct Totals {
    /// What the app shows: books, albums, and one for the articles.
    shown: Option<usize>,
    books: Option<usize>,
    albums: Option<usize>,
    articles: Option<usize>,
    private: Option<usize>,
    finished: Option<usize>,
    with_notes: Option<usize>,
    /// Books with notes that are not on the shelf.
    off_shelf: Option<usize>,
}

impl Totals {
    pub(super) fn of(collection: &Collection) -> Self {
        let count = |is: fn(&Owned) -> bool| {
            let books = collection.books.iter();
            books.filter(|owned| is(owned)).count()
        };
        let is = |private: Option<bool>| usize::from(private == Some(true));
        let books = count(|owned| owned.in_shelf == Some(true));
        let (albums, articles) = (
            collection.albums.as_ref().map(Vec::len),
            usize::from(collection.articles.is_some()),
        );
        let private_albums = collection
            .albums
            .iter()
            .flatten()
            .map(|album| is(album.private));
        let private_articles = collection
            .articles
            .as_ref()
            .map_or(0, |book| is(book.private));
        let private =
            count(|owned| owned.in_shelf == Some(true) && owned.book.private == Some(true));
        let private = private + private_albums.sum::<usize>() + private_articles;
        let (shelf, notebooks) = (
            collection.without_shelf().is_none(),
            collection.without_notebooks().is_none(),
        );
        Self {
            shown: albums.map(|albums| books + albums + articles),
            books: shelf.then_some(books),
            albums,
            articles: shelf.then_some(articles),
            private: shelf.then_some(private),
            finished: shelf.then(|| count(Owned::is_finished)),
            with_notes: notebooks.then(|| count(|owned| owned.has_notes() == Some(true))),
            off_shelf: (shelf && notebooks).then(|| count(|owned| owned.in_shelf == Some(false))),
        }
    }
}

/// A book with notes.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[("note_count", "划线数"), ("review_count", "想法与点评数")]))]
pub(super) struct NotebookRow {
    #[serde(flatten)]
    book: BookRef,
    note_count: u64,
    review_count: u64,
    bookmark_count: u64,
    total: u64,
    progress: Option<u8>,
    finished: Option<bool>,
    in_shelf: Option<bool>,
    last_changed: Option<Moment>,
}

impl NotebookRow {
    pub(super) fn of(owned: &Owned) -> Self {
        let notes = owned.notes.unwrap_or_default();
        Self {
            book: BookRef::of(&owned.book),
            note_count: notes.highlights,
            review_count: notes.thoughts,
            bookmark_count: notes.bookmarks,
            total: notes.total(),
            progress: owned.percent,
            finished: owned.finished(),
            in_shelf: owned.in_shelf,
            last_changed: notes.changed,
        }
    }

    pub(super) fn key(&self) -> (BookId, Option<Moment>) {
        (self.book.book_id.clone(), self.last_changed)
    }
}
