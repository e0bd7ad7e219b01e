//! Arguments as hosts really send them, checked against the tool's own schema.
//!
//! The schema is the one place that states types, ranges and lengths; this module holds calls to
//! it, so a handler sees only what it declared. A null counts as absent, and exact text such as
//! `"5"` counts as the number it spells, since some hosts send numbers as strings.

use std::borrow::Cow;

use rmcp::{
    ErrorData,
    handler::server::{common::FromContextPart, tool::ToolCallContext},
    model::JsonObject,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value, json};

use crate::failure::{Failure, bad_argument};

/// The typed arguments of one call. The SDK's macros find the schema by this name.
pub struct Parameters<T>(pub T);

/// By hand: with a doc comment above, a derived schema would be a reference, which the SDK refuses.
impl<T: JsonSchema> JsonSchema for Parameters<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<S, T: DeserializeOwned> FromContextPart<ToolCallContext<'_, S>> for Parameters<T> {
    fn from_context_part(context: &mut ToolCallContext<'_, S>) -> Result<Self, ErrorData> {
        let given = Value::Object(context.arguments.take().unwrap_or_default());
        serde_path_to_error::deserialize(given)
            .map(Self)
            .map_err(|error| {
                let refusal = bad_argument(&error.path().to_string(), error.inner().to_string());
                // The boundary turns this back into an ordinary failure.
                ErrorData::invalid_params(refusal.code, Some(json!(refusal)))
            })
    }
}

/// Makes `given` what the schema declares, or names the first field that cannot be.
pub(crate) fn admit(given: &mut JsonObject, schema: &JsonObject) -> Result<(), Failure> {
    given.retain(|_, value| !value.is_null());
    let none = Map::new();
    let declared = match schema.get("properties") {
        Some(Value::Object(fields)) => fields,
        _ => &none,
    };
    let required = schema.get("required").and_then(Value::as_array);
    for field in required.into_iter().flatten().filter_map(Value::as_str) {
        if !given.contains_key(field) {
            let example = declared.get(field).map(example).unwrap_or_default();
            return Err(bad_argument(field, format!("必填{example}")));
        }
    }
    for (field, value) in given.iter_mut() {
        let Some(kind) = declared.get(field) else {
            return Err(unknown(field, declared));
        };
        admit_value(field, value, kind)?;
    }
    Ok(())
}

fn unknown(field: &str, declared: &JsonObject) -> Failure {
    let near = crate::nearest(field, declared.keys().map(String::as_str));
    let names = declared.keys().map(String::as_str).collect::<Vec<_>>();
    let hint = match near {
        Some(near) => format!("，是否想写 {near}"),
        None => String::new(),
    };
    bad_argument(
        field,
        format!("没有这个参数{hint}；可用参数：{}", names.join("、")),
    )
}

fn admit_value(path: &str, value: &mut Value, schema: &Value) -> Result<(), Failure> {
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if let Some(spelled) = value.as_str().and_then(|text| spelled(text, kind)) {
        *value = spelled;
    }
    if !is_a(value, kind) {
        let (wanted, shown) = (name_of(kind), shown(value));
        return Err(bad_argument(
            path,
            format!("应为{wanted}，收到 {shown}{}", example(schema)),
        ));
    }
    if let Some(Value::Array(allowed)) = schema.get("enum")
        && !allowed.contains(value)
    {
        let names = allowed
            .iter()
            .map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned));
        let names = names.collect::<Vec<_>>().join("、");
        return Err(bad_argument(
            path,
            format!("{} 不在可选值之内，可选：{names}", shown(value)),
        ));
    }
    if let Some(why) = out_of_range(value, schema) {
        return Err(bad_argument(path, format!("{why}{}", example(schema))));
    }
    if let (Value::Array(items), Some(each)) = (&mut *value, schema.get("items")) {
        for (at, item) in items.iter_mut().enumerate() {
            admit_value(&format!("{path}[{at}]"), item, each)?;
        }
    }
    Ok(())
}

/// The value that `text` spells exactly, where the schema wants no string: `"5"` yes, `"05"` no.
fn spelled(text: &str, kind: &str) -> Option<Value> {
    match kind {
        "integer" | "number" => {
            let number: Number = serde_json::from_str(text).ok()?;
            let exact = number.to_string() == text && (kind == "number" || !number.is_f64());
            exact.then_some(Value::Number(number))
        }
        "boolean" => text.parse().ok().map(Value::Bool),
        "array" | "object" => serde_json::from_str(text)
            .ok()
            .filter(|value| is_a(value, kind)),
        _ => None,
    }
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

fn out_of_range(value: &Value, schema: &Value) -> Option<String> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let (size, low, high, unit) = match value {
        Value::Number(number) => (number.as_f64()?, "minimum", "maximum", ""),
        #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^52")]
        Value::String(text) => (
            text.chars().count() as f64,
            "minLength",
            "maxLength",
            "个字符",
        ),
        #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^52")]
        Value::Array(items) => (items.len() as f64, "minItems", "maxItems", "项"),
        _ => return None,
    };
    let (low, high) = (bound(low), bound(high));
    let outside = low.is_some_and(|low| size < low) || high.is_some_and(|high| size > high);
    outside.then(|| {
        let range = match (low, high) {
            (Some(low), Some(high)) => format!("{low}–{high}{unit}"),
            (Some(low), None) => format!("至少 {low}{unit}"),
            (None, high) => format!("至多 {}{unit}", high.unwrap_or_default()),
        };
        format!("应在 {range} 之内，收到 {}", shown(value))
    })
}

fn example(schema: &Value) -> String {
    let first = schema.get("examples").and_then(|examples| examples.get(0));
    first
        .map(|example| format!("，例如 {example}"))
        .unwrap_or_default()
}

/// The value as it stood in the call, cut so that a refusal stays short.
fn shown(value: &Value) -> Cow<'static, str> {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()).into(),
        None => text.into(),
    }
}

fn name_of(kind: &str) -> &'static str {
    match kind {
        "string" => "文本",
        "integer" => "整数",
        "number" => "数字",
        "boolean" => "true 或 false",
        "array" => "列表",
        _ => "对象",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> JsonObject {
        let schema = json!({
            "type": "object",
            "properties": {
                "date": { "type": "string", "minLength": 1, "maxLength": 10, "examples": ["2026-12-02"] },
                "limit": { "type": "integer", "minimum": 1, "maximum": 100 },
                "only": { "type": "boolean" },
                "kinds": { "type": "array", "items": { "type": "string", "enum": ["G", "D"] }, "maxItems": 2 },
            },
            "required": ["date"],
        });
        schema.as_object().expect("an object").clone()
    }

    fn admitted(given: Value) -> Result<Value, String> {
        let mut given = given.as_object().expect("an object").clone();
        admit(&mut given, &schema())
            .map(|()| Value::Object(given))
            .map_err(|failure| {
                assert_eq!(failure.code, "INVALID_ARGUMENT");
                format!(
                    "{}: {}",
                    failure.data["field"].as_str().expect("a field"),
                    failure.message
                )
            })
    }

    #[test]
    fn nulls_are_absent_and_exact_text_counts() {
        for (given, expected) in [
            (
                json!({"date": "明天", "limit": null}),
                json!({"date": "明天"}),
            ),
            (
                json!({"date": "1", "limit": "5", "only": "true"}),
                json!({"date": "1", "limit": 5, "only": true}),
            ),
            (
                json!({"date": "1", "kinds": "[\"G\"]"}),
                json!({"date": "1", "kinds": ["G"]}),
            ),
        ] {
            assert_eq!(admitted(given), Ok(expected));
        }
    }

    #[test]
    fn a_refusal_names_field_problem_and_example() {
        for (given, expected) in [
            (json!({}), "date: 参数 date 有误：必填，例如 \"2026-12-02\""),
            (
                json!({"date": null}),
                "date: 参数 date 有误：必填，例如 \"2026-12-02\"",
            ),
            (
                json!({"date": 5}),
                "date: 参数 date 有误：应为文本，收到 5，例如 \"2026-12-02\"",
            ),
            (
                json!({"date": ""}),
                "date: 参数 date 有误：应在 1–10个字符 之内，收到 \"\"，例如 \"2026-12-02\"",
            ),
            (
                json!({"date": "1", "limit": "05"}),
                "limit: 参数 limit 有误：应为整数，收到 \"05\"",
            ),
            (
                json!({"date": "1", "limit": "5.0"}),
                "limit: 参数 limit 有误：应为整数，收到 \"5.0\"",
            ),
            (
                json!({"date": "1", "limit": 1.5}),
                "limit: 参数 limit 有误：应为整数，收到 1.5",
            ),
            (
                json!({"date": "1", "limit": 0}),
                "limit: 参数 limit 有误：应在 1–100 之内，收到 0",
            ),
            (
                json!({"date": "1", "only": "True"}),
                "only: 参数 only 有误：应为true 或 false，收到 \"True\"",
            ),
            (
                json!({"date": "1", "kinds": ["G", "X"]}),
                "kinds[1]: 参数 kinds[1] 有误：\"X\" 不在可选值之内，可选：G、D",
            ),
            (
                json!({"date": "1", "kinds": ["G", "G", "G"]}),
                "kinds: 参数 kinds 有误：应在 至多 2项 之内，收到 [\"G\",\"G\",\"G\"]",
            ),
            (
                json!({"date": "1", "limits": 3}),
                "limits: 参数 limits 有误：没有这个参数，是否想写 limit；可用参数：date、limit、only、kinds",
            ),
        ] {
            assert_eq!(admitted(given), Err(expected.to_owned()));
        }
    }
}
