//! The shelf, the books with notes, and the search in both.

mod answer;
mod found;
mod rows;

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use server_kit::{
    Call, Failure, Limits, Page, Parameters, bad_argument,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
};

use self::{
    answer::{Bookshelf, NotebookList, SearchResult},
    found::Found,
    rows::{AlbumRow, Articles, NotebookRow, Only, Shelved, Totals},
};
use super::problems::problems;
use crate::{WeRead, domain::ids::BookId, error::Error, service::shelf::Keyword};

/// How many books a search gives when nothing is said.
const USUAL: usize = 10;
/// How many it gives at most with details, of which each is a request or two.
const DETAILED: usize = 20;
/// How many albums stand beside the books.
const ALBUMS: usize = 20;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct SearchArguments {
    /// 关键词，匹配书名、作者、译者、分类；不分大小写与全半角
    #[schemars(length(min = 1, max = 100), example = &"认知科学")]
    keyword: String,
    /// 是否精确匹配：与整个书名、作者、译者或某一分类相同；默认 false，包含即可
    exact_match: Option<bool>,
    /// 是否带书籍信息与阅读进度，默认 true（每本要查一两次，一次最多 20 本）；false 只给笔记数
    include_details: Option<bool>,
    /// 一次最多几本，默认 10
    #[schemars(range(min = 1, max = 100))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor，其余参数须相同
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ShelfArguments {
    /// 只要其中一类：all 全部（默认）、finished 读完的、unfinished 没读完的、with_notes 有笔记的、albums 有声书专辑
    only: Option<Only>,
    /// 只要这个分组里的书，写分组名
    #[schemars(length(min = 1, max = 100), example = &"分组甲")]
    group: Option<String>,
    /// 一次最多几本；默认放得下多少给多少
    #[schemars(range(min = 1, max = 1000))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor，其余参数须相同
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct NotebooksArguments {
    /// 一次最多几本；默认放得下多少给多少
    #[schemars(range(min = 1, max = 1000))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

#[tool_router(router = shelf_router, vis = "pub(crate)")]
impl WeRead {
    /// 在登录者的整个书架里按书名、作者、译者、分类找书，也找已移出书架但有笔记的书；给出 book_id、阅读进度、笔记数、评分与简介。书名完全相同的排最前。
    /// 不搜商店里的书（用 search_store），不搜笔记内容（用 search_notes）。
    #[tool(
        name = "search_books",
        title = "在书架里找书",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn search_books(
        &self,
        Parameters(arguments): Parameters<SearchArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<SearchResult>, Failure> {
        let details = arguments.include_details.unwrap_or(true);
        let most = arguments.max_results.unwrap_or(USUAL);
        let most = if details { most.min(DETAILED) } else { most };
        let limits = Limits::new(arguments.cursor.as_deref(), most, call.result_bytes)?;
        let keyword = Keyword::new(&arguments.keyword, arguments.exact_match.unwrap_or(false))
            .map_err(|_blank| bad_argument("keyword", "不能只有空白，例如 认知科学"))?;

        let collection = self.library.collection().await?;
        let without_category = collection.without_category();
        let matches = keyword.search(collection.books);
        let mut missing = named(collection.missing);
        let mut known = HashMap::new();
        if details {
            // Only those that this part of the list shows are worth asking for.
            let ids = matches.iter().map(|found| found.owned.book.book_id.clone());
            let shown = Page::cut(ids.collect(), &limits, BookId::clone)?.items;
            let wanted = matches.iter().map(|found| &found.owned);
            let wanted = wanted.filter(|owned| shown.contains(&owned.book.book_id));
            let failures;
            (known, failures) = self.library.details(wanted.cloned().collect()).await;
            missing.extend(failures);
        }
        let web = self.config.web.to_string();
        let rows = matches
            .iter()
            .map(|found| match known.get(&found.owned.book.book_id) {
                Some(known) => Found::detailed(found, known, &web),
                None => Found::flat(found),
            });
        let page = Page::cut(rows.collect(), &limits, |row: &Found| row.book_id.clone())?;
        let problems = problems(missing);
        Ok(Json(SearchResult {
            total_matches: page.total,
            returned: page.returned(),
            truncated: page.truncated,
            books: page.items,
            next_cursor: page.next_cursor,
            without_category,
            complete: problems.is_empty(),
            problems,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }

    /// 列出登录者的整个书架，最近读过或写过的在前，含已移出书架但有笔记的书（in_shelf 为 false）：是否读完、进度、笔记数、分组，以及有声书专辑、文章收藏和总数。
    /// finished 指读者读完，author_completed 指作者写完。找某本书用 search_books；笔记内容用 get_book_notes_and_highlights。
    #[tool(
        name = "get_bookshelf",
        title = "查看书架",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_bookshelf(
        &self,
        Parameters(arguments): Parameters<ShelfArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Bookshelf>, Failure> {
        let most = arguments.max_results.unwrap_or(usize::MAX);
        let cursor = arguments.cursor.as_deref();
        // A cursor that is none is refused before anything is asked.
        Limits::new(cursor, most, call.result_bytes)?;
        let only = arguments.only.unwrap_or_default();
        let collection = self.library.collection().await?;
        let group = collection.group(arguments.group.as_deref())?;

        let totals = Totals::of(&collection);
        let albums = collection.albums.iter().flatten().map(AlbumRow::of);
        let (mut books, mut beside) = (Vec::new(), Vec::new());
        let counts;
        if only == Only::Albums {
            let limits = Limits::new(cursor, most, call.result_bytes)?;
            let page = Page::cut(albums.collect(), &limits, AlbumRow::key)?;
            counts = page.counts();
            beside = page.items;
        } else {
            if cursor.is_none() {
                beside = albums.take(ALBUMS).collect();
            }
            let bytes = call.result_bytes.saturating_sub(rows::size(&beside));
            let limits = Limits::new(cursor, most, bytes)?;
            let wanted = collection.books.iter().filter(|owned| only.admits(owned));
            let wanted = wanted.filter(|owned| {
                group.is_none_or(|group| owned.groups.iter().any(|name| name == group))
            });
            let page = Page::cut(wanted.map(Shelved::of).collect(), &limits, Shelved::key)?;
            counts = page.counts();
            books = page.items;
        }
        let articles = collection.articles.as_ref().map(Articles::of);
        let problems = problems(collection.missing);
        Ok(Json(Bookshelf {
            books,
            counts,
            albums: beside,
            articles,
            totals,
            complete: problems.is_empty(),
            problems,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }

    /// 列出有笔记的书，最近有变动的在前：划线、想法、书签各多少，阅读进度，最后变动时间。取笔记内容用 get_book_notes_and_highlights；按内容查找用 search_notes。
    #[tool(
        name = "list_notebooks",
        title = "列出有笔记的书",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn list_notebooks(
        &self,
        Parameters(arguments): Parameters<NotebooksArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<NotebookList>, Failure> {
        let most = arguments.max_results.unwrap_or(usize::MAX);
        let limits = Limits::new(arguments.cursor.as_deref(), most, call.result_bytes)?;
        let collection = self.library.written().await?;
        let rows = collection.books.iter().map(NotebookRow::of);
        let page = Page::cut(rows.collect(), &limits, NotebookRow::key)?;
        let problems = problems(collection.missing);
        Ok(Json(NotebookList {
            counts: page.counts(),
            books: page.items,
            total_notes: collection.total_notes,
            bookless_reviews: collection.bookless_reviews,
            complete: problems.is_empty(),
            problems,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}

fn named(missing: Vec<(&'static str, Error)>) -> Vec<(String, Error)> {
    let missing = missing.into_iter();
    missing
        .map(|(what, error)| (what.to_owned(), error))
        .collect()
}
