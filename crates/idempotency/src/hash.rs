//! The hash that tells whether two calls ask for the same.

use std::collections::BTreeMap;

use serde_json::{Number, Value};
use sha2::{Digest, Sha256};

/// The hash of a call's arguments, 64 hex digits, equal for calls that ask for the same.
///
/// SHA-256 over JSON in one form. Members are sorted by name. Members that are null count as absent, at
/// any depth; a null in a list has a place there and counts. Equal numbers are equal however they are written
/// (`1`, `1.0`, `1e0`), and whole ones are exact up to 64 bits; beyond, JSON readers round. Texts are
/// taken as they are: no Unicode normalisation, no trimming.
pub fn argument_hash(arguments: &Value) -> String {
    let mut text = String::new();
    write(arguments, &mut text);
    Sha256::digest(text)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<_, _> = members
                .iter()
                .filter(|(_, value)| !value.is_null())
                .collect();
            text.push('{');
            for (name, value) in members {
                write(&Value::from(name.as_str()), text);
                text.push(':');
                write(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Number(number) => text.push_str(&plain(number)),
        Value::String(_) | Value::Bool(_) | Value::Null => text.push_str(&value.to_string()),
    }
}

/// A number's one form: without a fraction when it is whole and could be an integer in JSON here.
fn plain(number: &Number) -> String {
    match number.as_f64() {
        // In this range the cast is exact, and -0.0 becomes 0.
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 2f64.powi(64) => {
            (float as i128).to_string()
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn hash(json: &str) -> String {
        argument_hash(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn what_asks_for_the_same_has_one_hash() {
        let cases = [
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#),
            (r#"{"a":1,"b":null}"#, r#"{"a":1}"#),
            (r#"{"a":{"x":null}}"#, r#"{"a":{}}"#),
            (
                r#"{"a":{"x":[{"c":1,"d":2}]}}"#,
                r#"{"a":{"x":[{"d":2,"c":1}]}}"#,
            ),
            (r#"{"a":1}"#, r#"{"a":1.0}"#),
            (r#"{"a":1}"#, r#"{"a":1e0}"#),
            (r#"{"a":0}"#, r#"{"a":-0.0}"#),
            (r#"{"a":10000000000000000000}"#, r#"{"a":1e19}"#),
            (r#"{"a":0.5}"#, r#"{"a":5e-1}"#),
            (r#"{"a":"座"}"#, "{\"a\":\"\\u5ea7\"}"),
        ];
        for (one, other) in cases {
            assert_eq!(hash(one), hash(other), "{one} {other}");
        }
    }

    #[test]
    fn what_asks_for_something_else_has_another_hash() {
        let cases = [
            (r#"{"a":1}"#, r#"{"a":2}"#),
            (r#"{"a":1}"#, r#"{"b":1}"#),
            (r#"{"a":1}"#, r#"{"a":"1"}"#),
            (r#"{"a":true}"#, r#"{"a":"true"}"#),
            (r#"{"a":1}"#, r#"{"a":1.5}"#),
            (r#"{"a":9007199254740993}"#, r#"{"a":9007199254740992}"#),
            (
                r#"{"a":18446744073709551615}"#,
                r#"{"a":18446744073709551614}"#,
            ),
            (
                r#"{"a":-9223372036854775808}"#,
                r#"{"a":-9223372036854775807}"#,
            ),
            (
                r#"{"a":18446744073709551615}"#,
                r#"{"a":18446744073709551616}"#,
            ),
            (r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
            (r#"{"a":[1,null]}"#, r#"{"a":[1]}"#),
            (r#"{"a":[12]}"#, r#"{"a":[1,2]}"#),
            (r#"{"a":["b,c"]}"#, r#"{"a":["b","c"]}"#),
            (r#"{"a":{}}"#, r#"{}"#),
            (r#"{"a":"x"}"#, r#"{"a":"x "}"#),
            // The same letter, composed and not.
            (r#"{"a":"\u00e9"}"#, r#"{"a":"e\u0301"}"#),
            (r#"{"a:1,\"b":2}"#, r#"{"a":1,"b":2}"#),
        ];
        for (one, other) in cases {
            assert_ne!(hash(one), hash(other), "{one} {other}");
        }
    }

    #[test]
    fn a_hash_is_the_digest_of_the_one_form() {
        let arguments = json!({"text": "早", "seat": 12, "left": null, "flags": [true, 1.5]});
        let mut form = String::new();
        write(&arguments, &mut form);
        assert_eq!(form, r#"{"flags":[true,1.5,],"seat":12,"text":"早",}"#);
        assert_eq!(
            argument_hash(&json!({})),
            // Of the two characters {}.
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            // Eighths: serde_json reads back the last digit of others inexactly.
            any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
            ".{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((".{0,3}", inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// The same, members in the other order and with nulls between them.
    fn disguised(value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let mut other: serde_json::Map<_, _> = members
                    .iter()
                    .rev()
                    .map(|(name, value)| (name.clone(), disguised(value)))
                    .collect();
                other.entry("absent").or_insert(Value::Null);
                Value::Object(other)
            }
            Value::Array(items) => items.iter().map(disguised).collect(),
            other => other.clone(),
        }
    }

    proptest! {
        #[test]
        fn order_nulls_and_a_way_through_text_change_nothing(value in any_json()) {
            let expected = argument_hash(&value);
            prop_assert_eq!(argument_hash(&disguised(&value)), expected.clone());
            let again: Value = serde_json::from_str(&value.to_string()).unwrap();
            prop_assert_eq!(argument_hash(&again), expected);
        }

        #[test]
        fn any_other_integer_is_another_hash(one: u64, other: u64) {
            prop_assume!(one != other);
            prop_assert_ne!(argument_hash(&json!([one])), argument_hash(&json!([other])));
        }
    }
}
