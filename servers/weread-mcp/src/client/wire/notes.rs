//! Highlights, of the reader and of many.

use serde::Deserialize;

use super::{
    books::{Book, Chapter},
    scalar::{Number, Text},
};

/// Highlights of a book, all at once.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Highlights {
    pub(in crate::client) updated: Option<Vec<Highlight>>,
    /// Always empty so far, since everything is asked for each time.
    pub(in crate::client) removed: Option<Vec<Removed>>,
    pub(in crate::client) chapters: Option<Vec<Chapter>>,
    pub(in crate::client) book: Option<Book>,
    /// Articles of an official account.
    pub(in crate::client) ref_mp_infos: Option<Vec<Article>>,
}

/// What was taken away, a highlight or a review: its id, or an object with it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(in crate::client) enum Removed {
    Id(Text),
    Object {
        #[serde(default, alias = "bookmarkId", alias = "reviewId")]
        id: Text,
    },
}

impl Removed {
    /// The id.
    pub(in crate::client) fn id(&self) -> &str {
        let (Self::Id(id) | Self::Object { id }) = self;
        id.sent()
    }
}

/// A highlight or a bookmark of a place.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Highlight {
    pub(in crate::client) bookmark_id: Text,
    /// 0 a bookmark of a place, 1 a highlight.
    #[serde(rename = "type")]
    pub(in crate::client) kind: Number,
    pub(in crate::client) chapter_uid: Number,
    pub(in crate::client) chapter_name: Text,
    pub(in crate::client) chapter_title: Text,
    pub(in crate::client) range: Text,
    pub(in crate::client) mark_text: Text,
    pub(in crate::client) style: Number,
    pub(in crate::client) color_style: Number,
    pub(in crate::client) create_time: Number,
    pub(in crate::client) ref_mp_review_id: Text,
    /// How many people, in a list of popular ones.
    pub(in crate::client) total_count: Number,
}

/// An article of an official account.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Article {
    pub(in crate::client) review_id: Text,
    pub(in crate::client) title: Text,
    pub(in crate::client) create_time: Number,
}

/// Popular highlights; only `synckey` comes for a book without any.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Popular {
    pub(in crate::client) items: Option<Vec<Highlight>>,
    pub(in crate::client) total_count: Number,
    pub(in crate::client) chapters: Option<Vec<Chapter>>,
}
