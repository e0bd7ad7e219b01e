//! `12306_query_tickets`.

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

use super::arguments::{Echo, FilterArguments, JourneyArguments, PageArguments, USUAL, emptied};
use crate::{
    Rail,
    domain::{stations::Place, tickets::Train},
    service::filters::Removed,
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct TicketsArguments {
    #[serde(flatten)]
    journey: JourneyArguments,
    #[serde(flatten)]
    filters: FilterArguments,
    #[serde(flatten)]
    page: PageArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Tickets {
    #[schemars(with = "String")]
    date: Date,
    from: Place,
    to: Place,
    trains: Vec<Train>,
    #[serde(flatten)]
    counts: Counts,
    filters: Echo,
    /// 各条件去掉的车次数
    removed: Removed,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    as_of: Moment,
}

#[tool_router(router = tickets_router, vis = "pub(crate)")]
impl Rail {
    /// 查询某日两地之间的直达列车：车次、上下车站、时间、历时、各席别余票与票价、起售状态。
    /// 城市会包含全市各站。只查询，不购票；余票随时变化，以 as_of 时刻为准。没有直达时返回空列表，可再用 12306_query_transfer。
    #[tool(
        name = "12306_query_tickets",
        title = "查询火车票",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn query_tickets(
        &self,
        Parameters(arguments): Parameters<TicketsArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Tickets>, Failure> {
        let TicketsArguments {
            journey,
            filters,
            page,
        } = arguments;
        let limits = page.limits(call.result_bytes, USUAL)?;
        let journey = self
            .journey(&journey.date, &journey.from, &journey.to)
            .await?;
        let wishes = filters.read(journey.date)?;
        let found = self
            .find_tickets(&journey, filters.purpose(), &wishes)
            .await?;
        let page = Page::cut(found.trains, &limits, Train::key)?;
        Ok(Json(Tickets {
            date: journey.date,
            from: journey.from,
            to: journey.to,
            counts: page.counts(),
            note: emptied(page.total, &found.removed),
            trains: page.items,
            filters: filters.echo(),
            removed: found.removed,
            as_of: found.as_of,
        }))
    }
}
