//! `get_book_notes_and_highlights`.

mod answer;
mod arranged;

use std::ops::Not;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Failure, Limits, Page, Parameters,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        model::JsonObject,
        tool, tool_router,
    },
    time::Moment,
    told,
};

use self::{
    answer::{Chapter, Highlight, Note, time},
    arranged::{Entry, Shape, arranged, entries},
};
use super::{
    arguments::book_id,
    problems::{Problem, problems},
};
use crate::{
    WeRead,
    domain::{
        annotations::{NoteFilter, Skipped},
        books::Book,
        ids::{BookId, ChapterUid},
        link,
    },
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct NotesArguments {
    /// 书籍 id，来自 search_books、get_bookshelf 或 list_notebooks
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: String,
    /// 是否带章节信息，默认 true；false 时返回平铺的 highlights 与 notes
    include_chapters: Option<bool>,
    /// 是否按章节分组，默认 true；false 时返回平铺的 highlights 与 notes，各条自带章节
    organize_by_chapter: Option<bool>,
    /// 只要这种样式的划线：0 直线、1 背景色、2 波浪线；默认全部，想法不受影响。需要 Cookie 或扫码登录，只有 API Key 时返回 NEED_COOKIE
    #[schemars(range(min = 0, max = 2))]
    highlight_style: Option<i64>,
    /// 只要这种颜色的划线：0 默认、1 红、2 紫、3 蓝、4 绿、5 黄；默认全部，想法不受影响
    #[schemars(range(min = 0, max = 5))]
    highlight_color: Option<i64>,
    /// 只要这一章，取值见结果的 chapter_id
    chapter_id: Option<i64>,
    /// 一次最多几条（划线与想法合计）；默认放得下多少给多少
    #[schemars(range(min = 1, max = 1000))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor，其余参数须相同
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("total_highlights", "全书的划线数：各页 returned_highlights 与 skipped 之和；total_notes 同理"),
    ("highlights", "平铺时才有，各条同 chapters 里的；带章节时另有 chapter_id、chapter_idx、chapter_title；notes 同"),
    ("last_updated", "最新一条笔记的时间；没有笔记时为空"),
    ("skipped", "没有给出的条数与原因，每页相同；no_text 是只标位置、没有文字的书签"),
    ("cleaned", "true：从划线或想法里去掉了看不见的字符"),
    ("complete", "false 时章节或书籍信息没有取到，见 problems；划线与想法总是齐全的"),
]))]
pub(crate) struct BookNotes {
    book_id: BookId,
    book_title: String,
    total_highlights: usize,
    total_notes: usize,
    last_updated: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    chapters: Option<Vec<Chapter>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<JsonObject>>")]
    highlights: Option<Vec<Highlight>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<JsonObject>>")]
    notes: Option<Vec<Note>>,
    returned_highlights: usize,
    returned_notes: usize,
    skipped: Vec<Skipped>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// The book in the web reader.
    link: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    complete: bool,
    problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Not::not")]
    cleaned: bool,
    untrusted: bool,
    as_of: Moment,
}

#[tool_router(router = notes_router, vis = "pub(crate)")]
impl WeRead {
    /// 取一本书里登录者自己的全部划线、想法与点评：按章节与正文位置排列，想法与同一处的划线互相指明。先用 search_books、get_bookshelf 或 list_notebooks 取得 book_id。
    /// 没有章节的（公众号文章、全书点评等）排在最后，chapter_id 为 null。一次放不下时 truncated 为 true，用 next_cursor 接着取，同一章可能续在下一页（continued）。不含书籍正文与他人的想法；跨书查找用 search_notes。
    #[tool(
        name = "get_book_notes_and_highlights",
        title = "取一本书的划线与想法",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_book_notes_and_highlights(
        &self,
        Parameters(arguments): Parameters<NotesArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<BookNotes>, Failure> {
        let id = book_id(&arguments.book_id)?;
        let most = arguments.max_results.unwrap_or(usize::MAX);
        let limits = Limits::new(arguments.cursor.as_deref(), most, call.result_bytes)?;
        let filter = NoteFilter {
            style: arguments.highlight_style,
            color: arguments.highlight_color,
            chapter: arguments.chapter_id.map(ChapterUid),
        };
        let shape = Shape::of(
            arguments.include_chapters.unwrap_or(true),
            arguments.organize_by_chapter.unwrap_or(true),
        );

        let noted = self.library.notes(&id, &filter).await?;
        let web = self.config.web.to_string();
        let listed = entries(&noted.notes, &id, &web, shape);
        let page = Page::cut(listed, &limits, Entry::key)?;
        let (truncated, next_cursor) = (page.truncated, page.next_cursor);
        let cleaned = noted.notes.is_cleaned();
        let given = arranged(page.items, &id, &web, shape);
        let problems = problems(noted.missing);
        Ok(Json(BookNotes {
            hint: hint(&noted.book, noted.notes.counts.total()),
            book_title: noted.book.title,
            total_highlights: noted.notes.counts.highlights.total,
            total_notes: noted.notes.counts.notes.total,
            last_updated: time(noted.notes.newest),
            returned_highlights: given.highlight_count,
            returned_notes: given.note_count,
            chapters: given.chapters,
            highlights: given.highlights,
            notes: given.notes,
            skipped: noted.notes.skipped,
            truncated,
            next_cursor,
            link: link::reader(&web, &id, None),
            book_id: id,
            complete: problems.is_empty(),
            problems,
            cleaned,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}

/// What an empty list may come from.
fn hint(book: &Book, notes: usize) -> Option<&'static str> {
    let named_pdf = book.title.to_ascii_lowercase().ends_with(".pdf");
    let pdf = named_pdf || book.format.as_deref() == Some("pdf");
    (pdf && notes == 0)
        .then_some("这是 PDF：微信读书没有给出它的任何划线与想法，在 App 里做的笔记可能取不到")
}
