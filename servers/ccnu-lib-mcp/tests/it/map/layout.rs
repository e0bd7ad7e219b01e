//! `get_seat_layout`.

use fixtures::ccnu::Ccnu;
use serde_json::{Value, json};

use super::NINTH;
use crate::{
    expected::{changed, given, refused, with, yes},
    world::{signed_in, signed_in_with},
};

const TOOL: &str = "get_seat_layout";

/// The seats of a room in rows of twenty, 50 apart, the rows 60.
fn seats(count: u64, first_id: u64, label: impl Fn(u64) -> String) -> Value {
    let seat = |place: u64| {
        json!({
            "seat_id": (first_id + place).to_string(), "seat_no": label(place),
            "name": format!("{}行{}列", place / 20 + 1, place % 20 + 1),
            "direction": if place.is_multiple_of(2) { "top" } else { "bottom" },
            "power": place.is_multiple_of(3),
            "x": 33.0 + 50.0 * (place % 20) as f64, "y": 148.0 + 60.0 * (place / 20) as f64,
        })
    };
    (0..count).map(seat).collect()
}

fn answer(location: &str, version: &str, seats: Value, more: &Value) -> Value {
    let count = seats.as_array().expect("a list").len();
    let answer = json!({
        "ok": true, "location_id": location, "layout_version": version, "seat_count": count, "seats": seats,
        "untrusted": true, "as_of": "2026-06-25T11:00:00+08:00",
    });
    with(answer, more)
}

fn atrium(more: &Value) -> Value {
    let first = 2_003_722_571_020_177_408 + 1001 - 1167;
    let seats = seats(172, first, |place| format!("N{}", 1001 + place));
    answer(Ccnu::ATRIUM, "15", seats, more)
}

fn ninth(layout: &Value) -> Value {
    let first = 2_003_722_571_020_177_408 + 16_000;
    let seats = seats(40, first, |place| format!("P{:03}", place + 1));
    answer(NINTH, "18", seats, &json!({ "layout": layout }))
}

/// The drawing that the fake has of that room.
fn drawing(seats: &Value) -> Value {
    let object = |seat: &Value| {
        json!({
            "type": "labeledImage", "left": seat["x"], "top": seat["y"], "width": 40, "height": 40, "angle": 0,
            "seat": {
                "id": seat["seat_id"], "label": seat["seat_no"], "name": seat["name"],
                "direction": seat["direction"], "power": seat["power"],
            },
        })
    };
    let seats = seats.as_array().expect("seats").iter().map(object);
    let others = [
        json!({ "type": "rect", "left": 0, "top": 0, "width": 1100, "height": 12, "fill": "#ccc" }),
        json!({ "type": "text", "left": 20, "top": 40, "text": "九楼阅览室 _updVersion_1" }),
    ];
    json!({
        "version": "5.2.1", "objects": seats.chain(others).collect::<Value>(),
        "backgroundImage": { "type": "image", "src": "/jsq/static/img/bg.png", "width": 1100, "height": 700 },
    })
}

#[test]
fn a_small_room_comes_with_its_canvas() {
    let both = signed_in();
    let whole = ninth(&json!({}));
    let expected = ninth(&drawing(&whole["seats"]));
    let room = json!({ "location_id": NINTH });
    assert_eq!(given(&both, TOOL, &room), expected);
    let mut without = expected;
    without.as_object_mut().expect("an object").remove("layout");
    let wish = with(room, &json!({ "include_layout": false }));
    assert_eq!(given(&both, TOOL, &wish), without);
}

#[test]
fn the_seats_of_a_large_room_are_never_cut_and_its_canvas_is_left_out() {
    let omitted = json!({ "layout_omitted": true });
    let room = json!({ "location_id": Ccnu::ATRIUM });
    let both = signed_in();
    let answer = both.call(TOOL, room.clone());
    assert_eq!(answer.structured, atrium(&omitted));
    assert!(answer.text.len() < 24 * 1024, "{} bytes", answer.text.len());
    let wish = with(room.clone(), &json!({ "include_layout": false }));
    assert_eq!(given(&both, TOOL, &wish), atrium(&json!({})));
    // Whatever the budget is, which the canvas alone must keep to.
    let small = signed_in_with(&[("CCNU_RESULT_KIB", "4")]);
    assert_eq!(given(&small, TOOL, &room), atrium(&omitted));
    let large = signed_in_with(&[("CCNU_RESULT_KIB", "90")]);
    let found = given(&large, TOOL, &room);
    let objects = found["layout"]["objects"].as_array().expect("objects");
    assert_eq!(
        (objects.len(), &found["layout_omitted"]),
        (174, &Value::Null)
    );
    let seats = json!({ "layout": found["layout"] });
    assert_eq!(found, atrium(&seats));
}

#[test]
fn hosts_are_told_that_a_room_comes_whole() {
    let both = signed_in();
    let tools = both.tools().iter();
    let with_budget = tools.filter(|tool| tool.get("_meta").is_some_and(|meta| !meta.is_null()));
    let found: Vec<_> = with_budget
        .map(|tool| (&tool["name"], &tool["_meta"]))
        .collect();
    let meta = json!({ "anthropic/maxResultSizeChars": 100_000 });
    assert_eq!(found, [(&json!(TOOL), &meta)]);
}

#[test]
fn what_is_no_plan_is_named() {
    let both = signed_in();
    let room = json!({ "location_id": NINTH });
    let path = format!("res/querySeatLayout/{NINTH}/0");
    let seat = |label: Value| json!({ "left": 1, "top": 2, "seat": { "id": "7", "label": label } });
    let plan = |objects: Value| json!(format!("{}_updVersion_3", json!({ "objects": objects })));
    for (data, field) in [
        (Value::Null, "data"),
        (json!({}), "data"),
        // "Unchanged", said to who has nothing.
        (json!(""), "data"),
        (json!("<html>_updVersion_3"), "data"),
        (json!("{}_updVersion_3"), "data.objects"),
        (plan(json!([])), "data.objects"),
        (plan(json!([{ "type": "rect" }])), "data.objects"),
        (
            plan(json!([seat(json!("1")), seat(Value::Null)])),
            "data.objects[1].seat.label",
        ),
        (
            plan(json!([{ "top": 2, "seat": { "id": "7", "label": "1" } }])),
            "data.objects[0].left",
        ),
    ] {
        both.each(|fake| fake.fault("querySeatLayout", 1, yes(&data)));
        changed(&both, TOOL, &room, &path, field);
    }
    // What a seat does not say is unknown.
    both.each(|fake| {
        fake.fault(
            "querySeatLayout",
            1,
            yes(&plan(json!([seat(json!("060"))]))),
        )
    });
    let found = given(
        &both,
        TOOL,
        &with(room, &json!({ "include_layout": false })),
    );
    let unknown = json!({
        "seat_id": "7", "seat_no": "060", "name": "", "direction": null, "power": null, "x": 1.0, "y": 2.0,
    });
    assert_eq!(found, answer(NINTH, "3", json!([unknown]), &json!({})));
}

#[test]
fn a_room_that_is_not_there_is_refused_in_the_services_words() {
    let both = signed_in();
    let said = json!({ "said": "房间不存在", "untrusted": true });
    refused(
        &both,
        TOOL,
        &json!({ "location_id": "1" }),
        ("UPSTREAM_REFUSED", &said),
    );
}
