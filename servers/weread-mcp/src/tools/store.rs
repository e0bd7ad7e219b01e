//! `search_store` and `recommend_books`.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Failure, Parameters, bad_argument,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
    time::Moment,
    told,
};

use super::{
    arguments::book_id,
    books::BookRef,
    onward::Onward,
    problems::{Problem, problems},
};
use crate::{
    WeRead,
    domain::{
        books::Rating,
        ids::BookId,
        link,
        reviews::{FoundBook, FoundCursor},
    },
    service::store::Offers,
};

/// Hits at once when nothing is said.
const USUAL_HITS: usize = 10;

/// Suggestions at once when nothing is said: as many as the service gives.
const USUAL_SUGGESTIONS: usize = 12;

/// The index behind which the service goes on, and its word for the session.
type Place = (i64, Option<String>);

#[derive(Deserialize, Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum StoreKind {
    All,
    Ebook,
    WebNovel,
    Audio,
    Author,
    FullText,
    BookList,
    OfficialAccount,
    Article,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct SearchStoreArguments {
    /// 关键词：书名、作者等
    #[schemars(length(min = 1, max = 100), example = &"三体")]
    keyword: String,
    /// 在哪里找：all 全部（默认）、ebook 电子书、web_novel 网络小说、audio 有声书、author 作者、full_text 全文、book_list 书单、official_account 公众号、article 文章
    kind: Option<StoreKind>,
    /// 一次最多几本，默认 10
    #[schemars(range(min = 1, max = 50))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor，其余参数须相同
    #[schemars(length(min = 1, max = 1000))]
    cursor: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct RecommendArguments {
    /// 要与这本书相似的；不填则按登录者的阅读推荐
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: Option<String>,
    /// 一次最多几本，默认 12
    #[schemars(range(min = 1, max = 50))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor，其余参数须相同
    #[schemars(length(min = 1, max = 1000))]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[("complete", "false 时没有取到书架，in_shelf 都为 null，见 problems")]))]
pub(crate) struct StoreHits {
    keyword: String,
    kind: StoreKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    #[serde(flatten)]
    part: StorePart,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[("complete", "false 时没有取到书架，in_shelf 都为 null，见 problems")]))]
pub(crate) struct Suggestions {
    similar_to: Option<BookId>,
    #[serde(flatten)]
    part: StorePart,
}

/// A part of the books that the store offers.
#[derive(Serialize, JsonSchema)]
struct StorePart {
    books: Vec<StoreBook>,
    returned: usize,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
    untrusted: bool,
    as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("rating", "0 到 10；没有评分时为 null"),
    ("reading_count", "在读人数"),
    ("sold_out", "是否已下架"),
    ("group", "商店给的分组标题"),
    ("reason", "商店给的推荐理由"),
]))]
struct StoreBook {
    #[serde(flatten)]
    book: BookRef,
    rating: Option<f64>,
    rating_count: Option<u64>,
    reading_count: Option<u64>,
    sold_out: Option<bool>,
    in_shelf: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    link: Option<String>,
}

#[tool_router(router = store_router, vis = "pub(crate)")]
impl WeRead {
    /// 在微信读书的书城里按关键词找书，并说明是否已在登录者的书架上。只返回书籍：有声书、书单等没有书籍的分组不列出；不能加入书架或购买。只找自己书架上的书用 search_books，自己的笔记用 search_notes。
    #[tool(
        name = "search_store",
        title = "在书城找书",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn search_in_store(
        &self,
        Parameters(arguments): Parameters<SearchStoreArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<StoreHits>, Failure> {
        let keyword = arguments.keyword.trim().to_owned();
        if keyword.is_empty() {
            return Err(bad_argument("keyword", "不能只有空白，例如 三体"));
        }
        let kind = arguments.kind.unwrap_or(StoreKind::All);
        let list = (&call.tool, &keyword, kind);
        let place = Onward::read(arguments.cursor.as_deref(), &list)?;
        let count = place.count(arguments.max_results.unwrap_or(USUAL_HITS));
        let after = place.after.clone().map(cursor);

        let offers = self
            .search_store(&keyword, kind.scope(), count, after)
            .await?;
        let part = self.part(offers, place, &call);
        let is_bookless = part.books.is_empty() && !kind.is_of_books();
        Ok(Json(StoreHits {
            keyword,
            kind,
            note: is_bookless.then_some("没有书籍，但这一类可能有本工具不列出的其他结果"),
            part,
        }))
    }

    /// 推荐书籍：给出 book_id 时是与那本书相似的书，否则是按登录者的阅读推荐的。附商店给的理由（有时没有）和是否已在书架上。只有官方网关提供，需要 API Key，否则返回 NEED_API_KEY。
    #[tool(
        name = "recommend_books",
        title = "推荐书籍",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn recommend_books(
        &self,
        Parameters(arguments): Parameters<RecommendArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Suggestions>, Failure> {
        let like = arguments.book_id.as_deref().map(book_id).transpose()?;
        let list = (&call.tool, &like);
        let place = Onward::read(arguments.cursor.as_deref(), &list)?;
        let count = place.count(arguments.max_results.unwrap_or(USUAL_SUGGESTIONS));
        let after = place.after.clone().map(cursor);

        let offers = self.suggestions(like.as_ref(), count, after).await?;
        Ok(Json(Suggestions {
            similar_to: like,
            part: self.part(offers, place, &call),
        }))
    }

    fn part(&self, offers: Offers, place: Onward<Place>, call: &Call) -> StorePart {
        let web = self.config.web.to_string();
        let (shelf, missing) = match offers.shelf {
            Ok(shelf) => (Some(shelf), None),
            Err(error) => (None, Some(("in_shelf", error))),
        };
        let next = offers.found.next.map(|next| (next.max_idx, next.session));
        let books = offers.found.books.into_iter();
        let books = books.map(|found| store_book(found, shelf.as_ref(), &web));
        let part = place.cut(books.collect(), next, call.result_bytes);
        let problems = problems(missing);
        StorePart {
            returned: part.items.len(),
            truncated: part.next_cursor.is_some(),
            next_cursor: part.next_cursor,
            books: part.items,
            complete: problems.is_empty(),
            problems,
            untrusted: true,
            as_of: self.kit.now(),
        }
    }
}

impl StoreKind {
    /// Whether all that there is of the kind are books, so that none means nothing.
    fn is_of_books(self) -> bool {
        matches!(self, Self::All | Self::Ebook | Self::WebNovel)
    }

    /// The service's number for it (docs/upstreams/weread.md, 2.3).
    fn scope(self) -> u32 {
        match self {
            Self::All => 0,
            Self::Ebook => 10,
            Self::WebNovel => 16,
            Self::Audio => 14,
            Self::Author => 6,
            Self::FullText => 12,
            Self::BookList => 13,
            Self::OfficialAccount => 2,
            Self::Article => 4,
        }
    }
}

fn cursor((max_idx, session): Place) -> FoundCursor {
    FoundCursor { max_idx, session }
}

fn store_book(found: FoundBook, shelf: Option<&HashSet<BookId>>, web: &str) -> StoreBook {
    let book = found.book;
    StoreBook {
        in_shelf: shelf.map(|shelf| shelf.contains(&book.book_id)),
        link: link::reader(web, &book.book_id, None),
        book: BookRef::of(&book),
        rating: book.rating.as_ref().map(Rating::of_ten),
        rating_count: book.rating.map(|rating| rating.count),
        reading_count: found.reading_count,
        sold_out: book.sold_out,
        group: found.group,
        reason: found.reason,
    }
}
