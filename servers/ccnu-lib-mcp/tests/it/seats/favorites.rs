//! `get_site_favorite_locations`.

use serde_json::{Value, json};

use fixtures::ccnu::Ccnu;

use crate::{
    expected::{changed, given, signed_in_as, with, yes},
    world::{NOW, signed_in, signed_in_with},
};

const TOOL: &str = "get_site_favorite_locations";

fn answer(favorites: Value) -> Value {
    let count = favorites.as_array().expect("a list").len();
    json!({
        "ok": true, "favorites": favorites, "total": count, "returned": count, "truncated": false, "untrusted": true,
        "as_of": "2026-06-25T11:00:00+08:00",
    })
}

#[test]
fn entries_are_passed_on_as_the_site_gives_them() {
    let both = signed_in();
    let entry = |seat_id: &str, label: &str, name: &str, num: u64| {
        json!({
            "roomId": Ccnu::ATRIUM, "seatId": seat_id, "label": label, "name": name, "buildName": "南湖分馆",
            "floorName": "一楼", "roomName": "南湖分馆一楼中庭开敞座位区", "num": num,
        })
    };
    let expected = answer(json!([
        entry(Ccnu::N1167, "N1167", "9行7列", 5),
        entry("2003722571020177410", "N1169", "9行9列", 2),
    ]));
    assert_eq!(given(&both, TOOL, &json!({})), expected);
    // Nobody has recorded what they look like, so that nothing is expected of them.
    let strange = json!([{ "label": 60, "more": { "note": "a\u{200b}b" } }, {}]);
    both.each(|fake| fake.fault("findCommonSeat", 1, yes(&strange)));
    let cleaned = json!([{ "label": 60, "more": { "note": "ab" } }, {}]);
    assert_eq!(given(&both, TOOL, &json!({})), answer(cleaned));
}

#[test]
fn a_reader_may_have_none() {
    let both = signed_in_as("2026000005", NOW, |_| {});
    assert_eq!(given(&both, TOOL, &json!({})), answer(json!([])));
}

#[test]
fn a_list_beyond_the_budget_says_that_it_was_cut() {
    let both = signed_in_with(&[("CCNU_RESULT_KIB", "4")]);
    let entry = |n: u32| json!({ "label": format!("N{n:02}"), "roomName": "区".repeat(20) });
    let entries: Value = (0..60).map(entry).collect();
    both.each(|fake| fake.fault("findCommonSeat", 1, yes(&entries)));
    let found = given(&both, TOOL, &json!({}));
    // 89 bytes and a comma each, of the two KiB left for them.
    let first: Vec<Value> = (0..22).map(entry).collect();
    let cut = json!({ "total": 60, "truncated": true });
    assert_eq!(found, with(answer(json!(first)), &cut));
}

#[test]
fn what_is_no_list_of_objects_is_named() {
    let both = signed_in();
    for (data, field) in [
        (Value::Null, "data"),
        (json!({}), "data"),
        (json!([1]), "data[0]"),
    ] {
        both.each(|fake| fake.fault("findCommonSeat", 1, yes(&data)));
        changed(
            &both,
            TOOL,
            &with(json!({}), &json!({})),
            "res/findCommonSeat",
            field,
        );
    }
}
