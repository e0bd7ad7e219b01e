//! Credentials and signing in: the tools.

mod answer;
mod status;

use challenge::Pending;
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use server_kit::{
    Asker, Call, Failure, Parameters, bad_argument,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        model::CallToolResponse,
        tool, tool_router,
    },
    told,
};

use self::status::LoginStatus;
use crate::{WeRead, service::sign_in::credentials, store::credentials::Kept};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct StatusArguments {
    /// 是否向微信读书逐一查验，默认 true；false 只看设置，不联网
    check: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct SaveArguments {
    /// 官方 API Key
    #[schemars(with = "Option<String>", length(max = 512), example = &"wrk-0123456789")]
    api_key: Option<SecretString>,
    /// 浏览器里 weread.qq.com 的 Cookie 文本；至少含 wr_vid 和 wr_skey，带上 wr_rt 才能续登
    #[schemars(with = "Option<String>", length(max = 8192), example = &"wr_vid=10000001; wr_skey=AbCd1234; wr_rt=web%40x_AL")]
    cookie: Option<SecretString>,
    /// CookieCloud 服务器地址；三项一起给
    #[schemars(length(max = 512), example = &"https://cookie.example.com")]
    cc_url: Option<String>,
    /// CookieCloud 用户 KEY
    #[schemars(length(max = 128), example = &"sampleUuid0000000000ab")]
    cc_id: Option<String>,
    /// CookieCloud 端对端加密密码，只在本机解密用
    #[schemars(with = "Option<String>", length(max = 256))]
    cc_password: Option<SecretString>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct StartArguments {}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct SubmitArguments {
    /// NEED_CHALLENGE 返回的 challenge_id
    #[schemars(length(min = 1, max = 64), example = &"ch_0123456789ab")]
    challenge_id: String,
    /// 手机微信上显示的 4 位验证码；qr_code 扫码确认后填任意值，如 ok
    #[schemars(with = "String", length(min = 1, max = 64), example = &"ok")]
    answer: SecretString,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[("persisted", "是否已存入密钥存放处；false 时只在内存中，服务退出即失效")]))]
pub(crate) struct Saved {
    saved: Vec<&'static str>,
    persisted: bool,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    next: Option<&'static str>,
}

#[tool_router(router = account_router, vis = "pub(crate)")]
impl WeRead {
    /// 查看各种凭证（官方 API Key、Cookie、CookieCloud、扫码登录）是否设置、是否可用、为什么不可用。默认逐一查验，过期的 Cookie 会续登一次。不显示任何密钥，也不会发起扫码。
    #[tool(
        name = "get_login_status",
        title = "查看登录状态",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_login_status(
        &self,
        Parameters(arguments): Parameters<StatusArguments>,
    ) -> Result<Json<LoginStatus>, Failure> {
        let check = arguments.check.unwrap_or(true);
        let standing = self.access.standing(check).await;
        let pending = self.login.pending().await.ok().flatten();
        let challenge_id = pending.map(|pending| match pending {
            Pending::Ours(open) => open.id,
            Pending::Elsewhere { id, .. } => id,
        });
        let asked = check.then(|| self.kit.now());
        let upgrade = self.access.client.upgrade();
        Ok(Json(LoginStatus::of(
            standing,
            asked,
            challenge_id,
            upgrade,
        )))
    }

    /// 保存微信读书的凭证，同类的会被覆盖：官方 API Key、Cookie，或 CookieCloud 三项。存入系统钥匙串，或用户自己选定的仅本用户可读的文件；都没有时只留在内存，persisted 为 false。不联网，保存后用 get_login_status 查验。凭证会经过模型：更稳妥的是在终端执行 weread-mcp login，或用 start_login 扫码。
    #[tool(
        name = "save_credentials",
        title = "保存微信读书凭证",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn save_credentials(
        &self,
        Parameters(arguments): Parameters<SaveArguments>,
    ) -> Result<Json<Saved>, Failure> {
        let given = credentials(
            arguments.api_key,
            arguments.cookie,
            arguments.cc_url.as_deref(),
            arguments.cc_id.as_deref(),
            arguments.cc_password,
        )?;
        let given = given.ok_or_else(|| {
            bad_argument(
                "api_key",
                "api_key、cookie、CookieCloud 三项至少给一种，例如 wrk-…",
            )
        })?;
        let saved = [
            given.api_key.is_some().then_some("api_key"),
            given.cookie.is_some().then_some("cookie"),
            given.cloud.is_some().then_some("cookiecloud"),
        ];
        let hidden = self.access.is_hidden(&given);
        let (persisted, message, next) = match self.access.save(given).await {
            Kept::Stored if hidden => (
                true,
                "凭证已保存，但本服务的环境变量里有同类凭证，优先使用".to_owned(),
                Some("改掉或删去客户端配置里的那个环境变量，再重启服务，保存的凭证才会用上"),
            ),
            Kept::Stored => (true, "凭证已保存".to_owned(), None),
            Kept::InMemory(why) => (
                false,
                format!("凭证只保存在内存中，服务退出即失效：{why}"),
                Some("要长期保存：启动系统钥匙串，或在终端执行 weread-mcp login --store file"),
            ),
        };
        Ok(Json(Saved {
            saved: saved.into_iter().flatten().collect(),
            persisted,
            message,
            next,
        }))
    }

    /// 用手机微信扫码登录微信读书网页版。返回 NEED_CHALLENGE（ok:false，不是错误）和二维码图片：把图片给用户扫，或请用户打开 page_url 扫；手机上确认后用 submit_challenge 收结果。可能再要手机上显示的 4 位验证码。已有等待中的登录时返回同一个。在别处登录会顶掉旧的登录态。
    #[tool(
        name = "start_login",
        title = "扫码登录微信读书",
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn start_login(
        &self,
        Parameters(StartArguments {}): Parameters<StartArguments>,
        Extension(call): Extension<Call>,
        asker: Asker,
    ) -> Result<CallToolResponse, Failure> {
        self.sign_in(&call, &asker).await
    }

    /// 收取扫码登录的结果：扫码并在手机上确认后，以任意 answer 调用，最多等 40 秒；要 4 位验证码时，把手机上显示的数字作为 answer 提交。可能返回下一个 NEED_CHALLENGE。LOGIN_FAILED 表示须重新 start_login。
    #[tool(
        name = "submit_challenge",
        title = "提交登录验证",
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = true
        )
    )]
    async fn submit_challenge(
        &self,
        Parameters(arguments): Parameters<SubmitArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<CallToolResponse, Failure> {
        let (id, answer) = (&arguments.challenge_id, arguments.answer);
        let step = self.login.submit(id, answer).await?;
        self.told(&call, step)
    }
}
