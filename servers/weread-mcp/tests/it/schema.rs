//! The tool list as clients and model APIs see it.

use fixtures::lint;
use serde_json::{Value, json};

use crate::world::{world, world_with};

/// Most bytes of `tools/list`: every session of a host pays for them.
const BUDGET: usize = 56 * 1024;

/// Tools that may answer with a picture, for which hosts want no structure.
const DRAWING: [&str; 2] = ["start_login", "submit_challenge"];

/// Those that change what lies on this machine; everything else only reads. Nothing writes to the service.
const CHANGING: [&str; 4] = [
    "export_notes",
    "save_credentials",
    "start_login",
    "submit_challenge",
];

/// Of those, what can overwrite something.
const OVERWRITING: [&str; 2] = ["export_notes", "save_credentials"];

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
    // What a person gives to be known by; hidden in every log.
    let allowed = ["api_key", "cookie", "cc_password"];
    assert_eq!(lint::faults(both.tools(), &allowed), Vec::<String>::new());
}

#[test]
fn nothing_writes_to_the_service_and_all_is_there_when_nothing_may_be_written() {
    let both = world();
    for tool in both.tools() {
        let name = tool["name"].as_str().unwrap();
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], !CHANGING.contains(&name), "{name}");
        assert_eq!(
            hints["destructiveHint"],
            OVERWRITING.contains(&name),
            "{name}"
        );
    }
    let reading = world_with(|_| vec![("WEREAD_READ_ONLY", "1".to_owned())]);
    assert_eq!(reading.tools(), both.tools());
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
        let draws = DRAWING.contains(&tool["name"].as_str().unwrap());
        assert_eq!(schema.is_null(), draws, "{}", tool["name"]);
        if draws {
            continue;
        }
        for (field, kind) in failure {
            let declared = &schema["properties"][field]["type"];
            // A field of the tool's own may be null as well.
            let kinds = declared
                .as_array()
                .map_or(vec![declared], |kinds| kinds.iter().collect());
            assert!(
                kinds.contains(&&Value::from(kind)),
                "{} {field}: {declared}",
                tool["name"]
            );
        }
        assert_eq!(schema["required"], json!(["ok"]));
    }
}
