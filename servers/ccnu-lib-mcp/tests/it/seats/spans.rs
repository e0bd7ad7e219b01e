//! Days and times that cannot be, and days and hours that are not open.

use fixtures::{ccnu::Ccnu, mcp::Both};
use serde_json::{Value, json};

use crate::{
    expected::{
        TODAY, given, refused, refused_unasked, requests_to, signed_in_after, signed_in_as, span,
        with, yes,
    },
    world::{READER, signed_in, world},
};

/// The tools that read a span, with what else they need.
fn tools() -> [(&'static str, Value); 4] {
    let room = json!({ "location_id": Ccnu::ATRIUM });
    [
        ("get_availability_distribution", json!({})),
        ("list_available_seats", room.clone()),
        ("find_seats", room.clone()),
        ("render_seat_map", with(room, &json!({ "picture": false }))),
    ]
}

/// Arguments that cannot be: what of the span is said, the field and the sentence.
fn impossible() -> Vec<(Value, &'static str, &'static str)> {
    let span = |date: &str, start: &str, end: &str| json!({ "date": date, "start_time": start, "end_time": end });
    vec![
        (
            json!({ "start_time": "12:00", "end_time": "14:00" }),
            "date",
            "缺少 date，例如 2026-06-25、今天、明天",
        ),
        (
            span("", "12:00", "14:00"),
            "date",
            "缺少 date，例如 2026-06-25、今天、明天",
        ),
        (
            span("2026-02-30", "12:00", "14:00"),
            "date",
            "date \"2026-02-30\" 不是有效日期，例如 2026-12-02、今天、明天、后天 或 +3",
        ),
        (
            json!({ "date": TODAY, "end_time": "14:00" }),
            "start_time",
            "缺少 start_time，例如 08:00",
        ),
        (
            json!({ "date": TODAY, "start_time": "12:00", "end_time": null }),
            "end_time",
            "缺少 end_time，例如 08:00",
        ),
        (
            span(TODAY, "8:00", "14:00"),
            "start_time",
            "start_time \"8:00\" 不是 HH:MM，例如 08:00",
        ),
        (
            span(TODAY, "12:00", "25:00"),
            "end_time",
            "end_time \"25:00\" 不是 HH:MM，例如 08:00",
        ),
        (
            span(TODAY, "12:00", "12:00"),
            "end_time",
            "start_time 须早于 end_time",
        ),
        (
            span(TODAY, "14:00", "12:00"),
            "end_time",
            "start_time 须早于 end_time",
        ),
        (
            span(TODAY, "12:10", "14:00"),
            "start_time",
            "start_time 须是 30 分钟的整数倍，例如 08:30",
        ),
        (
            span(TODAY, "12:00", "13:45"),
            "end_time",
            "end_time 须是 30 分钟的整数倍，例如 08:30",
        ),
    ]
}

#[test]
fn a_time_that_cannot_be_is_named_and_nothing_is_asked() {
    for both in [world(), signed_in()] {
        for (tool, more) in tools() {
            for (wrong, field, message) in impossible() {
                let data = json!({ "field": field });
                let arguments = with(wrong, &more);
                let answer = refused_unasked(&both, tool, &arguments, ("BAD_TIME", &data));
                assert_eq!(answer["message"], message, "{tool} {arguments}");
            }
        }
    }
}

#[test]
fn a_begin_that_is_over_is_named_and_nothing_is_asked() {
    let both = signed_in();
    let data = json!({ "field": "start_time", "now": "2026-06-25T11:00:00+08:00" });
    for (tool, more) in tools() {
        for (date, start) in [(TODAY, "10:30"), ("2026-06-24", "20:00")] {
            let arguments = json!({ "date": date, "start_time": start, "end_time": "21:00" });
            let refusal = ("BEGIN_IN_PAST", &data);
            refused_unasked(&both, tool, &with(arguments, &more), refusal);
        }
        // The present minute is not over.
        given(&both, tool, &span("11:00", "12:00", &more));
    }
}

#[test]
fn a_day_that_is_not_open_is_refused_with_those_that_are() {
    let both = signed_in();
    for (tool, more) in tools() {
        for (text, date) in [("明天", "2026-06-26"), ("+7", "2026-07-02")] {
            let data = json!({
                "field": "date", "date": date, "today": TODAY, "open_dates": [TODAY], "opens_at": "18:00",
            });
            let arguments = json!({ "date": text, "start_time": "08:00", "end_time": "12:00" });
            let answer = refused(
                &both,
                tool,
                &with(arguments, &more),
                ("DATE_NOT_OPEN", &data),
            );
            assert_eq!(
                answer["message"],
                format!("{date} 现在不能预约：今天是 {TODAY}，之后的日期每天 18:00 开放")
            );
        }
    }
    // Nothing of another day was asked instead.
    assert_eq!(requests_to(&both, "findRoomDuration"), [0, 0]);
    assert_eq!(requests_to(&both, "freeSeatIdsDuration"), [0, 0]);
}

#[test]
fn in_the_evening_tomorrow_is_open_and_late_only_tomorrow() {
    let evening = signed_in_as(READER, "2026-06-25T18:00:00+08:00", |_| {});
    let late = signed_in_as(READER, "2026-06-25T22:00:00+08:00", |fake| {
        fake.switch(|switches| switches.opening = (0, 1440));
    });
    let tomorrow = json!({ "date": "明天", "start_time": "08:00", "end_time": "12:00" });
    for (tool, more) in tools() {
        for both in [&evening, &late] {
            let answer = given(both, tool, &with(tomorrow.clone(), &more));
            assert_eq!(answer["date"], "2026-06-26");
        }
        let data = json!({
            "field": "date", "date": TODAY, "today": TODAY, "open_dates": ["2026-06-26"], "opens_at": "18:00",
        });
        let tonight = span("22:30", "23:00", &more);
        refused(&late, tool, &tonight, ("DATE_NOT_OPEN", &data));
    }
}

#[test]
fn a_span_outside_the_hours_of_every_building_is_closed() {
    let both = signed_in();
    let data = json!({ "opens": "07:30", "closes": "22:00" });
    for (tool, more) in tools() {
        let answer = refused(
            &both,
            tool,
            &span("21:30", "22:30", &more),
            ("CLOSED", &data),
        );
        assert_eq!(answer["message"], "该时段不全在开放时间 07:30–22:00 之内");
    }
    assert_eq!(requests_to(&both, "findRoomDuration"), [0, 0]);
    let hours = |hours: [Option<&str>; 2]| {
        let building = |(id, hours): (usize, Option<&str>)| json!({ "id": id.to_string(), "name": "馆", "seTime": hours, "floors": [] });
        let buildings: Value = hours.into_iter().enumerate().map(building).collect();
        json!({ "buildings": buildings, "dates": [TODAY] })
    };
    let list = span("21:30", "22:30", &json!({ "location_id": Ccnu::ATRIUM }));
    let check = |both: &Both<Ccnu>, of: [Option<&str>; 2], expected: Option<Value>| {
        both.each(|fake| fake.fault("buildingFloorDate", 1, yes(&hours(of))));
        match expected {
            None => drop(given(both, "list_available_seats", &list)),
            Some(data) => drop(refused(
                both,
                "list_available_seats",
                &list,
                ("CLOSED", &data),
            )),
        }
    };
    // One that is open is enough, and one of which the hours are not known may be.
    check(&both, [Some("07:00 _ 22:00"), Some("08:00_23:00")], None);
    check(&both, [Some("07:00 _ 22:00"), None], None);
    check(&both, [Some("07:00 _ 22:00"), Some("全天")], None);
    let longest = json!({ "opens": "07:00", "closes": "22:00" });
    check(
        &both,
        [Some("09:00-21:00"), Some("07:00 _ 22:00")],
        Some(longest),
    );
}

#[test]
fn the_readers_own_step_holds_once_it_is_known() {
    let both = signed_in_after(|fake| {
        let reader = json!({ "fullName": "张同学", "stepMinute": 15, "maxMinute": 840 });
        fake.fault("getUserInfo", 1, yes(&reader));
    });
    let list = |start: &str| span(start, "14:00", &json!({ "location_id": Ccnu::ATRIUM }));
    given(&both, "list_available_seats", &list("12:15"));
    let data = json!({ "field": "start_time" });
    let refusal = ("BAD_TIME", &data);
    let answer = refused_unasked(&both, "list_available_seats", &list("12:10"), refusal);
    assert_eq!(
        answer["message"],
        "start_time 须是 15 分钟的整数倍，例如 08:30"
    );
}

#[test]
fn more_than_one_reservation_may_be_planned() {
    let both = signed_in_after(|fake| fake.switch(|switches| switches.max_minute = 240));
    let all_day = span("12:00", "22:00", &json!({ "area_filter": "中庭" }));
    let answer = given(&both, "get_availability_distribution", &all_day);
    assert_eq!(answer["locations"][0]["max_minute"], 240);
}

#[test]
fn a_room_must_be_named_by_its_id() {
    let both = signed_in();
    for (tool, more) in [
        ("list_available_seats", span("12:00", "14:00", &json!({}))),
        ("get_seat_layout", json!({})),
        ("render_seat_map", json!({})),
    ] {
        let data = json!({ "field": "location_id" });
        for none in [
            json!({}),
            json!({ "location_id": "" }),
            json!({ "location_id": null }),
        ] {
            let arguments = with(more.clone(), &none);
            refused_unasked(&both, tool, &arguments, ("NEED_LOCATION", &data));
        }
        let name = with(more, &json!({ "location_id": "中庭" }));
        refused_unasked(&both, tool, &name, ("INVALID_ARGUMENT", &data));
    }
}
