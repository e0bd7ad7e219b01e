//! What is read of the service, kept for a short while.

use std::hash::Hash;
use std::sync::Arc;

use futures::{StreamExt as _, stream};
use http_session::Joined;

use super::access::{Access, Need};
use crate::{
    client::Surface,
    config::Config,
    domain::{
        books::{Book, Progress},
        chapters::Chapter,
        ids::BookId,
        notes::{Highlights, Thoughts},
        shelf::{Notebooks, Shelf},
    },
    error::Error,
};

/// Answers of one kind that are kept.
const KEPT: usize = 256;

/// Books whose details are read side by side.
const AT_ONCE: usize = 3;

/// For whom an answer was given: credentials that change make all answers old.
type For<K> = (u64, K);

/// The reads of the service that several tools share. Equal ones under way are joined.
pub(crate) struct Library {
    access: Arc<Access>,
    shelves: Joined<For<()>, Arc<Shelf>, Error>,
    notebooks: Joined<For<()>, Arc<Notebooks>, Error>,
    books: Joined<For<BookId>, Arc<Book>, Error>,
    chapters: Joined<For<BookId>, Arc<Vec<Chapter>>, Error>,
    progress: Joined<For<BookId>, Arc<Progress>, Error>,
    highlights: Joined<For<(BookId, bool)>, Arc<Highlights>, Error>,
    thoughts: Joined<For<BookId>, Arc<Thoughts>, Error>,
}

impl Library {
    pub(crate) fn new(config: &Config, access: &Arc<Access>) -> Self {
        let keep = config.cache;
        Self {
            access: Arc::clone(access),
            shelves: Joined::new(keep, KEPT),
            notebooks: Joined::new(keep, KEPT),
            books: Joined::new(keep, KEPT),
            chapters: Joined::new(keep, KEPT),
            progress: Joined::new(keep, KEPT),
            highlights: Joined::new(keep, KEPT),
            thoughts: Joined::new(keep, KEPT),
        }
    }

    /// Everything that stands on the shelf.
    pub(crate) async fn shelf(&self) -> Result<Arc<Shelf>, Error> {
        let ask = |surface: Surface| async move { surface.shelf().await };
        self.read(&self.shelves, (), Need::Any, ask).await
    }

    /// All books with notes.
    pub(crate) async fn notebooks(&self) -> Result<Arc<Notebooks>, Error> {
        let ask = |surface: Surface| async move { surface.notebooks().await };
        self.read(&self.notebooks, (), Need::Any, ask).await
    }

    /// A book.
    pub(crate) async fn book(&self, id: &BookId) -> Result<Arc<Book>, Error> {
        let ask = of(
            id.clone(),
            |surface, id| async move { surface.book(&id).await },
        );
        self.read(&self.books, id.clone(), Need::Any, ask).await
    }

    /// Its table of contents.
    pub(crate) async fn chapters(&self, id: &BookId) -> Result<Arc<Vec<Chapter>>, Error> {
        let ask = of(id.clone(), |surface, id| async move {
            surface.chapters(&id).await
        });
        self.read(&self.chapters, id.clone(), Need::Any, ask).await
    }

    /// How far it was read.
    pub(crate) async fn progress(&self, id: &BookId) -> Result<Arc<Progress>, Error> {
        let ask = of(id.clone(), |surface, id| async move {
            surface.progress(&id).await
        });
        self.read(&self.progress, id.clone(), Need::Any, ask).await
    }

    /// All highlights in it; with [`Need::Web`] they carry their style.
    pub(crate) async fn highlights(
        &self,
        id: &BookId,
        need: Need,
    ) -> Result<Arc<Highlights>, Error> {
        let ask = of(id.clone(), |surface, id| async move {
            surface.highlights(&id).await
        });
        let key = (id.clone(), need == Need::Web);
        self.read(&self.highlights, key, need, ask).await
    }

    /// All thoughts about it.
    pub(crate) async fn thoughts(&self, id: &BookId) -> Result<Arc<Thoughts>, Error> {
        let ask = of(id.clone(), |surface, id| async move {
            surface.thoughts(&id).await
        });
        self.read(&self.thoughts, id.clone(), Need::Any, ask).await
    }

    async fn read<K, T, F>(
        &self,
        kept: &Joined<For<K>, Arc<T>, Error>,
        key: K,
        need: Need,
        ask: impl Fn(Surface) -> F + Send + Sync + 'static,
    ) -> Result<Arc<T>, Error>
    where
        K: Clone + Eq + Hash + Send + 'static,
        T: Send + Sync + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let access = Arc::clone(&self.access);
        let read = || async move { access.ask(need, ask).await.map(Arc::new) };
        kept.get((self.access.changes(), key), read).await
    }
}

/// A question about one book.
fn of<F>(id: BookId, ask: impl Fn(Surface, BookId) -> F) -> impl Fn(Surface) -> F {
    move |surface| ask(surface, id.clone())
}

/// Does the same for each item, a few side by side, and gives the outcomes in the items' order.
pub(crate) async fn side_by_side<T, R, F>(
    items: impl IntoIterator<Item = T>,
    each: impl Fn(T) -> F,
) -> Vec<R>
where
    F: Future<Output = R>,
{
    stream::iter(items.into_iter().map(each))
        .buffered(AT_ONCE)
        .collect()
        .await
}
