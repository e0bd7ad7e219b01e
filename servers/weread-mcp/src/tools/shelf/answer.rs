//! What the tools for shelf and notes answer.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::{Counts, time::Moment, told};

use super::{
    super::problems::Problem,
    found::Found,
    rows::{AlbumRow, Articles, NotebookRow, Shelved, Totals},
};

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("total_matches", "截断前匹配的总数"),
    ("without_category", "不知道分类与译者、只比对了书名与作者的书数；官方网关的书架不给出没有笔记的书的分类，用 Cookie 可补全"),
    ("complete", "false 时有一部分没有取到，见 problems"),
]))]
pub(crate) struct SearchResult {
    pub(super) total_matches: usize,
    pub(super) books: Vec<Found>,
    pub(super) returned: usize,
    pub(super) truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_cursor: Option<String>,
    pub(super) without_category: usize,
    pub(super) complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) problems: Vec<Problem>,
    pub(super) untrusted: bool,
    pub(super) as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("total", "符合条件的书数；only 为 albums 时是专辑数"),
    ("totals", "整个书架，不受 only 与 group 影响；shown 是 App 显示的数目，网页版（Cookie）不给出专辑，shown 与 albums 为 null；off_shelf 是有笔记但已不在书架的书；书架或笔记列表没有取到时，它们给出的数为 null"),
    ("albums", "有声书专辑，第一页最多 20 个，其余用 only: albums"),
    ("complete", "false 时有一部分没有取到，见 problems"),
]))]
pub(crate) struct Bookshelf {
    pub(super) books: Vec<Shelved>,
    #[serde(flatten)]
    pub(super) counts: Counts,
    pub(super) albums: Vec<AlbumRow>,
    pub(super) articles: Option<Articles>,
    pub(super) totals: Totals,
    pub(super) complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) problems: Vec<Problem>,
    pub(super) untrusted: bool,
    pub(super) as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("total_notes", "微信读书统计的笔记总数；网页版不给出，为 null"),
    ("bookless_reviews", "不属于任何书的点评数"),
    ("complete", "false 时有一部分没有取到，见 problems"),
]))]
pub(crate) struct NotebookList {
    pub(super) books: Vec<NotebookRow>,
    #[serde(flatten)]
    pub(super) counts: Counts,
    pub(super) total_notes: Option<u64>,
    pub(super) bookless_reviews: Option<u64>,
    pub(super) complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) problems: Vec<Problem>,
    pub(super) untrusted: bool,
    pub(super) as_of: Moment,
}
