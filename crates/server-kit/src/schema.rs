//! Schemas that every host and model API accepts, made once at start.
//!
//! Arguments: no `$ref`, no combinators, no type lists, no unusual `format`, unknown fields
//! refused. Results: one flat object that holds the fields of success and of failure and requires
//! only `ok`, since strict clients validate failures against it too.

use std::sync::Arc;

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

/// The fields of a [`crate::Failure`], which every result schema declares.
const FAILURE: [(&str, &str); 6] = [
    ("code", "string"),
    ("message", "string"),
    ("retryable", "boolean"),
    ("retry_after", "integer"),
    ("next", "string"),
    ("data", "object"),
];

/// What `format` may say; hosts warn of any other or refuse it.
const FORMATS: [&str; 3] = ["date", "date-time", "uri"];

/// Whether `null` may stay a type: results say it, arguments leave the field out instead.
#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    Kept,
    Dropped,
}

/// Completes both schemas of a tool.
pub(crate) fn seal(tool: &mut Tool) {
    let mut input = plain(&tool.input_schema, Nulls::Dropped);
    input.entry("properties").or_insert(json!({}));
    input.insert("additionalProperties".into(), json!(false));
    tool.input_schema = Arc::new(input);
    let Some(output) = tool.output_schema.take() else {
        return;
    };
    let mut output = plain(&output, Nulls::Kept);
    let fields = output.entry("properties").or_insert(json!({}));
    if let Some(fields) = fields.as_object_mut() {
        fields.shift_insert(0, "ok".into(), json!({ "type": "boolean" }));
        for (name, kind) in FAILURE {
            fields.entry(name).or_insert(json!({ "type": kind }));
        }
    }
    output.insert("required".into(), json!(["ok"]));
    tool.output_schema = Some(Arc::new(output));
}

fn plain(root: &Map<String, Value>, nulls: Nulls) -> Map<String, Value> {
    let mut plain = root.clone();
    let definitions = plain.shift_remove("$defs").unwrap_or_default();
    plain.retain(|key, _| key != "$schema" && key != "title");
    flatten(&mut plain, &definitions, nulls);
    plain
}

fn flatten(schema: &mut Map<String, Value>, definitions: &Value, nulls: Nulls) {
    let mut kinds = merge_references(schema, definitions);
    if let Some(Value::Array(cases)) = schema.shift_remove("oneOf") {
        // An enum of units whose variants have doc comments.
        let names = cases.iter().flat_map(|case| match case.get("enum") {
            Some(Value::Array(names)) => names.clone(),
            _ => case.get("const").cloned().into_iter().collect(),
        });
        schema.insert("enum".into(), names.collect());
        schema.insert("type".into(), json!("string"));
    }
    match schema.get("type") {
        Some(Value::Array(several)) => kinds.extend(several.clone()),
        Some(one) => kinds.insert(0, one.clone()),
        None => {}
    }
    kinds.retain(|kind| nulls == Nulls::Kept || kind != "null");
    if kinds.iter().any(|kind| kind == "null")
        && let Some(Value::Array(values)) = schema.get_mut("enum")
    {
        values.push(Value::Null);
    }
    match kinds.as_slice() {
        [] => {}
        [one] => drop(schema.insert("type".into(), one.clone())),
        _ => drop(schema.insert("type".into(), json!(kinds))),
    }
    schema.retain(|key, value| match key.as_str() {
        "default" => !value.is_null(),
        "format" => value
            .as_str()
            .is_some_and(|format| FORMATS.contains(&format)),
        _ => true,
    });
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        for field in fields.values_mut().filter_map(Value::as_object_mut) {
            flatten(field, definitions, nulls);
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(Value::Object(child)) = schema.get_mut(key) {
            flatten(child, definitions, nulls);
        }
    }
}

/// Puts the target of `$ref`, and of the `anyOf [T, null]` of an `Option<T>`, in its place; gives
/// the `null` type met on the way.
fn merge_references(schema: &mut Map<String, Value>, definitions: &Value) -> Vec<Value> {
    let mut kinds = Vec::new();
    while let Some(next) = schema
        .shift_remove("$ref")
        .or_else(|| schema.shift_remove("anyOf"))
    {
        let parts = match next {
            Value::String(name) => {
                let target = definitions.get(name.trim_start_matches("#/$defs/"));
                Vec::from_iter(target.cloned())
            }
            Value::Array(parts) => parts,
            _ => Vec::new(),
        };
        for (key, value) in parts.into_iter().filter_map(into_object).flatten() {
            if key == "type" && value == "null" {
                kinds.push(value);
            } else {
                schema.entry(key).or_insert(value);
            }
        }
    }
    kinds
}

fn into_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
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
    #[expect(dead_code, reason = "only its schema is used")]
    struct Arguments {
        /// How to sort.
        sort: Option<Sort>,
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
}
