//! What other readers leave: popular highlights and public reviews.

use server_kit::time::Moment;

use super::{chapters::Chapter, ids::ChapterUid, notes::Range};

/// Passages that many have highlighted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Popular {
    /// At most 20, most people first.
    pub items: Vec<PopularHighlight>,
    /// How many the service counts.
    pub total: Option<u64>,
    /// Their chapters.
    pub chapters: Vec<Chapter>,
}

/// A passage that many have highlighted.
#[derive(Debug, Clone, PartialEq)]
pub struct PopularHighlight {
    /// The service's id for it.
    pub id: String,
    /// Its chapter.
    pub chapter_uid: Option<ChapterUid>,
    /// Its place.
    pub range: Range,
    /// The passage.
    pub text: String,
    /// How many people have highlighted it.
    pub people: Option<u64>,
}

/// One page of public reviews.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reviews {
    /// In the service's order.
    pub items: Vec<Review>,
    /// How many the service counts.
    pub total: Option<u64>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<ReviewCursor>,
    /// Of a thousand, how many long-standing members recommend the book.
    pub recommend_per_mille: Option<u16>,
}

/// Where a page of reviews ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewCursor {
    /// The index of the last review.
    pub max_idx: i64,
    /// What the service gave to come back with.
    pub synckey: i64,
}

/// A public review.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// Its id.
    pub id: String,
    /// Who wrote it, as they call themselves.
    pub author: Option<String>,
    /// What was written, without tags.
    pub content: String,
    /// Stars, 20 to 100 in steps of 20.
    pub star: Option<u8>,
    /// Whether the author had finished the book.
    pub finished: Option<bool>,
    /// How many like it.
    pub likes: Option<u64>,
    /// How many have commented it.
    pub comments: Option<u64>,
    /// The chapter it is about.
    pub chapter_title: Option<String>,
    /// When it was written.
    pub created: Option<Moment>,
}

/// Which public reviews are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewOrder {
    /// All, in the service's order.
    All,
    /// Those that recommend the book.
    Recommended,
    /// Those that find it poor.
    Poor,
    /// Those in between.
    Fair,
    /// The newest.
    Newest,
}

/// Books that the service found or suggests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// In the service's order.
    pub books: Vec<FoundBook>,
    /// Where the next page begins; `None` at the end or where the service does not say.
    pub next: Option<FoundCursor>,
}

/// Where a page ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCursor {
    /// The index of the last book.
    pub max_idx: i64,
    /// The service's word for the search, where it has one.
    pub session: Option<String>,
}

/// A book that the service found or suggests.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundBook {
    /// The book.
    pub book: super::books::Book,
    /// How many read it.
    pub reading_count: Option<u64>,
    /// The service's reason.
    pub reason: Option<String>,
    /// The service's heading, `电子书`.
    pub group: Option<String>,
}
