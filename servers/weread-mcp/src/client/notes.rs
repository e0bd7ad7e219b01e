//! What the reader leaves in a book: highlights and thoughts.

use std::collections::HashSet;

use http_session::drift::Drift;
use serde_json::{Value, json};
use server_kit::is_hiding;

use super::{
    Surface, books,
    envelope::{listed, read},
    pages::{self, Listed, Page},
    reviews,
    wire::{
        notes::{self as wire, Removed},
        reviews::{PencilNote, Review, Reviews},
        scalar::Text,
    },
};
use crate::{
    domain::{
        ids::{BookId, ChapterUid},
        notes::{Article, Highlight, Highlights, Range, Subject, Thought, Thoughts},
    },
    error::Error,
};

/// The highlights of a book, from `/book/bookmarklist` or `web/book/bookmarklist`.
///
/// Bookmarks of a place have no text; the web surface sends them too, and they are only counted.
pub fn highlights(answer: Value) -> Result<Highlights, Drift> {
    let sent: wire::Highlights = read(answer)?;
    let removed = ids(&sent.removed);
    let mut highlights = Highlights {
        chapters: books::listed("chapters", sent.chapters.unwrap_or_default())?,
        articles: articles(sent.ref_mp_infos.unwrap_or_default())?,
        book: sent.book.and_then(|book| {
            let id = book.book_id.book_id()?;
            Some(books::described(book, id))
        }),
        ..Highlights::default()
    };
    for (number, sent) in listed("updated", sent.updated, None)?
        .into_iter()
        .enumerate()
    {
        if sent.kind.get() == Some(0) {
            highlights.positions += 1;
            continue;
        }
        if removed.contains(sent.bookmark_id.sent()) {
            highlights.removed += 1;
            continue;
        }
        let form = || Drift::form(&format!("updated[{number}]"), "bookmarkId");
        highlights.items.push(highlight(sent).ok_or_else(form)?);
    }
    Ok(highlights)
}

fn ids(removed: &Option<Vec<Removed>>) -> HashSet<&str> {
    let removed = removed.iter().flatten().map(Removed::id);
    removed.filter(|id| !id.is_empty()).collect()
}

fn highlight(sent: wire::Highlight) -> Option<Highlight> {
    Some(Highlight {
        id: sent.bookmark_id.line()?,
        chapter_uid: sent.chapter_uid.get().map(ChapterUid),
        chapter_title: sent
            .chapter_name
            .line()
            .or_else(|| sent.chapter_title.line()),
        range: range(sent.range),
        text: sent.mark_text.passage().unwrap_or_default(),
        style: sent.style.get(),
        color: sent.color_style.get(),
        created: sent.create_time.moment(),
        article_id: article_id(sent.ref_mp_review_id),
        cleaned: sent.mark_text.is_hiding(),
    })
}

/// `1227-1255`, or the single number of a handwritten note; nothing of what is neither.
pub(super) fn range(sent: Text) -> Range {
    let text = sent.line().unwrap_or_default();
    let number = |part: &str| part.trim().parse().ok();
    let (start, end) = match text.split_once('-') {
        Some((start, end)) => (number(start), number(end)),
        None => (number(&text), None),
    };
    Range { text, start, end }
}

/// In ids of articles `~` stands for `_`, but not everywhere (docs/upstreams/weread.md, 6.1).
fn article_id(sent: Text) -> Option<String> {
    sent.line().map(|id| id.replace('~', "_"))
}

fn articles(sent: Vec<wire::Article>) -> Result<Vec<Article>, Drift> {
    let articles = sent.into_iter().enumerate().map(|(number, sent)| {
        let form = || Drift::form(&format!("refMpInfos[{number}]"), "reviewId");
        Ok(Article {
            id: article_id(sent.review_id).ok_or_else(form)?,
            title: sent.title.line().unwrap_or_default(),
            created: sent.create_time.moment(),
        })
    });
    articles.collect()
}

/// The reader's own thoughts and reviews, from `/review/list/mine` or `web/review/list`.
///
/// A page of the gateway's goes on at its `synckey`; the web surface sends all at once when asked to.
pub fn thoughts(answer: Value) -> Result<Page<Thoughts>, Drift> {
    let sent: Reviews = read(answer)?;
    let removed = ids(&sent.removed);
    let total = sent.total_count.count();
    let synckey = sent.synckey.get();
    let mut items = Vec::new();
    let mut left_out = 0;
    for (number, sent) in listed("reviews", sent.reviews, total)?
        .into_iter()
        .enumerate()
    {
        let form = || Drift::form(&format!("reviews[{number}]"), "reviewId");
        let thought = thought(sent.gathered()).ok_or_else(form)?;
        match removed.contains(thought.id.as_str()) {
            true => left_out += 1,
            false => items.push(thought),
        }
    }
    Ok(Page {
        list: Thoughts {
            items,
            total,
            removed: left_out,
        },
        next: synckey.filter(|_| sent.has_more.is_on()),
    })
}

fn thought(sent: Review) -> Option<Thought> {
    let content = reviews::written(&sent);
    let cleaned = is_hiding(&reviews::source(&sent)) || sent.quote.is_hiding();
    let id = sent.review_id.line()?;
    let article_id = article_id(sent.ref_mp_review_id);
    let range = range(sent.range);
    let subject = if article_id.is_some() || sent.kind.get() == Some(ARTICLE) {
        Subject::Article
    } else if !range.text.is_empty() {
        Subject::Passage
    } else if sent.chapter_uid.get().is_some() {
        Subject::Chapter
    } else {
        Subject::Book
    };
    let pencil = sent.pencil_note.unwrap_or_default();
    let written_at = pencil.update_time.moment_of_millis();
    let images = images(pencil);
    Some(Thought {
        id,
        subject,
        chapter_uid: sent.chapter_uid.get().map(ChapterUid),
        chapter_idx: sent.chapter_idx.get(),
        chapter_title: sent
            .chapter_name
            .line()
            .or_else(|| sent.chapter_title.line()),
        handwritten: !images.is_empty() || range.start.is_some() && range.end.is_none(),
        range,
        content,
        quote: sent.quote.passage(),
        star: reviews::star(sent.star),
        private: sent.is_private.get(),
        images,
        created: sent.create_time.moment().or(written_at),
        article_id,
        cleaned,
    })
}

/// `type` of a review about an article of an official account.
const ARTICLE: i64 = 16;

/// Each picture once: the same one comes under several names.
fn images(sent: PencilNote) -> Vec<String> {
    let mut images = Vec::new();
    let sent = [
        sent.image_url,
        sent.drawing_url,
        sent.doddle_drawing_url,
        sent.and_drawing_url,
    ];
    for url in sent.into_iter().filter_map(|text| text.line()) {
        if !images.contains(&url) {
            images.push(url);
        }
    }
    images
}

impl Listed for Thoughts {
    type Item = Thought;

    fn items(&mut self) -> &mut Vec<Thought> {
        &mut self.items
    }

    fn id(item: &Thought) -> &str {
        &item.id
    }

    fn count(&mut self, later: &Self) {
        self.removed += later.removed;
    }
}

impl Surface {
    /// All highlights of a book.
    pub(crate) async fn highlights(&self, id: &BookId) -> Result<Highlights, Error> {
        let (path, answer) = match self {
            Self::Gateway(gateway) => {
                let path = "/book/bookmarklist";
                (path, gateway.ask(path, json!({ "bookId": id })).await?)
            }
            Self::Web(web) => {
                let path = "/web/book/bookmarklist";
                (path, web.get(path, &[("bookId", id.as_str())]).await?)
            }
        };
        highlights(answer).map_err(|drift| Error::changed(path, drift))
    }

    /// All of the reader's own thoughts about a book and reviews of it. The gateway sends them by the
    /// hundred and spells `bookid` in lower case here alone.
    pub(crate) async fn thoughts(&self, id: &BookId) -> Result<Thoughts, Error> {
        let path = match self {
            Self::Gateway(_) => "/review/list/mine",
            Self::Web(_) => "/web/review/list",
        };
        let page = |synckey: i64| async move {
            let answer = match self {
                Self::Gateway(gateway) => {
                    let parameters = json!({ "bookid": id, "synckey": synckey, "count": 100 });
                    gateway.ask(path, parameters).await?
                }
                Self::Web(web) => {
                    let synckey = synckey.to_string();
                    let query = [
                        ("bookId", id.as_str()),
                        ("listType", "11"),
                        ("mine", "1"),
                        ("syncKey", synckey.as_str()),
                        ("count", "0"),
                    ];
                    web.get(path, &query).await?
                }
            };
            thoughts(answer).map_err(|drift| Error::changed(path, drift))
        };
        pages::all(path, page).await
    }
}
