//! One book: what it is, its table of contents, how far it was read.

use std::{collections::HashMap, sync::Arc};

use futures::join;

use super::{
    library::{Library, side_by_side},
    shelf::Owned,
};
use crate::{
    domain::{
        books::{Book, Progress},
        chapters::Chapter,
        ids::{BookId, BookKind},
    },
    error::Error,
};

/// What the service says of an id that it does not know, among other things (docs/upstreams/weread.md, 7).
const UNSPECIFIED: i64 = -1;

/// A book with its table of contents.
pub(crate) struct Contents {
    /// The book, as far as it could be asked for.
    pub(crate) book: Option<Arc<Book>>,
    /// In reading order.
    pub(crate) chapters: Arc<Vec<Chapter>>,
    /// What could not be asked for, and why: `book`, `chapters`.
    pub(crate) missing: Vec<(&'static str, Error)>,
}

/// How far a book was read.
pub(crate) struct Standing {
    /// The book, as far as it could be asked for.
    pub(crate) book: Option<Arc<Book>>,
    /// How far.
    pub(crate) progress: Arc<Progress>,
    /// The chapter in which reading stopped, where the table of contents knows it.
    pub(crate) chapter: Option<Chapter>,
    /// Whether the reader has finished it, by the time or the mark of it; `None` when nobody says.
    pub(crate) finished: Option<bool>,
    /// What could not be asked for, and why: `book`, `chapters`, `shelf`.
    pub(crate) missing: Vec<(&'static str, Error)>,
}

/// A book of the collection with what only the book itself tells.
pub(crate) struct Detailed {
    /// All that is known of it.
    pub(crate) book: Book,
    /// How far it was read, where that could be asked for.
    pub(crate) progress: Option<Progress>,
}

impl Library {
    /// A book, or [`Error::NotFound`] when the service does not know it.
    pub(crate) async fn known(&self, id: &BookId) -> Result<Arc<Book>, Error> {
        self.book(id).await.map_err(|error| match error {
            Error::Refused(refusal) if refusal.code == UNSPECIFIED => Error::NotFound {
                what: "书",
                id: id.to_string(),
            },
            error => error,
        })
    }

    /// The table of contents. Of an imported file that the service gives none for, it is empty and the
    /// reason is told; accounts and kept articles have none and are not asked for one.
    pub(crate) async fn contents(&self, id: &BookId) -> Result<Contents, Error> {
        let mut missing = Vec::new();
        let book = self.beside(id, &mut missing).await?;
        let chapters = match id.kind() {
            BookKind::OfficialAccount | BookKind::Articles => Arc::default(),
            kind => match self.chapters(id).await {
                Err(error) if kind == BookKind::Imported && error.is_of_one_answer() => {
                    missing.push(("chapters", error));
                    Arc::default()
                }
                chapters => chapters?,
            },
        };
        Ok(Contents {
            book,
            chapters,
            missing,
        })
    }

    /// How far a book was read. Titles, and the mark of the shelf where no time says that it was finished,
    /// are asked for beside it and may be missing.
    pub(crate) async fn standing(&self, id: &BookId) -> Result<Standing, Error> {
        let mut missing = Vec::new();
        // First, since the gateway may refuse the progress of a book that was not asked for.
        let book = self.beside(id, &mut missing).await?;
        let progress = self.progress(id).await?;
        let contents = async {
            match (progress.chapter_uid, id.kind()) {
                (None, _) | (_, BookKind::OfficialAccount | BookKind::Articles) => {
                    Ok(Arc::default())
                }
                _ => self.chapters(id).await,
            }
        };
        let marked = book.as_ref().and_then(|book| book.finished);
        let mark = async {
            if progress.finished.is_some() || marked == Some(true) {
                return Ok(Some(true));
            }
            let shelf = self.shelf().await?;
            let shelved = shelf.books.iter().find(|book| book.book_id == *id);
            Ok(shelved.and_then(|book| book.finished).or(marked))
        };
        let (contents, finished) = join!(contents, mark);
        let contents = contents.unwrap_or_else(|error| {
            missing.push(("chapters", error));
            Arc::default()
        });
        let finished = finished.unwrap_or_else(|error| {
            missing.push(("shelf", error));
            marked
        });
        let here = |chapter: &&Chapter| Some(chapter.uid) == progress.chapter_uid;
        Ok(Standing {
            chapter: contents.iter().find(here).cloned(),
            book,
            progress,
            finished,
            missing,
        })
    }

    /// What the book itself tells beyond shelf and list of notes. Where the shelf has told how far it was
    /// read, that is not asked for again. With what could not be asked for: `book`, `progress`.
    async fn detailed(&self, owned: &Owned) -> (Detailed, Vec<(&'static str, Error)>) {
        let mut missing = Vec::new();
        let id = &owned.book.book_id;
        let mut told = |what, error| missing.push((what, error));
        // One after the other, since the gateway may refuse the progress of a book that was not asked for.
        let book = self.known(id).await;
        let book = match book {
            Ok(book) => {
                let mut book = Arc::unwrap_or_clone(book);
                book.fill(&owned.book);
                book
            }
            Err(error) => {
                told("book", error);
                owned.book.clone()
            }
        };
        let progress = match &owned.progress {
            Some(progress) => Some(progress.clone()),
            None => match self.progress(id).await {
                Ok(progress) => Some(Arc::unwrap_or_clone(progress)),
                Err(error) => {
                    told("progress", error);
                    None
                }
            },
        };
        (Detailed { book, progress }, missing)
    }

    /// The same for several books, a few side by side. With what could not be asked for and why: one entry
    /// for all books that failed alike.
    pub(crate) async fn details(
        &self,
        books: Vec<Owned>,
    ) -> (HashMap<BookId, Detailed>, Vec<(String, Error)>) {
        let detailed = side_by_side(books, |owned| async move {
            let detailed = self.detailed(&owned).await;
            (owned.book.book_id, detailed)
        });
        let (mut known, mut failures) = (HashMap::new(), Vec::new());
        for (id, (detailed, missing)) in detailed.await {
            failures.extend(
                missing
                    .into_iter()
                    .map(|(what, error)| (what, id.clone(), error)),
            );
            known.insert(id, detailed);
        }
        (known, alike(failures))
    }

    /// A book that is asked for beside something else; fails when the service does not know it.
    async fn beside(
        &self,
        id: &BookId,
        missing: &mut Vec<(&'static str, Error)>,
    ) -> Result<Option<Arc<Book>>, Error> {
        match self.known(id).await {
            Ok(book) => Ok(Some(book)),
            Err(error) if error.is_of_one_answer() => {
                missing.push(("book", error));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Failures of single books, those of one sort together.
fn alike(failures: Vec<(&'static str, BookId, Error)>) -> Vec<(String, Error)> {
    let mut sorts: Vec<(String, String, Error)> = Vec::new();
    for (what, id, error) in failures {
        let sort = format!("{what} {error}");
        match sorts.iter_mut().find(|(known, ..)| *known == sort) {
            Some((_, ids, _)) => *ids += &format!("、{id}"),
            None => sorts.push((sort, format!("{what}: {id}"), error)),
        }
    }
    let sorts = sorts.into_iter();
    sorts.map(|(_, ids, error)| (ids, error)).collect()
}
