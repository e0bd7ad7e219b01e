//! The tool list as clients and model APIs see it.

use fixtures::lint;
use serde_json::{Value, json};

use crate::world::{world, world_with};

/// Most bytes of `tools/list`: every session of a host pays for them.
const BUDGET: usize = 20 * 1024;

/// The names that a model API with strict function names takes.
fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= 40
}

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
fn the_list_keeps_the_rules_under_both_names() {
    let digits = world();
    let letters = world_with(&[("RAIL_TOOL_NAMES", "letters")]);
    for both in [&digits, &letters] {
        assert_eq!(lint::faults(both.tools(), &[]), Vec::<String>::new());
    }
    let expected = [
        "query_tickets",
        "query_transfer",
        "search_stations",
        "train_route",
    ];
    assert_eq!(
        names(digits.tools()),
        expected.map(|name| format!("12306_{name}"))
    );
    assert_eq!(
        names(letters.tools()),
        expected.map(|name| format!("rail_{name}"))
    );
    assert!(names(letters.tools()).into_iter().all(is_plain));
    // Nothing but the names differs, where the texts say them too.
    let listed = json!(letters.tools()).to_string();
    assert!(!listed.contains("12306_"), "{listed}");
    assert_eq!(
        listed.replace("rail_", "12306_"),
        json!(digits.tools()).to_string()
    );
    for (both, name) in [
        (&digits, "12306_query_tickets"),
        (&letters, "rail_query_tickets"),
    ] {
        let arguments = json!({ "date": "明天", "from": "xyzzy", "to": "上海" });
        let next = both.call(name, arguments).structured["next"].clone();
        let search = name.replace("query_tickets", "search_stations");
        let expected =
            format!("从 data.candidates 中选，或用 {search} 查找，再以站名作为 from 重试");
        assert_eq!(next, json!(expected));
        for world in both.worlds() {
            let instructions = world.client.greeting()["instructions"].as_str().unwrap();
            let foreign = ["12306_", "rail_"]
                .into_iter()
                .find(|prefix| !name.starts_with(prefix));
            assert!(!instructions.contains(foreign.unwrap()), "{instructions}");
            assert!(instructions.contains(name), "{instructions}");
        }
    }
    // Each name is understood under the other setting too.
    for both in [&digits, &letters] {
        let [one, other] = ["12306_search_stations", "rail_search_stations"]
            .map(|name| both.call(name, json!({ "text": "AOH" })));
        assert_eq!((one.code(), &one), (None, &other));
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
        for (field, kind) in failure {
            let declared = &schema["properties"][field]["type"];
            assert_eq!(*declared, kind, "{} {field}", tool["name"]);
        }
        assert_eq!(schema["required"], json!(["ok"]));
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
}
