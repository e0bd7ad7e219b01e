//! What a reader leaves in a book: highlights and thoughts, as the service lists them.

use server_kit::time::Moment;

use super::{books::Book, chapters::Chapter, ids::ChapterUid};

/// Where something stands in a chapter's source.
///
/// Offsets count the characters of the source with its tags, so they are none in the visible text. A
/// single number is the place of a handwritten note; nothing is a note on the whole chapter or book.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// As the service writes it, `1227-1255`.
    pub text: String,
    /// The begin, by which notes are put in order.
    pub start: Option<u64>,
    /// The end.
    pub end: Option<u64>,
}

/// A highlighted passage.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Highlight {
    /// Its id, which stays when the book is published anew and tells nothing.
    pub id: String,
    /// Its chapter; `None` in an official account.
    pub chapter_uid: Option<ChapterUid>,
    /// The chapter's title, where it comes with the highlight.
    pub chapter_title: Option<String>,
    /// Its place.
    pub range: Range,
    /// The passage.
    pub text: String,
    /// 0 straight line, 1 marker, 2 wavy line; only the web surface tells.
    pub style: Option<i64>,
    /// 0 the default, 1 red, 2 purple, 3 blue, 4 green, 5 yellow; `None` where it is not told.
    pub color: Option<i64>,
    /// When it was made.
    pub created: Option<Moment>,
    /// The article of an official account in which it stands.
    pub article_id: Option<String>,
    /// Whether hidden characters were taken out of the text.
    pub cleaned: bool,
}

/// An article of an official account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Article {
    /// Its id; `~` stands for `_`, undone here.
    pub id: String,
    /// Its title.
    pub title: String,
    /// When it was published.
    pub created: Option<Moment>,
}

/// All highlights of a book.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Highlights {
    /// In the service's order.
    pub items: Vec<Highlight>,
    /// Bookmarks of a place, which have no text and are left out.
    pub positions: usize,
    /// Chapters of the highlights, as they come with them.
    pub chapters: Vec<Chapter>,
    /// Articles of the highlights.
    pub articles: Vec<Article>,
    /// The book, where it comes with them.
    pub book: Option<Book>,
    /// Those that the service lists and names as taken away, which are left out.
    pub removed: usize,
}

/// What a thought is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A passage.
    Passage,
    /// A chapter or page, without a passage.
    Chapter,
    /// The whole book.
    Book,
    /// An article of an official account.
    Article,
}

/// A thought or review of the reader's own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thought {
    /// Its id.
    pub id: String,
    /// What it is about, by its place and not by the service's number alone.
    pub subject: Subject,
    /// Its chapter.
    pub chapter_uid: Option<ChapterUid>,
    /// The chapter's place in the book.
    pub chapter_idx: Option<i64>,
    /// The chapter's title, where it comes with the thought.
    pub chapter_title: Option<String>,
    /// Its place.
    pub range: Range,
    /// What was written; of one with formatted text only, that without its tags. Empty for handwriting.
    pub content: String,
    /// The passage it hangs on.
    pub quote: Option<String>,
    /// Stars of a review: 20 to 100 in steps of 20; `None` for none.
    pub star: Option<u8>,
    /// Whether nobody else can see it.
    pub private: Option<bool>,
    /// Pictures of handwriting.
    pub images: Vec<String>,
    /// Whether it was written by hand.
    pub handwritten: bool,
    /// When it was written.
    pub created: Option<Moment>,
    /// The article of an official account that it is about.
    pub article_id: Option<String>,
    /// Whether hidden characters were taken out of the content or the quote.
    pub cleaned: bool,
}

/// All thoughts about a book.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Thoughts {
    /// In the service's order.
    pub items: Vec<Thought>,
    /// How many the service counts.
    pub total: Option<u64>,
    /// Those that the service lists and names as taken away, which are left out.
    pub removed: usize,
}
