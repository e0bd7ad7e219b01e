//! When one seat is free, and which times can be booked on it.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{minute::Minute, span::Span, told};

/// A time in which a seat is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub struct FreeRange {
    /// From.
    pub start_time: Minute,
    /// To.
    pub end_time: Minute,
}

/// The times of one day in which a seat is free, in the system's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeLine(pub Vec<FreeRange>);

impl TimeLine {
    /// Whether one range holds the whole span.
    pub fn covers(&self, span: &Span) -> bool {
        let holds =
            |range: &FreeRange| range.start_time <= span.begin && span.end <= range.end_time;
        self.0.iter().any(holds)
    }
}

/// A time at which a reservation can begin. In results: `now` or `HH:MM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartTime {
    /// At once; offered for today only.
    Now,
    /// At that time.
    At(Minute),
}

impl Serialize for StartTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Now => serializer.serialize_str("now"),
            Self::At(minute) => minute.serialize(serializer),
        }
    }
}

impl JsonSchema for StartTime {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StartTime".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

/// The times at which a reservation of a seat can begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartTimes(pub Vec<StartTime>);

impl StartTimes {
    /// Whether one can begin at that time.
    pub fn offer(&self, begin: Minute) -> bool {
        self.0.contains(&StartTime::At(begin))
    }
}

/// The times at which a reservation of a seat can end that begins at the time asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndTimes(pub Vec<Minute>);

impl EndTimes {
    /// Whether one can end at that time.
    pub fn offer(&self, end: Minute) -> bool {
        self.0.contains(&end)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_span_is_free_within_one_range() {
        let minute = |text: &str| Minute::parse(text).expect(text);
        let range = |start_time: &str, end_time: &str| FreeRange {
            start_time: minute(start_time),
            end_time: minute(end_time),
        };
        let line = TimeLine(vec![range("07:30", "08:00"), range("08:00", "12:00")]);
        for (begin, end, expected) in [
            ("08:00", "12:00", true),
            ("09:00", "10:00", true),
            ("07:30", "12:00", false),
            ("11:30", "12:30", false),
        ] {
            let span = Span::read(date(2026, 6, 25), begin, end).expect("a span");
            assert_eq!(line.covers(&span), expected, "{begin} {end}");
        }
        let starts = StartTimes(vec![StartTime::Now, StartTime::At(minute("11:00"))]);
        assert_eq!(
            (starts.offer(minute("11:00")), starts.offer(minute("11:30"))),
            (true, false)
        );
        let shown = serde_json::to_value(&starts.0).expect("json");
        assert_eq!(shown, serde_json::json!(["now", "11:00"]));
        let ends = EndTimes(vec![minute("12:00")]);
        assert_eq!(
            (ends.offer(minute("12:00")), ends.offer(minute("12:30"))),
            (true, false)
        );
    }
}
