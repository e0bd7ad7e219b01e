//! Plans of rooms.

use serde_json::json;

use super::seats::{FORM, TYPE, answer, drift, lines};
use crate::{
    client::{seats::layout, tests::recorded},
    domain::layout::LayoutSeat,
};

fn plan_line(found: &LayoutSeat) -> String {
    let LayoutSeat {
        seat_id,
        seat_no,
        name,
        direction,
        power,
        x,
        y,
    } = found;
    let direction = direction.as_deref().unwrap_or("-");
    format!("{seat_id} {seat_no} {name} {direction} {power:?} {x} {y}")
}

#[test]
fn a_plan_is_cut_at_its_last_version_mark() {
    let plan = layout(recorded("seats_layout"))
        .expect("an answer")
        .expect("a plan");
    let expected = [
        "2003722571020177408 N1167 1行1列 top Some(true) 33 148",
        "2003722571020177409 N1168 1行2列 top Some(false) 83 148",
        "2003722571020177410 N1169 1行3列 bottom Some(true) 133 148",
    ];
    assert_eq!(lines(&plan.seats, plan_line), expected);
    assert_eq!(
        (plan.seat_count, plan.layout_version.as_deref()),
        (3, Some("15"))
    );
    let members: Vec<&str> = plan.layout.keys().map(String::as_str).collect();
    assert_eq!(members, ["version", "objects", "backgroundImage"]);
    assert_eq!(plan.layout["objects"].as_array().map(Vec::len), Some(4));
    assert_eq!(layout(recorded("seats_layout_unchanged")), Ok(None));

    let seat = r#"{"left":1,"top":2.5,"seat":{"id":5,"label":"A_updVersion_1"}}"#;
    for (suffix, version) in [
        ("_updVersion_7", Some("7")),
        ("_updVersion_", None),
        ("", None),
    ] {
        // A seat that bears the mark itself: only the last one counts.
        let marked = if suffix.is_empty() {
            seat.replace("_updVersion_1", "")
        } else {
            seat.to_owned()
        };
        let text = format!(r#"{{"objects":[{{"seat":null}},{marked}]}}{suffix}"#);
        let found = layout(answer(json!(text)))
            .expect("an answer")
            .expect("a plan");
        let number = if suffix.is_empty() {
            "A"
        } else {
            "A_updVersion_1"
        };
        assert_eq!(
            lines(&found.seats, plan_line),
            [format!("5 {number}  - None 1 2.5")]
        );
        assert_eq!(found.layout_version.as_deref(), version, "{suffix}");
    }
}

#[test]
fn a_plan_that_is_none_is_drift() {
    for (text, field, problem) in [
        (json!(null), "data", TYPE),
        (json!({}), "data", TYPE),
        (json!("plan_updVersion_1"), "data", "不是画布"),
        (json!("[]_updVersion_1"), "data", "不是画布"),
        (json!("{}_updVersion_1"), "data.objects", FORM),
        (
            json!(r#"{"objects":{}}_updVersion_1"#),
            "data.objects",
            FORM,
        ),
        (
            json!(r#"{"objects":[{"left":1}]}_updVersion_1"#),
            "data.objects",
            "没有座位",
        ),
        (
            json!(r#"{"objects":[{"left":1,"top":2,"seat":{"id":"1"}}]}"#),
            "data.objects[0].seat.label",
            TYPE,
        ),
        (
            json!(r#"{"objects":[{"seat":{"id":"1","label":"A"}}]}"#),
            "data.objects[0].left",
            TYPE,
        ),
        (
            json!(r#"{"objects":[{"left":"1","top":2,"seat":{"id":"1","label":"A"}}]}"#),
            "data.objects[0].left",
            TYPE,
        ),
        (
            json!(r#"{"objects":[{"left":1,"top":2,"seat":{"id":"a b","label":"A"}}]}"#),
            "data.objects[0].seat.id",
            FORM,
        ),
    ] {
        assert_eq!(
            layout(answer(text.clone())),
            Err(drift(field, problem)),
            "{text}"
        );
    }
}
