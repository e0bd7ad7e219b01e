//! `12306_train_route`.

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

use super::arguments::PageArguments;
use crate::{
    Rail,
    domain::{
        routes::Stop,
        tickets::{TrainCode, TrainNo},
    },
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct RouteArguments {
    /// 完整车次，如 G1、K599（不是前缀）
    #[schemars(length(min = 1, max = 16), example = &"G1")]
    train_code: String,
    /// 不填 from 时为始发日期，填 from 时为在该站上车的日期；写法 YYYY-MM-DD、今天、明天、后天、+N；默认今天；可查今天（不填 from 时为三天前）起至今天后 14 天
    #[schemars(length(min = 1, max = 20), example = &"明天")]
    date: Option<String>,
    /// 区间起点（车站或城市）；in_section 标出区间
    #[schemars(length(min = 1, max = 40), example = &"北京南")]
    from: Option<String>,
    /// 区间终点（车站或城市）
    #[schemars(length(min = 1, max = 40), example = &"南京南")]
    to: Option<String>,
    #[serde(flatten)]
    page: PageArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Route {
    train_code: TrainCode,
    train_no: TrainNo,
    /// 始发日期
    #[schemars(with = "String")]
    origin_date: Date,
    origin: Option<String>,
    terminus: Option<String>,
    stops: Vec<Stop>,
    #[serde(flatten)]
    counts: Counts,
    as_of: Moment,
}

#[tool_router(router = routes_router, vis = "pub(crate)")]
impl Rail {
    /// 查询某车次的全部经停站：到达、发车、停留分钟、始发后第几天，以及所问区间。
    /// 车次须完整准确（不取前缀相近的车次）；是图定时刻，不含晚点信息。
    #[tool(
        name = "12306_train_route",
        title = "查询列车经停",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn train_route(
        &self,
        Parameters(arguments): Parameters<RouteArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Route>, Failure> {
        // A section must not fall off the page: all stops, unless the caller says otherwise.
        let limits = arguments.page.limits(call.result_bytes, usize::MAX)?;
        let train_code = TrainCode::parse(&arguments.train_code).ok_or_else(|| {
            bad_argument(
                "train_code",
                format!("{:?} 不是车次，例如 \"G1\"", arguments.train_code),
            )
        })?;
        let date = arguments.date.as_deref().unwrap_or("today");
        let date = match &arguments.from {
            Some(_) => self.day_on_sale(date)?,
            None => self.day_of_origin(date)?,
        };
        let from = self
            .stations
            .place_if_given("from", arguments.from.as_deref())
            .await?;
        let to = self
            .stations
            .place_if_given("to", arguments.to.as_deref())
            .await?;
        let route = self
            .find_route(&train_code, date, from.as_ref(), to.as_ref())
            .await?;
        let page = Page::cut(route.stops, &limits, Stop::key)?;
        Ok(Json(Route {
            train_code: route.train.train_code,
            train_no: route.train.train_no,
            origin_date: route.origin_date,
            origin: route.train.origin,
            terminus: route.train.terminus,
            counts: page.counts(),
            stops: page.items,
            as_of: route.as_of,
        }))
    }
}
