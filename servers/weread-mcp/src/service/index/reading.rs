//! Reading the notes of changed books into the index.

use jiff::Timestamp;
use server_kit::time::Moment;

use crate::{
    WeRead,
    client::Surface,
    domain::{
        ids::BookId,
        kept::{KeptBook, Kind, Note},
        notes::{Highlight, Highlights, Thought, Thoughts},
        shelf::Notebook,
    },
    error::Error,
    service::{access::Need, library::side_by_side},
};

/// Books that are read before the time is looked at again.
pub(super) const STEP: usize = 3;

impl WeRead {
    /// Reads a few books side by side and keeps each. Of each, what could not be read; fails where the index
    /// itself cannot be written.
    pub(super) async fn read_few(
        &self,
        few: &[&Notebook],
        account: &str,
    ) -> Vec<Result<Result<(), Error>, Error>> {
        let books: Vec<_> = few
            .iter()
            .map(|notebook| KeptBook {
                book_id: notebook.book.book_id.clone(),
                title: notebook.book.title.clone(),
                author: notebook.book.author.clone(),
                changed: notebook.changed,
            })
            .collect();
        side_by_side(books, |book| self.read_one(book, account)).await
    }

    async fn read_one(&self, book: KeptBook, account: &str) -> Result<Result<(), Error>, Error> {
        let notes = match self.notes_of(&book.book_id, account).await {
            Ok(notes) => notes,
            Err(error) => return Ok(Err(error)),
        };
        self.notes.index()?.replace(account, book, notes).await?;
        Ok(Ok(()))
    }

    /// The notes of a book as they are now: what was read a while ago would be taken for the newest.
    async fn notes_of(&self, book: &BookId, account: &str) -> Result<Vec<Note>, Error> {
        let ask = |surface: Surface| {
            let book = book.clone();
            async move {
                Ok((
                    surface.highlights(&book).await?,
                    surface.thoughts(&book).await?,
                ))
            }
        };
        let (whose, (highlights, thoughts)) = self.access.ask_whom(Need::Any, ask).await?;
        if whose != account {
            // The way that gave the list is closed by now, and the next one may be somebody else's.
            return Err(Error::Kept(
                "读取途中换了凭证，再调用一次会重新开始".to_owned(),
            ));
        }
        let listed = u64::try_from(thoughts.items.len()).unwrap_or(u64::MAX);
        if let Some(counted) = thoughts.total.filter(|counted| *counted > listed) {
            return Err(Error::Changed {
                path: "/review/list/mine".to_owned(),
                field: "totalCount".to_owned(),
                why: format!("服务称有 {counted} 条，只给出了 {listed} 条"),
            });
        }
        Ok(notes(&highlights, &thoughts))
    }
}

/// Whether an error would meet every other book too.
pub(super) fn stops(error: &Error) -> bool {
    matches!(
        error,
        Error::TooFast { .. }
            | Error::AllClosed(_)
            | Error::NoCredentials
            | Error::Upgrade(_)
            | Error::Kept(_)
            | Error::Network { .. }
    )
}

fn notes(highlights: &Highlights, thoughts: &Thoughts) -> Vec<Note> {
    let title = |highlight: &Highlight| {
        let mut chapters = highlights.chapters.iter();
        let chapter = chapters.find(|one| Some(one.uid) == highlight.chapter_uid);
        let mut articles = highlights.articles.iter();
        let article = articles.find(|one| Some(&one.id) == highlight.article_id.as_ref());
        let own = highlight.chapter_title.clone();
        own.or_else(|| Some(chapter?.title.clone()))
            .or_else(|| Some(article?.title.clone()))
    };
    let marked = highlights.items.iter();
    let marked = marked.map(|highlight| of_highlight(highlight, title(highlight)));
    marked
        .chain(thoughts.items.iter().map(of_thought))
        .collect()
}

fn of_highlight(highlight: &Highlight, chapter_title: Option<String>) -> Note {
    Note {
        kind: Kind::Highlight,
        id: highlight.id.clone(),
        chapter_uid: highlight.chapter_uid.map(|uid| uid.0),
        chapter_title,
        content: None,
        passage: some(&highlight.text),
        color: highlight.color,
        created: seconds(highlight.created),
    }
}

fn of_thought(thought: &Thought) -> Note {
    Note {
        kind: Kind::Thought,
        id: thought.id.clone(),
        chapter_uid: thought.chapter_uid.map(|uid| uid.0),
        chapter_title: thought.chapter_title.clone(),
        content: some(&thought.content),
        passage: thought.quote.as_deref().and_then(some),
        color: None,
        created: seconds(thought.created),
    }
}

fn seconds(moment: Option<Moment>) -> Option<i64> {
    moment.map(|moment| Timestamp::as_second(moment.timestamp()))
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.trim().is_empty())
}
