//! The table of contents.

use super::ids::ChapterUid;

/// A chapter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chapter {
    /// Its id.
    pub uid: ChapterUid,
    /// Its place in the book; `None` where only its title is known.
    pub idx: Option<i64>,
    /// Its title.
    pub title: String,
    /// Its depth, from 1.
    pub level: u8,
    /// Its words.
    pub word_count: Option<u64>,
    /// Whether it may be read only by those who pay.
    pub paid_only: Option<bool>,
    /// The headings inside it.
    pub anchors: Vec<Anchor>,
}

/// A heading inside a chapter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// Its text.
    pub title: String,
    /// Its depth.
    pub level: u8,
}
