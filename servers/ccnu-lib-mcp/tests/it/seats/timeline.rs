//! `get_seat_timeline`.

use fixtures::ccnu::Ccnu;
use serde_json::{Value, json};

use crate::{
    expected::{TODAY, changed, given, refused, refused_unasked, signed_in_after, with, yes},
    world::signed_in,
};

const TOOL: &str = "get_seat_timeline";

fn asked(more: &Value) -> Value {
    with(json!({ "seat_id": Ccnu::N1167, "date": "今天" }), more)
}

#[test]
fn a_day_of_a_seat_is_its_free_ranges_and_the_times_to_begin() {
    let both = signed_in_after(|fake| {
        fake.occupy("N1167", TODAY, 720, 1170, "FULL");
        fake.occupy("N1167", TODAY, 1200, 1290, "FULL");
    });
    let expected = json!({
        "ok": true, "seat_id": Ccnu::N1167, "date": TODAY,
        "free": [
            { "start_time": "11:00", "end_time": "12:00" },
            { "start_time": "19:30", "end_time": "20:00" },
            { "start_time": "21:30", "end_time": "22:00" },
        ],
        "start_times": ["now", "11:00", "11:30", "19:30", "21:30"],
        "as_of": "2026-06-25T11:00:00+08:00",
    });
    assert_eq!(given(&both, TOOL, &asked(&json!({}))), expected);
    both.each(|fake| fake.switch(|switches| switches.times_as_numbers = true));
    assert_eq!(
        given(&both, TOOL, &asked(&json!({ "date": TODAY }))),
        expected
    );
    both.each(|fake| fake.occupy("N1167", TODAY, 600, 1320, "IN_USE"));
    let nothing = json!({ "free": [], "start_times": [] });
    assert_eq!(
        given(&both, TOOL, &asked(&json!({}))),
        with(expected, &nothing)
    );
}

#[test]
fn a_day_that_is_not_open_is_not_taken_for_a_full_one() {
    let both = signed_in();
    for (text, date) in [("明天", "2026-06-26"), ("2026-06-24", "2026-06-24")] {
        let data = json!({
            "field": "date", "date": date, "today": TODAY, "open_dates": [TODAY], "opens_at": "18:00",
        });
        refused(
            &both,
            TOOL,
            &asked(&json!({ "date": text })),
            ("DATE_NOT_OPEN", &data),
        );
    }
}

#[test]
fn arguments_that_are_none_are_named() {
    let both = signed_in();
    for (wrong, field, message) in [
        (
            json!({ "seat_id": "座位" }),
            "seat_id",
            "参数 seat_id 有误：不是 id（座位编号也不是）；原样使用查询工具给出的值",
        ),
        (
            json!({ "date": "2026-06-31" }),
            "date",
            "参数 date 有误：\"2026-06-31\" 不是有效日期，例如 2026-12-02、今天、明天、后天 或 +3",
        ),
    ] {
        let data = json!({ "field": field });
        let refusal = ("INVALID_ARGUMENT", &data);
        let answer = refused_unasked(&both, TOOL, &asked(&wrong), refusal);
        assert_eq!(answer["message"], message);
    }
    let said = json!({ "said": "座位不存在", "untrusted": true });
    let number = asked(&json!({ "seat_id": "N1167" }));
    refused(&both, TOOL, &number, ("UPSTREAM_REFUSED", &said));
}

#[test]
fn times_of_another_shape_are_named() {
    let both = signed_in();
    for (route, data, field) in [
        ("getTimeLine", Value::Null, "data"),
        (
            "getTimeLine",
            json!({ "freeList": [{ "label": "早上" }] }),
            "data.freeList[0].label",
        ),
        ("getStartTimes", json!({}), "data"),
        (
            "getStartTimes",
            json!([["now", "现在"], ["soon", ""]]),
            "data[1][0]",
        ),
    ] {
        both.each(|fake| fake.fault(route, 1, yes(&data)));
        let path = format!("res/{route}/{}/{TODAY}", Ccnu::N1167);
        changed(&both, TOOL, &asked(&json!({})), &path, field);
    }
}
