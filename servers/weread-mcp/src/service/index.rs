//! Searching all notes: an index on this machine, brought up to date by what has changed.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use state::StateDir;
use text_index::{BadQuery, Query};
use tokio::time::Instant;

use super::{access::Need, library::side_by_side};
use crate::{
    WeRead,
    client::Surface,
    domain::{
        ids::BookId,
        notes::{Highlight, Thought},
        shelf::Notebook,
    },
    error::Error,
    store::notes::{Entry, Hits, IndexError, KeptBook, Kind, Note, NoteIndex, Search},
};

/// How long one call reads books; what is left is read by the next.
const PATIENCE: Duration = Duration::from_secs(25);

/// Books that are read before the time is looked at again.
const STEP: usize = 3;

/// How far the index is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coverage {
    /// Books with notes, as the service lists them; `None` when it could not be asked.
    pub(crate) books: Option<usize>,
    /// Of these, books whose newest notes are in the index.
    pub(crate) current: usize,
    /// Highlights and thoughts in the index.
    pub(crate) notes: [u64; 2],
    /// Books that could not be read, and why; without a book the list itself.
    pub(crate) problems: Vec<(Option<BookId>, Error)>,
}

impl Coverage {
    /// Whether nothing is missing.
    pub(crate) fn is_complete(&self) -> bool {
        self.books == Some(self.current) && self.problems.is_empty()
    }
}

/// The index of this process.
pub(crate) struct Notes {
    index: Option<NoteIndex>,
}

impl Notes {
    pub(crate) fn new(folder: Option<StateDir>) -> Self {
        Self {
            index: folder.map(NoteIndex::new),
        }
    }

    fn index(&self) -> Result<&NoteIndex, Error> {
        let no_folder = || Error::Kept("没有状态目录，无法建立笔记索引".to_owned());
        self.index.as_ref().ok_or_else(no_folder)
    }
}

impl WeRead {
    /// Brings the index up to date as far as that goes in one call. Books that have not changed since they were
    /// read are not read again.
    ///
    /// Fails when the index itself cannot be used, and when there is nothing in it and nothing can be read.
    pub(crate) async fn bring_up_to_date(&self, account: &str) -> Result<Coverage, Error> {
        let index = self.notes.index()?;
        let kept = index.books(account).await?;
        let mut coverage = Coverage::default();
        let listed = match self.library.notebooks().await {
            Ok(listed) => listed,
            Err(error) if kept.is_empty() => return Err(error),
            Err(error) => {
                coverage.problems.push((None, error));
                coverage.notes = index.counts(account).await?;
                return Ok(coverage);
            }
        };
        let mut known: HashMap<BookId, i64> = kept
            .into_iter()
            .map(|book| (book.book_id, book.changed))
            .collect();
        let mut stale = Vec::new();
        for notebook in &listed.books {
            match known.remove(&notebook.book.book_id) {
                Some(changed) if changed == notebook.changed => coverage.current += 1,
                _ => stale.push(notebook),
            }
        }
        for gone in known.into_keys() {
            index.forget(account, gone).await?;
        }
        coverage.books = Some(listed.books.len());
        self.read_books(account, &stale, &mut coverage).await?;
        if coverage.current == 0
            && let Some((_, error)) = coverage.problems.first()
        {
            return Err(error.clone());
        }
        coverage.notes = index.counts(account).await?;
        Ok(coverage)
    }

    async fn read_books(
        &self,
        account: &str,
        stale: &[&Notebook],
        coverage: &mut Coverage,
    ) -> Result<(), Error> {
        let index = self.notes.index()?;
        let began = Instant::now();
        for few in stale.chunks(STEP) {
            let ids: Vec<BookId> = few.iter().map(|one| one.book.book_id.clone()).collect();
            let read = side_by_side(ids, |id| self.notes_of(id)).await;
            for (notebook, notes) in few.iter().zip(read) {
                let book_id = notebook.book.book_id.clone();
                let notes = match notes {
                    Ok(notes) => notes,
                    Err(error) => {
                        coverage.problems.push((Some(book_id), error));
                        continue;
                    }
                };
                let book = KeptBook {
                    book_id,
                    title: notebook.book.title.clone(),
                    author: notebook.book.author.clone(),
                    changed: notebook.changed,
                };
                index.replace(account, book, notes).await?;
                coverage.current += 1;
            }
            let is_over = began.elapsed() > PATIENCE;
            // Who is told to wait, or is not known, gets the same for every other book.
            if is_over || coverage.problems.iter().any(|(_, error)| stops(error)) {
                break;
            }
        }
        Ok(())
    }

    /// The notes of a book as they are now: what was read a while ago would be taken for the newest.
    async fn notes_of(&self, book: BookId) -> Result<Vec<Note>, Error> {
        let ask = |surface: Surface| {
            let book = book.clone();
            async move {
                Ok((
                    surface.highlights(&book).await?,
                    surface.thoughts(&book).await?,
                ))
            }
        };
        let (highlights, thoughts) = self.access.ask(Need::Any, ask).await?;
        let title = |highlight: &Highlight| {
            let chapters = highlights.chapters.iter();
            let mut chapters = chapters.filter(|one| Some(one.uid) == highlight.chapter_uid);
            let articles = highlights.articles.iter();
            let mut articles =
                articles.filter(|one| Some(&one.id) == highlight.article_id.as_ref());
            let chapter = highlight.chapter_title.clone();
            chapter
                .or_else(|| Some(chapters.next()?.title.clone()))
                .or_else(|| Some(articles.next()?.title.clone()))
        };
        let marked = highlights.items.iter();
        let marked = marked.map(|highlight| of_highlight(highlight, title(highlight)));
        Ok(marked
            .chain(thoughts.items.iter().map(of_thought))
            .collect())
    }

    /// How far the index is, without asking the service.
    pub(crate) async fn index_as_it_is(&self, account: &str) -> Result<Coverage, Error> {
        let index = self.notes.index()?;
        Ok(Coverage {
            books: None,
            current: index.books(account).await?.len(),
            notes: index.counts(account).await?,
            problems: Vec::new(),
        })
    }

    /// Searches the index as it is.
    pub(crate) async fn search_index(&self, account: &str, search: Search) -> Result<Hits, Error> {
        Ok(self.notes.index()?.search(account, search).await?)
    }

    /// Highlights by chance: the same `seed` gives the same ones as long as none is added or removed.
    pub(crate) async fn draw(
        &self,
        account: &str,
        book: Option<BookId>,
        count: usize,
        seed: &str,
    ) -> Result<(Vec<Entry>, usize), Error> {
        let index = self.notes.index()?;
        let all = index.highlights(account, book).await?;
        let total = all.len();
        let mut drawn: Vec<_> = all
            .into_iter()
            .map(|(row, id)| (super::access::digest(&[seed, &id]), row))
            .collect();
        drawn.sort_unstable();
        let rows = drawn.into_iter().take(count).map(|(_, row)| row).collect();
        Ok((index.entries(account, rows).await?, total))
    }
}

/// Reads a query, or says which part of it cannot be searched for.
pub(crate) fn query(text: &str) -> Result<Query, Error> {
    Query::parse(text).map_err(|bad| Error::Argument {
        field: "query",
        why: match bad {
            BadQuery::Empty => "是空的；写要找的字词，例如 大脑 决策".to_owned(),
            BadQuery::NothingToFind { part } => {
                format!("其中的 {part:?} 没有可搜索的字，去掉它再试，例如 大脑 决策")
            }
        },
    })
}

/// Whether an error would meet every other book too.
fn stops(error: &Error) -> bool {
    matches!(
        error,
        Error::TooFast { .. }
            | Error::AllClosed(_)
            | Error::NoCredentials
            | Error::Upgrade(_)
            | Error::Network { .. }
    )
}

fn seconds(moment: Option<server_kit::time::Moment>) -> Option<i64> {
    moment.map(|moment| Timestamp::as_second(moment.timestamp()))
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.trim().is_empty())
}

fn of_highlight(highlight: &Highlight, chapter_title: Option<String>) -> Note {
    Note {
        kind: Kind::Highlight,
        id: highlight.id.clone(),
        chapter_uid: highlight.chapter_uid.map(|uid| uid.0),
        chapter_title,
        content: None,
        passage: some(&highlight.text),
        color: highlight.color,
        created: seconds(highlight.created),
    }
}

fn of_thought(thought: &Thought) -> Note {
    Note {
        kind: Kind::Thought,
        id: thought.id.clone(),
        chapter_uid: thought.chapter_uid.map(|uid| uid.0),
        chapter_title: thought.chapter_title.clone(),
        content: some(&thought.content),
        passage: thought.quote.as_deref().and_then(some),
        color: None,
        created: seconds(thought.created),
    }
}

impl From<IndexError> for Error {
    fn from(error: IndexError) -> Self {
        Self::Kept(error.to_string())
    }
}
