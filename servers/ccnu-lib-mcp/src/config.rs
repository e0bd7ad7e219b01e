//! Every setting of this server: variable, unit, default.

use std::time::Duration;

use http_session::Origin;
use secrecy::SecretString;
use server_kit::{
    question::Asking,
    settings::{Refusal, Settings},
};

use crate::{Library, domain::user_key::UserKey};

/// The settings of `ccnu-lib-mcp`.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// The host of seats and of the gateway.
    pub(crate) base: Origin,
    /// The university's sign-in.
    pub(crate) cas: Origin,
    /// Between the starts of two requests, over all processes.
    pub(crate) min_interval: Duration,
    /// One attempt of a request, from connecting to the end of the body.
    pub(crate) attempt: Duration,
    /// Before a read that met a passing fault is repeated.
    pub(crate) retry_pause: Duration,
    /// Who is meant when a call names nobody.
    pub(crate) default_user: UserKey,
    /// The account that goes with the default user.
    pub(crate) username: Option<String>,
    /// Its password.
    pub(crate) password: Option<SecretString>,
    /// How long a question for a person stands.
    pub(crate) challenge_life: Duration,
    /// How it is put.
    pub(crate) asking: Asking,
}

impl Config {
    pub(crate) fn read(settings: &mut Settings) -> Result<Self, Refusal> {
        Ok(Self {
            base: settings.address(
                "CCNU_BASE_URL",
                "https://kjyy.ccnu.edu.cn",
                "图书馆空间预约系统的地址",
            )?,
            cas: settings.address(
                "CCNU_CAS_URL",
                "https://account.ccnu.edu.cn/cas",
                "统一身份认证的地址",
            )?,
            min_interval: settings.millis(
                "CCNU_MIN_INTERVAL_MS",
                200,
                "两次请求的最小间隔（毫秒），所有进程合计",
            )?,
            attempt: settings.millis("CCNU_TIMEOUT_MS", 10_000, "单次请求的时限（毫秒）")?,
            retry_pause: settings.millis(
                "CCNU_RETRY_PAUSE_MS",
                500,
                "临时故障后重试前的停顿（毫秒）",
            )?,
            default_user: settings.parsed(
                "DEFAULT_USER_KEY",
                "default",
                "调用不带 user_key 时所指的用户",
                "字母、数字和 _ . @ -，最多 64 个字符",
            )?,
            username: settings.text("CCNU_DEFAULT_USERNAME", "默认用户的学号"),
            password: settings.secret("CCNU_DEFAULT_PASSWORD", "默认用户的密码"),
            challenge_life: Duration::from_secs(settings.number(
                "CHALLENGE_TTL_SECONDS",
                240,
                10..=3_600,
                "验证码等待人工输入的时长（秒）",
            )?),
            asking: Asking::read::<Library>(settings)?,
        })
    }

    /// How long a request with all its repetitions may take, and how long one process waits for
    /// another that is at it.
    pub(crate) fn call(&self) -> Duration {
        self.attempt.saturating_mul(3)
    }
}
