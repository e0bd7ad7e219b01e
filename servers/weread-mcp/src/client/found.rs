//! What the store finds or suggests.

use http_session::drift::Drift;
use serde_json::{Value, json};

use super::{
    Surface, books,
    envelope::{listed, read},
    wire::found::{self as wire, Hit},
};
use crate::{
    domain::{
        ids::BookId,
        reviews::{Found, FoundBook, FoundCursor},
    },
    error::Error,
};

/// Books that the store found, from `/store/search` or `api/store/search`.
///
/// No `results` are no hits. Groups without `books`, and hits in them that are no books, are left out.
pub fn found(answer: Value) -> Result<Found, Drift> {
    let sent: wire::Search = read(answer)?;
    let groups = sent.results.unwrap_or_default().into_iter();
    let groups = groups.map(|group| (group.title.line(), group.books));
    let mut last = None;
    let mut books = Vec::new();
    for (group, hits) in groups.chain([(None, sent.books)]) {
        for hit in hits.into_iter().flatten() {
            last = hit.index().or(last);
            books.extend(book(hit, group.clone()));
        }
    }
    let next = last.filter(|_| sent.has_more.is_on());
    let session = None;
    Ok(Found {
        books,
        next: next.map(|max_idx| FoundCursor { max_idx, session }),
    })
}

/// The page that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// Where it begins; 0 for the first.
    pub after: i64,
    /// How many books.
    pub count: u32,
}

/// Suggestions for the reader, from `/book/recommend`.
pub fn recommended(answer: Value, asked: Asked) -> Result<Found, Drift> {
    let sent: wire::Books = read(answer)?;
    suggested("books", sent, asked)
}

/// Suggestions by a book, from `/book/similar`, with the session to go on in.
///
/// No recorded answer is known: a book has the form of the store's or of a suggestion.
pub fn similar(answer: Value, asked: Asked) -> Result<Found, Drift> {
    let sent: wire::Similar = read(answer)?;
    let sent = sent
        .booksimilar
        .ok_or_else(|| Drift::form("", "booksimilar"))?;
    suggested("booksimilar.books", sent, asked)
}

/// A full page goes on: at the index of its last book or, a guess, behind as many as came.
fn suggested(at: &'static str, sent: wire::Books, asked: Asked) -> Result<Found, Drift> {
    let hits = listed(at, sent.books, None)?;
    let came = u32::try_from(hits.len()).unwrap_or(u32::MAX);
    let last = hits.last().and_then(Hit::index);
    let next = last.unwrap_or_else(|| asked.after.saturating_add(i64::from(came)));
    let next = (came > 0 && came >= asked.count).then(|| FoundCursor {
        max_idx: next,
        session: sent.session_id.line(),
    });
    let books = hits.into_iter().enumerate().map(|(number, hit)| {
        book(hit, None).ok_or_else(|| Drift::form(&format!("{at}[{number}]"), "bookId"))
    });
    Ok(Found {
        books: books.collect::<Result<_, Drift>>()?,
        next,
    })
}

/// None for a hit that is no book.
fn book(hit: Hit, group: Option<String>) -> Option<FoundBook> {
    let book = hit.book_info.or(hit.book).unwrap_or(hit.itself);
    let id = book.book_id.book_id()?;
    Some(FoundBook {
        book: books::described(book, id),
        reading_count: hit.reading_count.count(),
        reason: hit.reason.line(),
        group,
    })
}

impl Surface {
    /// Books of the store by a keyword; `scope` as the service numbers it, 0 for all.
    pub(crate) async fn search_store(
        &self,
        keyword: &str,
        scope: u32,
        count: u32,
        after: Option<i64>,
    ) -> Result<Found, Error> {
        let after = after.unwrap_or_default();
        let (path, answer) = match self {
            Self::Gateway(gateway) => {
                let path = "/store/search";
                let parameters = json!({
                    "keyword": keyword, "scope": scope, "count": count, "maxIdx": after,
                });
                (path, gateway.ask(path, parameters).await?)
            }
            Self::Web(web) => {
                let path = "/api/store/search";
                let query = [i64::from(scope), i64::from(count), after];
                let [scope, count, after] = &query.map(|number| number.to_string());
                let query = [
                    ("keyword", keyword),
                    ("scope", scope),
                    ("count", count),
                    ("maxIdx", after),
                ];
                (path, web.get(path, &query).await?)
            }
        };
        found(answer).map_err(|drift| Error::changed(path, drift))
    }

    /// Suggestions for the reader; only the gateway makes them.
    pub(crate) async fn recommended(&self, count: u32, after: Option<i64>) -> Result<Found, Error> {
        const PATH: &str = "/book/recommend";
        let Self::Gateway(gateway) = self else {
            return Err(Error::NeedsApiKey(Vec::new()));
        };
        let after = after.unwrap_or_default();
        let parameters = json!({ "count": count, "maxIdx": after });
        let answer = gateway.ask(PATH, parameters).await?;
        recommended(answer, Asked { after, count }).map_err(|drift| Error::changed(PATH, drift))
    }

    /// Books like that one; only the gateway knows them.
    pub(crate) async fn similar(
        &self,
        id: &BookId,
        count: u32,
        after: Option<FoundCursor>,
    ) -> Result<Found, Error> {
        const PATH: &str = "/book/similar";
        let Self::Gateway(gateway) = self else {
            return Err(Error::NeedsApiKey(Vec::new()));
        };
        let (session, after) = match after {
            Some(cursor) => (cursor.session, cursor.max_idx),
            None => (None, 0),
        };
        // Neither number has a default there.
        let mut parameters = json!({ "bookId": id, "count": count, "maxIdx": after });
        if let (Some(session), Some(members)) = (session, parameters.as_object_mut()) {
            members.insert("sessionId".to_owned(), session.into());
        }
        let answer = gateway.ask(PATH, parameters).await?;
        similar(answer, Asked { after, count }).map_err(|drift| Error::changed(PATH, drift))
    }
}
