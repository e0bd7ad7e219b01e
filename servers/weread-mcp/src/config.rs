//! Every setting of this server: variable, unit, default.

use std::{path::PathBuf, time::Duration};

use http_session::Origin;
use server_kit::{
    question::Asking,
    settings::{Refusal, Settings},
};

use crate::{
    WeRead,
    domain::credentials::{Cloud, Credentials, NotACloud},
};

/// The settings of `weread-mcp`.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// The host of the web reader.
    pub(crate) web: Origin,
    /// The host of the gateway.
    pub(crate) gateway: Origin,
    /// What the environment gives to be known by.
    pub(crate) given: Credentials,
    /// The version of the skill that is told to the gateway.
    pub(crate) skill_version: String,
    /// Between the starts of two requests, over all processes.
    pub(crate) min_interval: Duration,
    /// One attempt of a request, from connecting to the end of the body.
    pub(crate) attempt: Duration,
    /// Before a read that met a passing fault is repeated.
    pub(crate) retry_pause: Duration,
    /// Nothing is asked for so long after the service has said that it was asked too often.
    pub(crate) back_off: Duration,
    /// A way that has failed is not tried again for so long.
    pub(crate) rest: Duration,
    /// How long answers are taken as they are.
    pub(crate) cache: Duration,
    /// Below which exports may be written; nowhere without it.
    pub(crate) export_folder: Option<PathBuf>,
    /// How long a question for a person stands.
    pub(crate) challenge_life: Duration,
    /// How it is put.
    pub(crate) asking: Asking,
}

impl Config {
    pub(crate) fn read(settings: &mut Settings) -> Result<Self, Refusal> {
        let asking = Asking::read::<WeRead>(settings)?;
        let cloud = cloud(settings)?;
        Ok(Self {
            web: settings.address(
                "WEREAD_WEB_URL",
                "https://weread.qq.com",
                "微信读书网页版的地址",
            )?,
            gateway: settings.address(
                "WEREAD_GATEWAY_URL",
                "https://i.weread.qq.com",
                "微信读书官方 Agent 网关的地址",
            )?,
            given: Credentials {
                api_key: settings.secret("WEREAD_API_KEY", "官方 API Key（wrk-…）"),
                cookie: settings.secret("WEREAD_COOKIE", "网页版 Cookie，至少含 wr_vid 和 wr_skey"),
                cloud,
            },
            skill_version: settings
                .text("WEREAD_SKILL_VERSION", "告诉网关的 skill 版本，默认 1.0.5")
                .unwrap_or_else(|| "1.0.5".to_owned()),
            min_interval: settings.millis(
                "WEREAD_MIN_INTERVAL_MS",
                300,
                "两次请求的最小间隔（毫秒），所有进程合计",
            )?,
            attempt: settings.millis("WEREAD_TIMEOUT_MS", 15_000, "单次请求的时限（毫秒）")?,
            retry_pause: settings.millis(
                "WEREAD_RETRY_PAUSE_MS",
                1_000,
                "临时故障后重试前的停顿（毫秒）",
            )?,
            back_off: settings.millis(
                "WEREAD_BACK_OFF_MS",
                300_000,
                "微信读书提示请求过频后，多久不再发请求（毫秒）",
            )?,
            rest: settings.millis(
                "WEREAD_REST_MS",
                600_000,
                "一种凭证失效后，多久不再尝试（毫秒）",
            )?,
            cache: settings.millis(
                "WEREAD_CACHE_MS",
                60_000,
                "书架、书籍信息等结果的缓存时长（毫秒）",
            )?,
            export_folder: settings
                .text(
                    "WEREAD_EXPORT_DIR",
                    "允许写入导出文件的目录；不设则只在结果中给出",
                )
                .map(PathBuf::from),
            challenge_life: Duration::from_secs(settings.number(
                "WEREAD_CHALLENGE_TTL_SECONDS",
                300,
                10..=3_600,
                "扫码登录等待人工完成的时长（秒）",
            )?),
            asking,
        })
    }

    /// How long a request with all its repetitions may take, and how long one process waits for
    /// another that is at it.
    pub(crate) fn call(&self) -> Duration {
        self.attempt.saturating_mul(3).min(Duration::from_secs(40))
    }
}

/// The user's CookieCloud: all three of its settings, or none.
fn cloud(settings: &mut Settings) -> Result<Option<Cloud>, Refusal> {
    let url = settings.text("CC_URL", "CookieCloud 服务器的地址");
    let id = settings.text("CC_ID", "CookieCloud 的用户 KEY（uuid）");
    let password = settings.secret("CC_PASSWORD", "CookieCloud 的端对端加密密码，只在本机使用");
    let (url, id, password) = match (url, id, password) {
        (None, None, None) => return Ok(None),
        (Some(url), Some(id), Some(password)) => (url, id, password),
        (url, id, _) => {
            let missing = match (url, id) {
                (None, _) => "CC_URL",
                (_, None) => "CC_ID",
                _ => "CC_PASSWORD",
            };
            let why = "CC_URL、CC_ID、CC_PASSWORD 须一起设置";
            return Err(Refusal::new(missing, "", why));
        }
    };
    Cloud::new(&url, &id, password)
        .map(Some)
        .map_err(|why| match why {
            NotACloud::Address => Refusal::new("CC_URL", &url, why),
            NotACloud::Id => Refusal::new("CC_ID", &id, why),
        })
}
