//! What is admitted, and how a refusal reads.

use super::*;

fn schema() -> JsonObject {
    let schema = json!({
        "type": "object",
        "properties": {
            "date": { "type": "string", "minLength": 1, "maxLength": 10, "examples": ["2026-12-02"] },
            "limit": { "type": "integer", "minimum": 1, "maximum": 100 },
            "only": { "type": "boolean" },
            "kinds": { "type": "array", "items": { "type": "string", "enum": ["G", "D"] }, "maxItems": 2 },
            "pin": { "type": "string", "minLength": 5, "maxLength": 5 },
            "zip": { "type": "string", "minLength": 5, "maxLength": 5 },
            "trip": {
                "type": "object",
                "properties": {
                    "legs": { "type": "array", "items": {
                        "type": "object",
                        "properties": { "seat": { "type": "integer", "maximum": 5 } },
                        "required": ["seat"],
                        "additionalProperties": false,
                    } },
                },
                "additionalProperties": false,
            },
            "free": { "type": "object" },
        },
        "required": ["date"],
        "additionalProperties": false,
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
        (
            json!({"date": "1", "limit": 5.0}),
            json!({"date": "1", "limit": 5}),
        ),
        (
            json!({"date": "1", "trip": {"legs": [{"seat": "2", "side": null}]}, "free": {"a": [null]}}),
            json!({"date": "1", "trip": {"legs": [{"seat": 2}]}, "free": {"a": [null]}}),
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
            "date: 参数 date 有误：应为 1–10 个字符，收到 \"\"，例如 \"2026-12-02\"",
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
            "limit: 参数 limit 有误：应为 1–100，收到 0",
        ),
        (
            json!({"date": "1", "only": "True"}),
            "only: 参数 only 有误：应为true 或 false，收到 \"True\"",
        ),
        (
            json!({"date": "1", "kinds": ["G", "X"]}),
            "kinds[1]: 参数 kinds[1] 有误：应为 G、D 之一，收到 \"X\"",
        ),
        (
            json!({"date": "1", "kinds": ["G", "G", "G"]}),
            "kinds: 参数 kinds 有误：应不多于 2 项，收到 [\"G\",\"G\",\"G\"]",
        ),
        (
            json!({"date": "1", "limits": 3}),
            "limits: 参数 limits 有误：没有这个参数，是否想写 limit；可用参数：date、limit、only、kinds、pin、zip、trip、free",
        ),
        (
            json!({"date": "1", "limit": 1e300}),
            "limit: 参数 limit 有误：应为整数，收到 1e+300",
        ),
        (
            json!({"date": "1", "zip": "1234"}),
            "zip: 参数 zip 有误：应为 5 个字符，收到 \"1234\"",
        ),
        (
            json!({"date": "1", "pin": "1234"}),
            "pin: 参数 pin 有误：应为 5 个字符，收到的值已隐去",
        ),
        (
            json!({"date": "1", "pin": [1234]}),
            "pin: 参数 pin 有误：应为文本，收到的值已隐去",
        ),
        (
            json!({"date": {"pin": "1234"}}),
            "date: 参数 date 有误：应为文本，收到对象，例如 \"2026-12-02\"",
        ),
        (
            json!({"date": "1", "trip": {"legs": [{"seat": 1}, {"seat": 6}]}}),
            "trip.legs[1].seat: 参数 trip.legs[1].seat 有误：应不多于 5，收到 6",
        ),
        (
            json!({"date": "1", "trip": {"legs": [{"seat": null}]}}),
            "trip.legs[0].seat: 参数 trip.legs[0].seat 有误：必填",
        ),
        (
            json!({"date": "1", "trip": {"leg": []}}),
            "trip.leg: 参数 trip.leg 有误：没有这个参数，是否想写 legs；可用参数：legs",
        ),
    ] {
        assert_eq!(admitted(given), Err(expected.to_owned()));
    }
}

#[test]
fn of_undeclared_fields_only_the_names_are_kept() {
    let given = json!({
        "date": {"canary": "c"},
        "canary": "c",
        "kinds": ["G", {"canary": "c"}],
        "trip": {"legs": [{"seat": 9, "canary": "c"}], "canary": ["c"]},
    });
    let kept = declared_only(&given, &Value::Object(schema()));
    let expected = json!({
        "date": {"canary": "[undeclared]"},
        "canary": "[undeclared]",
        "kinds": ["G", {"canary": "[undeclared]"}],
        "trip": {"legs": [{"seat": 9, "canary": "[undeclared]"}], "canary": "[undeclared]"},
    });
    assert_eq!(kept, expected);
}
