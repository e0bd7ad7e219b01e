//! Notes as results show them.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::{time::Moment, told};

use crate::domain::{
    annotations::{ChapterNotes, Marked, Place, Written},
    ids::{BookId, ChapterUid},
    link,
    notes::Subject,
    styles::Look,
};

/// One chapter, article, or whatever notes stand under.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("kind", "chapter 章节、article 公众号文章、book 全书点评、none 没有章节"),
    ("known", "false：现行目录里没有这一章，多半是旧版的"),
    ("continued", "true：这一章的前一部分在上一页"),
]))]
pub(super) struct Chapter {
    chapter_id: Option<ChapterUid>,
    /// 0 where none is known.
    chapter_idx: i64,
    title: String,
    level: u8,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    article_id: Option<String>,
    known: bool,
    link: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) continued: bool,
    pub(super) highlights: Vec<Highlight>,
    pub(super) notes: Vec<Note>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("style", "0 直线、1 背景色、2 波浪线；经 API Key 取的没有样式，为 null"),
    ("note_ids", "同一处的想法"),
]))]
pub(super) struct Highlight {
    pub(super) highlight_id: String,
    text: String,
    style: Option<i64>,
    style_name: Option<&'static str>,
    color: Option<i64>,
    color_name: Option<&'static str>,
    range: String,
    create_time: String,
    note_ids: Vec<String>,
    #[serde(flatten)]
    #[schemars(skip)]
    place: Option<Chaptered>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("highlight_text", "所评的原文；评论整章或全书的为空"),
    ("kind", "passage 评一处、chapter 评整章、book 全书点评、article 评文章"),
    ("highlight_id", "同一处的划线；没有划线时为 null"),
    ("star", "点评的星数：20 到 100"),
    ("images", "手写内容的图片"),
]))]
pub(super) struct Note {
    pub(super) note_id: String,
    content: String,
    highlight_text: String,
    kind: &'static str,
    highlight_id: Option<String>,
    range: String,
    star: Option<u8>,
    private: Option<bool>,
    handwritten: bool,
    images: Vec<String>,
    create_time: String,
    #[serde(flatten)]
    #[schemars(skip)]
    place: Option<Chaptered>,
}

/// The chapter of a note in a flat list, of which the schema says no more than its description does.
#[derive(Serialize)]
pub(super) struct Chaptered {
    chapter_id: Option<ChapterUid>,
    chapter_idx: i64,
    chapter_title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    article_id: Option<String>,
}

/// A time as the seed has it: empty where there is none.
pub(super) fn time(moment: Option<Moment>) -> String {
    moment.map(|moment| moment.to_string()).unwrap_or_default()
}

impl Chapter {
    /// A heading, with no note under it yet.
    pub(super) fn of(chapter: &ChapterNotes, book: &BookId, web: &str) -> Self {
        let place = Chaptered::of(chapter);
        Self {
            chapter_id: place.chapter_id,
            chapter_idx: place.chapter_idx,
            title: place.chapter_title,
            level: chapter.level,
            kind: match chapter.place {
                Place::Chapter(_) => "chapter",
                Place::Article(_) => "article",
                Place::Book => "book",
                Place::Nowhere => "none",
            },
            article_id: place.article_id,
            known: chapter.known,
            link: place
                .chapter_id
                .and_then(|uid| link::reader(web, book, Some(uid))),
            continued: false,
            highlights: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl Chaptered {
    pub(super) fn of(chapter: &ChapterNotes) -> Self {
        Self {
            chapter_id: chapter.place.chapter(),
            chapter_idx: chapter.idx.unwrap_or_default(),
            chapter_title: chapter.title.clone(),
            article_id: match &chapter.place {
                Place::Article(id) => Some(id.clone()),
                Place::Chapter(_) | Place::Book | Place::Nowhere => None,
            },
        }
    }
}

impl Highlight {
    pub(super) fn of(marked: &Marked, place: Option<Chaptered>) -> Self {
        let highlight = &marked.highlight;
        let name = |look: Look, number: Option<i64>| look.name(number?);
        Self {
            highlight_id: highlight.id.clone(),
            text: highlight.text.clone(),
            style: highlight.style,
            style_name: name(Look::Style, highlight.style),
            color: highlight.color,
            color_name: name(Look::Color, highlight.color),
            range: highlight.range.text.clone(),
            create_time: time(highlight.created),
            note_ids: marked.note_ids.clone(),
            place,
        }
    }
}

impl Note {
    pub(super) fn of(written: &Written, place: Option<Chaptered>) -> Self {
        let thought = &written.thought;
        Self {
            note_id: thought.id.clone(),
            content: thought.content.clone(),
            highlight_text: written.passage.clone().unwrap_or_default(),
            kind: match thought.subject {
                Subject::Passage => "passage",
                Subject::Chapter => "chapter",
                Subject::Book => "book",
                Subject::Article => "article",
            },
            highlight_id: written.highlight_id.clone(),
            range: thought.range.text.clone(),
            star: thought.star,
            private: thought.private,
            handwritten: thought.handwritten,
            images: thought.images.clone(),
            create_time: time(thought.created),
            place,
        }
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}
