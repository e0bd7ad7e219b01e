//! `find_seats`: what is proven, in which order, and how far a search goes.

use fixtures::{ccnu::Ccnu, mcp::Both};
use serde_json::{Value, json};

use crate::{
    expected::{
        TODAY, changed, given, refused, refused_unasked, requests_to, signed_in_after,
        signed_in_as, span, with, yes,
    },
    world::{NOW, signed_in},
};

const TOOL: &str = "find_seats";

/// The room of the booths, seats K2001 to K2096.
const BOOTHS: &str = "1995339150692630528";

fn asked(more: &Value) -> Value {
    span("12:00", "14:00", more)
}

fn in_atrium(more: &Value) -> Value {
    asked(&with(json!({ "location_id": Ccnu::ATRIUM }), more))
}

/// The library without other readers.
fn alone() -> Both<Ccnu> {
    signed_in_after(|fake| fake.switch(|switches| switches.crowd = false))
}

fn seat_id(number: u64) -> String {
    (2_003_722_571_020_177_408 + number - 1167).to_string()
}

fn found(number: u64, matched: &[&str]) -> Value {
    let place = number - 1001;
    json!({
        "seat_id": seat_id(number), "seat_no": format!("N{number}"), "location_id": Ccnu::ATRIUM,
        "name": format!("{}行{}列", place / 20 + 1, place % 20 + 1), "matched": matched,
    })
}

fn on_plan(number: u64, distance: Option<f64>, matched: &[&str]) -> Value {
    let place = number - 1001;
    let direction = if place.is_multiple_of(2) {
        "top"
    } else {
        "bottom"
    };
    let mut seat = with(
        found(number, matched),
        &json!({ "power": place.is_multiple_of(3), "direction": direction }),
    );
    if let Some(distance) = distance {
        seat["distance"] = json!(distance);
    }
    seat
}

fn answer(seats: &[Value], counts: &Value) -> Value {
    json!({
        "ok": true, "date": TODAY, "start_time": "12:00", "end_time": "14:00", "seats": seats, "counts": counts,
        "untrusted": true, "as_of": "2026-06-25T11:00:00+08:00",
    })
}

/// Rooms matched and checked, then candidates, checked, proven, and what was removed.
fn counts(rooms: [u64; 2], seats: [u64; 3], removed: &Value) -> Value {
    let [matched, looked_into] = rooms;
    let [candidates, checked, proven] = seats;
    let none = json!({ "power": 0, "direction": 0, "not_on_plan": 0 });
    json!({
        "rooms": matched, "rooms_full": 0, "rooms_checked": looked_into, "rooms_not_checked": matched - looked_into,
        "candidates": candidates, "checked": checked, "proven": proven, "not_checked": candidates - checked,
        "removed": with(none, removed),
    })
}

fn numbers(answer: &Value) -> Vec<&str> {
    let seats = answer["seats"].as_array().expect("seats").iter();
    seats
        .map(|seat| seat["seat_no"].as_str().expect("a number"))
        .collect()
}

#[test]
fn the_first_free_seats_are_proven_one_by_one() {
    let both = alone();
    let seats = [1001, 1002].map(|number| found(number, &["整段空闲"]));
    let expected = answer(&seats, &counts([1, 1], [166, 2, 2], &json!({})));
    assert_eq!(
        given(&both, TOOL, &in_atrium(&json!({ "limit": 2 }))),
        expected
    );
    // Where rooms are looked for, their names come along.
    let path = json!({ "path": ["南湖分馆", "一楼", "南湖分馆一楼中庭开敞座位区"] });
    let seats = seats.map(|seat| with(seat, &path));
    let expected = answer(&seats, &counts([20, 1], [166, 2, 2], &json!({})));
    assert_eq!(given(&both, TOOL, &asked(&json!({ "limit": 2 }))), expected);
    let expected = answer(&seats, &counts([1, 1], [166, 2, 2], &json!({})));
    let wish = json!({ "limit": 2, "library": "南湖", "area_filter": "中庭" });
    assert_eq!(given(&both, TOOL, &asked(&wish)), expected);
    assert_eq!(requests_to(&both, "getTimeLine"), [6, 6]);
    both.each(|fake| assert_eq!(fake.effects(), []));
}

#[test]
fn socket_and_direction_are_read_from_the_plan() {
    let both = alone();
    let wish = json!({ "power": true, "direction": "TOP", "limit": 3 });
    // Every third has a socket, every second of those faces the top.
    let seats =
        [1001, 1007, 1013].map(|number| on_plan(number, None, &["整段空闲", "有电源", "朝向 top"]));
    let free: Vec<u64> = (0..172)
        .filter(|place| ![31, 39, 80, 84, 121, 137].contains(place))
        .collect();
    let count =
        |keep: &dyn Fn(&u64) -> bool| free.iter().filter(|place| keep(place)).count() as u64;
    let removed = json!({
        "power": count(&|place| place % 3 != 0), "direction": count(&|place| place % 6 == 3),
    });
    let candidates = count(&|place| place % 6 == 0);
    let expected = answer(&seats, &counts([1, 1], [candidates, 3, 3], &removed));
    assert_eq!(given(&both, TOOL, &in_atrium(&wish)), expected);
    let any = json!({ "power": false, "limit": 1 });
    let found = given(&both, TOOL, &in_atrium(&any));
    assert_eq!(found["counts"]["candidates"], 166, "false asks for nothing");
}

#[test]
fn a_seat_in_the_list_that_is_held_in_between_is_not_given() {
    let both = alone();
    let offer = |number: u64| {
        let seat = json!({ "label": format!("N{number}"), "name": "", "status": "FREE" });
        (seat_id(number), seat)
    };
    let offered: Value = Value::Object([1160, 1161, 1162, 1163].map(offer).into_iter().collect());
    both.each(|fake| {
        fake.occupy("N1160", TODAY, 780, 810, "FULL");
        fake.occupy("N1162", TODAY, 450, 750, "IN_USE");
        fake.fault("freeSeatIdsDuration", 1, yes(&offered));
    });
    let seats =
        [1161, 1163].map(|number| with(found(number, &["整段空闲"]), &json!({ "name": "" })));
    let expected = answer(&seats, &counts([1, 1], [4, 4, 2], &json!({})));
    assert_eq!(given(&both, TOOL, &in_atrium(&json!({}))), expected);
}

#[test]
fn near_a_seat_the_nearest_come_first() {
    let both = alone();
    both.each(|fake| fake.occupy("N1167", TODAY, 450, 1320, "IN_USE"));
    let seat_id = Ccnu::N1167;
    for near in ["N1167", "n1167", seat_id] {
        let wish = json!({ "near_seat": near, "limit": 4 });
        let matched = ["整段空闲", "靠近N1167"];
        // Two beside it; in the row before, one straight and one aslant.
        let seats = [(1166, 50.0), (1168, 50.0), (1147, 60.0), (1146, 78.1)];
        let seats = seats.map(|(number, distance)| on_plan(number, Some(distance), &matched));
        let expected = answer(&seats, &counts([1, 1], [165, 4, 4], &json!({})));
        assert_eq!(given(&both, TOOL, &in_atrium(&wish)), expected, "{near}");
    }
    let wish = json!({ "near_seat": "N1170", "limit": 1 });
    let seats = [on_plan(1170, Some(0.0), &["整段空闲", "就是N1170"])];
    let expected = answer(&seats, &counts([1, 1], [165, 1, 1], &json!({})));
    assert_eq!(given(&both, TOOL, &in_atrium(&wish)), expected);
}

#[test]
fn near_favorites_their_room_alone_is_looked_into() {
    let both = alone();
    let path = json!({ "path": ["南湖分馆", "一楼", "南湖分馆一楼中庭开敞座位区"] });
    let seat = |number, distance, matched: &str| {
        with(
            on_plan(number, Some(distance), &["整段空闲", matched]),
            &path,
        )
    };
    let seats = [
        seat(1167, 0.0, "就是常用座位 N1167"),
        seat(1169, 0.0, "就是常用座位 N1169"),
        seat(1166, 50.0, "靠近常用座位 N1167"),
    ];
    let wish = json!({ "near_favorites": true, "limit": 3 });
    let expected = answer(&seats, &counts([1, 1], [166, 3, 3], &json!({})));
    assert_eq!(given(&both, TOOL, &asked(&wish)), expected);
    // A favourite that names no seat is known by its number in its room.
    let nameless = json!([{ "roomId": Ccnu::ATRIUM, "label": "N1160" }]);
    both.each(|fake| fake.fault("findCommonSeat", 1, yes(&nameless)));
    let seats = [seat(1160, 0.0, "就是常用座位 N1160")];
    let expected = answer(&seats, &counts([1, 1], [166, 1, 1], &json!({})));
    let wish = json!({ "near_favorites": true, "limit": 1 });
    assert_eq!(given(&both, TOOL, &asked(&wish)), expected);
}

#[test]
fn where_there_are_no_favorites_nothing_is_near_them() {
    let data = json!({ "field": "near_favorites" });
    let refusal = ("INVALID_ARGUMENT", &data);
    let message =
        "参数 near_favorites 有误：所选区域里没有常用座位；用 get_site_favorite_locations 查看";
    let without = signed_in_as("2026000005", NOW, |_| {});
    let wish = json!({ "near_favorites": true });
    let answer = refused(&without, TOOL, &asked(&wish), refusal);
    assert_eq!(answer["message"], message);
    let both = signed_in();
    for elsewhere in [
        json!({ "location_id": BOOTHS }),
        json!({ "library": "主馆" }),
    ] {
        let answer = refused(
            &both,
            TOOL,
            &asked(&with(wish.clone(), &elsewhere)),
            refusal,
        );
        assert_eq!(answer["message"], message, "{elsewhere}");
    }
}

#[test]
fn a_seat_that_is_not_in_the_room_is_named() {
    let both = signed_in();
    let data = json!({ "field": "near_seat" });
    let wish = json!({ "near_seat": "K2001" });
    let answer = refused(&both, TOOL, &in_atrium(&wish), ("INVALID_ARGUMENT", &data));
    assert_eq!(
        answer["message"],
        "参数 near_seat 有误：该区域的布局图上没有座位 \"K2001\""
    );
}

#[test]
fn a_number_without_its_room_is_refused_unasked() {
    let both = signed_in();
    let location = json!({ "field": "location_id" });
    let wish = asked(&json!({ "near_seat": "N1167", "library": "南湖" }));
    refused_unasked(&both, TOOL, &wish, ("NEED_LOCATION", &location));
}

#[test]
fn near_a_seat_or_a_favorite_either_will_do() {
    let both = alone();
    let wish = json!({ "near_seat": "N1160", "near_favorites": true, "limit": 5 });
    let seat =
        |number, distance, matched: &str| on_plan(number, Some(distance), &["整段空闲", matched]);
    let seats = [
        seat(1160, 0.0, "就是N1160"),
        seat(1167, 0.0, "就是常用座位 N1167"),
        seat(1169, 0.0, "就是常用座位 N1169"),
        seat(1159, 50.0, "靠近N1160"),
        seat(1166, 50.0, "靠近常用座位 N1167"),
    ];
    let expected = answer(&seats, &counts([1, 1], [166, 5, 5], &json!({})));
    assert_eq!(given(&both, TOOL, &in_atrium(&wish)), expected);
}

#[test]
fn no_seat_is_said_only_when_all_were_looked_at() {
    let both = alone();
    let check = |wish: Value, checked: u64, counts: Value| {
        let data = json!({ "seats_checked": checked, "counts": counts });
        let answer = refused(&both, TOOL, &asked(&wish), ("NO_SEAT", &data));
        assert_eq!(answer["message"], "没有符合条件且在该时段整段空闲的座位");
        assert_eq!(answer["retryable"], true);
    };
    let nothing = json!({});
    both.each(|fake| {
        fake.fault("freeSeatIdsDuration", 2, yes(&json!({})));
    });
    let booths = json!({ "location_id": BOOTHS });
    check(booths.clone(), 0, counts([1, 1], [0, 0, 0], &nothing));
    check(
        with(booths.clone(), &json!({ "power": true })),
        0,
        counts([1, 1], [0, 0, 0], &nothing),
    );
    let no_room = counts([0, 0], [0, 0, 0], &nothing);
    check(json!({ "area_filter": "研讨" }), 0, no_room);
    let sideways = with(booths, &json!({ "direction": "left" }));
    let removed = json!({ "direction": 92 });
    check(sideways, 0, counts([1, 1], [0, 0, 0], &removed));
}

#[test]
fn full_rooms_are_counted_and_not_looked_into() {
    let both = signed_in();
    let room = |id: &str, free: u64| {
        json!({
            "id": id, "name": format!("区{id}"), "buildingName": "馆", "floorName": "楼", "seatTotal": 9, "seatFree": free,
        })
    };
    let rooms = json!({ "pageList": [room("1", 0), room("2", 0)], "next": false });
    both.each(|fake| fake.fault("findRoomDuration", 2, yes(&rooms)));
    let mut none = counts([2, 0], [0, 0, 0], &json!({}));
    none["rooms_full"] = json!(2);
    none["rooms_not_checked"] = json!(0);
    let data = json!({ "seats_checked": 0, "counts": none });
    let wish = asked(&json!({ "library": "主馆" }));
    refused(&both, TOOL, &wish, ("NO_SEAT", &data));
    assert_eq!(requests_to(&both, "freeSeatIdsDuration"), [0, 0]);
}

#[test]
fn a_search_ends_after_twenty_proofs_and_says_what_it_left() {
    let both = alone();
    let offer = |number: u64| {
        let seat = json!({ "label": format!("N{number}"), "name": "", "status": "FREE" });
        (seat_id(number), seat)
    };
    let offered: Value = Value::Object((1001..1031).map(offer).collect());
    both.each(|fake| {
        for number in 1001..1031 {
            fake.occupy(&format!("N{number}"), TODAY, 780, 810, "FULL");
        }
        fake.fault("freeSeatIdsDuration", 1, yes(&offered));
    });
    let note = json!({ "note": "查到上限仍没有整段空闲的；用 location_id 或条件缩小范围后再找" });
    let expected = with(answer(&[], &counts([1, 1], [30, 20, 0], &json!({}))), &note);
    assert_eq!(
        given(&both, TOOL, &in_atrium(&json!({ "limit": 20 }))),
        expected
    );
    assert_eq!(requests_to(&both, "getTimeLine"), [20, 20]);
}

#[test]
fn a_search_looks_into_six_rooms_at_most() {
    let both = alone();
    // In each room the plan knows none of the seats on offer.
    let offered = json!([{ "id": "7", "label": "Z1", "name": "", "status": "FREE" }]);
    both.each(|fake| fake.fault("freeSeatIdsDuration", 9, yes(&offered)));
    let found = given(&both, TOOL, &asked(&json!({ "power": true })));
    let removed = json!({ "not_on_plan": 6 });
    assert_eq!(found["counts"], counts([20, 6], [0, 0, 0], &removed));
    assert_eq!(numbers(&found), [""; 0]);
    assert_eq!(requests_to(&both, "freeSeatIdsDuration"), [6, 6]);
}

#[test]
fn a_timeline_of_another_shape_is_named() {
    let both = signed_in();
    both.each(|fake| fake.fault("getTimeLine", 1, yes(&json!({ "freeList": null }))));
    let path = format!("res/getTimeLine/{}/{TODAY}", seat_id(1001));
    changed(&both, TOOL, &in_atrium(&json!({})), &path, "data.freeList");
}
