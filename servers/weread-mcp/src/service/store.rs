//! What the store finds or suggests, beside the reader's shelf.

use std::collections::HashSet;

use super::access::Need;
use crate::{
    WeRead,
    client::Surface,
    domain::{
        ids::BookId,
        reviews::{Found, FoundCursor},
    },
    error::Error,
};

/// Books of the store, and the shelf to hold them against.
pub(crate) struct Offers {
    pub(crate) found: Found,
    /// What stands on the shelf, when that could be had.
    pub(crate) shelf: Result<HashSet<BookId>, Error>,
}

impl WeRead {
    /// Books by a keyword; `scope` as the service numbers it, 0 for all.
    pub(crate) async fn search_store(
        &self,
        keyword: &str,
        scope: u32,
        count: u32,
        after: Option<FoundCursor>,
    ) -> Result<Offers, Error> {
        let after = after.map(|after| after.max_idx);
        let ask = |surface: Surface| async move {
            surface.search_store(keyword, scope, count, after).await
        };
        self.offers(self.access.ask(Need::Any, ask).await?).await
    }

    /// Suggestions by a book, or for the reader; only the gateway makes them.
    pub(crate) async fn suggestions(
        &self,
        like: Option<&BookId>,
        count: u32,
        after: Option<FoundCursor>,
    ) -> Result<Offers, Error> {
        let after = after.as_ref();
        let ask = |surface: Surface| async move {
            match like {
                Some(id) => surface.similar(id, count, after.cloned()).await,
                None => {
                    surface
                        .recommended(count, after.map(|after| after.max_idx))
                        .await
                }
            }
        };
        self.offers(self.access.ask(Need::Gateway, ask).await?)
            .await
    }

    async fn offers(&self, found: Found) -> Result<Offers, Error> {
        if found.books.is_empty() {
            let shelf = Ok(HashSet::new());
            return Ok(Offers { found, shelf });
        }
        let shelf = self.library.shelf().await;
        let ids = |shelf: &crate::domain::shelf::Shelf| {
            let ids = shelf.books.iter().map(|book| book.book_id.clone());
            ids.collect()
        };
        Ok(Offers {
            found,
            shelf: shelf.map(|shelf| ids(&shelf)),
        })
    }
}
