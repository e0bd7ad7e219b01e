//! What other readers leave in a book, beside what the reader has.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures::FutureExt as _;

use super::access::Need;
use crate::{
    WeRead,
    client::Surface,
    domain::{
        chapters::Chapter,
        ids::{BookId, ChapterUid},
        notes::{Highlights, Range},
        reviews::{Popular, PopularHighlight, ReviewCursor, ReviewOrder, Reviews},
    },
    error::Error,
};

/// Popular highlights with what else is known of their places.
pub(crate) struct PopularPlaces {
    pub(crate) popular: Popular,
    /// Whether a chapter was picked out of what is popular in the whole book.
    pub(crate) picked: bool,
    titles: HashMap<ChapterUid, String>,
    /// The reader's own places; `None` when they could not be had.
    mine: Option<HashSet<(Option<ChapterUid>, Range)>>,
    /// What could not be had.
    pub(crate) missing: Vec<(&'static str, Error)>,
}

impl PopularPlaces {
    /// The title of the chapter, where anything tells it.
    pub(crate) fn title(&self, highlight: &PopularHighlight) -> Option<&str> {
        let title = self.titles.get(&highlight.chapter_uid?)?;
        Some(title.as_str()).filter(|title| !title.is_empty())
    }

    /// Whether the reader has highlighted the same passage; `None` when that is not known.
    pub(crate) fn is_mine(&self, highlight: &PopularHighlight) -> Option<bool> {
        highlight.range.start?;
        let place = (highlight.chapter_uid, highlight.range.clone());
        Some(self.mine.as_ref()?.contains(&place))
    }
}

impl WeRead {
    /// Passages that many have highlighted, in the whole book or in one chapter.
    pub(crate) async fn popular_highlights(
        &self,
        id: &BookId,
        chapter: Option<ChapterUid>,
    ) -> Result<PopularPlaces, Error> {
        let ask = |surface: Surface| async move {
            let picked = chapter.is_some() && matches!(surface, Surface::Web(_));
            Ok((surface.popular(id, chapter).await?, picked))
        };
        let (popular, picked) = self.access.ask(Need::Any, ask).await?;
        let mut places = PopularPlaces {
            titles: titles(&popular.chapters),
            popular,
            picked,
            mine: None,
            missing: Vec::new(),
        };
        if places.popular.items.is_empty() {
            return Ok(places);
        }
        // The list names the chapters of some items only.
        let mut uids = places
            .popular
            .items
            .iter()
            .filter_map(|item| item.chapter_uid);
        let is_untitled = uids.any(|uid| !places.titles.contains_key(&uid));
        let chapters = match is_untitled {
            true => self.library.chapters(id).left_future(),
            false => async { Ok(Arc::default()) }.right_future(),
        };
        let highlights = self.library.highlights(id, Need::Any);
        let (chapters, highlights) = futures::join!(chapters, highlights);
        match chapters {
            Ok(chapters) => {
                for (uid, title) in titles(&chapters) {
                    places.titles.entry(uid).or_insert(title);
                }
            }
            Err(error) => places.missing.push(("chapters", error)),
        }
        match highlights {
            Ok(highlights) => places.mine = Some(places_of(&highlights)),
            Err(error) => places.missing.push(("mine", error)),
        }
        Ok(places)
    }

    /// One page of public reviews. Any order but the service's own is the gateway's.
    pub(crate) async fn public_reviews(
        &self,
        id: &BookId,
        order: ReviewOrder,
        count: u32,
        after: Option<ReviewCursor>,
    ) -> Result<Reviews, Error> {
        let need = match order {
            ReviewOrder::All => Need::Any,
            _ => Need::Gateway,
        };
        let ask = |surface: Surface| async move { surface.reviews(id, order, count, after).await };
        self.access.ask(need, ask).await
    }
}

fn titles(chapters: &[Chapter]) -> HashMap<ChapterUid, String> {
    let titles = chapters.iter();
    titles
        .map(|chapter| (chapter.uid, chapter.title.clone()))
        .collect()
}

fn places_of(highlights: &Highlights) -> HashSet<(Option<ChapterUid>, Range)> {
    let places = highlights.items.iter();
    places
        .map(|highlight| (highlight.chapter_uid, highlight.range.clone()))
        .collect()
}
