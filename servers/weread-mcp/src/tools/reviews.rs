//! `get_popular_highlights` and `get_book_reviews`.

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

use super::{
    arguments::book_id,
    onward::Onward,
    problems::{Problem, problems},
};
use crate::{
    WeRead,
    domain::{
        ids::{BookId, ChapterUid},
        link,
        reviews::{Review, ReviewCursor, ReviewOrder},
    },
};

/// Most characters of a review in a result.
const LONGEST: usize = 500;

/// Reviews at once when nothing is said.
const USUAL: usize = 10;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct PopularArguments {
    /// 书籍 id，来自 search_books、search_store 等
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: String,
    /// 只要这一章，取值见 get_chapters 的 chapter_id；默认全书
    #[schemars(range(min = 1), example = 57)]
    chapter_id: Option<i64>,
    /// 上次结果的 next_cursor，其余参数须相同
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("service_total", "微信读书统计的全书热门划线数；能取到的最多 20 条，即 total"),
    ("complete", "false 时章节标题或 mine 没有取到，见 problems"),
]))]
pub(crate) struct PopularHighlights {
    book_id: BookId,
    chapter_id: Option<ChapterUid>,
    highlights: Vec<PopularHighlight>,
    service_total: Option<u64>,
    #[serde(flatten)]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
    untrusted: bool,
    as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("people", "划过这一处的人数"),
    ("mine", "登录者是否也划了同一处；查不出时为 null"),
]))]
struct PopularHighlight {
    text: String,
    people: Option<u64>,
    chapter_id: Option<ChapterUid>,
    chapter_title: Option<String>,
    range: String,
    mine: Option<bool>,
    link: Option<String>,
}

#[derive(Deserialize, Serialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum ReviewKind {
    All,
    Recommended,
    Fair,
    Poor,
    Newest,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ReviewsArguments {
    /// 书籍 id，来自 search_books、search_store 等
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: String,
    /// 哪一类：all 全部（默认，按热度）、recommended 推荐、fair 一般、poor 不行、newest 最新；all 以外需要 API Key，否则返回 NEED_API_KEY
    kind: Option<ReviewKind>,
    /// 一次最多几条，默认 10
    #[schemars(range(min = 1, max = 50))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor，其余参数须相同
    #[schemars(length(min = 1, max = 200))]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("recommend_percent", "资深会员中推荐此书的百分比"),
    ("total", "微信读书统计的公开点评总数，只在 kind 为 all 时给出"),
]))]
pub(crate) struct BookReviews {
    book_id: BookId,
    kind: ReviewKind,
    recommend_percent: Option<f64>,
    reviews: Vec<PublicReview>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    returned: usize,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    untrusted: bool,
    as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("star", "20 到 100，每颗星 20；没有打分时为 null"),
    ("finished", "写的人当时是否已读完"),
]))]
struct PublicReview {
    review_id: String,
    author: Option<String>,
    star: Option<u8>,
    finished: Option<bool>,
    content: String,
    content_truncated: bool,
    chapter_title: Option<String>,
    likes: Option<u64>,
    comments: Option<u64>,
    create_time: Option<Moment>,
}

#[tool_router(router = reviews_router, vis = "pub(crate)")]
impl WeRead {
    /// 取一本书里许多读者都划过的段落，人数多的在前，并说明登录者自己是否也划了同一处。微信读书最多给出 20 条，不能翻到更后面；没有时返回空列表。不含书籍正文；自己的划线用 get_book_notes_and_highlights。
    #[tool(
        name = "get_popular_highlights",
        title = "看一本书的热门划线",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_popular_highlights(
        &self,
        Parameters(arguments): Parameters<PopularArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<PopularHighlights>, Failure> {
        let id = book_id(&arguments.book_id)?;
        let limits = Limits::new(arguments.cursor.as_deref(), usize::MAX, call.result_bytes)?;
        let chapter_id = arguments.chapter_id.map(ChapterUid);

        let places = self.popular_highlights(&id, chapter_id).await?;
        let web = self.config.web.to_string();
        let highlights = places.popular.items.iter().map(|item| PopularHighlight {
            text: item.text.clone(),
            people: item.people,
            chapter_id: item.chapter_uid,
            chapter_title: places.title(item).map(str::to_owned),
            range: item.range.text.clone(),
            mine: places.is_mine(item),
            link: link::reader(&web, &id, item.chapter_uid),
        });
        let key = |item: &PopularHighlight| (item.chapter_id, item.range.clone());
        let page = Page::cut(highlights.collect(), &limits, key)?;
        let problems = problems(places.missing);
        Ok(Json(PopularHighlights {
            book_id: id,
            chapter_id,
            service_total: places.popular.total,
            counts: page.counts(),
            highlights: page.items,
            note: places.picked.then_some(
                "网页版只给出全书前 20 条，这里是其中属于该章的；用 API Key 可取该章自己的",
            ),
            complete: problems.is_empty(),
            problems,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }

    /// 看其他读者对一本书的公开点评：作者、星级、点赞与评论数、时间、内容，以及推荐比例。每条内容最多 500 字，超出时 content_truncated 为 true。只有 Cookie 或扫码登录时只能取 kind=all。自己写的点评用 get_book_notes_and_highlights。
    #[tool(
        name = "get_book_reviews",
        title = "看一本书的公开点评",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_book_reviews(
        &self,
        Parameters(arguments): Parameters<ReviewsArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<BookReviews>, Failure> {
        let id = book_id(&arguments.book_id)?;
        let kind = arguments.kind.unwrap_or(ReviewKind::All);
        let list = (&call.tool, &id, kind);
        let place: Onward<(i64, i64)> = Onward::read(arguments.cursor.as_deref(), &list)?;
        let count = place.count(arguments.max_results.unwrap_or(USUAL));
        let after = place
            .after
            .map(|(max_idx, synckey)| ReviewCursor { max_idx, synckey });

        let found = self.public_reviews(&id, kind.order(), count, after).await;
        let found = found.map_err(|error| kind.explained(error.into()))?;
        let next = found.next.map(|next| (next.max_idx, next.synckey));
        let reviews = found.items.into_iter().map(public_review).collect();
        let part = place.cut(reviews, next, call.result_bytes);
        Ok(Json(BookReviews {
            book_id: id,
            kind,
            recommend_percent: found
                .recommend_per_mille
                .map(|per_mille| f64::from(per_mille) / 10.0),
            total: found.total.filter(|_| kind == ReviewKind::All),
            returned: part.items.len(),
            truncated: part.next_cursor.is_some(),
            next_cursor: part.next_cursor,
            reviews: part.items,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}

impl ReviewKind {
    fn order(self) -> ReviewOrder {
        match self {
            Self::All => ReviewOrder::All,
            Self::Recommended => ReviewOrder::Recommended,
            Self::Fair => ReviewOrder::Fair,
            Self::Poor => ReviewOrder::Poor,
            Self::Newest => ReviewOrder::Newest,
        }
    }

    /// A missing key stops all kinds but one.
    fn explained(self, failure: Failure) -> Failure {
        match (failure.code, failure.next.clone()) {
            ("NEED_API_KEY", Some(next)) => {
                failure.next(format!("{next}；或改用 kind=all，它不需要 API Key"))
            }
            _ => failure,
        }
    }
}

fn public_review(review: Review) -> PublicReview {
    let cut: String = review.content.chars().take(LONGEST).collect();
    PublicReview {
        review_id: review.id,
        author: review.author,
        star: review.star,
        finished: review.finished,
        content_truncated: cut.len() < review.content.len(),
        content: cut,
        chapter_title: review.chapter_title,
        likes: review.likes,
        comments: review.comments,
        create_time: review.created,
    }
}
