//! The index of all notes of one account, for searching them without asking the service.

mod rows;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, TransactionBehavior, params};
use rusqlite_migration::{M, Migrations};
use state::{StateDir, blocking, sqlite};
use text_index::{Filter, Index, Query, TagKind};

use crate::domain::{
    ids::BookId,
    kept::{Entry, KeptBook, Kind, Note},
};

/// What the names of the files begin with.
const FILES: &str = "notes-";

/// The texts of the notes: of a highlight the passage, of a thought what was written and the passage.
const TEXTS: Index = Index::named("notes");

/// Removing overwrites, which takes milliseconds a note: so many go in one step, between which others write.
const AT_A_TIME: usize = 200;

/// Matches are counted up to this number.
const COUNTED: usize = 2_000;

/// In which book a note is, by [`Entry`]'s number of it.
const BOOK: TagKind = TagKind::named('b');

/// What a note is.
const KIND: TagKind = TagKind::named('k');

/// `books`: `changed` is the service's mark of the last change that was read. `notes`: `row` is the time of
/// writing in seconds, moved up where another note has it, so that the newest come first; `kind` is 0 for a
/// highlight and 1 for a thought.
const TABLES: &str = "
    CREATE TABLE books (
      number INTEGER PRIMARY KEY,
      book_id TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL,
      author TEXT,
      changed INTEGER
    ) STRICT;
    CREATE TABLE notes (
      row INTEGER PRIMARY KEY,
      book INTEGER NOT NULL REFERENCES books (number),
      kind INTEGER NOT NULL,
      id TEXT NOT NULL,
      chapter_uid INTEGER,
      chapter_title TEXT,
      content TEXT,
      passage TEXT,
      color INTEGER,
      created INTEGER,
      UNIQUE (book, kind, id)
    ) STRICT;";

/// The index of one account. Clones share the open file.
#[derive(Clone)]
pub struct NoteIndex {
    folder: StateDir,
    open: Arc<Mutex<Option<(PathBuf, Connection)>>>,
}

/// What can go wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The folder or the file.
    #[error(transparent)]
    State(#[from] state::Error),
    /// The database.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The text index in it.
    #[error(transparent)]
    Text(#[from] text_index::Error),
}

/// What is searched for.
#[derive(Debug, Clone)]
pub struct Search {
    /// The words.
    pub query: Query,
    /// Only in this book.
    pub book: Option<BookId>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Seconds since 1970, from this on and before that.
    pub from: Option<i64>,
    /// See `from`.
    pub before: Option<i64>,
    /// How many at most.
    pub limit: usize,
    /// The row at which the page before ended.
    pub after_row: Option<i64>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// One page of them.
    pub entries: Vec<Entry>,
    /// All that match, on whichever page.
    pub total: usize,
    /// Whether there are more than that.
    pub more: bool,
}

impl NoteIndex {
    /// The index of `account` in a state folder; nothing is touched yet.
    pub fn new(folder: StateDir) -> Self {
        Self {
            folder,
            open: Arc::default(),
        }
    }

    /// The books that were read, each with its mark of change.
    pub async fn books(&self, account: &str) -> Result<Vec<KeptBook>, IndexError> {
        self.with(account, |connection| {
            let mut select =
                connection.prepare_cached("SELECT book_id, title, author, changed FROM books")?;
            let books = select.query_map([], |row| {
                let id: String = row.get(0)?;
                Ok(id.parse().ok().map(|book_id| KeptBook {
                    book_id,
                    title: row.get(1).unwrap_or_default(),
                    author: row.get(2).unwrap_or_default(),
                    changed: row.get(3).unwrap_or_default(),
                }))
            })?;
            let books: Result<Vec<_>, _> = books.collect();
            Ok(books?.into_iter().flatten().collect())
        })
        .await
    }

    /// Keeps the notes of a book in place of those before, in one step.
    pub async fn replace(
        &self,
        account: &str,
        book: KeptBook,
        notes: Vec<Note>,
    ) -> Result<(), IndexError> {
        self.with(account, move |connection| {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let number: i64 = tx
                .prepare_cached(
                    "INSERT INTO books (book_id, title, author, changed) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (book_id) DO UPDATE SET title = ?2, author = ?3, changed = ?4
                     RETURNING number",
                )?
                .query_row(
                    params![book.book_id.as_str(), book.title, book.author, book.changed],
                    |row| row.get(0),
                )?;
            rows::put(&tx, number, &notes)?;
            tx.commit()?;
            Ok(())
        })
        .await
    }

    /// Forgets everything, of all accounts.
    pub async fn forget_all(&self) -> Result<bool, IndexError> {
        let (open, folder) = (Arc::clone(&self.open), self.folder.clone());
        blocking(move || {
            drop(open.lock().unwrap_or_else(PoisonError::into_inner).take());
            let mut had = false;
            for entry in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if name.to_str().is_some_and(|name| name.starts_with(FILES)) {
                    let path = entry.path();
                    fs::remove_file(&path).map_err(|source| state::Error::Io { path, source })?;
                    had = true;
                }
            }
            Ok(had)
        })
        .await
    }

    /// Forgets a book with all its notes.
    pub async fn forget(&self, account: &str, book: BookId) -> Result<(), IndexError> {
        self.with(account, move |connection| {
            while let Some(number) = rows::number(connection, &book)? {
                let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let rows = rows::rows_of(&tx, number)?;
                for row in rows.values().take(AT_A_TIME) {
                    rows::remove(&tx, *row)?;
                }
                if rows.len() <= AT_A_TIME {
                    tx.execute("DELETE FROM books WHERE number = ?1", [number])?;
                }
                tx.commit()?;
            }
            Ok(())
        })
        .await
    }

    /// Searches, newest first.
    pub async fn search(&self, account: &str, search: Search) -> Result<Hits, IndexError> {
        self.with(account, move |connection| {
            let tags = match rows::tags(connection, search.book.as_ref(), search.kind)? {
                Some(tags) => tags,
                None => return Ok(Hits::default()),
            };
            let all = Filter {
                tags_all: tags,
                from: search.from,
                before: search.before,
                limit: COUNTED,
                ..Filter::default()
            };
            let count = TEXTS.count(connection, &search.query, &all)?;
            let before = [search.before, search.after_row]
                .into_iter()
                .flatten()
                .min();
            let page = Filter {
                before,
                limit: search.limit,
                ..all
            };
            let hits = TEXTS.search(connection, &search.query, &page)?;
            let entries = hits.rows.iter().map(|hit| rows::entry(connection, hit.row));
            Ok(Hits {
                entries: entries.collect::<Result<_, _>>()?,
                total: count.rows,
                more: count.more,
            })
        })
        .await
    }

    /// How many notes there are, by kind: highlights, thoughts.
    pub async fn counts(&self, account: &str) -> Result<[u64; 2], IndexError> {
        self.with(account, |connection| {
            let count = |kind: Kind| -> rusqlite::Result<i64> {
                connection
                    .prepare_cached("SELECT count(*) FROM notes WHERE kind = ?1")?
                    .query_row([rows::kind_number(kind)], |row| row.get(0))
            };
            let (highlights, thoughts) = (count(Kind::Highlight)?, count(Kind::Thought)?);
            Ok([highlights.unsigned_abs(), thoughts.unsigned_abs()])
        })
        .await
    }

    /// Rows and ids of all highlights with text, of one book or of all.
    pub async fn highlights(
        &self,
        account: &str,
        book: Option<BookId>,
    ) -> Result<Vec<(i64, String)>, IndexError> {
        self.with(account, move |connection| {
            let number = match &book {
                None => None,
                Some(book) => match rows::number(connection, book)? {
                    Some(number) => Some(number),
                    None => return Ok(Vec::new()),
                },
            };
            let mut select = connection.prepare_cached(
                "SELECT row, id FROM notes
                 WHERE kind = 0 AND passage IS NOT NULL AND (?1 IS NULL OR book = ?1)",
            )?;
            let rows = select.query_map([number], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The notes of these rows, in their order.
    pub async fn entries(&self, account: &str, rows: Vec<i64>) -> Result<Vec<Entry>, IndexError> {
        self.with(account, move |connection| {
            rows.iter()
                .map(|row| rows::entry(connection, *row))
                .collect()
        })
        .await
    }

    /// Does something with the open file, beside the runtime.
    async fn with<T: Send + 'static>(
        &self,
        account: &str,
        work: impl FnOnce(&mut Connection) -> Result<T, IndexError> + Send + 'static,
    ) -> Result<T, IndexError> {
        let path = self.folder.file(&format!("{FILES}{account}.db"));
        let open = Arc::clone(&self.open);
        blocking(move || {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            let connection = match open.take().filter(|(of, _)| *of == path) {
                Some((_, connection)) => connection,
                None => opened(&path)?,
            };
            let (_, connection) = open.insert((path, connection));
            work(connection)
        })
        .await
    }
}

fn opened(path: &Path) -> Result<Connection, IndexError> {
    let migrations = Migrations::new(vec![M::up(TABLES), TEXTS.migration()]);
    let mut connection = sqlite::open(path, &migrations)?;
    TEXTS.bring_up_to_date(&mut connection)?;
    Ok(connection)
}
