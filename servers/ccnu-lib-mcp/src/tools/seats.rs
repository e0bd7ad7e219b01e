//! `list_available_seats`, `get_seat_timeline`, `get_site_favorite_locations`.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Counts, Failure, Page, Parameters,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
    time::Moment,
};

use super::arguments::{
    CursorArguments, LocationArguments, SpanArguments, UserArguments, day, id, not_an_id,
};
use crate::{
    Library,
    domain::{
        ids::{LocationId, SeatId},
        minute::Minute,
        seats::{Favorite, Seat, SeatStatus},
        times::{FreeRange, StartTime},
    },
    service::seats::holds,
};

/// How many seats a list has when nothing is said.
const USUAL: usize = 50;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ListArguments {
    #[serde(flatten)]
    span: SpanArguments,
    #[serde(flatten)]
    location: LocationArguments,
    /// 座位编号的一部分，如 N11；不填为全部
    #[schemars(length(max = 40), example = &"N11")]
    area_filter: Option<String>,
    /// 一次最多返回几个座位，筛选之后计
    #[schemars(range(min = 1, max = 500), default = "usual")]
    limit: Option<usize>,
    /// true 也列出不可约的座位（另给 status），默认 false 只列空闲的
    include_unavailable: Option<bool>,
    #[serde(flatten)]
    cursor: CursorArguments,
    #[serde(flatten)]
    user: UserArguments,
}

fn usual() -> Option<usize> {
    Some(USUAL)
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct TimelineArguments {
    /// 座位 id，取自 list_available_seats 或 get_seat_layout
    #[schemars(length(min = 1, max = 64), example = &"2003722571020177408")]
    seat_id: String,
    /// 日期（北京时间）：YYYY-MM-DD、今天、明天、后天 或 +N
    #[schemars(length(min = 1, max = 40), example = &"明天")]
    date: String,
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct FavoritesArguments {
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SeatList {
    #[schemars(with = "String")]
    date: Date,
    start_time: Minute,
    end_time: Minute,
    location_id: LocationId,
    seats: Vec<ListedSeat>,
    /// 符合 area_filter 的空闲座位数
    total_free: usize,
    #[serde(flatten)]
    counts: Counts,
    removed: RemovedSeats,
    untrusted: bool,
    as_of: Moment,
}

// A seat of a list; its state only where states differ.
#[derive(Serialize, JsonSchema)]
struct ListedSeat {
    seat_id: SeatId,
    seat_no: String,
    name: String,
    location_id: LocationId,
    /// 列表所示，整段空闲由 find_seats 证实
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<SeatStatus>,
    /// 系统原文，仅 status 为 unknown 时
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_status: Option<String>,
}

// Seats that are not in a list, each by the first reason.
#[derive(Serialize, JsonSchema)]
struct RemovedSeats {
    /// 编号不符
    area_filter: usize,
    /// 不可约
    unavailable: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Timeline {
    seat_id: SeatId,
    #[schemars(with = "String")]
    date: Date,
    /// 空闲时段
    free: Vec<FreeRange>,
    /// 可选的开始时间；now 为立即
    start_times: Vec<StartTime>,
    as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Favorites {
    /// 网站原始结构
    #[schemars(with = "Vec<std::collections::BTreeMap<String, serde_json::Value>>")]
    favorites: Vec<Favorite>,
    total: usize,
    returned: usize,
    truncated: bool,
    untrusted: bool,
    as_of: Moment,
}

#[tool_router(router = seats_router, vis = "pub(crate)")]
impl Library {
    /// 列出某区域在某时段的空闲座位，按编号排列。只查询，不预约。先用 get_availability_distribution 取得 location_id；电源、朝向、位置看 get_seat_layout。须已登录。
    #[tool(
        name = "list_available_seats",
        title = "列出空闲座位",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn list_available_seats(
        &self,
        Parameters(arguments): Parameters<ListArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<SeatList>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let items = arguments.limit.unwrap_or(USUAL);
        let limits = arguments.cursor.limits(items, call.result_bytes)?;
        let span = arguments.span.read(self.kit.now().day())?;
        let location_id = arguments.location.read()?;
        let everything = arguments.include_unavailable == Some(true);
        let seats = self.room_seats(&user, &span, &location_id).await?;
        let all = seats.len();
        let part = arguments.area_filter.as_deref();
        let meant = seats.into_iter().filter(|seat| holds(&seat.seat_no, part));
        let meant: Vec<Seat> = meant.collect();
        let area_filter = all - meant.len();
        let total_free = meant.iter().filter(|seat| seat.available).count();
        let unavailable = if everything {
            0
        } else {
            meant.len() - total_free
        };
        let listed = meant
            .into_iter()
            .filter(|seat| everything || seat.available);
        let listed = listed
            .map(|seat| ListedSeat::of(seat, everything))
            .collect();
        let page = Page::cut(listed, &limits, |seat: &ListedSeat| seat.seat_id.clone())?;
        Ok(Json(SeatList {
            date: span.date,
            start_time: span.begin,
            end_time: span.end,
            location_id,
            total_free,
            counts: page.counts(),
            seats: page.items,
            removed: RemovedSeats {
                area_filter,
                unavailable,
            },
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }

    /// 查询一个座位某天的空闲时段与可选的开始时间。只查询，不预约；日期须在可预约范围内。须已登录。
    #[tool(
        name = "get_seat_timeline",
        title = "查询座位时间线",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_seat_timeline(
        &self,
        Parameters(arguments): Parameters<TimelineArguments>,
    ) -> Result<Json<Timeline>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let seat_id = id("seat_id", Some(&arguments.seat_id), SeatId::parse)?;
        let seat_id = seat_id.ok_or_else(|| not_an_id("seat_id"))?;
        let date = day(&arguments.date, self.kit.now().day())?;
        let day = self.day_of_seat(&user, &seat_id, date).await?;
        Ok(Json(Timeline {
            seat_id,
            date,
            free: day.free.0,
            start_times: day.starts.0,
            as_of: self.kit.now(),
        }))
    }

    /// 查询网站记录的常用座位，原样返回（roomId、label、buildName、floorName、roomName 等）。只查询。须已登录。
    #[tool(
        name = "get_site_favorite_locations",
        title = "查询常用座位",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_site_favorite_locations(
        &self,
        Parameters(arguments): Parameters<FavoritesArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Favorites>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let found = self.favorites(&user).await?;
        let page = Page::beginning(found, call.result_bytes);
        Ok(Json(Favorites {
            total: page.total,
            returned: page.returned(),
            truncated: page.truncated,
            favorites: page.items,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}

impl ListedSeat {
    fn of(seat: Seat, with_status: bool) -> Self {
        let unknown = seat.status == SeatStatus::Unknown;
        Self {
            seat_id: seat.seat_id,
            seat_no: seat.seat_no,
            name: seat.name,
            location_id: seat.location_id,
            available: seat.available,
            status: with_status.then_some(seat.status),
            raw_status: (with_status && unknown).then_some(seat.raw_status),
        }
    }
}
