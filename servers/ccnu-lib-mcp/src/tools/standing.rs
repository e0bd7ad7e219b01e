//! `get_account_standing`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Failure, Parameters,
    rmcp::{self, handler::server::wrapper::Json, tool, tool_router},
    time::Moment,
};

use super::arguments::UserArguments;
use crate::{Library, domain::account::Standing};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct StandingArguments {
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct AccountStanding {
    #[serde(flatten)]
    standing: Standing,
    untrusted: bool,
    as_of: Moment,
}

#[tool_router(router = standing_router, vis = "pub(crate)")]
impl Library {
    /// 查询账号的违约次数、再违约几次进黑名单、是否在黑名单及期限、单次最长预约分钟数与时间步长。系统没给的为 null。只查询。须已登录。
    #[tool(
        name = "get_account_standing",
        title = "查询账号信用",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_account_standing(
        &self,
        Parameters(arguments): Parameters<StandingArguments>,
    ) -> Result<Json<AccountStanding>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        Ok(Json(AccountStanding {
            standing: self.standing(&user).await?,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}
