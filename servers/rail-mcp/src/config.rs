//! Every setting of this server: variable, unit, default.

use std::time::Duration;

use http_session::Origin;
use server_kit::settings::{Refusal, Settings};

/// Under which names the tools are listed; both are accepted in calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolNames {
    /// `12306_query_tickets`, the names asked for.
    Digits,
    /// `rail_query_tickets`, for model APIs that refuse a leading digit.
    Letters,
}

/// The settings of `rail-mcp`.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// The site with the station script.
    pub(crate) site: Origin,
    /// Tickets, transfers, stop lists.
    pub(crate) kyfw: Origin,
    /// Train code to internal number.
    pub(crate) search: Origin,
    /// Between the starts of two requests, over all processes.
    pub(crate) min_interval: Duration,
    /// One attempt of a request, from connecting to the end of the body.
    pub(crate) attempt: Duration,
    /// Before a read that met a passing fault is repeated.
    pub(crate) retry_pause: Duration,
    /// How long an answer serves equal queries.
    pub(crate) cache: Duration,
    /// Age at which the station catalogue is read anew; `None` never.
    pub(crate) stations_age: Option<Duration>,
    /// Which names are listed.
    pub(crate) tool_names: ToolNames,
}

impl Config {
    pub(crate) fn read(settings: &mut Settings) -> Result<Self, Refusal> {
        let days = settings.number(
            "RAIL_STATIONS_REFRESH_DAYS",
            7,
            0..=365,
            "车站目录超过几天就在后台更新；0 为从不",
        )?;
        let names = settings.choice(
            "RAIL_TOOL_NAMES",
            &["digits", "letters"],
            "列出的工具名：digits 为 12306_…，letters 为 rail_…（部分模型接口不接受数字开头）",
        )?;
        Ok(Self {
            site: settings.address("RAIL_SITE_URL", "https://www.12306.cn", "车站目录所在站点")?,
            kyfw: settings.address(
                "RAIL_KYFW_URL",
                "https://kyfw.12306.cn",
                "余票、中转、经停查询站点",
            )?,
            search: settings.address(
                "RAIL_SEARCH_URL",
                "https://search.12306.cn",
                "车次检索站点",
            )?,
            min_interval: settings.millis(
                "RAIL_MIN_INTERVAL_MS",
                1_000,
                "两次请求的最小间隔（毫秒），所有进程合计",
            )?,
            attempt: settings.millis("RAIL_TIMEOUT_MS", 15_000, "单次请求的时限（毫秒）")?,
            retry_pause: settings.millis(
                "RAIL_RETRY_PAUSE_MS",
                1_000,
                "临时故障后重试前的停顿（毫秒）",
            )?,
            cache: settings.millis("RAIL_CACHE_MS", 30_000, "相同查询共用结果的时长（毫秒）")?,
            stations_age: (days > 0).then(|| Duration::from_hours(24 * days)),
            tool_names: match names {
                "letters" => ToolNames::Letters,
                _ => ToolNames::Digits,
            },
        })
    }
}
