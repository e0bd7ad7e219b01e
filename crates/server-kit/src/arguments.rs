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
                let path = error.path().to_string();
                let why = match is_secret(&path) {
                    true => "值无效".to_owned(),
                    false => error.inner().to_string(),
                };
                let refusal = bad_argument(&path, why);
                // The boundary turns this back into an ordinary failure.
                ErrorData::invalid_params(refusal.code, Some(json!(refusal)))
            })
    }
}

/// Makes `given` what the schema declares, or names the first field that cannot be.
pub(crate) fn admit(given: &mut JsonObject, schema: &JsonObject) -> Result<(), Failure> {
    admit_fields("", given, schema)
}

/// `given` without the values of fields that the schema does not declare.
pub(crate) fn declared_only(given: &Value, schema: &Value) -> Value {
    match given {
        Value::Object(fields) => {
            let kept = fields.iter().map(|(field, value)| {
                let kind = schema.get("properties").and_then(|kinds| kinds.get(field));
                let kept = kind.map(|kind| declared_only(value, kind));
                (field.clone(), kept.unwrap_or("[undeclared]".into()))
            });
            kept.collect()
        }
        Value::Array(items) => {
            let each = schema.get("items").unwrap_or(&Value::Null);
            let kept = items.iter().map(|item| declared_only(item, each));
            kept.collect()
        }
        other => other.clone(),
    }
}

fn declared(schema: &JsonObject) -> Option<&JsonObject> {
    schema.get("properties").and_then(Value::as_object)
}

/// The fields of the object at `path`, which is empty for the arguments themselves.
fn admit_fields(path: &str, given: &mut JsonObject, schema: &JsonObject) -> Result<(), Failure> {
    given.retain(|_, value| !value.is_null());
    let none = Map::new();
    let declared = declared(schema).unwrap_or(&none);
    let at = |field: &str| match path {
        "" => field.to_owned(),
        _ => format!("{path}.{field}"),
    };
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    // First: a slip in a name is also a field that is missing.
    let stray = given
        .keys()
        .find(|field| closed && !declared.contains_key(*field));
    if let Some(field) = stray {
        return Err(unknown(&at(field), field, declared));
    }
    let required = schema.get("required").and_then(Value::as_array);
    for field in required.into_iter().flatten().filter_map(Value::as_str) {
        if !given.contains_key(field) {
            let example = declared.get(field).map(example).unwrap_or_default();
            return Err(bad_argument(&at(field), format!("必填{example}")));
        }
    }
    for (field, value) in given.iter_mut() {
        if let Some(kind) = declared.get(field) {
            admit_value(&at(field), value, kind)?;
        }
    }
    Ok(())
}

fn unknown(path: &str, field: &str, declared: &JsonObject) -> Failure {
    let near = crate::nearest(field, declared.keys().map(String::as_str));
    let names = declared.keys().map(String::as_str).collect::<Vec<_>>();
    let hint = match near {
        Some(near) => format!("，是否想写 {near}"),
        None => String::new(),
    };
    let known = match names.as_slice() {
        [] => "这个工具不需要参数".to_owned(),
        names => format!("可用参数：{}", names.join("、")),
    };
    bad_argument(path, format!("没有这个参数{hint}；{known}"))
}

fn admit_value(path: &str, value: &mut Value, schema: &Value) -> Result<(), Failure> {
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if let Some(spelled) = value.as_str().and_then(|text| spelled(text, kind)) {
        *value = spelled;
    }
    if let Some(whole) = whole(value, kind) {
        *value = whole;
    }
    if !is_a(value, kind) {
        let (wanted, got) = (name_of(kind), received(path, value));
        return Err(bad_argument(
            path,
            format!("应为{wanted}，{got}{}", example(schema)),
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
            format!("应为 {names} 之一，{}", received(path, value)),
        ));
    }
    if let Some(why) = out_of_range(value, schema) {
        let (got, example) = (received(path, value), example(schema));
        return Err(bad_argument(path, format!("{why}，{got}{example}")));
    }
    if let (Value::Object(fields), Some(kind)) = (&mut *value, schema.as_object()) {
        admit_fields(path, fields, kind)?;
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

/// The whole number that a float is: `5.0` is 5, as JSON has one kind of numbers.
fn whole(value: &Value, kind: &str) -> Option<Value> {
    /// 2^53: from here on a float is no longer one whole number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = value
        .as_f64()
        .filter(|_| kind == "integer" && value.is_f64())?;
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and small")]
    let number = float as i64;
    (float.fract() == 0.0 && float.abs() < EXACT).then(|| number.into())
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
            " 个字符",
        ),
        #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^52")]
        Value::Array(items) => (items.len() as f64, "minItems", "maxItems", " 项"),
        _ => return None,
    };
    let (low, high) = (bound(low), bound(high));
    let outside = low.is_some_and(|low| size < low) || high.is_some_and(|high| size > high);
    outside.then(|| match (low, high) {
        (Some(low), Some(high)) if low == high => format!("应为 {low}{unit}"),
        (Some(low), Some(high)) => format!("应为 {low}–{high}{unit}"),
        (Some(low), None) => format!("应不少于 {low}{unit}"),
        (None, high) => format!("应不多于 {}{unit}", high.unwrap_or_default()),
    })
}

fn example(schema: &Value) -> String {
    let first = schema.get("examples").and_then(|examples| examples.get(0));
    first
        .map(|example| format!("，例如 {example}"))
        .unwrap_or_default()
}

/// Whether a part of the path names a secret.
fn is_secret(path: &str) -> bool {
    path.split(['.', '[']).any(audit::is_secret_name)
}

/// What stood in the call, cut so that a refusal stays short. A secret is hidden, and so is what may
/// hold one inside.
fn received(path: &str, value: &Value) -> Cow<'static, str> {
    let deep = |value: &Value| value.is_object() || value.is_array();
    match value {
        _ if is_secret(path) => return "收到的值已隐去".into(),
        Value::Object(_) => return "收到对象".into(),
        Value::Array(items) if items.iter().any(deep) => return "收到列表".into(),
        _ => {}
    }
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("收到 {}…", text.get(..cut).unwrap_or_default()).into(),
        None => format!("收到 {text}").into(),
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
mod tests;
