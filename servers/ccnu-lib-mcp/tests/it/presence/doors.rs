//! `get_door_log`.

use fixtures::{ccnu::Ccnu, mcp::Both};
use serde_json::{Value, json};

use crate::{
    expected::{changed, given, refused_unasked, signed_in_after, with, yes},
    world::{READER, signed_in, signed_in_with},
};

const TOOL: &str = "get_door_log";
const DAY: &str = "2026-06-24";

fn answer(events: Value, in_building: Value) -> Value {
    let count = events.as_array().expect("a list").len();
    json!({
        "ok": true, "date": DAY, "count": count, "in_building": in_building, "events": events,
        "truncated": false, "untrusted": true, "as_of": "2026-06-25T11:00:00+08:00",
    })
}

fn passages() -> Both<Ccnu> {
    signed_in_after(|fake| {
        let pass =
            |time: &str, gate, way| fake.door(READER, &format!("{DAY}T{time}+08:00"), gate, way);
        pass("15:12:44", "南湖二楼右入", json!(0));
        pass("15:17:14", "南湖二楼中出", json!(1));
        pass("15:14:00", "南湖\u{202e}侧门", json!(7));
        fake.door(
            READER,
            "2026-06-25T08:00:00+08:00",
            "南湖二楼右入",
            json!(0),
        );
    })
}

/// The two forms of a direction.
fn events(text: bool) -> Value {
    let way = |number: i32| {
        if text {
            json!(number.to_string())
        } else {
            json!(number)
        }
    };
    json!([
        { "time": "2026-06-24 15:17:14", "gate": "南湖二楼中出", "direction": "out", "raw_direction": way(1) },
        { "time": "2026-06-24 15:14:00", "gate": "南湖侧门", "direction": null, "raw_direction": way(7) },
        { "time": "2026-06-24 15:12:44", "gate": "南湖二楼右入", "direction": "in", "raw_direction": way(0) },
    ])
}

#[test]
fn the_newest_event_comes_first_whatever_the_order_and_form() {
    let both = passages();
    let arguments = json!({ "date": DAY });
    for newest_first in [true, false] {
        for text in [true, false] {
            both.each(|fake| {
                fake.switch(|switches| {
                    switches.newest_door_first = newest_first;
                    switches.direction_as_text = text;
                });
            });
            let expected = answer(events(text), Value::Null);
            assert_eq!(given(&both, TOOL, &arguments), expected);
        }
    }
    let empty = with(
        answer(json!([]), Value::Null),
        &json!({ "date": "2026-06-23" }),
    );
    assert_eq!(given(&both, TOOL, &json!({ "date": "2026-06-23" })), empty);
}

#[test]
fn the_last_event_says_whether_the_reader_is_inside() {
    let both = signed_in();
    let check = |way: Value, expected: Value| {
        let log = json!([
            { "dateTimeStr": "2026-06-25 09:00:00", "direction": 0, "gateNo": "a" },
            { "dateTimeStr": "2026-06-25 10:00:00", "direction": way, "doorName": "b" },
        ]);
        both.each(|fake| fake.fault("doorLog", 1, yes(&log)));
        let found = given(&both, TOOL, &json!({ "date": "today" }));
        assert_eq!(
            (&found["in_building"], &found["events"][0]["gate"]),
            (&expected, &json!("b"))
        );
    };
    for (way, expected) in [
        (json!(0), json!(true)),
        (json!("0"), json!(true)),
        (json!(1), json!(false)),
        (json!("1"), json!(false)),
        (json!(2), Value::Null),
        (json!("in"), Value::Null),
        (Value::Null, Value::Null),
    ] {
        check(way, expected);
    }
}

#[test]
fn a_day_that_is_none_is_named_and_nothing_is_asked() {
    let both = signed_in();
    let data = json!({ "field": "date" });
    for (wrong, why) in [
        (json!({}), "必填，例如 \"2026-06-25\""),
        (json!({ "date": null }), "必填，例如 \"2026-06-25\""),
        (
            json!({ "date": "20260701" }),
            "\"20260701\" 不是有效日期，例如 2026-12-02、今天、明天、后天 或 +3",
        ),
        (
            json!({ "date": "2026-06-31" }),
            "\"2026-06-31\" 不是有效日期，例如 2026-12-02、今天、明天、后天 或 +3",
        ),
    ] {
        let answer = refused_unasked(&both, TOOL, &wrong, ("INVALID_ARGUMENT", &data));
        assert_eq!(answer["message"], format!("参数 date 有误：{why}"));
    }
}

#[test]
fn a_day_that_is_over_does_not_tell_where_the_reader_is_and_one_to_come_nothing() {
    let both = passages();
    both.each(|fake| {
        fake.door(
            READER,
            "2026-06-24T21:00:00+08:00",
            "南湖二楼右入",
            json!(0),
        )
    });
    let about = |date: &str| {
        let found = given(&both, TOOL, &json!({ "date": date }));
        json!([
            found["date"],
            found["count"],
            found["events"][0]["direction"],
            found["in_building"]
        ])
    };
    assert_eq!(about(DAY), json!([DAY, 4, "in", null]));
    assert_eq!(about("今天"), json!(["2026-06-25", 1, "in", true]));
    let field = json!({ "field": "date" });
    let refusal = ("INVALID_ARGUMENT", &field);
    let tomorrow = refused_unasked(&both, TOOL, &json!({ "date": "明天" }), refusal);
    assert_eq!(
        tomorrow["message"],
        "参数 date 有误：2026-06-26 还没有到，今天是 2026-06-25"
    );
}

#[test]
fn a_day_beyond_the_budget_says_that_it_was_cut() {
    let both = signed_in_with(&[("CCNU_RESULT_KIB", "4")]);
    let event = |n: u32| {
        let time = format!("2026-06-24 10:{:02}:{:02}", n / 60, n % 60);
        json!({ "dateTimeStr": time, "direction": 1, "gateNo": "南湖二楼中出" })
    };
    let log: Value = (0..90).map(event).collect();
    both.each(|fake| fake.fault("doorLog", 1, yes(&log)));
    let found = given(&both, TOOL, &json!({ "date": DAY }));
    let shown = |n: u32| {
        let time = event(n)["dateTimeStr"].clone();
        json!({ "time": time, "gate": "南湖二楼中出", "direction": "out", "raw_direction": 1 })
    };
    // 94 bytes and a comma each, of the two KiB left for them.
    let newest: Vec<Value> = (0..90).rev().take(21).map(shown).collect();
    let cut = json!({ "count": 90, "truncated": true });
    assert_eq!(found, with(answer(json!(newest), Value::Null), &cut));
}

#[test]
fn an_event_without_a_time_is_named() {
    let both = signed_in();
    for (data, field) in [
        (Value::Null, "data"),
        (json!([{ "direction": 0 }]), "data[0].dateTimeStr"),
        (
            json!([{ "dateTimeStr": "gestern", "direction": 0 }]),
            "data[0].dateTimeStr",
        ),
    ] {
        both.each(|fake| fake.fault("doorLog", 1, yes(&data)));
        let path = format!("user/doorLog/{DAY}");
        changed(&both, TOOL, &json!({ "date": DAY }), &path, field);
    }
}
