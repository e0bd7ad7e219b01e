//! Schemas that every host and model API accepts, made once at start.
//!
//! Arguments: no `$ref`, no combinators, no type lists, no `format`, unknown fields
//! refused. Results: one flat object that holds the fields of success and of failure and requires
//! only `ok`, since strict clients validate failures against it too. A shape that has no flat form is
//! left as it is, which the lint over the listed tools names: a `oneOf` that is no enum of units, an
//! `anyOf` of two real types, a type inside itself.

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

/// What the `format` of a result may say; hosts warn of any other or refuse it.
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
    flatten(&mut plain, &definitions, nulls, &[]);
    plain
}

/// `within` are the references that led here, none of which is followed again.
fn flatten(schema: &mut Map<String, Value>, definitions: &Value, nulls: Nulls, within: &[String]) {
    let mut within = within.to_vec();
    let mut kinds = merge_references(schema, definitions, &mut within);
    if let Some(names) = schema.get("oneOf").and_then(unit_names) {
        schema.shift_remove("oneOf");
        schema.insert("enum".into(), names);
        schema.insert("type".into(), json!("string"));
    }
    match schema.get("type") {
        Some(Value::Array(several)) => kinds.extend(several.clone()),
        Some(one) => kinds.insert(0, one.clone()),
        None => {}
    }
    kinds.retain(|kind| nulls == Nulls::Kept || kind != "null");
    let has_null = kinds.iter().any(|kind| kind == "null");
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        // A choice that is written in its place brings one along.
        values.retain(|value| !value.is_null());
        values.extend(has_null.then_some(Value::Null));
    }
    match kinds.as_slice() {
        [] => {}
        [one] => drop(schema.insert("type".into(), one.clone())),
        _ => drop(schema.insert("type".into(), json!(kinds))),
    }
    schema.retain(|key, value| match key.as_str() {
        "default" => !value.is_null(),
        "format" => {
            let known = |format| FORMATS.contains(&format);
            nulls == Nulls::Kept && value.as_str().is_some_and(known)
        }
        _ => true,
    });
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        for field in fields.values_mut().filter_map(Value::as_object_mut) {
            flatten(field, definitions, nulls, &within);
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(Value::Object(child)) = schema.get_mut(key) {
            flatten(child, definitions, nulls, &within);
        }
    }
}

/// The names of an enum of units whose variants have doc comments; `None` for any other `oneOf`.
fn unit_names(cases: &Value) -> Option<Value> {
    let names = cases.as_array()?.iter().map(|case| {
        let names = match (case.get("enum"), case.get("const")) {
            (Some(Value::Array(names)), _) => names.clone(),
            (_, Some(name)) => vec![name.clone()],
            _ => return None,
        };
        names.iter().all(Value::is_string).then_some(names)
    });
    let names = names.collect::<Option<Vec<_>>>()?;
    Some(names.concat().into())
}

/// Puts the target of `$ref`, and of the `anyOf [T, null]` of an `Option<T>`, in its place; gives
/// the `null` type met on the way. References that were followed are added to `within`.
fn merge_references(
    schema: &mut Map<String, Value>,
    definitions: &Value,
    within: &mut Vec<String>,
) -> Vec<Value> {
    let mut kinds = Vec::new();
    while let Some(parts) = next_parts(schema, definitions, within) {
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

/// Takes out what stands for other schemas, if it can be put in their place.
fn next_parts(
    schema: &mut Map<String, Value>,
    definitions: &Value,
    within: &mut Vec<String>,
) -> Option<Vec<Value>> {
    if let Some(Value::String(name)) = schema.get("$ref")
        && !within.contains(name)
    {
        let target = definitions.get(name.trim_start_matches("#/$defs/"))?;
        within.push(name.clone());
        schema.shift_remove("$ref");
        return Some(vec![target.clone()]);
    }
    let null = |part: &&Value| part.get("type").is_some_and(|kind| kind == "null");
    let parts = schema.get("anyOf")?.as_array()?;
    if parts.len() != 1 + parts.iter().filter(null).count() {
        return None;
    }
    match schema.shift_remove("anyOf") {
        Some(Value::Array(parts)) => Some(parts),
        _ => None,
    }
}

fn into_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
