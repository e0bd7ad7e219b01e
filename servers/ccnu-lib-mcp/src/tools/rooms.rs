//! `get_availability_distribution`.

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

use super::arguments::{CursorArguments, SpanArguments, UserArguments};
use crate::{
    Library,
    domain::{minute::Minute, seats::Location},
    service::seats::{Distribution as Found, RemovedRooms, RoomWishes},
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct DistributionArguments {
    #[serde(flatten)]
    span: SpanArguments,
    #[serde(flatten)]
    rooms: RoomArguments,
    #[serde(flatten)]
    cursor: CursorArguments,
    #[serde(flatten)]
    user: UserArguments,
}

/// Which rooms are meant.
#[derive(Deserialize, JsonSchema)]
pub(super) struct RoomArguments {
    /// 馆名的一部分，如 南湖；不填为全部馆
    #[schemars(length(max = 40), example = &"南湖")]
    library: Option<String>,
    /// 区域名的一部分，如 开敞；不填为全部区域
    #[schemars(length(max = 40), example = &"开敞")]
    area_filter: Option<String>,
}

impl RoomArguments {
    pub(super) fn read(self) -> RoomWishes {
        RoomWishes {
            library: self.library,
            area: self.area_filter,
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Distribution {
    #[schemars(with = "String")]
    date: Date,
    start_time: Minute,
    end_time: Minute,
    locations: Vec<Location>,
    #[serde(flatten)]
    counts: Counts,
    /// library 去掉的馆数、area_filter 去掉的区域数
    removed: RemovedRooms,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    untrusted: bool,
    as_of: Moment,
}

#[tool_router(router = rooms_router, vis = "pub(crate)")]
impl Library {
    /// 查询某时段各区域（馆、楼层、房间）的空闲座位数，空闲多的在前，含全部馆与全部页。只查询，不预约；数字随时变化，以 as_of 为准。区域内的具体座位用 list_available_seats，整段空闲的用 find_seats。须已登录。
    #[tool(
        name = "get_availability_distribution",
        title = "查询空闲分布",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_availability_distribution(
        &self,
        Parameters(arguments): Parameters<DistributionArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Distribution>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let limits = arguments.cursor.limits(usize::MAX, call.result_bytes)?;
        let span = arguments.span.read(self.kit.now().day())?;
        let found = self
            .distribution(&user, &span, &arguments.rooms.read())
            .await?;
        let note = emptied(&found);
        let page = Page::cut(found.locations, &limits, |room| room.location_id.clone())?;
        Ok(Json(Distribution {
            date: span.date,
            start_time: span.begin,
            end_time: span.end,
            counts: page.counts(),
            locations: page.items,
            removed: found.removed,
            note,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}

/// A sentence for a distribution that the wishes emptied.
fn emptied(found: &Found) -> Option<String> {
    let RemovedRooms {
        buildings,
        locations,
    } = found.removed;
    if !found.locations.is_empty() || found.removed == RemovedRooms::default() {
        return None;
    }
    let names = found.buildings.join("、");
    Some(format!(
        "没有符合条件的区域：library 去掉 {buildings} 个馆，area_filter 去掉 {locations} 个区域；现有：{names}"
    ))
}
