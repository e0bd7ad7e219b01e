//! Arguments that several tools share.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use server_kit::{Failure, Limits, time};

use crate::{
    Library,
    domain::{
        ids::LocationId,
        span::{BadTime, Span},
        user_key::UserKey,
    },
    error::Error,
};

/// Whose errand it is.
#[derive(Deserialize, JsonSchema)]
pub(super) struct UserArguments {
    /// 为谁操作（多用户时的 person_id）：字母、数字和 _ . @ -，最多 64 个字符；不填为默认用户
    #[schemars(length(min = 1, max = 64), example = &"default")]
    user_key: Option<String>,
}

impl UserArguments {
    /// The user that is meant.
    pub(super) fn user(&self, library: &Library) -> Result<UserKey, Error> {
        let Some(text) = &self.user_key else {
            return Ok(library.config.default_user.clone());
        };
        text.parse().map_err(|why| Error::Argument {
            field: "user_key",
            why: format!("{why}，例如 person_1"),
        })
    }
}

/// Which room is meant. A missing one has a code of its own, `NEED_LOCATION`, so that the schema
/// requires nothing.
#[derive(Deserialize, JsonSchema)]
pub(super) struct LocationArguments {
    /// 区域 id，取自 get_availability_distribution
    #[schemars(length(max = 64), example = &"1995338594917990400")]
    location_id: Option<String>,
}

impl LocationArguments {
    /// The room, if one is named.
    pub(super) fn optional(&self) -> Result<Option<LocationId>, Error> {
        id(
            "location_id",
            self.location_id.as_deref(),
            LocationId::parse,
        )
    }

    /// The room that must be named.
    pub(super) fn read(&self) -> Result<LocationId, Error> {
        self.optional()?.ok_or(Error::NeedLocation)
    }
}

/// Where a long list goes on.
#[derive(Deserialize, JsonSchema)]
pub(super) struct CursorArguments {
    /// 上次结果的 next_cursor，其余参数不变
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

impl CursorArguments {
    pub(super) fn limits(&self, items: usize, bytes: usize) -> Result<Limits, Failure> {
        Limits::new(self.cursor.as_deref(), items, bytes)
    }
}

/// When a seat is wanted. What is wrong here has a code of its own, `BAD_TIME`, so that the schema
/// requires nothing.
#[derive(Deserialize, JsonSchema)]
pub(super) struct SpanArguments {
    /// 必填，北京时间：YYYY-MM-DD、今天、明天、后天 或 +N
    #[schemars(length(max = 40), example = &"明天")]
    date: Option<String>,
    /// 必填，HH:MM，30 分钟的整数倍
    #[schemars(length(max = 40), example = &"14:00")]
    start_time: Option<String>,
    /// 必填，HH:MM，晚于 start_time
    #[schemars(length(max = 40), example = &"18:00")]
    end_time: Option<String>,
}

impl SpanArguments {
    /// The span that is meant, counted from `today`.
    pub(super) fn read(&self, today: Date) -> Result<Span, Error> {
        let text = |argument: &Option<String>| argument.clone().unwrap_or_default();
        let date = text(&self.date);
        let date = time::day(&date, today).map_err(|time::NotADay(text)| BadTime::Day { text });
        let times = (text(&self.start_time), text(&self.end_time));
        let span = date.and_then(|date| Span::read(date, &times.0, &times.1));
        span.map_err(Error::BadTime)
    }

    /// Whether nothing was said about it.
    pub(super) fn is_empty(&self) -> bool {
        self.date.is_none() && self.start_time.is_none() && self.end_time.is_none()
    }
}

/// An id that was given; blank is as good as absent.
pub(super) fn id<T>(
    field: &'static str,
    given: Option<&str>,
    parse: fn(&str) -> Option<T>,
) -> Result<Option<T>, Error> {
    let given = given.map(str::trim).filter(|given| !given.is_empty());
    let parsed = |given| parse(given).ok_or_else(|| not_an_id(field));
    given.map(parsed).transpose()
}

/// An argument that must be an id is none.
pub(super) fn not_an_id(field: &'static str) -> Error {
    Error::Argument {
        field,
        why: "不是 id（座位编号也不是）；原样使用查询工具给出的值".to_owned(),
    }
}

/// The day that is meant, counted from `today`, of a tool without `BAD_TIME`.
pub(super) fn day(given: &str, today: Date) -> Result<Date, Error> {
    time::day(given, today).map_err(|why| Error::Argument {
        field: "date",
        why: why.to_string(),
    })
}
