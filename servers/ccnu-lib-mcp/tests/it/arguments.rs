//! Every argument of every tool, given wrongly in every way, is named and nothing is asked for it.

use fixtures::{
    arguments::{Expect, cases},
    ccnu::Ccnu,
    mcp::Both,
};
use serde_json::{Value, json};

use crate::world::signed_in;

/// Nobody is asked for a captcha, whose questions would differ by chance.
fn unasked() -> Both<Ccnu> {
    let both = signed_in();
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    both
}

const DAY: &str = "2026-06-25";

/// A call with every argument but `cursor`, which only an answer gives. What it is answered does not matter here.
fn whole(tool: &str) -> Value {
    let span = json!({ "date": DAY, "start_time": "13:00", "end_time": "15:00" });
    let seat = Ccnu::N1167;
    let room = Ccnu::ATRIUM;
    let writing = json!({ "client_token": "arguments-1", "dry_run": true });
    let own = match tool {
        "save_account" => json!({
            "username": "2026000005", "password": "pw-right", "phone_hint": "尾号1234", "login_now": false,
        }),
        "start_login" => json!({ "username": "2026000001", "password": "pw-right" }),
        "submit_challenge" => json!({ "challenge_id": "ch_0123456789ab", "answer": "7k3p" }),
        "get_availability_distribution" => {
            with(span, json!({ "library": "南湖", "area_filter": "中庭" }))
        }
        "list_available_seats" => with(
            span,
            json!({ "location_id": room, "area_filter": "N1", "limit": 5, "include_unavailable": true }),
        ),
        "find_seats" => with(
            span,
            json!({
                "location_id": room, "library": "南湖", "area_filter": "中庭", "power": true, "direction": "top",
                "near_seat": "N1167", "near_favorites": false, "limit": 3,
            }),
        ),
        "get_seat_layout" => json!({ "location_id": room, "include_layout": false }),
        "render_seat_map" => with(span, json!({ "location_id": room, "picture": false })),
        "get_seat_timeline" => json!({ "seat_id": seat, "date": DAY }),
        "get_door_log" => json!({ "date": DAY }),
        "get_violation_records" | "get_reservation_history" => json!({ "page": 1, "page_size": 5 }),
        "reserve_seat" => with(
            with(span, writing),
            json!({ "seat_id": seat, "location_id": room, "strategy": "exact_seat" }),
        ),
        "cancel_reservation"
        | "start_temporary_leave"
        | "return_from_temporary_leave"
        | "end_reservation_early" => {
            with(writing, json!({ "reservation_id": "2026062500000000001" }))
        }
        "get_login_status"
        | "get_current_reservation"
        | "get_site_favorite_locations"
        | "get_presence"
        | "get_account_standing" => json!({}),
        _ => panic!("a tool without arguments here: {tool}"),
    };
    with(own, json!({ "user_key": "default" }))
}

fn with(mut one: Value, more: Value) -> Value {
    one.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    one
}

/// How many requests have arrived in both worlds.
fn requests(both: &Both<Ccnu>) -> usize {
    let count = |world: &fixtures::mcp::World<Ccnu>| world.fake.journal().all().len();
    both.worlds().iter().map(count).sum()
}

#[test]
fn every_argument_given_wrongly_is_named_and_nothing_is_asked() {
    let both = unasked();
    let mut faults = Vec::new();
    let mut kinds = [0, 0];
    for tool in both.tools() {
        let name = tool["name"].as_str().unwrap();
        let valid = whole(name);
        for field in tool["inputSchema"]["properties"]
            .as_object()
            .unwrap()
            .keys()
        {
            let given = valid.get(field).is_some() || field == "cursor";
            assert!(given, "{name}: no valid value for {field} is tried here");
        }
        for case in cases(tool, &valid) {
            match case.expect {
                // Signing in and out in between would change what the next case meets.
                Expect::Accepted if name == "start_login" => {}
                Expect::Accepted => {
                    kinds[0] += 1;
                    let answer = both.call(name, case.arguments.clone());
                    faults.extend(case.fault(&answer).map(|fault| format!("{name}: {fault}")));
                }
                Expect::Invalid { .. } => {
                    kinds[1] += 1;
                    let before = requests(&both);
                    let answer = both.call(name, case.arguments.clone());
                    faults.extend(case.fault(&answer).map(|fault| format!("{name}: {fault}")));
                    assert_eq!(requests(&both), before, "{name}: {}", case.name);
                }
            }
        }
    }
    assert_eq!(faults, Vec::<String>::new());
    assert!(kinds[0] > 50 && kinds[1] > 250, "too few cases: {kinds:?}");
}

#[test]
fn a_user_key_is_no_way_into_the_disk() {
    let both = signed_in();
    let before = requests(&both);
    for tool in both.tools() {
        let name = tool["name"].as_str().unwrap();
        for key in [
            "../..", "a/b", "a\\b", "..", ".hidden", "con", "用户", "a b",
        ] {
            let arguments = with(whole(name), json!({ "user_key": key }));
            let answer = both.call(name, arguments);
            assert_eq!(
                answer.code(),
                Some("INVALID_ARGUMENT"),
                "{name} {key}: {}",
                answer.text
            );
            assert_eq!(
                answer.structured["data"]["field"], "user_key",
                "{name} {key}"
            );
        }
    }
    assert_eq!(requests(&both), before);
}

#[test]
fn every_example_of_a_schema_is_a_good_argument() {
    let both = unasked();
    let mut tried = 0;
    for tool in both.tools() {
        let name = tool["name"].as_str().unwrap();
        let schema = &tool["inputSchema"];
        for (field, declared) in schema["properties"].as_object().unwrap() {
            for example in declared["examples"].as_array().into_iter().flatten() {
                let mut arguments = with(whole(name), json!({ field: example }));
                if field == "start_time" {
                    // The times of the examples belong together.
                    arguments["end_time"] = schema["properties"]["end_time"]["examples"][0].clone();
                } else if field == "end_time" {
                    arguments["start_time"] =
                        schema["properties"]["start_time"]["examples"][0].clone();
                }
                let answer = both.call(name, arguments.clone());
                let wrong = [
                    "INVALID_ARGUMENT",
                    "BAD_TIME",
                    "BAD_STRATEGY",
                    "MISSING_CREDENTIALS",
                ];
                let refused = answer.code().is_some_and(|code| wrong.contains(&code));
                assert!(!refused, "{name} {arguments}: {}", answer.text);
                tried += 1;
            }
        }
    }
    assert!(tried >= 40, "too few examples: {tried}");
}
