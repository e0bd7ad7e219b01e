//! `save_account`, `get_login_status`, `start_login`, `submit_challenge`.

mod answer;

use challenge::Pending;
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use server_kit::{
    Asker, Call, Failure, Parameters, plain,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        model::CallToolResponse,
        tool, tool_router,
    },
    time::Moment,
};

use super::arguments::UserArguments;
use crate::{
    Library, client::Account, error::Error, service::sign_in::Standing, store::accounts::Kept,
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct SaveArguments {
    /// 学号；与 password 一起给出，都不填则用环境变量中的默认账号
    #[schemars(length(min = 1, max = 64), example = &"2026000001")]
    username: Option<String>,
    /// 统一身份认证密码；更稳妥的做法是在终端执行 ccnu-lib-mcp login，密码不经过模型
    #[schemars(with = "Option<String>", length(min = 1, max = 256))]
    password: Option<SecretString>,
    /// 手机号提示，短信验证时给人辨认用，不用于登录
    #[schemars(length(min = 1, max = 40), example = &"尾号1234")]
    phone_hint: Option<String>,
    /// 保存后立即登录，默认 false
    login_now: Option<bool>,
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct StatusArguments {
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct StartArguments {
    /// 学号；给出时须同时给 password，会先保存
    #[schemars(length(min = 1, max = 64), example = &"2026000001")]
    username: Option<String>,
    /// 统一身份认证密码；不想让密码经过模型，就不填，改在登录页（page_url）或终端 ccnu-lib-mcp login 输入
    #[schemars(with = "Option<String>", length(min = 1, max = 256))]
    password: Option<SecretString>,
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct SubmitArguments {
    /// NEED_CHALLENGE 返回的 challenge_id
    #[schemars(length(min = 1, max = 64), example = &"ch_0123456789ab")]
    challenge_id: String,
    /// 用户输入的图形验证码或短信验证码；confirm_send_sms 与 manual_login 填任意值，如 ok
    #[schemars(with = "String", length(min = 1, max = 64), example = &"7k3p")]
    answer: SecretString,
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct LoginStatus {
    user_key: String,
    /// 是否已登录；查不出时为 null
    logged_in: Option<bool>,
    /// no_account 没有账号、logged_in、logged_out、error 查不出
    status: &'static str,
    /// 是否有登录验证等待人工完成
    needs_challenge: bool,
    /// 等待中的验证
    #[serde(skip_serializing_if = "Option::is_none")]
    challenge_id: Option<String>,
    /// 已由图书馆系统证实的时刻
    #[serde(skip_serializing_if = "Option::is_none")]
    proven_at: Option<Moment>,
    message: String,
}

/// A saved account.
#[derive(Serialize)]
struct Saved {
    user_key: String,
    persisted: bool,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

#[tool_router(router = account_router, vis = "pub(crate)")]
impl Library {
    /// 保存图书馆账号（学号与统一身份认证密码），同一 user_key 已有的会被覆盖。密码存入系统钥匙串，或用户自己选定的仅本用户可读的文件；都没有时只留在内存，persisted 为 false。不联网，除非 login_now。密码会经过模型：更稳妥的是在终端执行 ccnu-lib-mcp login，或不保存而用 start_login 给出的登录页。
    #[tool(
        name = "save_account",
        title = "保存图书馆账号",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn save_account(
        &self,
        Parameters(arguments): Parameters<SaveArguments>,
        Extension(call): Extension<Call>,
        asker: Asker,
    ) -> Result<CallToolResponse, Failure> {
        let key = arguments.user.user(self)?;
        let given = given(arguments.username, arguments.password)?;
        let account = given.or_else(|| self.login.default_account());
        let account = Account {
            phone_hint: arguments.phone_hint,
            ..account.ok_or(Error::MissingCredentials)?
        };
        let kept = self.login.save(&key, account).await?;
        if arguments.login_now == Some(true) {
            return self.sign_in(&call, &asker, &key).await;
        }
        let (persisted, message, next) = match kept {
            Kept::Stored => (true, "账号已保存".to_owned(), None),
            Kept::InMemory(why) => (
                false,
                format!("账号只保存在内存中，服务退出即失效：{why}"),
                Some("要长期保存：启动系统钥匙串，或在终端执行 ccnu-lib-mcp login --store file"),
            ),
        };
        Ok(plain(Saved {
            user_key: key.as_str().to_owned(),
            persisted,
            message,
            next,
        }))
    }

    /// 查看登录状态：向图书馆系统实地证实，过期则尝试静默续登（不提交密码）。不会发起人工登录。status 为 logged_out 或 no_account 时用 start_login。
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
        let key = arguments.user.user(self)?;
        let standing = self.login.standing(&key).await;
        let pending = self.login.pending(&key).await.ok().flatten();
        let (logged_in, status, message) = match standing {
            Ok(Standing::SignedIn) => (Some(true), "logged_in", "当前登录态可用".to_owned()),
            Ok(Standing::SignedOut) => {
                let message = "未登录，或登录态已失效；用 start_login 登录";
                (Some(false), "logged_out", message.to_owned())
            }
            Ok(Standing::NoAccount) => {
                let message =
                    "未登录，也没有保存账号；用 start_login 取得登录页，或先 save_account";
                (Some(false), "no_account", message.to_owned())
            }
            Err(error) => {
                let failure = Failure::from(error);
                (
                    None,
                    "error",
                    format!("{}：{}", failure.code, failure.message),
                )
            }
        };
        let message = match (&pending, status) {
            (Some(pending), "logged_out" | "no_account") => waits(pending),
            _ => message,
        };
        let challenge_id = pending.map(|pending| match pending {
            Pending::Ours(open) => open.id,
            Pending::Elsewhere { id, .. } => id,
        });
        Ok(Json(LoginStatus {
            user_key: key.as_str().to_owned(),
            logged_in,
            status,
            needs_challenge: challenge_id.is_some(),
            challenge_id,
            proven_at: (logged_in == Some(true)).then(|| self.kit.now()),
            message,
        }))
    }

    /// 登录图书馆预约系统。先试静默续登，再用保存的账号；遇图形验证码或短信验证返回 NEED_CHALLENGE（ok:false，不是错误）：把图片给用户看，用 submit_challenge 提交；或请用户打开 page_url 自己完成，密码和验证码不经过模型。没有账号时返回 manual_login 与 page_url。已有等待中的验证时返回同一个。本服务不识别验证码。
    #[tool(
        name = "start_login",
        title = "登录图书馆系统",
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn start_login(
        &self,
        Parameters(arguments): Parameters<StartArguments>,
        Extension(call): Extension<Call>,
        asker: Asker,
    ) -> Result<CallToolResponse, Failure> {
        let key = arguments.user.user(self)?;
        if let Some(account) = given(arguments.username, arguments.password)? {
            if self.kit.denies("save_account") {
                return Err(no_account_by_argument());
            }
            self.login.save(&key, account).await?;
        }
        self.sign_in(&call, &asker, &key).await
    }

    /// 提交用户输入的验证码，续跑被挂起的登录，只完成登录本身。可能返回下一个 NEED_CHALLENGE（如同意发短信后要短信码）。LOGIN_FAILED 表示账号或验证码有误，须重新 start_login。manual_login 由用户在 page_url 完成后，再以任意 answer 调用本工具确认。
    #[tool(
        name = "submit_challenge",
        title = "提交验证码",
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
        let key = arguments.user.user(self)?;
        let (id, answer) = (&arguments.challenge_id, arguments.answer);
        let step = self.login.submit(&key, id, answer).await?;
        self.told(&call, &key, step)
    }
}

/// Who turns off `save_account` wants no password in an argument.
fn no_account_by_argument() -> Failure {
    let why =
        "设置 CCNU_TOOLS_DENY 停用了 save_account，start_login 因此也不收 username 与 password";
    Failure::new("READ_ONLY", why)
        .next("不带这两个参数调用 start_login，或在终端执行 ccnu-lib-mcp login")
}

/// What is said of somebody who is signed out and waits with a question.
fn waits(pending: &Pending) -> String {
    match pending {
        Pending::Ours(_) => "未登录；本会话提出的登录验证（challenge_id）等待人工完成：用 submit_challenge 回答，或在登录页完成；题目可用 start_login 再取".to_owned(),
        Pending::Elsewhere { expires_at, .. } => format!(
            "未登录；另一个会话提出的登录验证（challenge_id）等待人工完成：在那个会话中回答，或等到 {} 之后再 start_login",
            Moment::of(*expires_at)
        ),
    }
}

/// The account that a call brings: both parts, or none.
fn given(
    username: Option<String>,
    password: Option<SecretString>,
) -> Result<Option<Account>, Error> {
    match (username, password) {
        (None, None) => Ok(None),
        (Some(username), Some(password)) if !username.trim().is_empty() => {
            Ok(Some(Account::new(&username, password)))
        }
        _ => Err(Error::MissingCredentials),
    }
}
