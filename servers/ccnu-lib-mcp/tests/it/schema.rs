//! The tool list as clients and model APIs see it.

use fixtures::lint;
use serde_json::{Value, json};

use crate::world::{world, world_with};

/// Most bytes of `tools/list`: every session of a host pays for them.
const BUDGET: usize = 56 * 1024;

/// Tools that may answer with a picture, for which hosts want no structure.
const DRAWING: [&str; 4] = [
    "render_seat_map",
    "save_account",
    "start_login",
    "submit_challenge",
];

/// What the library, or who else has an account there, can notice.
const WRITING: [&str; 5] = [
    "cancel_reservation",
    "end_reservation_early",
    "reserve_seat",
    "return_from_temporary_leave",
    "start_temporary_leave",
];

/// All tools, in order of their names.
const TOOLS: [&str; 22] = [
    "cancel_reservation",
    "end_reservation_early",
    "find_seats",
    "get_account_standing",
    "get_availability_distribution",
    "get_current_reservation",
    "get_door_log",
    "get_login_status",
    "get_presence",
    "get_reservation_history",
    "get_seat_layout",
    "get_seat_timeline",
    "get_site_favorite_locations",
    "get_violation_records",
    "list_available_seats",
    "render_seat_map",
    "reserve_seat",
    "return_from_temporary_leave",
    "save_account",
    "start_login",
    "start_temporary_leave",
    "submit_challenge",
];

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "the size is shown beside its budget")]
fn the_list_is_as_reviewed() {
    let both = world();
    let tools = json!(both.tools());
    let size = tools.to_string().len();
    println!("tools/list: {size} of {BUDGET} bytes");
    assert!(size <= BUDGET, "{size} bytes");
    insta::assert_json_snapshot!("tools", tools);
}

#[test]
fn the_list_keeps_the_rules() {
    let both = world();
    // The seed's own names; the first is hidden in every log, the second names a call and is no secret.
    let allowed = ["password", "client_token"];
    assert_eq!(lint::faults(both.tools(), &allowed), Vec::<String>::new());
    assert_eq!(names(both.tools()), TOOLS);
}

#[test]
fn what_writes_is_destructive_and_gone_when_nothing_may_be_written() {
    let both = world();
    for tool in both.tools() {
        let name = tool["name"].as_str().unwrap();
        let hints = &tool["annotations"];
        let writes = WRITING.contains(&name);
        // The seed calls these high-risk; an account that is overwritten is lost.
        let destroys = writes || name == "save_account";
        assert_eq!(hints["destructiveHint"], destroys, "{name}");
        let changes = writes || DRAWING.contains(&name) && name != "render_seat_map";
        assert_eq!(hints["readOnlyHint"], !changes, "{name}");
    }
    let reading = world_with(&[("CCNU_READ_ONLY", "1")]);
    let kept: Vec<_> = TOOLS
        .into_iter()
        .filter(|tool| !WRITING.contains(tool))
        .collect();
    assert_eq!(names(reading.tools()), kept);
    for tool in WRITING {
        for world in reading.worlds() {
            let call = json!({ "name": tool, "arguments": {} });
            let answer = world.client.request("tools/call", call).unwrap();
            assert_eq!(answer["structuredContent"]["code"], "READ_ONLY", "{answer}");
        }
        reading.each(|fake| assert_eq!(fake.journal().all().len(), 0));
    }
}

#[test]
fn no_field_of_a_success_has_another_type_in_a_failure() {
    let both = world();
    let failure = [
        ("ok", "boolean"),
        ("code", "string"),
        ("message", "string"),
        ("retryable", "boolean"),
        ("retry_after", "integer"),
        ("next", "string"),
        ("data", "object"),
    ];
    for tool in both.tools() {
        let schema = &tool["outputSchema"];
        assert_eq!(
            schema.is_null(),
            DRAWING.contains(&tool["name"].as_str().unwrap())
        );
        if schema.is_null() {
            continue;
        }
        for (field, kind) in failure {
            let declared = &schema["properties"][field]["type"];
            // A field of the tool's own may be null as well.
            let kinds = declared
                .as_array()
                .map_or(vec![declared], |kinds| kinds.iter().collect());
            assert!(
                kinds.contains(&&json!(kind)),
                "{} {field}: {declared}",
                tool["name"]
            );
        }
        assert_eq!(schema["required"], json!(["ok"]));
    }
}
