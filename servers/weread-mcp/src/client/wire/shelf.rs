//! The shelf and the list of books with notes.

use serde::Deserialize;

use super::{
    books::{Book, Progress},
    scalar::{Flag, Number, Text},
};

/// The shelf. The gateway sends `albums`, the web surface `bookProgress`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Shelf {
    pub(in crate::client) books: Option<Vec<Book>>,
    pub(in crate::client) book_count: Number,
    pub(in crate::client) book_progress: Option<Vec<Progress>>,
    pub(in crate::client) albums: Option<Vec<Album>>,
    pub(in crate::client) mp: Option<Articles>,
    pub(in crate::client) archive: Option<Vec<Group>>,
}

/// An audio album, in two halves.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Album {
    pub(in crate::client) album_info: AlbumInfo,
    pub(in crate::client) album_info_extra: Option<AlbumInfoExtra>,
}

/// What an album is.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct AlbumInfo {
    pub(in crate::client) album_id: Text,
    /// On the shelf.
    pub(in crate::client) name: Text,
    pub(in crate::client) author_name: Text,
    pub(in crate::client) cover: Text,
    pub(in crate::client) track_count: Number,
    pub(in crate::client) finish: Flag,
}

/// What the reader does with an album.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct AlbumInfoExtra {
    pub(in crate::client) secret: Flag,
}

/// The collection of kept articles.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct Articles {
    pub(in crate::client) show: Flag,
    pub(in crate::client) book: Option<Book>,
}

/// A group that the reader made.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Group {
    pub(in crate::client) name: Text,
    pub(in crate::client) book_ids: Option<Vec<Text>>,
    /// By the gateway.
    pub(in crate::client) album_ids: Option<Vec<Text>>,
    /// By the web surface.
    pub(in crate::client) lecture_book_ids: Option<Vec<Text>>,
}

/// Books with notes: a page by the gateway, all by the web surface.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Notebooks {
    pub(in crate::client) books: Option<Vec<Notebook>>,
    pub(in crate::client) total_book_count: Number,
    pub(in crate::client) total_note_count: Number,
    pub(in crate::client) no_book_review_count: Number,
    pub(in crate::client) has_more: Flag,
}

/// A book with notes.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Notebook {
    pub(in crate::client) book_id: Text,
    pub(in crate::client) book: Option<Book>,
    /// Thoughts and reviews.
    pub(in crate::client) review_count: Number,
    /// Highlights.
    pub(in crate::client) note_count: Number,
    /// Bookmarks of a place.
    pub(in crate::client) bookmark_count: Number,
    pub(in crate::client) reading_progress: Number,
    /// When something changed last, and where the next page begins.
    pub(in crate::client) sort: Number,
}
