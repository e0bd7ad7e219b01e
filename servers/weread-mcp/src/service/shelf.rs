//! The shelf and the books with notes as one collection.

mod search;
#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures::join;
use server_kit::time::Moment;

pub(crate) use self::search::{Keyword, Match};
use super::library::Library;
use crate::{
    domain::{
        books::{Book, Progress},
        ids::BookId,
        shelf::{Album, Notebooks, Shelf},
    },
    error::Error,
};

/// Everything that the reader has put on the shelf or written in.
pub(crate) struct Collection {
    /// The one in which something happened last first.
    pub(crate) books: Vec<Owned>,
    /// Audio albums; `None` when nobody tells them.
    pub(crate) albums: Option<Vec<Album>>,
    /// The collection of kept articles.
    pub(crate) articles: Option<Book>,
    /// The names of the reader's groups.
    pub(crate) groups: Vec<String>,
    /// How many notes the service counts in all books.
    pub(crate) total_notes: Option<u64>,
    /// Reviews that belong to no book.
    pub(crate) bookless_reviews: Option<u64>,
    /// What could not be asked for, and why: [`SHELF`], [`NOTEBOOKS`].
    pub(crate) missing: Vec<(&'static str, Error)>,
}

/// The two lists, as results name them when they are missing.
const SHELF: &str = "shelf";
const NOTEBOOKS: &str = "notebooks";

/// A book of the reader's.
#[derive(Clone)]
pub(crate) struct Owned {
    /// What shelf and list of notes say of it, which is not all that the service knows.
    pub(crate) book: Book,
    /// Whether it stands on the shelf; `None` when the shelf could not be read.
    pub(crate) in_shelf: Option<bool>,
    /// Its notes; `None` when the list of books with notes could not be read as far as it.
    pub(crate) notes: Option<Counts>,
    /// How far it was read, in whole per cent.
    pub(crate) percent: Option<u8>,
    /// How far it was read, where the shelf says so.
    pub(crate) progress: Option<Progress>,
    /// The groups it is in.
    pub(crate) groups: Vec<String>,
}

/// The notes of a book, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Highlights.
    pub(crate) highlights: u64,
    /// Thoughts and reviews.
    pub(crate) thoughts: u64,
    /// Bookmarks of a place, without text.
    pub(crate) bookmarks: u64,
    /// When the last of them changed.
    pub(crate) changed: Option<Moment>,
}

impl Counts {
    /// All of them.
    pub(crate) fn total(self) -> u64 {
        self.highlights
            .saturating_add(self.thoughts)
            .saturating_add(self.bookmarks)
    }
}

impl Owned {
    /// Whether the reader has finished it, by the mark or the time of it: the per cent say nothing of that.
    pub(crate) fn is_finished(&self) -> bool {
        let timed = |progress: &Progress| progress.finished.is_some();
        self.book.finished == Some(true) || self.progress.as_ref().is_some_and(timed)
    }

    /// The same, where that is known: only the shelf tells the mark, and of no book that has left it.
    pub(crate) fn finished(&self) -> Option<bool> {
        let is_told = self.in_shelf == Some(true) || self.book.finished.is_some();
        match self.is_finished() {
            true => Some(true),
            false => is_told.then_some(false),
        }
    }

    /// When it was last read or written in; when it came to the shelf, if it was neither.
    pub(crate) fn touched(&self) -> Option<Moment> {
        let changed = self.notes.and_then(|notes| notes.changed);
        let read = self.progress.as_ref().and_then(|read| read.updated);
        let touched = [self.book.last_read, read, changed];
        touched.into_iter().max().flatten().or(self.book.updated)
    }

    /// Whether there are notes in it, where that is known.
    pub(crate) fn has_notes(&self) -> Option<bool> {
        self.notes.map(|notes| notes.total() > 0)
    }
}

impl Library {
    /// The whole shelf, and the books with notes that have left it.
    ///
    /// One of the two that the service refuses or tells in a form that is not known does not keep the
    /// other back (docs/upstreams/weread.md, 7); what is wrong for both, such as a login that is over,
    /// fails. So does a shelf that cannot be read when there are no notes either: nothing at all would
    /// look like an empty shelf.
    pub(crate) async fn collection(&self) -> Result<Collection, Error> {
        let (shelf, notebooks) = join!(self.shelf(), self.notebooks());
        let (shelf, notebooks) = (passable(shelf)?, passable(notebooks)?);
        match (shelf, &notebooks) {
            (Err(error), Err(_)) => Err(error),
            (Err(error), Ok(list)) if list.books.is_empty() => Err(error),
            (shelf, _) => Ok(Collection::of(shelf, notebooks)),
        }
    }

    /// The books with notes, the last changed first. Without the shelf, what only the shelf tells is
    /// missing.
    pub(crate) async fn written(&self) -> Result<Collection, Error> {
        let (shelf, notebooks) = join!(self.shelf(), self.notebooks());
        let mut collection = Collection::of(passable(shelf)?, Ok(notebooks?));
        collection
            .books
            .retain(|owned| owned.has_notes() == Some(true));
        let changed = |owned: &Owned| owned.notes.and_then(|notes| notes.changed);
        collection
            .books
            .sort_by_key(|owned| Reverse(changed(owned)));
        Ok(collection)
    }
}

/// An answer, or the error that concerns this answer alone; fails with any other.
fn passable<T>(answer: Result<Arc<T>, Error>) -> Result<Result<Arc<T>, Error>, Error> {
    match answer {
        Err(error) if !error.is_of_one_answer() => Err(error),
        answer => Ok(answer),
    }
}

impl Collection {
    fn of(shelf: Result<Arc<Shelf>, Error>, notebooks: Result<Arc<Notebooks>, Error>) -> Self {
        let mut missing = Vec::new();
        let shelf = shelf.map_err(|error| missing.push((SHELF, error))).ok();
        let notebooks = notebooks
            .map_err(|error| missing.push((NOTEBOOKS, error)))
            .ok();
        let (shelf, notebooks) = (shelf.as_deref(), notebooks.as_deref());
        missing.extend(notebooks.and_then(short).map(|error| (NOTEBOOKS, error)));
        let groups = shelf.map(|shelf| &*shelf.groups).unwrap_or_default();
        Self {
            books: books(
                shelf,
                notebooks,
                missing.iter().all(|(what, _)| *what != NOTEBOOKS),
            ),
            albums: shelf.and_then(|shelf| shelf.albums.clone()),
            articles: shelf.and_then(|shelf| shelf.articles.clone()),
            groups: groups.iter().map(|group| group.name.clone()).collect(),
            total_notes: notebooks.and_then(|list| list.total_notes),
            bookless_reviews: notebooks.and_then(|list| list.bookless_reviews),
            missing,
        }
    }

    /// Why the shelf is missing, if it is.
    pub(crate) fn without_shelf(&self) -> Option<&Error> {
        self.without(SHELF)
    }

    /// Why notes are missing: all of them, or those of the rest of a list that ended early.
    pub(crate) fn without_notebooks(&self) -> Option<&Error> {
        self.without(NOTEBOOKS)
    }

    fn without(&self, what: &str) -> Option<&Error> {
        let missing = self.missing.iter().find(|(part, _)| *part == what);
        missing.map(|(_, error)| error)
    }

    /// The name of the reader's group that `asked` names, if any is asked for; which groups there are
    /// only the shelf tells.
    pub(crate) fn group(&self, asked: Option<&str>) -> Result<Option<&str>, Error> {
        let Some(asked) = asked else {
            return Ok(None);
        };
        if let Some(error) = self.without_shelf() {
            return Err(error.clone());
        }
        let group = self.groups.iter().find(|name| name.trim() == asked.trim());
        let group = group.ok_or_else(|| Error::NoGroup {
            groups: self.groups.clone(),
        })?;
        Ok(Some(group))
    }

    /// Books of which neither category nor translator is known.
    pub(crate) fn without_category(&self) -> usize {
        let unknown =
            |owned: &&Owned| owned.book.categories.is_empty() && owned.book.translators.is_empty();
        self.books.iter().filter(unknown).count()
    }
}

/// What is wrong with a list that ended before its own count.
pub(super) fn short(notebooks: &Notebooks) -> Option<Error> {
    let listed = u64::try_from(notebooks.books.len()).ok()?;
    let counted = notebooks.total_books.filter(|counted| *counted > listed)?;
    Some(Error::Changed {
        path: "/user/notebooks".to_owned(),
        field: "totalBookCount".to_owned(),
        why: format!("服务称有 {counted} 本，只给出了 {listed} 本"),
    })
}

/// `all_noted`: a book that is not in the list of notes has none.
fn books(shelf: Option<&Shelf>, notebooks: Option<&Notebooks>, all_noted: bool) -> Vec<Owned> {
    let noted = notebooks.map(|list| &*list.books).unwrap_or_default();
    let mut noted: HashMap<&BookId, _> = noted.iter().map(|one| (&one.book.book_id, one)).collect();
    let mut owned = Vec::new();
    let mut seen = HashSet::new();
    for book in shelf.map(|shelf| &*shelf.books).unwrap_or_default() {
        if !seen.insert(&book.book_id) {
            continue;
        }
        let notebook = noted.remove(&book.book_id);
        let mut book = book.clone();
        if let Some(notebook) = notebook {
            book.fill(&notebook.book);
        }
        owned.push((book, Some(true), notebook));
    }
    // In the service's own order, in which the map does not keep them.
    let rest = notebooks.map(|list| &*list.books).unwrap_or_default();
    let rest = rest
        .iter()
        .filter(|one| noted.contains_key(&one.book.book_id));
    owned.extend(rest.map(|one| {
        // The store's time of a book says nothing of its reader.
        let book = Book {
            updated: None,
            ..one.book.clone()
        };
        (book, shelf.map(|_| false), Some(one))
    }));

    let mut books: Vec<_> = owned
        .into_iter()
        .map(|(book, in_shelf, notebook)| {
            let progress = shelf.and_then(|shelf| shelf.progress.get(&book.book_id));
            let percent = progress.and_then(|progress| progress.percent);
            let in_group = shelf.map(|shelf| &*shelf.groups).unwrap_or_default().iter();
            let in_group = in_group.filter(|group| group.book_ids.contains(&book.book_id));
            Owned {
                in_shelf,
                notes: match notebook {
                    Some(one) => Some(Counts {
                        highlights: one.highlight_count,
                        thoughts: one.thought_count,
                        bookmarks: one.bookmark_count,
                        changed: one.changed_at(),
                    }),
                    None => all_noted.then(Counts::default),
                },
                percent: percent.or_else(|| notebook.and_then(|one| one.percent)),
                progress: progress.cloned(),
                groups: in_group.map(|group| group.name.clone()).collect(),
                book,
            }
        })
        .collect();
    books.sort_by_key(|owned| Reverse(owned.touched()));
    books
}
