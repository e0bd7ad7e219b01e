//! `list_available_seats`.

use fixtures::{ccnu::Ccnu, mcp::Both};
use serde_json::{Value, json};

use crate::{
    expected::{TODAY, body, changed, given, refused, signed_in_after, span, with, yes},
    world::signed_in,
};

const TOOL: &str = "list_available_seats";

fn asked(more: &Value) -> Value {
    let room = json!({ "location_id": Ccnu::ATRIUM });
    span("12:00", "14:00", &with(room, more))
}

/// A free seat of the atrium, whose seats stand in rows of twenty.
fn seat(number: u64) -> Value {
    let place = number - 1001;
    json!({
        "seat_id": (2_003_722_571_020_177_408 + number - 1167).to_string(), "seat_no": format!("N{number}"),
        "name": format!("{}行{}列", place / 20 + 1, place % 20 + 1), "location_id": Ccnu::ATRIUM, "available": true,
    })
}

fn in_state(number: u64, status: &str) -> Value {
    with(
        seat(number),
        &json!({ "available": status == "free", "status": status }),
    )
}

fn list(seats: &[Value], counts: &Value) -> Value {
    let answer = json!({
        "ok": true, "date": TODAY, "start_time": "12:00", "end_time": "14:00", "location_id": Ccnu::ATRIUM,
        "seats": seats, "returned": seats.len(), "truncated": false, "untrusted": true,
        "as_of": "2026-06-25T11:00:00+08:00",
    });
    with(answer, counts)
}

/// The library without other readers, with the last seats of the atrium in every state.
fn states() -> Both<Ccnu> {
    signed_in_after(|fake| {
        fake.switch(|switches| switches.crowd = false);
        for (label, status) in [("N1165", "IN_USE"), ("N1166", "AWAY")] {
            fake.occupy(label, TODAY, 600, 780, status);
        }
        fake.occupy("N1168", TODAY, 810, 1200, "IN_USE");
        for (label, word) in [
            ("N1169", "LOCK"),
            ("N1170", "LOCKED"),
            ("N1171", "BROKEN"),
            ("N1172", "\u{202e}清洁"),
        ] {
            fake.set_out_of_use(label, Some(word));
        }
    })
}

#[test]
fn only_free_seats_are_listed_in_order_of_their_numbers() {
    let both = states();
    let found = given(&both, TOOL, &asked(&json!({ "area_filter": "n116" })));
    let free: Vec<Value> = [1160, 1161, 1162, 1163, 1164, 1167].map(seat).into();
    let counts = json!({
        "total_free": 6, "total": 6, "removed": { "area_filter": 162, "unavailable": 4 },
    });
    assert_eq!(found, list(&free, &counts));
    both.each(|fake| {
        let bodies = fake.journal().of("freeSeatIdsDuration");
        let expected = json!({ "beginMinute": 720, "endMinute": 840, "minMinute": 120 });
        assert_eq!(body(&bodies[0]), expected);
    });
}

#[test]
fn the_others_are_listed_with_their_state_when_asked_for() {
    let both = states();
    let everything = json!({ "area_filter": "N117", "include_unavailable": true });
    let unknown = json!({ "raw_status": "清洁" });
    let seats = [
        in_state(1170, "locked"),
        in_state(1171, "broken"),
        with(in_state(1172, "unknown"), &unknown),
    ];
    let counts = json!({
        "total_free": 0, "total": 3, "removed": { "area_filter": 169, "unavailable": 0 },
    });
    assert_eq!(
        given(&both, TOOL, &asked(&everything)),
        list(&seats, &counts)
    );
    let everything = json!({ "area_filter": "N116", "include_unavailable": true });
    let found = given(&both, TOOL, &asked(&everything));
    let seats: Vec<Value> = (1160..1165)
        .map(|number| in_state(number, "free"))
        .chain([
            in_state(1165, "in_use"),
            in_state(1166, "away"),
            in_state(1167, "free"),
            in_state(1168, "full"),
            in_state(1169, "locked"),
        ])
        .collect();
    let counts = json!({
        "total_free": 6, "total": 10, "removed": { "area_filter": 162, "unavailable": 0 },
    });
    assert_eq!(found, list(&seats, &counts));
}

#[test]
fn the_limit_counts_free_seats_and_the_list_goes_on() {
    let both = states();
    // Of the 172 six are out of use for good, and the seven of above are not free either.
    let counts = json!({
        "total_free": 159, "total": 159, "removed": { "area_filter": 0, "unavailable": 13 },
    });
    let first: Vec<Value> = (1001..=1003).map(seat).collect();
    let found = given(&both, TOOL, &asked(&json!({ "limit": "3" })));
    let cut = json!({ "truncated": true, "next_cursor": found["next_cursor"] });
    assert_eq!(found, with(list(&first, &counts), &cut));
    let usual = given(&both, TOOL, &asked(&json!({})));
    assert_eq!(
        (&usual["returned"], &usual["truncated"]),
        (&json!(50), &json!(true))
    );
    let whole = given(&both, TOOL, &asked(&json!({ "limit": 500 })));
    assert_eq!(
        (&whole["returned"], &whole["truncated"]),
        (&json!(159), &json!(false))
    );
    for limit in [40, 500] {
        let arguments = asked(&json!({ "limit": limit, "include_unavailable": true }));
        assert_eq!(both.follow(TOOL, arguments, "seats").len(), 172);
    }
}

#[test]
fn seats_are_read_from_an_object_or_a_list_and_none_is_none() {
    let both = signed_in();
    let sent = |id: Value, label: Value, status: &str| json!({ "id": id, "label": label, "name": "", "status": status });
    let (first, second) = (
        sent(json!("7"), json!("B2"), "FREE"),
        sent(json!(8), json!(10), "FREE"),
    );
    let row = |id: &str, seat_no: &str| {
        json!({
            "seat_id": id, "seat_no": seat_no, "name": "", "location_id": Ccnu::ATRIUM, "available": true,
        })
    };
    let two = [row("8", "10"), row("7", "B2")];
    let none =
        json!({ "total_free": 0, "total": 0, "removed": { "area_filter": 0, "unavailable": 0 } });
    for (data, seats) in [
        (json!([first, second]), &two[..]),
        (json!({ "7": first, "8": second }), &two[..]),
        (json!({}), &[]),
        (json!([]), &[]),
    ] {
        both.each(|fake| fake.fault("freeSeatIdsDuration", 1, yes(&data)));
        let counts = with(
            none.clone(),
            &json!({ "total_free": seats.len(), "total": seats.len() }),
        );
        assert_eq!(
            given(&both, TOOL, &asked(&json!({}))),
            list(seats, &counts),
            "{data}"
        );
    }
}

#[test]
fn a_seat_of_another_shape_is_named() {
    let both = signed_in();
    let path = format!("res/freeSeatIdsDuration/{}/{TODAY}", Ccnu::ATRIUM);
    for (data, field) in [
        (Value::Null, "data"),
        (json!("none"), "data"),
        (
            json!({ "7": { "id": "7", "label": "B2" } }),
            "data.7.status",
        ),
        (
            json!({ "7": { "id": "7", "status": "FREE" } }),
            "data.7.label",
        ),
        (json!([{ "label": "B2", "status": "FREE" }]), "data[0].id"),
    ] {
        both.each(|fake| fake.fault("freeSeatIdsDuration", 1, yes(&data)));
        changed(&both, TOOL, &asked(&json!({})), &path, field);
    }
}

#[test]
fn a_room_that_is_not_there_is_refused_in_the_services_words() {
    let both = signed_in();
    let nowhere = span("12:00", "14:00", &json!({ "location_id": "1" }));
    let said = json!({ "said": "房间不存在", "untrusted": true });
    refused(&both, TOOL, &nowhere, ("UPSTREAM_REFUSED", &said));
}
