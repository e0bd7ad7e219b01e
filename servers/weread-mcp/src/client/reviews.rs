//! What other readers leave: popular highlights and public reviews.

use std::borrow::Cow;

use http_session::drift::Drift;
use serde_json::{Value, json};
use server_kit::passage;

use super::{
    Surface, books,
    envelope::{listed, read},
    html, notes,
    wire::{
        notes as wire,
        reviews::{Review as Sent, Reviews as SentReviews},
        scalar::Number,
    },
};
use crate::{
    domain::{
        ids::{BookId, ChapterUid},
        reviews::{Popular, PopularHighlight, Review, ReviewCursor, ReviewOrder, Reviews},
    },
    error::Error,
};

/// Popular highlights, from `/book/bestbookmarks` or `web/book/bestbookmarks`.
///
/// Without `items` there are none: that is the answer for a book that nobody has highlighted.
pub fn popular(answer: Value) -> Result<Popular, Drift> {
    let sent: wire::Popular = read(answer)?;
    let items = sent.items.unwrap_or_default().into_iter().enumerate();
    let items = items.map(|(number, sent)| {
        let form = || Drift::form(&format!("items[{number}]"), "bookmarkId");
        Ok(PopularHighlight {
            id: sent.bookmark_id.line().ok_or_else(form)?,
            chapter_uid: sent.chapter_uid.get().map(ChapterUid),
            range: notes::range(sent.range),
            text: sent.mark_text.passage().unwrap_or_default(),
            people: sent.total_count.count(),
        })
    });
    Ok(Popular {
        items: items.collect::<Result<_, Drift>>()?,
        total: sent.total_count.count(),
        chapters: books::listed("chapters", sent.chapters.unwrap_or_default())?,
    })
}

/// A page of public reviews, from `/review/list` or `web/review/list/best`.
pub fn reviews(answer: Value) -> Result<Reviews, Drift> {
    let sent: SentReviews = read(answer)?;
    let total = sent.reviews_cnt.count();
    let mut max_idx = None;
    let mut items = Vec::new();
    for (number, sent) in listed("reviews", sent.reviews, total)?
        .into_iter()
        .enumerate()
    {
        let form = || Drift::form(&format!("reviews[{number}].review"), "reviewId");
        let sent = sent.gathered();
        max_idx = sent.idx.get();
        items.push(review(sent).ok_or_else(form)?);
    }
    let synckey = sent.synckey.get().unwrap_or_default();
    let next = max_idx.map(|max_idx| ReviewCursor { max_idx, synckey });
    Ok(Reviews {
        items,
        total,
        next: next.filter(|_| sent.reviews_has_more.is_on()),
        recommend_per_mille: sent.deep_v_recommend_value.at_most(1000),
    })
}

fn review(sent: Sent) -> Option<Review> {
    let content = written(&sent);
    Some(Review {
        id: sent.review_id.line()?,
        author: sent.author.and_then(|author| author.name.line()),
        content,
        star: star(sent.star),
        finished: sent.is_finish.get(),
        likes: sent.likes_count.count(),
        comments: sent.comments_count.count(),
        chapter_title: sent
            .chapter_name
            .line()
            .or_else(|| sent.chapter_title.line()),
        created: sent.create_time.moment(),
    })
}

/// What was written: the plain text, or the formatted one without its tags where that alone comes.
pub(super) fn written(sent: &Sent) -> String {
    passage(&source(sent))
}

/// The same as it came.
pub(super) fn source(sent: &Sent) -> Cow<'_, str> {
    match sent.content.passage() {
        Some(_) => sent.content.sent().into(),
        None => html::text(sent.html_content.sent()).into(),
    }
}

/// Stars as 20 to 100; none for 0 and -1.
///
/// A guess: 1 to 5 are whole stars. The gateway's document gives that scale, its recorded answers the
/// other (docs/upstreams/weread.md, 6.3).
pub(super) fn star(sent: Number) -> Option<u8> {
    match sent.at_most(100)? {
        0 => None,
        stars @ 1..=5 => Some(20 * stars),
        stars => Some(stars),
    }
}

impl Surface {
    /// At most 20 passages that many have highlighted, in the whole book or in one chapter.
    pub(crate) async fn popular(
        &self,
        id: &BookId,
        chapter: Option<ChapterUid>,
    ) -> Result<Popular, Error> {
        let (path, answer) = match self {
            Self::Gateway(gateway) => {
                let path = "/book/bestbookmarks";
                let uid = chapter.map_or(0, |ChapterUid(uid)| uid);
                let parameters = json!({ "bookId": id, "chapterUid": uid });
                (path, gateway.ask(path, parameters).await?)
            }
            Self::Web(web) => {
                let path = "/web/book/bestbookmarks";
                (path, web.get(path, &[("bookId", id.as_str())]).await?)
            }
        };
        let mut popular = popular(answer).map_err(|drift| Error::changed(path, drift))?;
        if chapter.is_some() {
            // The web surface is not known to take a chapter.
            popular.items.retain(|item| item.chapter_uid == chapter);
        }
        Ok(popular)
    }

    /// One page of public reviews. The web surface knows one order only.
    pub(crate) async fn reviews(
        &self,
        id: &BookId,
        order: ReviewOrder,
        count: u32,
        after: Option<ReviewCursor>,
    ) -> Result<Reviews, Error> {
        let (max_idx, synckey) = after.map_or((0, 0), |after| (after.max_idx, after.synckey));
        let (path, answer) = match self {
            Self::Gateway(gateway) => {
                let path = "/review/list";
                let parameters = json!({
                    "bookId": id, "reviewListType": list_type(order), "count": count,
                    "maxIdx": max_idx, "synckey": synckey,
                });
                (path, gateway.ask(path, parameters).await?)
            }
            Self::Web(web) if order == ReviewOrder::All => {
                let path = "/web/review/list/best";
                let query = [max_idx, synckey, i64::from(count)].map(|number| number.to_string());
                let [max_idx, synckey, count] = &query;
                let query = [
                    ("bookId", id.as_str()),
                    ("synckey", synckey),
                    ("maxIdx", max_idx),
                    ("count", count),
                ];
                (path, web.get(path, &query).await?)
            }
            Self::Web(_) => return Err(Error::NeedsApiKey(Vec::new())),
        };
        reviews(answer).map_err(|drift| Error::changed(path, drift))
    }
}

/// `reviewListType` of the gateway.
fn list_type(order: ReviewOrder) -> u8 {
    match order {
        ReviewOrder::All => 0,
        ReviewOrder::Recommended => 1,
        ReviewOrder::Poor => 2,
        ReviewOrder::Newest => 3,
        ReviewOrder::Fair => 4,
    }
}
