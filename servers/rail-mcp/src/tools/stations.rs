//! `12306_search_stations`.

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

use super::arguments::{PageArguments, USUAL};
use crate::{Rail, domain::stations::Candidate};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct StationsArguments {
    /// 城市、站名或其一部分、拼音、首字母或三字电报码
    #[schemars(length(min = 1, max = 40), example = &"hongqiao")]
    text: String,
    #[serde(flatten)]
    page: PageArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Stations {
    candidates: Vec<Candidate>,
    #[serde(flatten)]
    counts: Counts,
    /// 车站目录的日期
    as_of: Moment,
}

#[tool_router(router = stations_router, vis = "pub(crate)")]
impl Rail {
    /// 查找车站与城市：给出名称、电报码、所属城市、拼音，以及为何匹配；最像的在前。
    /// 用本地目录，不联网。查票不必先查车站，站名不确定或有歧义时才用。
    #[tool(
        name = "12306_search_stations",
        title = "查找车站",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn search_stations(
        &self,
        Parameters(arguments): Parameters<StationsArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Stations>, Failure> {
        let limits = arguments.page.limits(call.result_bytes, USUAL)?;
        let catalogue = self.stations.catalogue().await;
        let found = catalogue.search(&arguments.text);
        let page = Page::cut(found, &limits, Candidate::key)?;
        Ok(Json(Stations {
            counts: page.counts(),
            candidates: page.items,
            as_of: catalogue.as_of,
        }))
    }
}
