//! Style and colour are two things (reports §3; §4, 26), and a chapter is a third.

use serde_json::{Value, json};

use super::{TOOL, counted, ids, notes};
use crate::world::{with_cookie, with_key};

/// The ids of all highlights and the count of notes.
fn chosen(result: &Value) -> (Vec<String>, u64) {
    counted(result);
    let count = result["returned_notes"].as_u64().expect("a count");
    (ids(&result["highlights"], "highlight_id"), count)
}

#[test]
fn style_and_colour_choose_apart_and_together() {
    let world = with_cookie();
    let skipped =
        |reason: &str, count: u64| json!({ "kind": "highlight", "reason": reason, "count": count });
    let bookmark = json!({ "kind": "bookmark", "reason": "no_text", "count": 1 });
    let odd = |nth: &[u32]| {
        let chapter = |nth: u32| match nth {
            0..=3 => 11,
            4..=6 => 12,
            _ => 13,
        };
        nth.iter()
            .map(|nth| format!("30000666_{}_odd{nth}", chapter(*nth)))
            .collect::<Vec<_>>()
    };
    for (filter, highlights, left) in [
        // Style 7 and none at all are not 0; they are left out and counted.
        (
            json!({ "highlight_style": 1 }),
            odd(&[1, 4]),
            json!([skipped("other_style", 10), bookmark]),
        ),
        (
            json!({ "highlight_style": 2 }),
            odd(&[2, 5]),
            json!([skipped("other_style", 10), bookmark]),
        ),
        // The service leaves the default colour out: none is 0.
        (
            json!({ "highlight_color": 0 }),
            odd(&[0, 4, 7, 8, 10, 11, 9]),
            json!([skipped("other_color", 5), bookmark]),
        ),
        (
            json!({ "highlight_color": 5 }),
            odd(&[5]),
            json!([skipped("other_color", 11), bookmark]),
        ),
        (
            json!({ "highlight_style": 2, "highlight_color": 5 }),
            odd(&[5]),
            json!([
                skipped("other_style", 10),
                skipped("other_color", 1),
                bookmark
            ]),
        ),
        (
            json!({ "highlight_color": 4 }),
            odd(&[]),
            json!([skipped("other_color", 12), bookmark]),
        ),
    ] {
        let mut arguments = json!({ "book_id": "30000666", "organize_by_chapter": false });
        let fields = filter.as_object().expect("fields").clone();
        arguments.as_object_mut().expect("fields").extend(fields);
        let told = notes(&world, arguments);
        // Thoughts have neither and stay.
        assert_eq!(chosen(&told), (highlights, 8), "{filter}");
        assert_eq!(told["skipped"], left, "{filter}");
    }
}

/// A number that has no name is shown as it is; what is not told is null.
#[test]
fn a_look_without_a_name_stays_a_number() {
    let told = notes(
        &with_cookie(),
        json!({ "book_id": "30000666", "organize_by_chapter": false }),
    );
    let looks = told["highlights"].as_array().expect("highlights").iter();
    let looks: Vec<_> = looks
        .map(|one| {
            json!([
                one["style"],
                one["style_name"],
                one["color"],
                one["color_name"]
            ])
        })
        .collect();
    for (at, look) in [
        (0, json!([2, "波浪线", 2, "紫色"])),
        (3, json!([null, null, 3, "蓝色"])),
        (4, json!([1, "背景色", null, null])),
        (6, json!([7, null, 9, null])),
    ] {
        assert_eq!(looks[at], look, "{at}");
    }
}

/// Only the web surface tells the style.
#[test]
fn a_style_needs_a_cookie() {
    let world = with_key();
    let refused = world.call(TOOL, json!({ "book_id": "30000666", "highlight_style": 0 }));
    assert_eq!(
        refused.structured,
        json!({
            "ok": false,
            "code": "NEED_COOKIE",
            "message": "这项内容只有网页版提供，需要 Cookie 或扫码登录",
            "retryable": false,
            "next": "用 start_login 扫码登录，或用 weread-mcp login 保存 Cookie",
            "data": { "ways": [] },
        })
    );
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
    let color = notes(
        &world,
        json!({ "book_id": "30000666", "highlight_color": 1 }),
    );
    assert_eq!(color["returned_highlights"], 1);
}

#[test]
fn one_chapter_is_chosen_from_both() {
    let world = with_cookie();
    let told = notes(&world, json!({ "book_id": "3300189789", "chapter_id": 7 }));
    counted(&told);
    assert_eq!(
        super::groups(&told),
        json!([[
            "chapter",
            7,
            7,
            "第六章 慢慢来",
            ["3300189789_7_20-41"],
            ["10000001_Vh6gr2kR2"]
        ]])
    );
    let skipped = |kind: &str, reason: &str, count: u64| json!({ "kind": kind, "reason": reason, "count": count });
    assert_eq!(
        told["skipped"],
        json!([
            skipped("highlight", "other_chapter", 2),
            skipped("note", "other_chapter", 1),
            skipped("bookmark", "no_text", 1),
        ])
    );
    let nowhere = notes(&world, json!({ "book_id": "3300189789", "chapter_id": -5 }));
    counted(&nowhere);
    assert_eq!(
        (super::groups(&nowhere), &nowhere["total_highlights"]),
        (json!([]), &json!(3))
    );
}

#[test]
fn what_cannot_be_a_filter_is_refused_before_anything_is_asked() {
    let world = with_cookie();
    for (field, value) in [
        ("highlight_style", json!(3)),
        ("highlight_style", json!("波浪线")),
        ("highlight_color", json!(6)),
        ("highlight_color", json!(-1)),
        ("chapter_id", json!("一")),
        ("max_results", json!(0)),
        ("cursor", json!("nonsense")),
        ("book_id", json!("27416212/..")),
        ("book_id", json!("三体")),
        ("book_id", json!("")),
    ] {
        let mut arguments = json!({ "book_id": "27416212" });
        arguments[field] = value;
        let refused = world.call(TOOL, arguments.clone());
        assert_eq!(
            (refused.code(), &refused.structured["data"]["field"]),
            (Some("INVALID_ARGUMENT"), &json!(field)),
            "{arguments}"
        );
    }
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}
