//! Days and moments in China, as arguments and as results.
//!
//! Everything here is China Standard Time, which has had no daylight saving since 1991, so one
//! fixed offset is the whole zone.

use std::fmt;

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, DateTime},
    tz::{Offset, TimeZone},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// China Standard Time.
pub const CHINA: Offset = Offset::constant(8);

/// A moment in China to the second. In results: RFC 3339 at `+08:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(DateTime);

impl Moment {
    /// That local time in China.
    pub fn at(local: DateTime) -> Self {
        Self(local)
    }

    /// The local time in China at `now`.
    pub fn of(now: Timestamp) -> Self {
        let local = TimeZone::fixed(CHINA).to_datetime(now);
        let whole = SignedDuration::from_nanos(i64::from(local.subsec_nanosecond()));
        Self(local.saturating_sub(whole))
    }

    /// The same instant on the world's clock.
    pub fn timestamp(self) -> Timestamp {
        CHINA.to_timestamp(self.0).unwrap_or(Timestamp::MAX)
    }

    /// The local time.
    pub fn local(self) -> DateTime {
        self.0
    }

    /// The calendar day in China.
    pub fn day(self) -> Date {
        self.0.date()
    }

    /// `minutes` later; saturates at the calendar's end.
    #[must_use]
    pub fn plus_minutes(self, minutes: i64) -> Self {
        Self(self.0.saturating_add(SignedDuration::from_mins(minutes)))
    }

    /// Whole minutes from `earlier` to this moment; negative when it is the other way round.
    pub fn minutes_since(self, earlier: Self) -> i64 {
        self.0.duration_since(earlier.0).as_mins()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+08:00", self.0.strftime("%Y-%m-%dT%H:%M:%S"))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// Why a text is not a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} 不是有效日期，例如 2026-12-02、今天、明天、后天 或 +3")]
pub struct NotADay(pub String);

/// The day that `text` names, counted from `today`: `YYYY-MM-DD` with leading zeros, `今天`,
/// `明天`, `后天`, `today`, `tomorrow` or `+N` with N up to 999.
pub fn day(text: &str, today: Date) -> Result<Date, NotADay> {
    let refuse = || NotADay(text.to_owned());
    let ahead = match text.trim() {
        "今天" | "today" => 0,
        "明天" | "tomorrow" => 1,
        "后天" => 2,
        other => match other.strip_prefix('+') {
            Some(days) if days.len() <= 3 && days.bytes().all(|b| b.is_ascii_digit()) => {
                days.parse().map_err(|_| refuse())?
            }
            Some(_) => return Err(refuse()),
            None => return full_date(other).ok_or_else(refuse),
        },
    };
    Ok(today.saturating_add(SignedDuration::from_hours(24 * ahead)))
}

/// Exactly `YYYY-MM-DD`. Lenient parsers also take `2019-10-1`, which upstreams refuse.
fn full_date(text: &str) -> Option<Date> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, b)| match at {
            4 | 7 => b == b'-',
            _ => b.is_ascii_digit(),
        });
    shape.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_read_or_refused_whole() {
        let today = date(2026, 11, 30);
        for (text, expected) in [
            ("2026-12-02", Some(date(2026, 12, 2))),
            ("今天", Some(today)),
            (" 明天 ", Some(date(2026, 12, 1))),
            ("后天", Some(date(2026, 12, 2))),
            ("today", Some(today)),
            ("tomorrow", Some(date(2026, 12, 1))),
            ("+14", Some(date(2026, 12, 14))),
            ("2026-13-99", None),
            ("2026-02-30", None),
            ("2026-12-2", None),
            ("20261202", None),
            ("2026-12-02T08:00", None),
            ("+", None),
            ("+-1", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(day(text, today).ok(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_moment_is_china_time_to_the_second() {
        let now: Timestamp = "2026-11-30T15:59:59.75Z".parse().expect("a timestamp");
        assert_eq!(Moment::of(now).to_string(), "2026-11-30T23:59:59+08:00");
        let next = Moment::of(now).plus_minutes(1);
        assert_eq!(next.to_string(), "2026-12-01T00:00:59+08:00");
        assert_eq!(next.minutes_since(Moment::of(now)), 1);
    }
}
