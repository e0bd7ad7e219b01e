//! `12306_query_transfer`.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Counts, Failure, Page, Parameters, bad_argument,
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
    domain::{
        stations::Place,
        transfers::{CutShort, Plan},
    },
    service::{filters::Removed, transfers::Change},
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct TransferArguments {
    #[serde(flatten)]
    journey: JourneyArguments,
    #[serde(flatten)]
    change: ChangeArguments,
    #[serde(flatten)]
    filters: FilterArguments,
    #[serde(flatten)]
    page: PageArguments,
}

#[derive(Deserialize, JsonSchema)]
struct ChangeArguments {
    /// 指定换乘城市或车站，写法同 from；不填由 12306 推荐
    #[schemars(length(min = 1, max = 40), example = &"武汉")]
    middle_station: Option<String>,
    /// 换乘时间至少（分钟）
    #[schemars(range(min = 0, max = 1440))]
    min_change_minutes: Option<u32>,
    /// 换乘时间至多（分钟）
    #[schemars(range(min = 0, max = 1440))]
    max_change_minutes: Option<u32>,
    /// 只要同站换乘
    same_station_only: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Transfers {
    #[schemars(with = "String")]
    date: Date,
    from: Place,
    to: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    middle: Option<Place>,
    plans: Vec<Plan>,
    #[serde(flatten)]
    counts: Counts,
    /// 12306 的方案是否已取全
    complete: bool,
    incomplete_reason: Option<CutShort>,
    filters: Echo,
    /// 各条件去掉的方案数
    removed: Removed,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    as_of: Moment,
}

#[tool_router(router = transfers_router, vis = "pub(crate)")]
impl Rail {
    /// 查询换乘一次的方案：两程完整信息、换乘站、是否同站、换乘与总时长、两程最低价之和。
    /// 耗时比直达长（逐页查询，每秒一次），宜先查直达。筛选条件对两程都生效，出发时段看第一程，到达时段看最后到达。没有方案时返回空列表；complete 为 false 表示未取全。
    #[tool(
        name = "12306_query_transfer",
        title = "查询中转换乘",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn query_transfer(
        &self,
        Parameters(arguments): Parameters<TransferArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Transfers>, Failure> {
        let TransferArguments {
            journey,
            change,
            filters,
            page,
        } = arguments;
        let limits = page.limits(call.result_bytes, USUAL)?;
        let journey = self
            .journey(&journey.date, &journey.from, &journey.to)
            .await?;
        let wishes = filters.read(journey.date)?;
        let mut echo = filters.echo();
        change.echo_in(&mut echo);
        let change = self.change(change).await?;
        let found = self
            .find_transfers(&journey, filters.purpose(), &change, &wishes, page.start())
            .await?;
        let page = Page::cut(found.plans, &limits, Plan::key)?;
        Ok(Json(Transfers {
            date: journey.date,
            from: journey.from,
            to: journey.to,
            middle: change.at,
            counts: page.counts(),
            note: emptied(page.total, &found.removed),
            plans: page.items,
            complete: found.cut_short.is_none(),
            incomplete_reason: found.cut_short,
            filters: echo,
            removed: found.removed,
            as_of: found.as_of,
        }))
    }
}

impl Rail {
    async fn change(&self, arguments: ChangeArguments) -> Result<Change, Failure> {
        let (least, most) = (arguments.min_change_minutes, arguments.max_change_minutes);
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            return Err(bad_argument(
                "max_change_minutes",
                "小于 min_change_minutes，例如 30 与 120",
            ));
        }
        let at = self
            .stations
            .place_if_given("middle_station", arguments.middle_station.as_deref())
            .await?;
        Ok(Change {
            at,
            least_minutes: least,
            most_minutes: most,
            same_station_only: arguments.same_station_only.unwrap_or_default(),
        })
    }
}

impl ChangeArguments {
    fn echo_in(&self, echo: &mut Echo) {
        echo.middle_station.clone_from(&self.middle_station);
        echo.min_change_minutes = self.min_change_minutes;
        echo.max_change_minutes = self.max_change_minutes;
        echo.same_station_only = self.same_station_only;
    }
}
