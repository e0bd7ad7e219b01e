//! All notes: searched, and drawn by chance.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Counts, Failure, Limits, Page, Parameters, bad_argument,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
    time::Moment,
    told,
};
use uuid::Uuid;

use super::{
    arguments::{begin_of_day, book_id},
    problems::{Problem, problems},
};
use crate::{
    WeRead,
    domain::{
        ids::{BookId, ChapterUid},
        kept::{Entry, Kind},
        link,
        styles::Look,
    },
    error::Error,
    service::index::{Coverage, Wish},
};

/// What is searched for and how much is given.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct SearchArguments {
    /// 要找的字词；空格分开的各部分都要出现，引号内作为一个整体。中文任意长度均可，英文按词或词头
    #[schemars(length(min = 1, max = 200), example = &"大脑 决策")]
    query: String,
    /// 只找这本书
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: Option<String>,
    /// 只找划线 highlight 或想法 thought
    kind: Option<Wanted>,
    /// 只找这一天及以后写的（含），YYYY-MM-DD
    #[schemars(length(max = 10), example = &"2026-01-01")]
    after: Option<String>,
    /// 只找这一天及以前写的（含），YYYY-MM-DD
    #[schemars(length(max = 10), example = &"2026-06-30")]
    before: Option<String>,
    /// false 只查本机索引，不向微信读书要新的笔记；默认 true
    refresh: Option<bool>,
    /// 最多返回几条，默认 20
    #[schemars(range(min = 1, max = 100))]
    max_results: Option<u32>,
    /// 上一页的 next_cursor
    #[schemars(length(max = 40))]
    cursor: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct DrawArguments {
    /// 抽几条，默认 3
    #[schemars(range(min = 1, max = 20))]
    count: Option<u32>,
    /// 只从这本书里抽
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: Option<String>,
    /// 同一个词抽到同样的几条，例如用日期作每日一句；不填则每次不同
    #[schemars(length(min = 1, max = 64), example = &"2026-11-20")]
    seed: Option<String>,
}

/// Which notes.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Wanted {
    Highlight,
    Thought,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("total_is_exact", "false 时命中可能多于 total：太多没有数完，或索引还不全"),
    ("complete", "false 时还有书没有读入索引，按 hint 再调用一次会继续"),
]))]
pub(crate) struct FoundNotes {
    notes: Vec<FoundNote>,
    #[serde(flatten)]
    counts: Counts,
    total_is_exact: bool,
    index: IndexState,
    complete: bool,
    problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    as_of: Moment,
    untrusted: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[("drawn_from", "从多少条有文字的划线里抽"), ("seed", "再用它可抽到同样的几条")]))]
pub(crate) struct DrawnNotes {
    highlights: Vec<FoundNote>,
    #[serde(flatten)]
    counts: Counts,
    drawn_from: usize,
    seed: String,
    index: IndexState,
    complete: bool,
    problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    as_of: Moment,
    untrusted: bool,
}

/// One note.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
#[schemars(transform = told(&[("content", "写下的想法；划线为 null"), ("highlight_text", "划线，或想法所评的原文")]))]
struct FoundNote {
    kind: &'static str,
    note_id: String,
    book_id: String,
    book_title: String,
    author: Option<String>,
    chapter_id: Option<i64>,
    chapter_title: Option<String>,
    content: Option<String>,
    highlight_text: Option<String>,
    color: Option<i64>,
    color_name: Option<&'static str>,
    create_time: Option<Moment>,
    link: Option<String>,
    #[serde(skip)]
    #[schemars(skip)]
    row: i64,
}

/// How far the index is.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct IndexState {
    books: Option<usize>,
    current_books: usize,
    highlights: u64,
    thoughts: u64,
}

#[tool_router(router = search_router, vis = "pub(crate)")]
impl WeRead {
    /// 在自己所有书的划线和想法里查找，新的在前。先把有变动的书读入本机索引（第一次要读所有有笔记的书，一次调用读不完时 complete 为 false，再调用会继续），再在本机查。不搜书籍正文；某一本书的全部笔记用 get_book_notes_and_highlights。
    #[tool(
        name = "search_notes",
        title = "搜索所有笔记",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn search_notes(
        &self,
        Parameters(arguments): Parameters<SearchArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<FoundNotes>, Failure> {
        let limit = arguments.max_results.map_or(20, |most| most as usize);
        let wish = Wish {
            query: arguments.query,
            book: arguments.book_id.as_deref().map(book_id).transpose()?,
            kind: arguments.kind.map(|kind| match kind {
                Wanted::Highlight => Kind::Highlight,
                Wanted::Thought => Kind::Thought,
            }),
            from: self.bound("after", arguments.after.as_deref(), 0)?,
            before: self.bound("before", arguments.before.as_deref(), 1)?,
            limit: limit + 1,
        };
        wish.parsed()?;
        if wish
            .from
            .zip(wish.before)
            .is_some_and(|(from, before)| from >= before)
        {
            return Err(bad_argument(
                "before",
                "早于 after；before 应是同一天或更晚的一天",
            ));
        }
        let after_row = arguments.cursor.as_deref().map(|cursor| row(&wish, cursor));
        let after_row = after_row.transpose()?;
        // A page that goes on must not be shifted by notes that come in between.
        let coverage = match arguments.refresh.unwrap_or(true) && after_row.is_none() {
            true => self.bring_up_to_date().await?,
            false => self.index_as_it_is().await?,
        };
        let found = self.search_index(&coverage, &wish, after_row).await?;
        let notes = found.entries.into_iter().map(|entry| self.note(entry));
        let limits = Limits::new(None, limit, call.result_bytes)?;
        let mut page = Page::cut(notes.collect(), &limits, |note: &FoundNote| note.row)?;
        page.total = found.total;
        let last = page.items.last().filter(|_| page.truncated);
        page.next_cursor = last.map(|last| wish.cursor(last.row));
        Ok(Json(FoundNotes {
            counts: page.counts(),
            notes: page.items,
            total_is_exact: !found.more && coverage.may_be_complete(),
            complete: coverage.is_complete(),
            hint: coverage.hint(),
            index: state(&coverage),
            problems: problems(missing(coverage)),
            as_of: self.kit.now(),
            untrusted: true,
        }))
    }

    /// 从自己的划线里随机抽几条，可限定一本书；给出 seed 时同样的 seed 抽到同样的几条（例如每日一句）。与 search_notes 用同一个本机索引。
    #[tool(
        name = "random_highlights",
        title = "随机划线",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn random_highlights(
        &self,
        Parameters(arguments): Parameters<DrawArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<DrawnNotes>, Failure> {
        let count = arguments.count.map_or(3, |count| count as usize);
        let book = arguments.book_id.as_deref().map(book_id).transpose()?;
        let seed = arguments.seed;
        let seed = seed.unwrap_or_else(|| Uuid::new_v4().simple().to_string());
        let coverage = self.bring_up_to_date().await?;
        let (drawn, drawn_from) = self.draw(&coverage, book, count, &seed).await?;
        let drawn = drawn.into_iter().map(|entry| self.note(entry));
        let page = Page::beginning(drawn.collect(), call.result_bytes);
        Ok(Json(DrawnNotes {
            counts: page.counts(),
            highlights: page.items,
            drawn_from,
            seed,
            complete: coverage.is_complete(),
            hint: coverage.hint(),
            index: state(&coverage),
            problems: problems(missing(coverage)),
            as_of: self.kit.now(),
            untrusted: true,
        }))
    }
}

impl WeRead {
    /// The begin of a day, in seconds since 1970, as a bound of the time of writing.
    fn bound(&self, field: &str, text: Option<&str>, later: i64) -> Result<Option<i64>, Failure> {
        let begin = |text| begin_of_day(field, text, self.kit.today(), later);
        Ok(text.map(begin).transpose()?.map(|begin| begin.as_second()))
    }

    fn note(&self, entry: Entry) -> FoundNote {
        let Entry {
            row,
            book_id,
            book_title,
            author,
            note,
        } = entry;
        let chapter = note.chapter_uid.map(ChapterUid);
        let web = self.config.web.to_string();
        let id: Option<BookId> = book_id.parse().ok();
        FoundNote {
            kind: match note.kind {
                Kind::Highlight => "highlight",
                Kind::Thought => "thought",
            },
            note_id: note.id,
            link: id.and_then(|id| link::reader(&web, &id, chapter)),
            book_id,
            book_title,
            author,
            chapter_id: note.chapter_uid,
            chapter_title: note.chapter_title,
            content: note.content,
            highlight_text: note.passage,
            color: note.color,
            color_name: note.color.and_then(|color| Look::Color.name(color)),
            create_time: note
                .created
                .and_then(|seconds| Timestamp::from_second(seconds).ok())
                .map(Moment::of),
            row,
        }
    }
}

/// The row at which the page before ended.
fn row(wish: &Wish, cursor: &str) -> Result<i64, Failure> {
    let why = "不是本工具以相同参数给出的 next_cursor；去掉它从头查起";
    wish.row(cursor).ok_or_else(|| bad_argument("cursor", why))
}

fn state(coverage: &Coverage) -> IndexState {
    let [highlights, thoughts] = coverage.notes;
    IndexState {
        books: coverage.books,
        current_books: coverage.current,
        highlights,
        thoughts,
    }
}

fn missing(coverage: Coverage) -> impl Iterator<Item = (String, Error)> {
    let missing = coverage.problems.into_iter();
    missing.map(|(book, error)| match book {
        Some(book) => (book.to_string(), error),
        None => ("list_notebooks".to_owned(), error),
    })
}
