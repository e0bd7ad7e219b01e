//! The shape of an export, which is also its JSON.

use serde::{Deserialize, Deserializer, Serialize};
use server_kit::time::Moment;

use crate::domain::{
    annotations::{BookNotes, ChapterNotes, Marked, Passage, Place, Skipped, Written},
    books::Book,
    ids::BookId,
    link,
    styles::Look,
};

/// Notes of one or several books. Times are RFC 3339 at `+08:00`; what is not known is null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Export {
    /// Which shape this is.
    pub format: FormatName,
    /// The books in the order that was asked for.
    pub books: Vec<ExportedBook>,
}

/// The shape's name and version; another one is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormatName {
    /// This one.
    #[serde(rename = "weread-notes/1")]
    One,
}

/// A book and its notes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportedBook {
    /// The service's id.
    pub book_id: String,
    /// Its title; empty where none is known.
    pub title: String,
    /// Its author.
    pub author: Option<String>,
    /// Its translators.
    pub translators: Vec<String>,
    /// Its publisher.
    pub publisher: Option<String>,
    /// Its ISBN.
    pub isbn: Option<String>,
    /// Its categories.
    pub categories: Vec<String>,
    /// Its page in the web reader.
    pub link: Option<String>,
    /// Highlights in this export.
    pub highlight_count: usize,
    /// Thoughts in this export.
    pub note_count: usize,
    /// What is not in this export, and why.
    pub skipped: Vec<Skipped>,
    /// When the newest note was made, in this export or not.
    #[serde(deserialize_with = "moment")]
    pub newest: Option<Moment>,
    /// Chapters, articles, reviews of the book, and the rest, in this order.
    pub groups: Vec<ExportedGroup>,
}

/// The notes of one chapter or article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportedGroup {
    /// What it is.
    pub kind: GroupKind,
    /// The service's id of a chapter.
    pub chapter_id: Option<i64>,
    /// The service's id of an article.
    pub article_id: Option<String>,
    /// A chapter's place in the book.
    pub idx: Option<i64>,
    /// Its title.
    pub title: String,
    /// Its depth, from 1.
    pub level: u8,
    /// Whether the table of contents, or the list of articles, has it.
    pub known: bool,
    /// A chapter's page in the web reader.
    pub link: Option<String>,
    /// What was marked or written, in the order of reading.
    pub passages: Vec<ExportedPassage>,
}

/// What notes are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupKind {
    /// A chapter.
    Chapter,
    /// An article of an official account.
    Article,
    /// The whole book.
    Book,
    /// The service names no place.
    None,
}

/// A passage: a highlight, thoughts, or both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportedPassage {
    /// The highlight, where there is one.
    pub highlight: Option<ExportedHighlight>,
    /// The thoughts about it.
    pub notes: Vec<ExportedNote>,
}

/// A highlight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportedHighlight {
    /// The service's id.
    pub id: String,
    /// The passage. `[插图]` and `[图片]` stand for pictures.
    pub text: String,
    /// Its place as the service writes it.
    pub range: String,
    /// The service's number of its style.
    pub style: Option<i64>,
    /// The style's name.
    pub style_name: Option<String>,
    /// The service's number of its colour.
    pub color: Option<i64>,
    /// The colour's name.
    pub color_name: Option<String>,
    /// When it was made.
    #[serde(deserialize_with = "moment")]
    pub created: Option<Moment>,
}

/// A thought or review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportedNote {
    /// The service's id.
    pub id: String,
    /// What was written; empty for handwriting.
    pub content: String,
    /// The passage: the highlight's text, else what came with the thought, maybe shortened.
    pub quote: Option<String>,
    /// The highlight of the same passage, in this export or not.
    pub highlight_id: Option<String>,
    /// Its place as the service writes it.
    pub range: String,
    /// Stars of a review: 20 to 100.
    pub star: Option<u8>,
    /// Whether nobody else can see it.
    pub private: Option<bool>,
    /// Whether it was written by hand.
    pub handwritten: bool,
    /// Pictures of handwriting.
    pub images: Vec<String>,
    /// When it was written.
    #[serde(deserialize_with = "moment")]
    pub created: Option<Moment>,
}

impl Export {
    /// Those books, with links to the web reader at `web`.
    pub fn of<'a>(books: impl IntoIterator<Item = (&'a Book, &'a BookNotes)>, web: &str) -> Self {
        let books = books.into_iter();
        Self {
            format: FormatName::One,
            books: books
                .map(|(book, notes)| ExportedBook::of(book, notes, web))
                .collect(),
        }
    }
}

impl ExportedBook {
    fn of(book: &Book, notes: &BookNotes, web: &str) -> Self {
        let group = |chapter| ExportedGroup::of(&book.book_id, chapter, web);
        Self {
            book_id: book.book_id.as_str().to_owned(),
            title: book.title.clone(),
            author: book.author.clone(),
            translators: book.translators.clone(),
            publisher: book.publisher.clone(),
            isbn: book.isbn.clone(),
            categories: book.categories.clone(),
            link: link::reader(web, &book.book_id, None),
            highlight_count: notes.counts.highlights.returned,
            note_count: notes.counts.notes.returned,
            skipped: notes.skipped.clone(),
            newest: notes.newest,
            groups: notes.chapters.iter().map(group).collect(),
        }
    }
}

impl ExportedGroup {
    fn of(book: &BookId, chapter: &ChapterNotes, web: &str) -> Self {
        let (kind, article_id) = match &chapter.place {
            Place::Chapter(_) => (GroupKind::Chapter, None),
            Place::Article(id) => (GroupKind::Article, Some(id.clone())),
            Place::Book => (GroupKind::Book, None),
            Place::Nowhere => (GroupKind::None, None),
        };
        let uid = chapter.place.chapter();
        Self {
            kind,
            chapter_id: uid.map(|uid| uid.0),
            article_id,
            idx: chapter.idx,
            title: chapter.title.clone(),
            level: chapter.level,
            known: chapter.known,
            link: uid.and_then(|uid| link::reader(web, book, Some(uid))),
            passages: chapter.passages().iter().map(ExportedPassage::of).collect(),
        }
    }
}

impl ExportedPassage {
    fn of(passage: &Passage<'_>) -> Self {
        Self {
            highlight: passage.highlight.map(ExportedHighlight::of),
            notes: passage
                .notes
                .iter()
                .map(|note| ExportedNote::of(note))
                .collect(),
        }
    }

    /// What was marked or written about, as far as it is known.
    pub fn text(&self) -> Option<&str> {
        let highlighted = self.highlight.iter().map(|it| it.text.as_str());
        let quoted = self.notes.iter().filter_map(|it| it.quote.as_deref());
        highlighted.chain(quoted).find(|text| !text.is_empty())
    }
}

impl ExportedHighlight {
    fn of(marked: &Marked) -> Self {
        let highlight = &marked.highlight;
        let name = |look: Look, number: Option<i64>| Some(look.name(number?)?.to_owned());
        Self {
            id: highlight.id.clone(),
            text: highlight.text.clone(),
            range: highlight.range.text.clone(),
            style: highlight.style,
            style_name: name(Look::Style, highlight.style),
            color: highlight.color,
            color_name: name(Look::Color, highlight.color),
            created: highlight.created,
        }
    }
}

impl ExportedNote {
    fn of(written: &Written) -> Self {
        let thought = &written.thought;
        Self {
            id: thought.id.clone(),
            content: thought.content.clone(),
            quote: written.passage.clone(),
            highlight_id: written.highlight_id.clone(),
            range: thought.range.text.clone(),
            star: thought.star,
            private: thought.private,
            handwritten: thought.handwritten,
            images: thought.images.clone(),
            created: thought.created,
        }
    }
}

fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Moment>, D::Error> {
    let timestamp: Option<jiff::Timestamp> = Deserialize::deserialize(deserializer)?;
    Ok(timestamp.map(Moment::of))
}
