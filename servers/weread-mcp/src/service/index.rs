//! Searching all notes: an index on this machine, brought up to date by what has changed.

mod reading;

use std::collections::HashMap;
use std::time::Duration;

use sha2::{Digest, Sha256};
use state::StateDir;
use text_index::{BadQuery, Query};
use tokio::time::Instant;

use super::{access::Need, shelf::short};
use crate::{
    WeRead,
    client::Surface,
    domain::{
        ids::BookId,
        kept::{Entry, Kind},
        shelf::Notebook,
    },
    error::Error,
    store::notes::{IndexError, NoteIndex, Search},
};

/// How long one call begins to read more books; what is left is read by the next.
const PATIENCE: Duration = Duration::from_secs(25);

/// After so long no book is waited for any more: the call must still answer.
const END: Duration = Duration::from_secs(38);

/// How far the index is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coverage {
    /// Whose notes these are.
    account: String,
    /// Books with notes, as the service counts them; `None` when it could not be asked.
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

    /// Whether nothing is known to be missing: the service may not have been asked.
    pub(crate) fn may_be_complete(&self) -> bool {
        self.problems.is_empty() && self.books.is_none_or(|books| books == self.current)
    }

    /// What to do when books are missing.
    pub(crate) fn hint(&self) -> Option<String> {
        let books = self.books.filter(|books| *books > self.current)?;
        Some(format!(
            "索引只读入了 {books} 本有笔记的书中的 {} 本，再调用一次会继续",
            self.current
        ))
    }
}

/// What is searched for.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) query: String,
    pub(crate) book: Option<BookId>,
    pub(crate) kind: Option<Kind>,
    /// Seconds since 1970, from this on.
    pub(crate) from: Option<i64>,
    /// Seconds since 1970, before that.
    pub(crate) before: Option<i64>,
    /// How many at most.
    pub(crate) limit: usize,
}

/// One page of what was found.
pub(crate) struct Found {
    pub(crate) entries: Vec<Entry>,
    /// All that match, on whichever page.
    pub(crate) total: usize,
    /// Whether there are more than that.
    pub(crate) more: bool,
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

    /// Forgets everything, of all accounts, and tells whether there was anything.
    pub(crate) async fn forget_all(&self) -> Result<bool, Error> {
        match &self.index {
            Some(index) => Ok(index.forget_all().await?),
            None => Ok(false),
        }
    }

    fn index(&self) -> Result<&NoteIndex, Error> {
        let no_folder = || Error::Kept("没有状态目录，无法建立笔记索引".to_owned());
        self.index.as_ref().ok_or_else(no_folder)
    }
}

impl Wish {
    /// Reads the query, or says which part of it cannot be searched for.
    pub(crate) fn parsed(&self) -> Result<Query, Error> {
        Query::parse(&self.query).map_err(|bad| Error::Argument {
            field: "query",
            why: match bad {
                BadQuery::Empty => "是空的；写要找的字词，例如 大脑 决策".to_owned(),
                BadQuery::NothingToFind { part } => {
                    format!("其中的 {part:?} 没有可搜索的字，去掉它再试，例如 大脑 决策")
                }
            },
        })
    }

    /// Tells this search from others, so that a page of one is not taken for a page of another.
    fn print(&self) -> String {
        let wish = format!(
            "{:?}",
            (&self.query, &self.book, self.kind, self.from, self.before)
        );
        super::access::digest(&[&wish])
    }

    /// Where the page that ended with `row` goes on.
    pub(crate) fn cursor(&self, row: i64) -> String {
        format!("r{row}-{}", self.print())
    }

    /// The row at which the page that gave `cursor` ended; `None` when it is none of this search.
    pub(crate) fn row(&self, cursor: &str) -> Option<i64> {
        let (row, print) = cursor.strip_prefix('r')?.rsplit_once('-')?;
        row.parse().ok().filter(|_| print == self.print())
    }
}

impl WeRead {
    /// Brings the index up to date as far as that goes in one call. Books that have not changed since they
    /// were read are not read again.
    ///
    /// Fails when the index itself cannot be used, and when there is nothing in it and nothing can be read.
    pub(crate) async fn bring_up_to_date(&self) -> Result<Coverage, Error> {
        let index = self.notes.index()?;
        let began = Instant::now();
        let ask = |surface: Surface| async move { surface.notebooks().await };
        // Past the cache: the account that answers is told, and an older list would hide what is new.
        let (account, listed) = match self.access.ask_whom(Need::Any, ask).await {
            Ok(answered) => answered,
            Err(error) => return self.index_alone(error).await,
        };
        let kept = index.books(&account).await?;
        let is_empty = kept.is_empty();
        let mut known: HashMap<BookId, Option<i64>> = kept
            .into_iter()
            .map(|book| (book.book_id, book.changed))
            .collect();
        let mut coverage = Coverage {
            account,
            books: Some(listed.books.len()),
            ..Coverage::default()
        };
        let mut stale = Vec::new();
        for notebook in &listed.books {
            match (known.remove(&notebook.book.book_id), notebook.changed) {
                (Some(Some(read)), Some(changed)) if read == changed => coverage.current += 1,
                _ => stale.push(notebook),
            }
        }
        match short(&listed) {
            // What is not listed may be there all the same.
            Some(error) => {
                coverage.problems.push((None, error));
                let counted = listed
                    .total_books
                    .and_then(|books| usize::try_from(books).ok());
                coverage.books = counted.or(coverage.books);
            }
            None => {
                for gone in known.into_keys() {
                    index.forget(&coverage.account, gone).await?;
                }
            }
        }
        self.read_books(&stale, &mut coverage, began).await?;
        if let (true, 0, Some((_, error))) = (is_empty, coverage.current, coverage.problems.first())
        {
            return Err(error.clone());
        }
        coverage.notes = index.counts(&coverage.account).await?;
        Ok(coverage)
    }

    /// The index as it is when the service does not answer; fails with that when it holds nothing.
    async fn index_alone(&self, error: Error) -> Result<Coverage, Error> {
        let mut coverage = match self.index_as_it_is().await {
            Ok(coverage) if coverage.current > 0 => coverage,
            _ => return Err(error),
        };
        coverage.problems.push((None, error));
        Ok(coverage)
    }

    /// How far the index is, without asking the service.
    pub(crate) async fn index_as_it_is(&self) -> Result<Coverage, Error> {
        let index = self.notes.index()?;
        let account = self.access.account().await?;
        Ok(Coverage {
            books: None,
            current: index.books(&account).await?.len(),
            notes: index.counts(&account).await?,
            problems: Vec::new(),
            account,
        })
    }

    async fn read_books(
        &self,
        stale: &[&Notebook],
        coverage: &mut Coverage,
        began: Instant,
    ) -> Result<(), Error> {
        for few in stale.chunks(reading::STEP) {
            let read = tokio::time::timeout_at(began + END, self.read_few(few, &coverage.account));
            let Ok(read) = read.await else {
                return Ok(()); // The next call goes on.
            };
            for (notebook, outcome) in few.iter().zip(read) {
                match outcome? {
                    Ok(()) => coverage.current += 1,
                    Err(error) => {
                        let book_id = notebook.book.book_id.clone();
                        coverage.problems.push((Some(book_id), error));
                    }
                }
            }
            let is_over = began.elapsed() > PATIENCE;
            if is_over
                || coverage
                    .problems
                    .iter()
                    .any(|(_, error)| reading::stops(error))
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Searches the index as it is, newest first, below the row at which the page before ended.
    pub(crate) async fn search_index(
        &self,
        coverage: &Coverage,
        wish: &Wish,
        after_row: Option<i64>,
    ) -> Result<Found, Error> {
        let search = Search {
            query: wish.parsed()?,
            book: wish.book.clone(),
            kind: wish.kind,
            from: wish.from,
            before: wish.before,
            limit: wish.limit,
            after_row,
        };
        let hits = self
            .notes
            .index()?
            .search(&coverage.account, search)
            .await?;
        Ok(Found {
            entries: hits.entries,
            total: hits.total,
            more: hits.more,
        })
    }

    /// Highlights by chance, and of how many: the same `seed` gives the same ones as long as none is added or
    /// removed.
    pub(crate) async fn draw(
        &self,
        coverage: &Coverage,
        book: Option<BookId>,
        count: usize,
        seed: &str,
    ) -> Result<(Vec<Entry>, usize), Error> {
        let index = self.notes.index()?;
        let all = index.highlights(&coverage.account, book).await?;
        let total = all.len();
        let mut drawn: Vec<_> = all
            .into_iter()
            .map(|(row, id)| (Sha256::digest(format!("{seed}\n{id}")), row))
            .collect();
        drawn.sort_unstable();
        let rows = drawn.into_iter().take(count).map(|(_, row)| row).collect();
        Ok((index.entries(&coverage.account, rows).await?, total))
    }
}

impl From<IndexError> for Error {
    fn from(error: IndexError) -> Self {
        Self::Kept(error.to_string())
    }
}
