//! How times, call ids and JSON stand in a column: as milliseconds since 1970 and as text.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use uuid::Uuid;

/// A call's id, read from its text.
pub(crate) struct Id(pub(crate) Uuid);

/// A value, read from its JSON text.
pub(crate) struct Json(pub(crate) serde_json::Value);

impl FromSql for Id {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let id = Uuid::parse_str(value.as_str()?);
        id.map(Self).map_err(FromSqlError::other)
    }
}

impl FromSql for Json {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let json = serde_json::from_str(value.as_str()?);
        json.map(Self).map_err(FromSqlError::other)
    }
}

/// The time of so many milliseconds since 1970; the last there is for what no clock can have said.
pub(crate) fn moment(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::MAX)
}

/// A length of time in milliseconds.
pub(crate) fn milliseconds(length: Duration) -> i64 {
    // A quarter of the range: such a length can be added to any time.
    i64::try_from(length.as_millis()).map_or(i64::MAX / 4, |length| length.min(i64::MAX / 4))
}

/// Whole seconds from one time, in milliseconds, until a later one has come; at least one.
pub(crate) fn seconds_until(at: i64, later: i64) -> u64 {
    u64::try_from(later.saturating_sub(at))
        .unwrap_or(0)
        .div_ceil(1000)
        .max(1)
}
