//! The notes of a book: what is asked for them, and what may be missing beside them.

use std::sync::Arc;

use futures::join;

use super::{
    access::Need,
    library::{Library, side_by_side},
};
use crate::{
    domain::{
        annotations::{BookNotes, NoteFilter},
        books::Book,
        ids::{BookId, BookKind},
    },
    error::Error,
};

/// A book with everything that its reader left in it.
pub(crate) struct Noted {
    /// The book, as far as it could be asked for.
    pub(crate) book: Book,
    /// The notes, all of them.
    pub(crate) notes: BookNotes,
    /// What could not be asked for beside the notes, and why: `chapters`, `book`.
    pub(crate) missing: Vec<(&'static str, Error)>,
}

impl Library {
    /// All notes of a book, after a filter. Titles and order suffer where the table of contents cannot be
    /// had, as of many an imported book; a note never does.
    ///
    /// Fails when highlights or thoughts cannot be had, since half the notes look like all of them.
    pub(crate) async fn notes(&self, id: &BookId, filter: &NoteFilter) -> Result<Noted, Error> {
        let need = match filter.style {
            Some(_) => Need::Web,
            None => Need::Any,
        };
        let highlights = self.highlights(id, need).await?;
        let contents = async {
            match id.kind() {
                // Neither has chapters.
                BookKind::OfficialAccount | BookKind::Articles => Ok(Arc::default()),
                _ => self.chapters(id).await,
            }
        };
        let (thoughts, contents, book) = join!(self.thoughts(id), contents, self.known(id));
        let thoughts = thoughts?;

        let mut missing = Vec::new();
        let contents = contents.unwrap_or_else(|error| {
            missing.push(("chapters", error));
            Arc::default()
        });
        let empty =
            highlights.items.is_empty() && highlights.positions == 0 && thoughts.items.is_empty();
        let book = match book {
            Ok(book) => Arc::unwrap_or_clone(book),
            Err(error) if empty => return Err(error),
            Err(error) => {
                missing.push(("book", error));
                let told = highlights.book.clone();
                told.unwrap_or_else(|| Book::unnamed(id.clone()))
            }
        };
        let (highlights, thoughts) = (
            Arc::unwrap_or_clone(highlights),
            Arc::unwrap_or_clone(thoughts),
        );
        Ok(Noted {
            notes: BookNotes::of(&contents, highlights, thoughts, filter),
            book,
            missing,
        })
    }

    /// All notes of several books, a few books side by side. Half an export looks like a whole one, so it
    /// fails with the first book that cannot be had.
    pub(crate) async fn notes_of(&self, ids: Vec<BookId>) -> Result<Vec<Noted>, (BookId, Error)> {
        let noted = side_by_side(ids, |id| async move {
            let noted = self.notes(&id, &NoteFilter::default()).await;
            noted.map_err(|error| (id, error))
        });
        noted.await.into_iter().collect()
    }
}
