//! `cancel_reservation`, `start_temporary_leave`, `return_from_temporary_leave`,
//! `end_reservation_early`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use server_kit::{
    Call, Failure, Parameters,
    guard::Write,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
};

use super::{
    arguments::{UserArguments, id},
    writes::{Answer, What, Would, WriteArguments},
};
use crate::{
    Library,
    domain::{changes::Changed, ids::ReservationId},
    error::Change,
    service::acting::CHANGES,
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ChangeArguments {
    /// 预约 id，用于核对：不是当前预约就不执行（RESERVATION_MISMATCH）；不填即当前预约
    #[schemars(length(min = 1, max = 64), example = &"2070000000000000072")]
    reservation_id: Option<String>,
    #[serde(flatten)]
    write: WriteArguments,
    #[serde(flatten)]
    user: UserArguments,
}

#[tool_router(router = changes_router, vis = "pub(crate)")]
impl Library {
    /// 取消尚未签到的预约，读回证实后才算成功。先取得用户明确同意。使用中或暂离的座位不能取消（WRONG_STATE），请用 end_reservation_early。每天可取消的次数由图书馆规定。
    #[tool(
        name = "cancel_reservation",
        title = "取消预约",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn cancel_reservation(
        &self,
        Parameters(arguments): Parameters<ChangeArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Answer<Changed>>, Failure> {
        self.change(Change::Cancel, &arguments, &call).await
    }

    /// 把使用中的座位设为暂离（网页按钮的镜像）。走出闸机会自动暂离，一般不用调用；超时不归会被记违约，期限见 away_deadline。先取得用户明确同意。系统只对「当前预约」生效、不认 id：提交前会核对，但核对与提交之间若当前预约变了，无法察觉。
    #[tool(
        name = "start_temporary_leave",
        title = "暂离",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = false,
            open_world_hint = true
        )
    )]
    async fn start_temporary_leave(
        &self,
        Parameters(arguments): Parameters<ChangeArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Answer<Changed>>, Failure> {
        self.change(Change::Leave, &arguments, &call).await
    }

    /// 结束暂离、回到座位（网页按钮的镜像）。走回闸机会自动回座，一般不用调用。只在状态为 away 且今天最近一次闸机记录是进馆时提交，否则 WRONG_STATE；不能用来远程签到。先取得用户明确同意。系统不认 id，与暂离相同。
    #[tool(
        name = "return_from_temporary_leave",
        title = "暂离返回",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = false,
            open_world_hint = true
        )
    )]
    async fn return_from_temporary_leave(
        &self,
        Parameters(arguments): Parameters<ChangeArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Answer<Changed>>, Failure> {
        self.change(Change::Return, &arguments, &call).await
    }

    /// 提前退座：结束使用中或暂离中的预约，读回证实后才算成功；在馆外也可，不算违约，座位随即让出、不可恢复。先取得用户明确同意。尚未签到的预约请用 cancel_reservation。系统不认 id，与暂离相同。
    #[tool(
        name = "end_reservation_early",
        title = "提前退座",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn end_reservation_early(
        &self,
        Parameters(arguments): Parameters<ChangeArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Answer<Changed>>, Failure> {
        self.change(Change::End, &arguments, &call).await
    }
}

impl Library {
    async fn change(
        &self,
        change: Change,
        arguments: &ChangeArguments,
        call: &Call,
    ) -> Result<Json<Answer<Changed>>, Failure> {
        let key = arguments.user.user(self)?;
        let write = &arguments.write;
        let given = arguments.reservation_id.as_deref();
        let asked = id("reservation_id", given, ReservationId::parse)?;
        let what = json!({ "reservation_id": asked });
        let allowed = async { Ok(self.prove(&key).await.map(drop)?) };
        let mut changing = self.changing(&key, change, asked);
        if write.dry_run == Some(true) {
            allowed.await?;
            let reservation_id = changing.ready().await?.reservation_id;
            let would = Would::new(change.makes(), What::Reservation { reservation_id });
            return Ok(Json(Answer::Would(would)));
        }
        let write = Write {
            account: key.as_str(),
            space: &call.tool,
            token: write.client_token.as_deref(),
            what,
            limits: CHANGES,
        };
        let done = self.guard.write(call, write, allowed, changing).await?;
        Ok(Json(Answer::Done(done)))
    }
}
