//! The rows of the index: how notes come, go and are read.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use text_index::{Tag, TagKind};

use super::{BOOK, IndexError, KIND, TEXTS};
use crate::domain::{
    ids::BookId,
    kept::{Entry, Kind, Note},
};

/// How a kind stands in the tables and tags.
pub(super) fn kind_number(kind: Kind) -> u8 {
    match kind {
        Kind::Highlight => 0,
        Kind::Thought => 1,
    }
}

/// What a search looks through; `None` where there is nothing to read, as of handwriting.
fn text_of(note: &Note) -> Option<String> {
    let parts = [note.content.as_deref(), note.passage.as_deref()];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
    (!text.trim().is_empty()).then_some(text)
}

/// Makes the notes of a book be these: what is gone goes, what is there already costs next to nothing.
pub(super) fn put(tx: &Transaction<'_>, book: i64, notes: &[Note]) -> Result<(), IndexError> {
    let mut gone = rows_of(tx, book)?;
    let mut sorted: Vec<&Note> = notes.iter().collect();
    // Rising rows are quickest.
    sorted.sort_by_key(|note| note.created);
    let tag = TagKind::tag;
    for note in sorted {
        let key = (kind_number(note.kind), note.id.clone());
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
            kind_number(note.kind),
            note.id,
            note.chapter_uid,
            note.chapter_title,
            note.content,
            note.passage,
            note.color,
            note.created,
        ])?;
        match text_of(note) {
            Some(text) => {
                let tags = [
                    tag(BOOK, book.unsigned_abs()),
                    tag(KIND, kind_number(note.kind).into()),
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

pub(super) fn remove(tx: &Transaction<'_>, row: i64) -> Result<(), IndexError> {
    TEXTS.remove(tx, row)?;
    tx.prepare_cached("DELETE FROM notes WHERE row = ?1")?
        .execute([row])?;
    Ok(())
}

/// The rows of a book's notes, by kind and id.
pub(super) fn rows_of(
    tx: &Transaction<'_>,
    book: i64,
) -> Result<BTreeMap<(u8, String), i64>, IndexError> {
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

pub(super) fn number(connection: &Connection, book: &BookId) -> Result<Option<i64>, IndexError> {
    let mut select = connection.prepare_cached("SELECT number FROM books WHERE book_id = ?1")?;
    let number = select.query_row([book.as_str()], |row| row.get(0));
    Ok(number.optional()?)
}

/// The tags that a search is narrowed down to; `None` when the book is not there.
pub(super) fn tags(
    connection: &Connection,
    book: Option<&BookId>,
    kind: Option<Kind>,
) -> Result<Option<Vec<Tag>>, IndexError> {
    let mut tags: Vec<Tag> = kind
        .iter()
        .map(|kind| KIND.tag(kind_number(*kind).into()))
        .collect();
    if let Some(book) = book {
        let Some(number) = number(connection, book)? else {
            return Ok(None);
        };
        tags.push(BOOK.tag(number.unsigned_abs()));
    }
    Ok(Some(tags))
}

pub(super) fn entry(connection: &Connection, row: i64) -> Result<Entry, IndexError> {
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
