//! What a group of notes is called and where it stands.

use std::collections::HashMap;

use server_kit::time::Moment;

use super::{ChapterNotes, Place};
use crate::domain::{
    chapters::Chapter,
    ids::ChapterUid,
    notes::{Article, Highlight, Thought},
};

/// Everything that names a chapter or an article.
pub(super) struct Headings<'a> {
    contents: HashMap<ChapterUid, &'a Chapter>,
    /// Chapters as they come with highlights: the only ones an imported book may have.
    told: HashMap<ChapterUid, &'a Chapter>,
    articles: HashMap<&'a str, &'a Article>,
}

/// By kind of place, by the place's number (none last), known ones first, by id.
pub(super) type Rank = (u8, bool, Option<i64>, bool, Place);

/// The notes of a group, in order.
struct Group<'a> {
    highlights: &'a [Highlight],
    thoughts: &'a [Thought],
}

struct Heading {
    title: String,
    level: u8,
    known: bool,
    /// By which groups of a kind stand in order.
    number: Option<i64>,
}

impl<'a> Headings<'a> {
    pub(super) fn of(
        contents: &'a [Chapter],
        told: &'a [Chapter],
        articles: &'a [Article],
    ) -> Self {
        Self {
            contents: by_uid(contents),
            told: by_uid(told),
            articles: least(
                articles
                    .iter()
                    .map(|article| (article.id.as_str(), article)),
            ),
        }
    }

    /// The heading of a group whose notes are in order, and where it stands.
    pub(super) fn heading(
        &self,
        place: Place,
        highlights: &[Highlight],
        thoughts: &[Thought],
    ) -> (Rank, ChapterNotes) {
        let notes = Group {
            highlights,
            thoughts,
        };
        let (kind, heading) = match &place {
            Place::Chapter(uid) => (0, self.chapter(*uid, &notes)),
            Place::Article(id) => (1, self.article(id, &notes)),
            Place::Book => (2, Heading::fixed("全书点评")),
            Place::Nowhere => (3, Heading::fixed("未分章节")),
        };
        let number = heading.number;
        let rank = (
            kind,
            number.is_none(),
            number,
            !heading.known,
            place.clone(),
        );
        let chapter = ChapterNotes {
            idx: place.chapter().and(number),
            place,
            title: heading.title,
            level: heading.level,
            known: heading.known,
            highlights: Vec::new(),
            notes: Vec::new(),
        };
        (rank, chapter)
    }

    fn chapter(&self, uid: ChapterUid, notes: &Group<'_>) -> Heading {
        let (known, told) = (self.contents.get(&uid), self.told.get(&uid));
        let chapters = || known.into_iter().chain(told);
        let title = chapters()
            .map(|it| &it.title)
            .find(|it| !it.trim().is_empty());
        let title = title.cloned().or_else(|| notes.title());
        let idx_of_thought = || notes.thoughts.iter().find_map(|it| it.chapter_idx);
        Heading {
            title: title.unwrap_or_else(|| "未知章节".to_owned()),
            level: chapters().next().map_or(1, |it| it.level.max(1)),
            known: known.is_some(),
            number: chapters().find_map(|it| it.idx).or_else(idx_of_thought),
        }
    }

    /// An article of an account, whose articles stand like news: the newest first.
    fn article(&self, id: &str, notes: &Group<'_>) -> Heading {
        let article = self.articles.get(id);
        let title = article
            .map(|it| it.title.clone())
            .filter(|it| !it.trim().is_empty());
        let title = title.or_else(|| notes.title());
        let published = article.and_then(|it| it.created).or_else(|| notes.newest());
        Heading {
            title: title.unwrap_or_else(|| "未知文章".to_owned()),
            level: 1,
            known: article.is_some(),
            number: published.map(|it| -it.timestamp().as_second()),
        }
    }
}

impl Group<'_> {
    /// The first title that comes with a note.
    fn title(&self) -> Option<String> {
        let of_highlights = self.highlights.iter().map(|it| &it.chapter_title);
        let of_thoughts = self.thoughts.iter().map(|it| &it.chapter_title);
        let mut titles = of_highlights.chain(of_thoughts).flatten();
        titles.find(|title| !title.trim().is_empty()).cloned()
    }

    fn newest(&self) -> Option<Moment> {
        let of_thoughts = self.thoughts.iter().map(|it| it.created);
        let all = self
            .highlights
            .iter()
            .map(|it| it.created)
            .chain(of_thoughts);
        all.max().flatten()
    }
}

impl Heading {
    fn fixed(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            level: 1,
            known: true,
            number: None,
        }
    }
}

fn by_uid(chapters: &[Chapter]) -> HashMap<ChapterUid, &Chapter> {
    least(chapters.iter().map(|chapter| (chapter.uid, chapter)))
}

/// Of several under one id the least, so that their order makes no difference.
fn least<'a, K: Eq + std::hash::Hash, T: Ord>(
    entries: impl Iterator<Item = (K, &'a T)>,
) -> HashMap<K, &'a T> {
    let mut least = HashMap::new();
    for (key, entry) in entries {
        let kept = least.entry(key).or_insert(entry);
        *kept = (*kept).min(entry);
    }
    least
}
