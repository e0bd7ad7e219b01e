//! `get_reading_stats`.

mod answer;
mod rows;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Failure, Parameters, bad_argument,
    rmcp::{self, handler::server::wrapper::Json, tool, tool_router},
    time,
};

use self::answer::Reading;
use crate::{WeRead, domain::statistics::Mode};

/// The year in which the service began: there was no reading before, and a day before 1970 would ask for
/// the running period.
const FIRST_YEAR: i16 = 2015;

#[derive(Deserialize, Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum PeriodKind {
    Weekly,
    Monthly,
    Annually,
    Overall,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct StatsArguments {
    /// 时段：weekly 周（周一至周日）、monthly 月（默认）、annually 年、overall 全部
    period: Option<PeriodKind>,
    /// 时段里的任何一天（中国时间），默认今天：YYYY-MM-DD 或 今天；月和年也可写 2026-10，年也可写 2026；不能是将来；overall 不填
    #[schemars(length(min = 1, max = 20), example = &"2026-10-01")]
    date: Option<String>,
    /// 是否与上一时段比较，默认 true
    compare: Option<bool>,
}

#[tool_router(router = statistics_router, vis = "pub(crate)")]
impl WeRead {
    /// 登录者的阅读统计：一周、一月、一年或全部时间里读了多久、读了几天、连续几天、星期与钟点的分布、读得最久的书、偏好的分类与作者，并与上一时段比较。时长为分钟（向下取整）。没有逐本书的每日明细；单本书的时长用 get_reading_progress。只有官方网关提供，需要 API Key，否则返回 NEED_API_KEY。
    #[tool(
        name = "get_reading_stats",
        title = "阅读统计",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_reading_stats(
        &self,
        Parameters(arguments): Parameters<StatsArguments>,
    ) -> Result<Json<Reading>, Failure> {
        let period = arguments.period.unwrap_or(PeriodKind::Monthly);
        let day = day(period, arguments.date.as_deref(), self.kit.today())?;
        let compare = arguments.compare.unwrap_or(true);
        let report = self.reading(period.mode(), day, compare).await?;
        let web = self.config.web.to_string();
        Ok(Json(Reading::of(period, report, self.kit.now(), &web)))
    }
}

impl PeriodKind {
    fn mode(self) -> Mode {
        match self {
            Self::Weekly => Mode::Weekly,
            Self::Monthly => Mode::Monthly,
            Self::Annually => Mode::Annually,
            Self::Overall => Mode::Overall,
        }
    }
}

/// The first day that `text` names, a day, month or year: at least as exact as the period.
fn day(period: PeriodKind, text: Option<&str>, today: Date) -> Result<Date, Failure> {
    let refuse = |why: &str| bad_argument("date", format!("{why}；今天是 {today}"));
    let Some(text) = text.map(str::trim) else {
        return Ok(today);
    };
    let is_written = |shape: &str| {
        text.len() == shape.len()
            && text
                .bytes()
                .zip(shape.bytes())
                .all(|(byte, form)| match form {
                    b'0' => byte.is_ascii_digit(),
                    form => byte == form,
                })
    };
    let whole = match period {
        PeriodKind::Overall => return Err(refuse("overall 是全部时间，不填 date")),
        PeriodKind::Annually if is_written("0000") => format!("{text}-01-01"),
        PeriodKind::Annually | PeriodKind::Monthly if is_written("0000-00") => {
            format!("{text}-01")
        }
        _ => text.to_owned(),
    };
    let day = time::day(&whole, today).map_err(|_| {
        let form = match period {
            PeriodKind::Annually => "2026-10-01、2026-10 或 2026",
            PeriodKind::Monthly => "2026-10-01 或 2026-10",
            PeriodKind::Weekly | PeriodKind::Overall => "2026-10-01",
        };
        refuse(&format!("{text:?} 不是有效日期，例如 {form}"))
    })?;
    if day > today {
        return Err(refuse(&format!("{day} 还没有到")));
    }
    if day.year() < FIRST_YEAR {
        return Err(refuse(&format!("{FIRST_YEAR} 年以前没有微信读书")));
    }
    Ok(day)
}
