//! `get_seat_layout`, `render_seat_map`.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use server_kit::{
    Call, Drawn, Failure, Parameters, Picture,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        model::MetaObject,
        tool, tool_router,
    },
    time::Moment,
};

use super::arguments::{LocationArguments, SpanArguments, UserArguments};
use crate::{
    Library,
    domain::{
        ids::LocationId,
        layout::LayoutSeat,
        map::{SeatMap, Spot},
        minute::Minute,
    },
    service::map::{GRID_LEGEND, PICTURE_LEGEND, grid, picture},
};

/// Most characters of a seat list that is never cut: some 800 seats.
const WHOLE_ROOM: usize = 100_000;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct LayoutArguments {
    #[serde(flatten)]
    location: LocationArguments,
    /// 是否附上画布原文 layout，默认 true；纯文字选座用 false
    include_layout: Option<bool>,
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct MapArguments {
    #[serde(flatten)]
    location: LocationArguments,
    #[serde(flatten)]
    span: SpanArguments,
    /// 是否附上 PNG 图片，默认 true；客户端不显示图片时用 false
    picture: Option<bool>,
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SeatLayout {
    location_id: LocationId,
    layout_version: Option<String>,
    seat_count: usize,
    /// 全部座位，不含实时空闲
    seats: Vec<LayoutSeat>,
    /// 网页版 Fabric.js 画布原文
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<Map<String, Value>>,
    /// 画布过大未附；调大 CCNU_RESULT_KIB 可得
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    layout_omitted: bool,
    untrusted: bool,
    as_of: Moment,
}

/// A map as text. Without a span only what stands still is told.
#[derive(Serialize)]
pub(crate) struct DrawnMap {
    location_id: LocationId,
    #[serde(flatten)]
    span: Option<DrawnSpan>,
    grid: String,
    legend: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture_legend: Option<&'static str>,
    counts: Counted,
    untrusted: bool,
    as_of: Moment,
}

#[derive(Serialize)]
struct DrawnSpan {
    date: Date,
    start_time: Minute,
    end_time: Minute,
}

#[derive(Serialize)]
struct Counted {
    seats: usize,
    #[serde(flatten)]
    asked: Option<CountedSpots>,
    own: usize,
    favorites: usize,
    power: usize,
}

#[derive(Serialize)]
struct CountedSpots {
    free: usize,
    taken: usize,
    closed: usize,
    unknown: usize,
}

#[tool_router(router = map_router, vis = "pub(crate)")]
impl Library {
    /// 查询某区域的座位平面布局：每个座位的 id、编号、行列、朝向、电源与画布坐标，附网页版画布原文（过大时省略并标明）。静态数据，不含空闲；空闲用 list_available_seats（按 seat_id 对应），看图用 render_seat_map。须已登录。
    #[tool(
        name = "get_seat_layout",
        title = "查询座位布局",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        ),
        meta = whole_room()
    )]
    async fn get_seat_layout(
        &self,
        Parameters(arguments): Parameters<LayoutArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<SeatLayout>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let location_id = arguments.location.read()?;
        let found = self.plan(&user, &location_id).await?;
        let mut layout = SeatLayout {
            location_id,
            layout_version: found.layout_version,
            seat_count: found.seat_count,
            seats: found.seats,
            layout: None,
            layout_omitted: false,
            untrusted: true,
            as_of: self.kit.now(),
        };
        if arguments.include_layout != Some(false) {
            let canvas = json!(found.layout).to_string();
            let room = call
                .result_bytes
                .saturating_sub(json!(layout).to_string().len() + AROUND);
            match canvas.len() <= room {
                true => layout.layout = Some(found.layout),
                false => layout.layout_omitted = true,
            }
        }
        Ok(Json(layout))
    }

    /// 画出某区域的座位图：文字网格加 PNG 图片，标出有电源、我预约的和常用的座位。给出 date、start_time、end_time 时还标出空闲、被占、不可约；都不给则只画座位。只查询，不预约。须已登录。
    #[tool(
        name = "render_seat_map",
        title = "画座位图",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn render_seat_map(
        &self,
        Parameters(arguments): Parameters<MapArguments>,
    ) -> Result<Drawn<DrawnMap>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let span = match arguments.span.is_empty() {
            true => None,
            false => Some(arguments.span.read(self.kit.now().day())?),
        };
        let location_id = arguments.location.read()?;
        let map = self.seat_map(&user, &location_id, span.as_ref()).await?;
        let drawn = match arguments.picture != Some(false) {
            true => {
                let caption = span.map(|span| format!("{} {}-{}", span.date, span.begin, span.end));
                Some(png(&map, &caption.unwrap_or_default())?)
            }
            false => None,
        };
        let fields = DrawnMap {
            location_id,
            span: span.map(|span| DrawnSpan {
                date: span.date,
                start_time: span.begin,
                end_time: span.end,
            }),
            grid: grid(&map),
            legend: GRID_LEGEND,
            picture_legend: drawn.is_some().then_some(PICTURE_LEGEND),
            counts: Counted::of(&map, span.is_some()),
            untrusted: true,
            as_of: self.kit.now(),
        };
        Ok(Drawn {
            fields,
            picture: drawn,
        })
    }
}

/// Bytes for the canvas's name and the `ok` of a result.
const AROUND: usize = 64;

/// Tells hosts that the seats of one room come in one piece.
fn whole_room() -> MetaObject {
    let mut meta = MetaObject::default();
    meta.0
        .insert("anthropic/maxResultSizeChars".to_owned(), json!(WHOLE_ROOM));
    meta
}

fn png(map: &SeatMap, caption: &str) -> Result<Picture, Failure> {
    let bytes = picture(map, caption).map_err(|error| {
        tracing::error!(%error, "a seat map cannot be drawn");
        Failure::new("INTERNAL", "座位图无法画成图片").next("用 picture: false 取文字网格")
    })?;
    Ok(Picture {
        bytes,
        media_type: "image/png".to_owned(),
    })
}

impl Counted {
    fn of(map: &SeatMap, asked: bool) -> Self {
        let spots = |spot| map.count(|seat| seat.spot == spot);
        Self {
            seats: map.seats.len(),
            asked: asked.then(|| CountedSpots {
                free: spots(Spot::Free),
                taken: spots(Spot::Taken),
                closed: spots(Spot::Closed),
                unknown: spots(Spot::Unknown),
            }),
            own: map.count(|seat| seat.own),
            favorites: map.count(|seat| seat.favorite),
            power: map.count(|seat| seat.power == Some(true)),
        }
    }
}
