//! Rooms and seats for a span.

mod distribution;
mod favorites;
mod forms;
mod list;
mod spans;
mod timeline;

use fixtures::ccnu::Ccnu;
use serde_json::{Value, json};

use crate::{
    expected::{given, refused, requests_to, span, with},
    world::{signed_in, world},
};

/// Every reading tool with a call that succeeds.
pub(crate) fn readings() -> Vec<(&'static str, Value)> {
    let room = json!({ "location_id": Ccnu::ATRIUM });
    let afternoon = span("12:00", "14:00", &json!({}));
    vec![
        ("get_availability_distribution", afternoon.clone()),
        ("list_available_seats", with(afternoon.clone(), &room)),
        (
            "find_seats",
            with(
                afternoon.clone(),
                &with(room.clone(), &json!({ "power": true })),
            ),
        ),
        (
            "render_seat_map",
            with(afternoon, &with(room.clone(), &json!({ "picture": false }))),
        ),
        ("get_seat_layout", room),
        (
            "get_seat_timeline",
            json!({ "seat_id": Ccnu::N1167, "date": "今天" }),
        ),
        ("get_site_favorite_locations", json!({})),
        ("get_door_log", json!({ "date": "今天" })),
        ("get_presence", json!({})),
        ("get_account_standing", json!({})),
    ]
}

#[test]
fn nobody_reads_without_a_session() {
    let both = world();
    for (tool, arguments) in readings() {
        let answer = refused(&both, tool, &arguments, ("NEED_LOGIN", &Value::Null));
        assert_eq!(answer["next"], "调用 start_login 登录后重试", "{tool}");
    }
}

#[test]
fn a_lapsed_session_is_renewed_once_and_the_answer_is_the_same() {
    let both = signed_in();
    for (tool, arguments) in readings() {
        let first = given(&both, tool, &arguments);
        let before = requests_to(&both, "auth_cas");
        both.each(Ccnu::expire_tokens);
        assert_eq!(given(&both, tool, &arguments), first, "{tool}");
        assert_eq!(
            requests_to(&both, "auth_cas"),
            before.map(|n| n + 1),
            "{tool}"
        );
    }
    both.each(|fake| assert_eq!(fake.effects(), []));
}

#[test]
fn another_user_has_no_part_in_the_session() {
    let both = signed_in();
    for (tool, arguments) in readings() {
        let arguments = with(arguments, &json!({ "user_key": "person_2" }));
        refused(&both, tool, &arguments, ("NEED_LOGIN", &Value::Null));
    }
}
