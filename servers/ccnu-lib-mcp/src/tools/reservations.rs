//! `get_current_reservation`, `get_reservation_history`, `get_violation_records`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Failure, Page, Parameters,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
    time::Moment,
};

use super::arguments::UserArguments;
use crate::{
    Library,
    domain::{record::Record, reservations::Reservation, status::Status},
    service::reservations::{Present, past::Past, present},
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct CurrentArguments {
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct PastArguments {
    /// 第几页，从 1 起，默认 1
    #[schemars(range(min = 1, max = 10_000), example = &1)]
    page: Option<u32>,
    /// 每页条数，1–50，默认 20
    #[schemars(range(min = 1, max = 50), example = &20)]
    page_size: Option<u32>,
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Current {
    #[serde(flatten)]
    reservation: Option<Reservation>,
    #[serde(flatten)]
    nothing: Option<Nothing>,
    untrusted: bool,
    as_of: Moment,
}

/// What stands in place of a reservation.
#[derive(Serialize, JsonSchema)]
struct Nothing {
    /// none、reserved、waiting_sign_in、in_use、away、violation_risk、unknown；有没有座位只看它
    status: Status,
    message: &'static str,
    /// 最近一条记录的系统原始状态，仅供排查
    #[serde(skip_serializing_if = "Option::is_none")]
    last_raw_status: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Records {
    page: u32,
    page_size: u32,
    /// 系统中的总条数
    total: u32,
    /// 本次返回的条数
    count: usize,
    records: Vec<Record>,
    /// true 表示本页过大、只返回了前一部分；减小 page_size 可取全
    truncated: bool,
    untrusted: bool,
    as_of: Moment,
}

#[tool_router(router = reservations_router, vis = "pub(crate)")]
impl Library {
    /// 查询当前有效预约：状态、座位、时段、签到时段（sign_in_window）、暂离期限（away_*，依据见 away_source）。没有有效预约时 status 为 none，且不含座位信息。闸机外出不会实时改变预约状态，人在不在馆用 get_presence 或 get_door_log。只查询。
    #[tool(
        name = "get_current_reservation",
        title = "当前预约",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_current_reservation(
        &self,
        Parameters(arguments): Parameters<CurrentArguments>,
    ) -> Result<Json<Current>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let as_of = self.kit.now();
        let present = user
            .read(|| present(&self.client, &user.reader, as_of))
            .await?;
        Ok(Json(match present {
            Present::Held(reservation) => Current {
                reservation: Some(*reservation),
                nothing: None,
                untrusted: true,
                as_of,
            },
            Present::Nothing { last_raw_status } => Current {
                reservation: None,
                untrusted: last_raw_status.is_some(),
                nothing: Some(Nothing {
                    status: Status::None,
                    message: "当前无有效预约",
                    last_raw_status,
                }),
                as_of,
            },
        }))
    }

    /// 分页查询历史预约，最近的在前：正常完成的 status 为 ended，取消的为 cancelled，违约的为 violation。只查询。
    #[tool(
        name = "get_reservation_history",
        title = "历史预约",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_reservation_history(
        &self,
        Parameters(arguments): Parameters<PastArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Records>, Failure> {
        self.records(Past::Reservations, &arguments, &call).await
    }

    /// 分页查询违约记录，最近的在前：原因在 raw_text，total 是违约总次数。是否在黑名单、还剩几次用 get_account_standing。只查询。
    #[tool(
        name = "get_violation_records",
        title = "违约记录",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_violation_records(
        &self,
        Parameters(arguments): Parameters<PastArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Records>, Failure> {
        self.records(Past::Breaches, &arguments, &call).await
    }
}

impl Library {
    async fn records(
        &self,
        past: Past,
        arguments: &PastArguments,
        call: &Call,
    ) -> Result<Json<Records>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let (page, page_size) = (
            arguments.page.unwrap_or(1),
            arguments.page_size.unwrap_or(20),
        );
        let as_of = self.kit.now();
        let found = self.past(&user, past, page, page_size).await?;
        let records = found.records.into_iter().map(Record::from).collect();
        let shown = Page::beginning(records, call.result_bytes);
        Ok(Json(Records {
            page,
            page_size,
            total: found.total,
            count: shown.returned(),
            truncated: shown.truncated,
            untrusted: !shown.items.is_empty(),
            records: shown.items,
            as_of,
        }))
    }
}
