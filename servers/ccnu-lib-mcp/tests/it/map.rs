//! The plan of a room, as data and as a map.

mod layout;

use std::io::Cursor;

use fixtures::{ccnu::Ccnu, mcp::Both};
use serde_json::{Value, json};

use crate::{
    expected::{TODAY, ask, changed, given, requests_to, signed_in_after, span, with, yes},
    world::{READER, signed_in},
};

const TOOL: &str = "render_seat_map";

/// 九楼阅览室, forty seats in two rows.
const NINTH: &str = "1995336495886942208";

const LEGEND: &str = "o 空闲，# 该时段已被占，x 不可预约，? 状态未知，. 未查空闲，@ 我预约的座位，号码后 + 有电源、* 常用";
const PICTURE_LEGEND: &str = "图例：0 细框为座位（未查空闲），1 空心框为空闲，2 实心框为该时段已被占，3 打叉为不可预约，\
4 问号为状态未知，5 外加一圈为我预约的座位，6 右上角闪电为有电源，7 左上角心形为常用座位";

/// Forty seats, of which some are held, one is the reader's own and two are used often.
fn ninth() -> Both<Ccnu> {
    signed_in_after(|fake| {
        fake.switch(|switches| switches.crowd = false);
        let id = |place: u64| (2_003_722_571_020_177_408_u64 + 1_000 * 16 + place).to_string();
        fake.occupy(&id(1), TODAY, 780, 900, "FULL");
        fake.occupy(&id(2), TODAY, 600, 1000, "IN_USE");
        fake.set_out_of_use(&id(4), Some("REPAIR"));
        fake.set_out_of_use(&id(3), Some("LOCK"));
        fake.set_favourites(READER, &[(&id(0), 3), (&id(21), 1)]);
        fake.book(READER, &id(22), TODAY, 750, 900);
    })
}

fn asked(more: &Value) -> Value {
    span(
        "12:00",
        "14:00",
        &with(json!({ "location_id": NINTH }), more),
    )
}

/// What a map says beside its grid.
fn answer(grid: &str, counts: Value, more: &Value) -> Value {
    let answer = json!({
        "ok": true, "location_id": NINTH, "grid": grid, "legend": LEGEND, "counts": counts, "untrusted": true,
        "as_of": "2026-06-25T11:00:00+08:00",
    });
    with(answer, more)
}

fn afternoon() -> Value {
    json!({ "date": TODAY, "start_time": "12:00", "end_time": "14:00" })
}

/// The map of [`ninth`] in the afternoon.
const GRID: &str = "\
o001+* #002   #003 x004+ ?005  o006 o007+ o008  o009 o010+ o011  o012 o013+ o014  o015 o016+ o017  o018 o019+ o020
o021   o022+* @023 o024  o025+ o026 o027  o028+ o029 o030  o031+ x032 o033  o034+ o035 o036  o037+ o038 o039  x040+";

fn counts(asked: &Value) -> Value {
    with(
        json!({ "seats": 40, "own": 1, "favorites": 2, "power": 14 }),
        asked,
    )
}

#[test]
fn a_grid_shows_who_can_sit_where() {
    let both = ninth();
    let found = given(&both, TOOL, &asked(&json!({ "picture": false })));
    let counts = counts(&json!({ "free": 33, "taken": 3, "closed": 3, "unknown": 1 }));
    assert_eq!(found, answer(GRID, counts, &afternoon()));
    both.each(|fake| assert_eq!(fake.effects(), []));
}

#[test]
fn without_a_span_only_the_room_is_shown() {
    let both = ninth();
    let room = json!({ "location_id": NINTH, "picture": false });
    let plain: String = GRID
        .chars()
        .map(|c| if "o#x?".contains(c) { '.' } else { c })
        .collect();
    assert_eq!(
        given(&both, TOOL, &room),
        answer(&plain, counts(&json!({})), &json!({}))
    );
    assert_eq!(requests_to(&both, "freeSeatIdsDuration"), [0, 0]);
    assert_eq!(requests_to(&both, "buildingFloorDate"), [0, 0]);
}

/// Width and height of the picture in an answer, and how many colours it has.
fn picture(content: &[Value]) -> (u32, u32, usize) {
    let [text, picture] = content else {
        panic!("{} blocks", content.len());
    };
    assert_eq!(text["type"], "text");
    assert_eq!(
        (&picture["type"], &picture["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    let data = picture["data"].as_str().expect("base64");
    let file = data_encoding::BASE64
        .decode(data.as_bytes())
        .expect("base64");
    assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
    let mut reader = png::Decoder::new(Cursor::new(file))
        .read_info()
        .expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a frame");
    let mut colours = Vec::from_iter(bytes.chunks_exact(3));
    colours.sort_unstable();
    colours.dedup();
    (info.width, info.height, colours.len())
}

#[test]
fn a_picture_goes_with_the_grid() {
    let both = ninth();
    let legend = json!({ "picture_legend": PICTURE_LEGEND });
    let found = ask(&both, TOOL, &asked(&json!({})));
    let spots = json!({ "free": 33, "taken": 3, "closed": 3, "unknown": 1 });
    let expected = answer(GRID, counts(&spots), &with(afternoon(), &legend));
    assert_eq!(found.structured, expected);
    // 19 gaps of 46 pixels, a seat and the margins; two rows below the legend.
    assert_eq!(picture(&found.content), (1006, 259, 7));
    let atrium = json!({ "location_id": Ccnu::ATRIUM });
    let found = ask(&both, TOOL, &atrium);
    assert_eq!(picture(&found.content), (1006, 646, 5));
    let none = ask(&both, TOOL, &with(atrium, &json!({ "picture": false })));
    assert_eq!(none.content.len(), 1);
}

#[test]
fn a_result_with_a_picture_has_no_structure_that_would_hide_it() {
    let both = signed_in();
    for world in both.worlds() {
        let call = json!({ "name": TOOL, "arguments": { "location_id": NINTH } });
        let result = world.client.request("tools/call", call).expect("a result");
        let blocks = result["content"].as_array().expect("content");
        assert_eq!(blocks.len(), 2);
        assert_eq!(result.get("structuredContent"), None);
    }
}

#[test]
fn ones_own_seat_is_marked_on_its_own_day_only() {
    let own = |both: &Both<Ccnu>, arguments: &Value| {
        given(both, TOOL, arguments)["counts"]["own"].clone()
    };
    let both = signed_in_after(|fake| drop(fake.book(READER, "N1167", "2026-06-26", 480, 720)));
    let atrium = json!({ "location_id": Ccnu::ATRIUM, "picture": false });
    assert_eq!(own(&both, &span("12:00", "14:00", &atrium)), 0);
    assert_eq!(own(&both, &atrium), 1);
    let elsewhere = json!({ "location_id": NINTH, "picture": false });
    assert_eq!(own(&both, &elsewhere), 0);
}

#[test]
fn what_a_map_is_made_of_may_have_changed() {
    let both = signed_in();
    let none = json!({ "id": "1", "status": "RESERVE" });
    for (route, data, path, field) in [
        (
            "querySeatLayout",
            json!(""),
            format!("res/querySeatLayout/{NINTH}/0"),
            "data",
        ),
        (
            "currentUseMake",
            none,
            "user/currentUseMake".to_owned(),
            "data.seatLabel",
        ),
        (
            "findCommonSeat",
            Value::Null,
            "res/findCommonSeat".to_owned(),
            "data",
        ),
    ] {
        both.each(|fake| fake.fault(route, 1, yes(&data)));
        changed(&both, TOOL, &json!({ "location_id": NINTH }), &path, field);
    }
}
