//! The index of all notes of one account, for searching them without asking the service.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use rusqlite_migration::{M, Migrations};
use state::{StateDir, blocking, sqlite};
use text_index::{Filter, Index, Query, Tag, TagKind};

use crate::domain::ids::BookId;

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
      changed INTEGER NOT NULL
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

/// What a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A highlighted passage.
    Highlight,
    /// Something that was written.
    Thought,
}

/// A note as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is.
    pub kind: Kind,
    /// The service's id for it.
    pub id: String,
    /// Its chapter.
    pub chapter_uid: Option<i64>,
    /// The chapter's title, or the article's.
    pub chapter_title: Option<String>,
    /// What was written; `None` for a highlight.
    pub content: Option<String>,
    /// The passage.
    pub passage: Option<String>,
    /// The service's number of its colour.
    pub color: Option<i64>,
    /// Seconds since 1970.
    pub created: Option<i64>,
}

/// A book as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBook {
    /// Its id.
    pub book_id: BookId,
    /// Its title.
    pub title: String,
    /// Its author.
    pub author: Option<String>,
    /// The service's mark of the last change that was read.
    pub changed: i64,
}

/// A note with its book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// By which the next page is asked for.
    pub row: i64,
    /// The book's id.
    pub book_id: String,
    /// Its title.
    pub book_title: String,
    /// Its author.
    pub author: Option<String>,
    /// The note.
    pub note: Note,
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
            put(&tx, number, &notes)?;
            tx.commit()?;
            Ok(())
        })
        .await
    }

    /// Forgets a book with all its notes.
    pub async fn forget(&self, account: &str, book: BookId) -> Result<(), IndexError> {
        self.with(account, move |connection| {
            while let Some(number) = number(connection, &book)? {
                let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let rows = rows_of(&tx, number)?;
                for row in rows.values().take(AT_A_TIME) {
                    remove(&tx, *row)?;
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
            let tags = match tags(connection, search.book.as_ref(), search.kind)? {
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
            let entries = hits.rows.iter().map(|hit| entry(connection, hit.row));
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
                    .query_row([kind.number()], |row| row.get(0))
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
                Some(book) => match number(connection, book)? {
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
            rows.iter().map(|row| entry(connection, *row)).collect()
        })
        .await
    }

    /// Does something with the open file, beside the runtime.
    async fn with<T: Send + 'static>(
        &self,
        account: &str,
        work: impl FnOnce(&mut Connection) -> Result<T, IndexError> + Send + 'static,
    ) -> Result<T, IndexError> {
        let path = self.folder.file(&format!("notes-{account}.db"));
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

impl Kind {
    fn number(self) -> u8 {
        match self {
            Self::Highlight => 0,
            Self::Thought => 1,
        }
    }
}

impl Note {
    /// What a search looks through; `None` where there is nothing to read, as of handwriting.
    fn text(&self) -> Option<String> {
        let parts = [self.content.as_deref(), self.passage.as_deref()];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
        (!text.trim().is_empty()).then_some(text)
    }
}

fn opened(path: &Path) -> Result<Connection, IndexError> {
    let migrations = Migrations::new(vec![M::up(TABLES), TEXTS.migration()]);
    let mut connection = sqlite::open(path, &migrations)?;
    TEXTS.bring_up_to_date(&mut connection)?;
    Ok(connection)
}

/// Makes the notes of a book be these: what is gone goes, what is there already costs next to nothing.
fn put(tx: &Transaction<'_>, book: i64, notes: &[Note]) -> Result<(), IndexError> {
    let mut gone = rows_of(tx, book)?;
    let mut sorted: Vec<&Note> = notes.iter().collect();
    // Rising rows are quickest.
    sorted.sort_by_key(|note| note.created);
    let tag = TagKind::tag;
    for note in sorted {
        let key = (note.kind.number(), note.id.clone());
        let row = match gone.remove(&key) {
            Some(row) => row,
            None => free_row(tx, note.created.unwrap_or_default())?,
        };
        tx.prepare_cached(
            "INSERT INTO notes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (row) DO UPDATE SET chapter_uid = ?5, chapter_title = ?6, content = ?7,
               passage = ?8, color = ?9, created = ?10",
        )?
        .execute(params![
            row,
            book,
            note.kind.number(),
            note.id,
            note.chapter_uid,
            note.chapter_title,
            note.content,
            note.passage,
            note.color,
            note.created,
        ])?;
        match note.text() {
            Some(text) => {
                let tags = [
                    tag(BOOK, book.unsigned_abs()),
                    tag(KIND, note.kind.number().into()),
                ];
                TEXTS.put(tx, row, &text, &tags)?;
            }
            None => {
                TEXTS.remove(tx, row)?;
            }
        }
    }
    for row in gone.into_values() {
        remove(tx, row)?;
    }
    Ok(())
}

fn remove(tx: &Transaction<'_>, row: i64) -> Result<(), IndexError> {
    TEXTS.remove(tx, row)?;
    tx.prepare_cached("DELETE FROM notes WHERE row = ?1")?
        .execute([row])?;
    Ok(())
}

/// The rows of a book's notes, by kind and id.
fn rows_of(tx: &Transaction<'_>, book: i64) -> Result<BTreeMap<(u8, String), i64>, IndexError> {
    let mut select = tx.prepare_cached("SELECT kind, id, row FROM notes WHERE book = ?1")?;
    let rows = select.query_map([book], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The first row from `wish` on that nobody has.
fn free_row(tx: &Transaction<'_>, wish: i64) -> Result<i64, IndexError> {
    let mut select = tx.prepare_cached("SELECT 1 FROM notes WHERE row = ?1")?;
    let mut row = wish;
    while select.exists([row])? {
        row += 1;
    }
    Ok(row)
}

fn number(connection: &Connection, book: &BookId) -> Result<Option<i64>, IndexError> {
    let mut select = connection.prepare_cached("SELECT number FROM books WHERE book_id = ?1")?;
    let number = select.query_row([book.as_str()], |row| row.get(0));
    Ok(number.optional()?)
}

/// The tags that a search is narrowed down to; `None` when the book is not there.
fn tags(
    connection: &Connection,
    book: Option<&BookId>,
    kind: Option<Kind>,
) -> Result<Option<Vec<Tag>>, IndexError> {
    let mut tags: Vec<Tag> = kind
        .iter()
        .map(|kind| KIND.tag(kind.number().into()))
        .collect();
    if let Some(book) = book {
        let Some(number) = number(connection, book)? else {
            return Ok(None);
        };
        tags.push(BOOK.tag(number.unsigned_abs()));
    }
    Ok(Some(tags))
}

fn entry(connection: &Connection, row: i64) -> Result<Entry, IndexError> {
    let mut select = connection.prepare_cached(
        "SELECT row, book_id, title, author, kind, id, chapter_uid, chapter_title, content, passage,
           color, created
         FROM notes JOIN books ON number = book WHERE row = ?1",
    )?;
    Ok(select.query_row([row], read)?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let kind: i64 = row.get(4)?;
    Ok(Entry {
        row: row.get(0)?,
        book_id: row.get(1)?,
        book_title: row.get(2)?,
        author: row.get(3)?,
        note: Note {
            kind: match kind {
                0 => Kind::Highlight,
                _ => Kind::Thought,
            },
            id: row.get(5)?,
            chapter_uid: row.get(6)?,
            chapter_title: row.get(7)?,
            content: row.get(8)?,
            passage: row.get(9)?,
            color: row.get(10)?,
            created: row.get(11)?,
        },
    })
}
