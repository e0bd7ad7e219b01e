//! A day's gates.

use std::cmp::Reverse;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;
use server_kit::time::Moment;

use super::told;

/// Who went through the gates on one day: the reader, in and out.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("in_building", "由最近一次方向推断；未知为 null"),
    ("events", "最近的在前"),
]))]
pub struct DoorLog {
    /// The day asked for.
    #[schemars(with = "String")]
    pub date: Date,
    /// How many events.
    pub count: usize,
    /// Whether the reader is inside, by the newest event; null without one or when it has no known
    /// direction.
    pub in_building: Option<bool>,
    /// Newest first.
    pub events: Vec<DoorEvent>,
}

/// One passage of a gate.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub struct DoorEvent {
    /// Local time; in results `YYYY-MM-DD HH:MM:SS`.
    #[serde(serialize_with = "plain")]
    #[schemars(with = "String")]
    pub time: Moment,
    /// Name of the gate.
    pub gate: Option<String>,
    /// Null when the system's word is not known.
    pub direction: Option<Direction>,
    /// The system's word, as it came.
    pub raw_direction: Value,
}

/// Which way through a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, transform = told(&[]))]
pub enum Direction {
    /// Into the building.
    In,
    /// Out of it.
    Out,
}

fn plain<S: Serializer>(time: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&time.local().strftime("%Y-%m-%d %H:%M:%S"))
}

impl DoorLog {
    /// The log of `date` from its events in whatever order they came; those of one second stay as
    /// the system put them, read in the direction of its list.
    pub fn of(date: Date, mut events: Vec<DoorEvent>) -> Self {
        let rising = match (events.first(), events.last()) {
            (Some(first), Some(last)) => first.time < last.time,
            _ => false,
        };
        if rising {
            events.reverse();
        }
        events.sort_by_key(|event| Reverse(event.time));
        let newest = events.first().and_then(|event| event.direction);
        Self {
            date,
            count: events.len(),
            in_building: newest.map(|direction| direction == Direction::In),
            events,
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use super::*;

    fn event(second: i8, gate: &str, direction: Option<Direction>) -> DoorEvent {
        DoorEvent {
            time: Moment::at(date(2026, 7, 1).at(15, 0, second, 0)),
            gate: Some(gate.to_owned()),
            direction,
            raw_direction: Value::Null,
        }
    }

    #[test]
    fn the_newest_event_says_where_the_reader_is() {
        use Direction::{In, Out};
        let events = [
            event(1, "a", Some(In)),
            event(2, "b", Some(Out)),
            event(2, "c", Some(In)),
            event(9, "d", None),
        ];
        let [a, b, c, d] = events;
        for (came, expected, inside) in [
            (vec![], "", None),
            (vec![a.clone(), b.clone()], "ba", Some(false)),
            (vec![b.clone(), a.clone()], "ba", Some(false)),
            (vec![a.clone(), b.clone(), c.clone()], "cba", Some(true)),
            (vec![c.clone(), b.clone(), a.clone()], "cba", Some(true)),
            (vec![b.clone(), a.clone(), d.clone()], "dba", None),
            (vec![a.clone(), d.clone(), b.clone()], "dba", None),
        ] {
            let log = DoorLog::of(date(2026, 7, 1), came);
            let order: String = log
                .events
                .iter()
                .filter_map(|event| event.gate.clone())
                .collect();
            assert_eq!((order.as_str(), log.in_building), (expected, inside));
            assert_eq!(log.count, expected.len());
        }
        let shown = json!({
            "date": "2026-07-01", "count": 1, "in_building": false, "events": [
                { "time": "2026-07-01 15:00:02", "gate": "b", "direction": "out", "raw_direction": null },
            ],
        });
        let log = DoorLog::of(date(2026, 7, 1), vec![b]);
        assert_eq!(serde_json::to_value(log).expect("json"), shown);
    }
}
