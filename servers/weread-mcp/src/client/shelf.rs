//! The shelf, and the list of books with notes.

use http_session::drift::Drift;
use serde_json::{Value, json};

use super::{
    Surface, books,
    envelope::{listed, read},
    pages::{self, Listed, Page},
    wire::{scalar::Text, shelf as wire},
};
use crate::{
    domain::shelf::{Album, Group, Notebook, Notebooks, Shelf},
    error::Error,
};

/// The shelf, from `/shelf/sync` or `web/shelf/sync`.
///
/// Only the gateway tells albums, only the web surface progress, of which some may stand on no shelf.
pub fn shelf(answer: Value) -> Result<Shelf, Drift> {
    let sent: wire::Shelf = read(answer)?;
    let books = listed("books", sent.books, sent.book_count.count())?;
    let books = books.into_iter().enumerate().map(|(number, book)| {
        let id = book.book_id.book_id();
        let id = id.ok_or_else(|| Drift::form(&format!("books[{number}]"), "bookId"))?;
        Ok(books::described(book, id))
    });
    let progress = sent.book_progress.unwrap_or_default();
    let progress = progress.into_iter().enumerate().map(|(number, progress)| {
        let id = progress.book_id.book_id();
        let id = id.ok_or_else(|| Drift::form(&format!("bookProgress[{number}]"), "bookId"))?;
        Ok((id, books::reached(progress)))
    });
    let albums = sent.albums.map(|albums| {
        let albums = albums.into_iter().enumerate().map(|(number, sent)| {
            album(sent)
                .ok_or_else(|| Drift::form(&format!("albums[{number}].albumInfo"), "albumId"))
        });
        albums.collect::<Result<_, Drift>>()
    });
    let articles = sent
        .mp
        .filter(|articles| articles.show.get() != Some(false));
    let articles = articles.and_then(|articles| articles.book);
    Ok(Shelf {
        books: books.collect::<Result<_, Drift>>()?,
        progress: progress.collect::<Result<_, Drift>>()?,
        albums: albums.transpose()?,
        articles: articles.and_then(|book| {
            let id = book.book_id.book_id()?;
            Some(books::described(book, id))
        }),
        groups: sent
            .archive
            .unwrap_or_default()
            .into_iter()
            .map(group)
            .collect(),
    })
}

fn album(sent: wire::Album) -> Option<Album> {
    let info = sent.album_info;
    Some(Album {
        album_id: info.album_id.line()?,
        title: info.name.line().unwrap_or_default(),
        author: info.author_name.line(),
        cover_url: info.cover.line(),
        track_count: info.track_count.count(),
        author_completed: info.finish.get(),
        private: sent.album_info_extra.and_then(|extra| extra.secret.get()),
    })
}

/// What is no book id stands for no book of the shelf, and is left out of its group.
fn group(sent: wire::Group) -> Group {
    let books = sent.book_ids.unwrap_or_default();
    let albums = [sent.album_ids, sent.lecture_book_ids];
    Group {
        name: sent.name.line().unwrap_or_default(),
        book_ids: books.iter().filter_map(Text::book_id).collect(),
        album_ids: albums
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|text| text.line())
            .collect(),
    }
}

/// Books with notes, from `/user/notebooks` or `api/user/notebook`.
///
/// A page of the gateway's goes on at the time of its last book; the web surface sends all at once.
pub fn notebooks(answer: Value) -> Result<Page<Notebooks>, Drift> {
    let sent: wire::Notebooks = read(answer)?;
    let total_books = sent.total_book_count.count();
    let books = listed("books", sent.books, total_books)?;
    let books = books.into_iter().enumerate().map(|(number, sent)| {
        notebook(sent).ok_or_else(|| Drift::form(&format!("books[{number}]"), "bookId"))
    });
    let books = books.collect::<Result<Vec<Notebook>, Drift>>()?;
    let next = books.last().and_then(|last| last.changed);
    Ok(Page {
        list: Notebooks {
            books,
            total_books,
            total_notes: sent.total_note_count.count(),
            bookless_reviews: sent.no_book_review_count.count(),
        },
        next: next.filter(|_| sent.has_more.is_on()),
    })
}

fn notebook(sent: wire::Notebook) -> Option<Notebook> {
    let book = sent.book.unwrap_or_default();
    let id = sent.book_id.book_id().or_else(|| book.book_id.book_id())?;
    Some(Notebook {
        book: books::described(book, id),
        highlight_count: sent.note_count.count().unwrap_or_default(),
        thought_count: sent.review_count.count().unwrap_or_default(),
        bookmark_count: sent.bookmark_count.count().unwrap_or_default(),
        percent: sent.reading_progress.at_most(100),
        changed: sent.sort.get(),
    })
}

impl Listed for Notebooks {
    type Item = Notebook;

    fn items(&mut self) -> &mut Vec<Notebook> {
        &mut self.books
    }

    fn id(item: &Notebook) -> &str {
        item.book.book_id.as_str()
    }
}

impl Surface {
    /// Everything on the shelf.
    pub(crate) async fn shelf(&self) -> Result<Shelf, Error> {
        let (path, answer) = match self {
            Self::Gateway(gateway) => {
                let path = "/shelf/sync";
                (path, gateway.ask(path, json!({})).await?)
            }
            Self::Web(web) => {
                let path = "/web/shelf/sync";
                (path, web.get(path, &[]).await?)
            }
        };
        shelf(answer).map_err(|drift| Error::changed(path, drift))
    }

    /// All books with notes, newest change first. The gateway sends them by the hundred.
    pub(crate) async fn notebooks(&self) -> Result<Notebooks, Error> {
        let path = match self {
            Self::Gateway(_) => "/user/notebooks",
            Self::Web(_) => "/api/user/notebook",
        };
        let page = |last_sort: i64| async move {
            let answer = match self {
                Self::Gateway(gateway) => {
                    let parameters = json!({ "count": 100, "lastSort": last_sort });
                    gateway.ask(path, parameters).await?
                }
                Self::Web(web) => web.get(path, &[]).await?,
            };
            notebooks(answer).map_err(|drift| Error::changed(path, drift))
        };
        pages::all(path, page).await
    }
}
