//! One book: what it is, its table of contents, how far it was read.

mod answer;
mod reference;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Counts, Failure, Limits, Page, Parameters,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
    time::Moment,
    told,
};

pub(super) use self::answer::beginning;
use self::answer::{ChapterRow, Described, Here, Judgement};
pub(super) use self::reference::{BookRef, category, rating, translator};
use super::{
    arguments::book_id,
    problems::{Problem, problems},
};
use crate::{
    WeRead,
    domain::{
        books::Progress,
        ids::{BookId, BookKind},
        link,
    },
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct BookArguments {
    /// 书籍 id，来自 search_books、get_bookshelf、list_notebooks 或 search_store
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: String,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ChaptersArguments {
    /// 书籍 id，来自 search_books、get_bookshelf 或 list_notebooks
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: String,
    /// 一次最多几章；默认放得下多少给多少
    #[schemars(range(min = 1, max = 5000))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor，其余参数须相同
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("kind", "store 商店书、imported 用户导入、official_account 公众号、articles 文章收藏"),
    ("rating", "没有人评分时为 null"),
    ("finished", "读者是否标为已读完；官方网关不给出，为 null，见 get_reading_progress"),
    ("author_completed", "作者是否已写完（连载）"),
    ("store_edition", "导入书对应的商店版 book_id"),
]))]
pub(crate) struct BookInfo {
    #[serde(flatten)]
    book: Described,
    rating: Option<Judgement>,
    link: Option<String>,
    app_link: String,
    untrusted: bool,
    as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("complete", "false 时有一部分没有取到，见 problems"),
]))]
pub(crate) struct Chapters {
    book_id: BookId,
    title: Option<String>,
    chapters: Vec<ChapterRow>,
    #[serde(flatten)]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
    untrusted: bool,
    as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("opened", "false 时从未打开过，其余为 null"),
    ("finished", "读者是否读完：有读完时间或标为已读完；与 progress 为 100 不是一回事"),
    ("summary", "停下处的一小段原文"),
]))]
pub(crate) struct ReadingProgress {
    book_id: BookId,
    title: Option<String>,
    opened: bool,
    /// Whole per cent.
    progress: Option<u8>,
    reading_seconds: Option<u64>,
    reading_minutes: Option<u64>,
    chapter: Option<Here>,
    summary: Option<String>,
    started_at: Option<Moment>,
    updated_at: Option<Moment>,
    finished: Option<bool>,
    finished_at: Option<Moment>,
    link: Option<String>,
    app_link: String,
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
    untrusted: bool,
    as_of: Moment,
}

#[tool_router(router = books_router, vis = "pub(crate)")]
impl WeRead {
    /// 查一本书的信息：作者、译者、出版、字数、分类、简介、评分（0–10，两位小数）、价格（分）、阅读链接；导入的书给出对应的商店版。不必在书架上。不含目录（get_chapters）、阅读进度（get_reading_progress）与正文。
    #[tool(
        name = "get_book_info",
        title = "查书籍信息",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_book_info(
        &self,
        Parameters(arguments): Parameters<BookArguments>,
    ) -> Result<Json<BookInfo>, Failure> {
        let id = book_id(&arguments.book_id)?;
        let book = self.library.known(&id).await?;
        Ok(Json(BookInfo {
            rating: book.rating.as_ref().map(Judgement::of),
            book: Described::of(&book),
            link: link::reader(&self.config.web.to_string(), &id, None),
            app_link: link::app(&id, None),
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }

    /// 取一本书的目录，按阅读顺序：层级、字数、章内小标题（anchors）、是否付费章、每章的阅读链接。不含正文。导入的书可能没有目录，原因见 problems；公众号没有章节。
    #[tool(
        name = "get_chapters",
        title = "取书籍目录",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_chapters(
        &self,
        Parameters(arguments): Parameters<ChaptersArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Chapters>, Failure> {
        let id = book_id(&arguments.book_id)?;
        let most = arguments.max_results.unwrap_or(usize::MAX);
        let limits = Limits::new(arguments.cursor.as_deref(), most, call.result_bytes)?;
        let contents = self.library.contents(&id).await?;
        let web = self.config.web.to_string();
        let rows = contents.chapters.iter();
        let rows = rows.map(|chapter| ChapterRow::of(chapter, &id, &web));
        let page = Page::cut(rows.collect(), &limits, ChapterRow::key)?;
        let problems = problems(contents.missing);
        Ok(Json(Chapters {
            title: contents.book.map(|book| book.title.clone()),
            counts: page.counts(),
            chapters: page.items,
            hint: matches!(id.kind(), BookKind::OfficialAccount | BookKind::Articles)
                .then_some("公众号与文章收藏没有章节"),
            book_id: id,
            complete: problems.is_empty(),
            problems,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }

    /// 查登录者读一本书的进度：百分比、累计时长、停在哪一章、开始、最近与读完的时间。从未打开过的书 opened 为 false。多本书的进度用 get_bookshelf，各时期的阅读时长用 get_reading_stats。
    #[tool(
        name = "get_reading_progress",
        title = "查阅读进度",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_reading_progress(
        &self,
        Parameters(arguments): Parameters<BookArguments>,
    ) -> Result<Json<ReadingProgress>, Failure> {
        let id = book_id(&arguments.book_id)?;
        let standing = self.library.standing(&id).await?;
        let progress = &standing.progress;
        let uid = progress.chapter_uid;
        let problems = problems(standing.missing);
        Ok(Json(ReadingProgress {
            title: standing.book.map(|book| book.title.clone()),
            opened: **progress != Progress::default(),
            progress: progress.percent,
            reading_seconds: progress.reading_seconds,
            reading_minutes: progress.reading_seconds.map(|seconds| seconds / 60),
            chapter: uid.map(|uid| Here::of(uid, progress.chapter_idx, standing.chapter)),
            summary: progress.summary.clone(),
            started_at: progress.started,
            updated_at: progress.updated,
            finished: standing.finished,
            finished_at: progress.finished,
            link: link::reader(&self.config.web.to_string(), &id, uid),
            app_link: link::app(&id, uid),
            book_id: id,
            complete: problems.is_empty(),
            problems,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}
