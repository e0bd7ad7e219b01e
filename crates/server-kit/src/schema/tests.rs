//! What a sealed tool looks like.

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};

use super::*;

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sort {
    /// By departure.
    Depart,
    /// By price.
    Price,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Side {
    Window,
    Aisle,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Arguments {
    /// How to sort.
    sort: Option<Sort>,
    side: Option<Side>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    names: Option<Vec<String>>,
}

#[derive(Serialize, JsonSchema)]
struct Row {
    sort: Option<Sort>,
    count: Option<u8>,
}

#[derive(Serialize, JsonSchema)]
struct Rows {
    rows: Vec<Row>,
}

fn object(schema: schemars::Schema) -> Map<String, Value> {
    into_object(Value::from(schema)).expect("an object")
}

#[test]
fn a_sealed_tool_is_flat() {
    let mut tool = Tool::new("t", "d", object(schema_for!(Arguments)))
        .with_raw_output_schema(Arc::new(object(schema_for!(Rows))));
    seal(&mut tool);
    assert_eq!(
        Value::Object((*tool.input_schema).clone()),
        json!({
            "type": "object",
            "properties": {
                "sort": { "description": "How to sort.", "enum": ["depart", "price"], "type": "string" },
                "side": { "enum": ["window", "aisle"], "type": "string" },
                "limit": { "type": "integer", "minimum": 1, "maximum": 100 },
                "names": { "type": "array", "items": { "type": "string" } },
            },
            "additionalProperties": false,
        })
    );
    assert_eq!(
        tool.output_schema
            .map(|schema| Value::Object((*schema).clone())),
        Some(json!({
            "type": "object",
            "properties": {
                "ok": { "type": "boolean" },
                "rows": { "type": "array", "items": {
                    "type": "object",
                    "properties": {
                        "sort": { "enum": ["depart", "price", null], "type": ["string", "null"] },
                        "count": { "type": ["integer", "null"], "minimum": 0, "maximum": 255 },
                    },
                } },
                "code": { "type": "string" }, "message": { "type": "string" },
                "retryable": { "type": "boolean" }, "retry_after": { "type": "integer" },
                "next": { "type": "string" }, "data": { "type": "object" },
            },
            "required": ["ok"],
        }))
    );
}

#[test]
fn a_result_without_fields_still_declares_how_it_may_fail() {
    let empty = object(schemars::json_schema!({ "type": "object" }));
    let mut tool = Tool::new("t", "d", empty.clone()).with_raw_output_schema(Arc::new(empty));
    seal(&mut tool);
    let output = tool.output_schema.expect("an output schema");
    let names: Vec<_> = output["properties"]
        .as_object()
        .expect("fields")
        .keys()
        .collect();
    assert_eq!(
        names,
        [
            "ok",
            "code",
            "message",
            "retryable",
            "retry_after",
            "next",
            "data"
        ]
    );
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Either {
    Number(u8),
    Text(String),
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
enum Shape {
    Point,
    Circle { radius: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Unflat {
    node: Node,
    either: Option<Either>,
    shape: Shape,
}

#[test]
fn what_has_no_flat_form_is_left_for_the_lint() {
    let mut tool = Tool::new("t", "d", object(schema_for!(Unflat)));
    seal(&mut tool);
    let faults = fixtures::lint::faults(&[json!(tool)], &[]);
    let combined = faults.iter().filter(|fault| fault.contains(" uses "));
    assert_eq!(
        Vec::from_iter(combined),
        [
            "t: node.left uses $ref",
            "t: node.right uses $ref",
            "t: either uses anyOf",
            "t: shape uses oneOf",
        ]
    );
}
