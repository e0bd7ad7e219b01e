//! Gates.

use http_session::drift::Drift;
use serde_json::{Value, json};

use crate::{
    client::{
        Rejected,
        presence::door_log,
        tests::{DAY, recorded},
    },
    domain::presence::{Direction, DoorEvent},
};

fn line(event: &DoorEvent) -> String {
    let direction = match event.direction {
        Some(Direction::In) => "in",
        Some(Direction::Out) => "out",
        None => "-",
    };
    let gate = event.gate.as_deref().unwrap_or("-");
    format!("{} {gate} {direction} {}", event.time, event.raw_direction)
}

fn read(events: Value) -> Result<Vec<String>, Rejected> {
    let log = door_log(json!({ "status": true, "data": events }), DAY)?;
    Ok(log.events.iter().map(line).collect())
}

#[test]
fn an_afternoon_at_the_gates() {
    let log = door_log(recorded("presence_door_log_20260625"), DAY).expect("a log");
    let lines: Vec<String> = log.events.iter().map(line).collect();
    let expected = [
        "2026-06-25T15:17:14+08:00 南湖二楼中出 out 1",
        "2026-06-25T15:12:44+08:00 南湖二楼右入 in 0",
    ];
    assert_eq!(lines, expected);
    assert_eq!(
        (log.date, log.count, log.in_building),
        (DAY, 2, Some(false))
    );
    let none = door_log(recorded("presence_door_log_empty"), DAY).expect("a log");
    assert_eq!((none.count, none.in_building), (0, None));
}

#[test]
fn directions_are_known_or_null_and_the_order_does_not_matter() {
    let event = |clock: &str, direction: Value| json!({ "dateTimeStr": format!("2026-06-25 {clock}"), "doorName": "门", "direction": direction });
    let events = json!([
        event("08:00:00", json!("0")),
        event("12:00:00", json!(2)),
        event("09:00:00", json!("1")),
        event("10:00:00", json!(null)),
        event("11:00:00", json!("in")),
    ]);
    let expected = [
        "2026-06-25T12:00:00+08:00 门 - 2",
        "2026-06-25T11:00:00+08:00 门 - \"in\"",
        "2026-06-25T10:00:00+08:00 门 - null",
        "2026-06-25T09:00:00+08:00 门 out \"1\"",
        "2026-06-25T08:00:00+08:00 门 in \"0\"",
    ];
    assert_eq!(read(events), Ok(expected.map(str::to_owned).to_vec()));
    let bare = json!([{ "dateTimeStr": "2026-06-25 08:00:00" }]);
    let expected = "2026-06-25T08:00:00+08:00 - - null".to_owned();
    assert_eq!(read(bare), Ok(vec![expected]));
}

#[test]
fn drift_names_its_field() {
    for (events, field, problem) in [
        (json!(null), "data", "缺失或类型不同"),
        (json!({}), "data", "缺失或类型不同"),
        (json!(""), "data", "缺失或类型不同"),
        (json!([{}]), "data[0].dateTimeStr", "缺失或类型不同"),
        (
            json!([{ "dateTimeStr": 1 }]),
            "data[0].dateTimeStr",
            "缺失或类型不同",
        ),
        (
            json!([{ "dateTimeStr": "08:00" }]),
            "data[0].dateTimeStr",
            "缺失或格式不同",
        ),
    ] {
        let expected = Rejected::Drift(Drift::new(field, problem));
        assert_eq!(read(events.clone()), Err(expected), "{events}");
    }
}
