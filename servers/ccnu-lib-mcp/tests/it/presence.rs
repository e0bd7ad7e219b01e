//! Where the reader is, and what becomes of the seat meanwhile.

mod absences;
mod doors;

use fixtures::{ccnu::Ccnu, mcp::Both, upstream::Fault};
use serde_json::{Value, json};

use crate::{
    expected::{TODAY, changed, given, requests_to, signed_in_after, with, yes},
    reservations::refused,
    world::{NOW, READER, signed_in},
};

const TOOL: &str = "get_presence";

/// A reader's day at the library, as written in `day`, seen at [`NOW`].
fn seen_now(day: impl Fn(&Ccnu)) -> Both<Ccnu> {
    signed_in_after(|fake| {
        day(fake);
        fake.set_clock(NOW);
    })
}

fn at(fake: &Ccnu, time: &str) {
    fake.set_clock(&format!("{TODAY}T{time}:00+08:00"));
}

/// Seat N1163 from 08:00 to 12:00, checked in at 08:05.
fn in_use(fake: &Ccnu) {
    at(fake, "07:40");
    fake.book(READER, "N1163", TODAY, 480, 720);
    at(fake, "08:05");
    fake.gate(READER, true);
}

fn event(time: &str, inward: bool) -> Value {
    json!({
        "time": format!("{TODAY} {time}:00"), "gate": if inward { "南湖二楼右入" } else { "南湖二楼中出" },
        "direction": if inward { "in" } else { "out" }, "raw_direction": i32::from(!inward),
    })
}

/// The newest event and where the reader is by it.
fn inside(last: Option<Value>) -> Value {
    let inside = last.as_ref().map(|last| last["direction"] == "in");
    json!({
        "in_building": inside, "in_building_source": inside.map(|_| "door_log"), "last_event": last,
    })
}

fn held(raw_status: &str, [start, end]: [&str; 2], raw_text: Option<&str>) -> Value {
    json!({
        "reservation_id": "2070000000000000004", "raw_status": raw_status, "seat_no": "N1163",
        "path": ["南湖分馆", "一楼", "南湖分馆一楼中庭开敞座位区"], "date": TODAY, "start_time": start,
        "end_time": end, "raw_text": raw_text,
    })
}

fn absence(since: &str, deadline: Option<&str>, source: &str) -> Value {
    let moment = |time: &str| format!("{TODAY}T{time}:00+08:00");
    json!({
        "since": moment(since), "deadline": deadline.map(moment), "source": source,
        "estimated": source == "door_log",
    })
}

/// The whole answer.
fn answer(place: Value, status: &str, reservation: Value, absence: Value, next: &str) -> Value {
    let more = json!({
        "ok": true, "status": status, "reservation": reservation, "absence": absence, "next": next, "untrusted": true,
        "as_of": NOW,
    });
    with(place, &more)
}

fn check(both: &Both<Ccnu>, expected: &Value) {
    assert_eq!(&given(both, TOOL, &json!({})), expected);
    both.each(|fake| assert_eq!(fake.effects(), []));
}

const NOTHING: &str = "没有有效预约；需要座位时用 get_availability_distribution 选区域";
const USING: &str = "使用中，至 12:00；提前离开用 end_reservation_early 退座";
const MORNING: [&str; 2] = ["08:00", "12:00"];

#[test]
fn without_a_reservation_only_the_gates_speak() {
    let none = |last| answer(inside(last), "none", Value::Null, Value::Null, NOTHING);
    let both = signed_in();
    check(&both, &none(None));
    both.each(|fake| {
        fake.door(
            READER,
            "2026-06-25T09:00:00+08:00",
            "南湖二楼右入",
            json!(0),
        )
    });
    check(&both, &none(Some(event("09:00", true))));
    both.each(|fake| {
        fake.door(
            READER,
            "2026-06-25T09:30:00+08:00",
            "南湖二楼中出",
            json!(1),
        )
    });
    check(&both, &none(Some(event("09:30", false))));
    // Yesterday's gates and a reservation that is over say nothing of now.
    let past = signed_in_after(|fake| {
        fake.door(
            READER,
            "2026-06-24T21:00:00+08:00",
            "南湖二楼右入",
            json!(0),
        );
        fake.record(READER, "N1163", TODAY, 480, 600, "STOP");
    });
    check(&past, &none(None));
}

#[test]
fn a_direction_that_is_not_known_leaves_the_place_unknown() {
    let both = signed_in();
    both.each(|fake| fake.door(READER, "2026-06-25T09:00:00+08:00", "侧门", json!(7)));
    let last = json!({
        "time": "2026-06-25 09:00:00", "gate": "侧门", "direction": null, "raw_direction": 7,
    });
    let place = json!({ "in_building": null, "in_building_source": null, "last_event": last });
    check(
        &both,
        &answer(place, "none", Value::Null, Value::Null, NOTHING),
    );
}

#[test]
fn a_reservation_waits_for_its_window() {
    let both = seen_now(|fake| drop(fake.book(READER, "N1163", TODAY, 750, 840)));
    let window = json!({
        "begin": "2026-06-25T12:00:00+08:00", "end": "2026-06-25T13:00:00+08:00", "source": "message",
    });
    let text = Some("请在 12:00 至 13:00 之间完成签到");
    let next = "在 06-25 12:00 至 06-25 13:00 之间过闸机进馆即签到；不去就用 cancel_reservation 取消，否则记违约";
    let reservation = held("RESERVE", ["12:30", "14:00"], text);
    let expected = answer(inside(None), "reserved", reservation, Value::Null, next);
    check(&both, &with(expected, &json!({ "sign_in_window": window })));
    assert_eq!(requests_to(&both, "makeLife"), [0, 0]);
}

#[test]
fn inside_the_window_the_gate_is_waited_for() {
    let day = |fake: &Ccnu| drop(fake.book(READER, "N1163", TODAY, 660, 840));
    let window = json!({ "sign_in_window": {
        "begin": "2026-06-25T10:30:00+08:00", "end": "2026-06-25T11:30:00+08:00", "source": "message",
    }});
    let reservation = held(
        "RESERVE",
        ["11:00", "14:00"],
        Some("请在 10:30 至 11:30 之间完成签到"),
    );
    let waiting = |place, next| {
        with(
            answer(
                place,
                "waiting_sign_in",
                reservation.clone(),
                Value::Null,
                next,
            ),
            &window,
        )
    };
    let both = seen_now(day);
    let next = "06-25 11:30 前过闸机进馆即签到；不去就用 cancel_reservation 取消，否则记违约";
    check(&both, &waiting(inside(None), next));
    // In already, but before the window opened: that was no check-in.
    let early = seen_now(|fake| {
        day(fake);
        fake.door(
            READER,
            "2026-06-25T10:00:00+08:00",
            "南湖二楼右入",
            json!(0),
        );
    });
    let next = "已在馆内但系统尚未签到：06-25 11:30 前须再过一次闸机或到服务台确认，否则记违约";
    check(&early, &waiting(inside(Some(event("10:00", true))), next));
}

#[test]
fn a_window_that_no_sentence_names_is_computed_or_assumed() {
    let record = json!({
        "id": "2070000000000000004", "seatLabel": "N1163", "status": "RESERVE", "makeDateStr": TODAY,
        "makeBegin": 690, "makeEnd": 840, "location": "馆|楼|区",
    });
    let check = |both: &Both<Ccnu>, begin: &str, end: &str, source: &str| {
        both.each(|fake| fake.fault("currentUseMake", 1, yes(&record)));
        let found = given(both, TOOL, &json!({}));
        let moment = |time: &str| format!("{TODAY}T{time}:00+08:00");
        let window = json!({ "begin": moment(begin), "end": moment(end), "source": source });
        assert_eq!(found["sign_in_window"], window);
    };
    let set = signed_in_after(|fake| {
        fake.switch(|switches| (switches.sign_start, switches.sign_end) = (20, 10));
    });
    check(&set, "11:10", "11:40", "computed");
    let unset = signed_in_after(|fake| {
        fake.switch(|switches| drop(switches.system.insert("signEndMinute".into(), Value::Null)));
    });
    check(&unset, "11:00", "12:00", "assumed");
}

#[test]
fn in_the_seat_there_is_nothing_to_do() {
    let both = seen_now(in_use);
    let reservation = held("CHECK_IN", MORNING, None);
    let place = inside(Some(event("08:05", true)));
    check(
        &both,
        &answer(place, "in_use", reservation, Value::Null, USING),
    );
    assert_eq!(requests_to(&both, "makeLife"), [1, 1]);
}

#[test]
fn a_reservation_that_is_not_called_current_is_found_among_the_recent() {
    let both = signed_in_after(|fake| {
        fake.switch(|switches| switches.current_today_only = true);
        fake.fill_history(READER, 3);
        fake.book(READER, "N1163", "2026-06-26", 480, 720);
    });
    let found = given(&both, TOOL, &json!({}));
    let about = json!([
        found["status"],
        found["reservation"]["date"],
        found["sign_in_window"]["begin"]
    ]);
    assert_eq!(
        about,
        json!(["reserved", "2026-06-26", "2026-06-26T07:30:00+08:00"])
    );
}

#[test]
fn a_status_that_is_not_known_holds_while_it_is_current() {
    let both = seen_now(in_use);
    let next = "系统状态不明或有违约风险：看 reservation.raw_text，并到服务台确认";
    for (raw, status) in [("PAUSED", "unknown"), ("BREAK", "violation_risk")] {
        both.each(|fake| fake.show_status("2070000000000000004", json!(raw)));
        let place = inside(Some(event("08:05", true)));
        check(
            &both,
            &answer(place, status, held(raw, MORNING, None), Value::Null, next),
        );
    }
}

#[test]
fn without_the_gates_the_rest_is_told_and_they_are_named() {
    let faults = [
        Fault::Html,
        Fault::Status(502, Vec::new()),
        yes(&json!({})),
        refused("没有权限"),
    ];
    for fault in faults {
        let both = seen_now(in_use);
        both.each(|fake| fake.fault("doorLog", 9, fault.clone()));
        let reservation = held("CHECK_IN", MORNING, None);
        let expected = answer(inside(None), "in_use", reservation, Value::Null, USING);
        let missing = json!({ "missing": ["door_log"] });
        check(&both, &with(expected, &missing));
    }
    let both = signed_in();
    both.each(|fake| fake.fault("doorLog", 1, refused("没有权限")));
    let expected = answer(inside(None), "none", Value::Null, Value::Null, NOTHING);
    check(&both, &with(expected, &json!({ "missing": ["door_log"] })));
}

#[test]
fn a_part_of_another_shape_is_named() {
    let both = seen_now(in_use);
    let record = json!({ "id": "1", "seatLabel": "N1", "status": "CHECK_IN" });
    both.each(|fake| fake.fault("currentUseMake", 1, yes(&record)));
    let path = "user/currentUseMake";
    changed(&both, TOOL, &json!({}), path, "data.makeDateStr");
    let nothing = signed_in();
    nothing.each(|fake| fake.fault("lastMake", 1, yes(&Value::Null)));
    changed(&nothing, TOOL, &json!({}), "user/lastMake", "data");
}
