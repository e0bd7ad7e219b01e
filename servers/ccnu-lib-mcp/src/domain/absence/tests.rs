//! Which record speaks of an absence, and what follows.

use super::*;
use crate::domain::{
    presence::DoorEvent,
    reservations::tests::{at, minute, reservation},
};

fn stage(raw_status: &str, clock: &str) -> Stage {
    Stage {
        raw_status: raw_status.to_owned(),
        at: at(clock),
    }
}

fn doors(last: Option<Direction>, clock: &str) -> DoorLog {
    let event = DoorEvent {
        time: at(clock),
        gate: None,
        direction: last,
        raw_direction: serde_json::Value::Null,
    };
    DoorLog::of(at(clock).day(), vec![event])
}

fn range(begin: &str, end: Option<&str>) -> Option<AwayRange> {
    Some(AwayRange {
        begin: minute(begin),
        end: end.map(minute),
    })
}

#[test]
fn the_record_speaks_before_the_steps_and_the_gates() {
    use AwaySource::{DoorLog as Gates, Record, Stages};
    let out = doors(Some(Direction::Out), "09:50");
    let (back, odd) = (doors(Some(Direction::In), "09:50"), doors(None, "09:50"));
    let before = doors(Some(Direction::Out), "07:50");
    let left = [stage("AWAY", "09:45"), stage("CHECK_IN", "07:57")];
    let returned = [stage("AWAY", "09:45"), stage("CHECK_IN", "10:05")];
    for (raw, absence, stages, doors, expected) in [
        (
            "AWAY",
            range("09:40", None),
            &left[..],
            Some(&out),
            Some(("09:40", Record)),
        ),
        (
            "AWAY",
            range("09:40", Some("09:43")),
            &left,
            Some(&out),
            Some(("09:45", Stages)),
        ),
        ("AWAY", None, &left, None, Some(("09:45", Stages))),
        ("AWAY", None, &returned, Some(&out), Some(("09:50", Gates))),
        (
            "CHECK_IN",
            range("09:40", None),
            &[],
            None,
            Some(("09:40", Record)),
        ),
        ("CHECK_IN", None, &[], Some(&out), Some(("09:50", Gates))),
        ("CHECK_IN", None, &[], Some(&back), None),
        ("CHECK_IN", None, &[], Some(&odd), None),
        ("CHECK_IN", None, &[], Some(&before), None),
        ("CHECK_IN", None, &[], None, None),
        ("RESERVE", None, &[], Some(&out), None),
        ("STOP", range("09:40", None), &left, Some(&out), None),
    ] {
        let mut record = reservation(raw);
        record.last_absence = absence;
        let evidence = Evidence {
            stages,
            doors,
            limit_minutes: Some(90),
        };
        let found = record.with_absence(evidence);
        let since = expected.map(|(clock, _)| at(clock));
        let source = expected.map(|(_, source)| source);
        assert_eq!(
            (found.away_since, found.away_source),
            (since, source),
            "{raw}"
        );
        assert_eq!(found.away_estimated, source.map(|source| source == Gates));
        assert_eq!(
            found.away_deadline,
            since.map(|since| since.plus_minutes(90))
        );
    }
}

#[test]
fn there_is_no_deadline_without_a_limit() {
    for limit_minutes in [None, Some(0)] {
        let mut record = reservation("AWAY");
        record.last_absence = range("09:40", None);
        let evidence = Evidence {
            limit_minutes,
            ..Evidence::default()
        };
        let found = record.with_absence(evidence);
        assert_eq!(
            (found.away_since, found.away_deadline),
            (Some(at("09:40")), None)
        );
    }
}

#[test]
fn gates_of_another_day_or_before_the_check_in_say_nothing() {
    let mut record = reservation("CHECK_IN");
    record.actual_begin = Some(minute("08:10"));
    for (log, expected) in [
        (doors(Some(Direction::Out), "08:05"), None),
        (doors(Some(Direction::Out), "08:10"), Some(at("08:10"))),
        (
            DoorLog {
                date: jiff::civil::date(2026, 6, 24),
                ..doors(Some(Direction::Out), "08:30")
            },
            None,
        ),
    ] {
        let evidence = Evidence {
            doors: Some(&log),
            ..Evidence::default()
        };
        assert_eq!(record.clone().with_absence(evidence).away_since, expected);
    }
}
