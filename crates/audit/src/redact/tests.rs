//! What redaction keeps, reduces and hides; and that no planted secret comes through.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn ordinary_arguments_stay_as_they_are() {
    let asked = json!({
        "date": "2026-12-02", "from": "北京", "to": "上海虹桥", "train_types": ["G", "D"],
        "train_code": "G1", "max_results": 20, "only_available": true, "seat_type": null,
        "client_token": "a1b2c3d4-0001", "client_message_id": "m-1", "cursor": "p2",
    });
    assert_eq!(arguments(&asked), asked);
}

#[test]
fn secret_names_are_those_whose_values_are_hidden() {
    let cases = [
        ("Password", true),
        ("X-API-Key", true),
        ("accessToken", true),
        ("验证码", true),
        ("PIN", true),
        ("code", true),
        ("train_code", false),
        ("client_token", false),
        ("content", false),
        ("file", false),
        ("", false),
    ];
    for (name, secret) in cases {
        assert_eq!(is_secret_name(name), secret, "{name}");
        let hidden = arguments(&json!({ name: 1 })) == json!({ name: "***" });
        assert_eq!(hidden, secret, "{name}");
    }
}

#[test]
fn each_kind_of_value_is_reduced() {
    let long = "长".repeat(65);
    let cases = [
        // By the field's name.
        (json!({"Password": "a"}), json!({"Password": "***"})),
        (json!({"PIN": 1234}), json!({"PIN": "***"})),
        (
            json!({"answer": ["a"], "code": {"a": 1}}),
            json!({"answer": "***", "code": "***"}),
        ),
        (
            json!({"accessToken": "a", "wr_skey": "b"}),
            json!({"accessToken": "***", "wr_skey": "***"}),
        ),
        (
            json!({"X-API-Key": "a", "密码": "b"}),
            json!({"X-API-Key": "***", "密码": "***"}),
        ),
        (json!({"cookie": null}), json!({"cookie": null})),
        (
            json!({"text": "你好", "content": ["ab"]}),
            json!({"text": "[len=2]", "content": ["[len=2]"]}),
        ),
        (
            json!({"data": "你好", "file": 1}),
            json!({"data": "[blob=6B]", "file": 1}),
        ),
        // By the text itself.
        (json!(&long), json!("[len=65]")),
        (json!("长".repeat(64)), json!("长".repeat(64))),
        (json!("QUJD".repeat(20)), json!("[blob=80B]")),
        (
            json!(format!("data:image/png;base64,{long}")),
            json!("[blob=217B]"),
        ),
        (
            json!("see fh_mcp_aB-9_x, vta_1.2!"),
            json!("see fh_mcp_***, vta_***"),
        ),
        (json!("FH_MCP_a\"wrk-b\""), json!("FH_MCP_***\"wrk-***\"")),
        (json!("Bearer  a.b=\nc"), json!("Bearer *** c")),
        (json!("a=1&Password = x y"), json!("a=1&Password =***")),
        (json!("{\"token\":\"x\"}"), json!("{\"token\":***")),
        (json!("密码：x"), json!("密码：***")),
        (
            json!("https://me:pw@host/a@b"),
            json!("https://***@host/a@b"),
        ),
        (json!("the token bucket"), json!("the token bucket")),
        (json!({"vta_key": 1}), json!({"vta_***": 1})),
        (json!("a\u{1b}[31m\n"), json!("a [31m ")),
    ];
    for (given, kept) in cases {
        assert_eq!(arguments(&given), kept, "{given}");
    }
}

#[test]
fn depth_and_size_are_bounded_and_the_rest_is_counted() {
    let deep = (0..9).fold(json!(1), |inner, _| json!([inner]));
    let bounded = (0..8).fold(json!("[deep]"), |inner, _| json!([inner]));
    assert_eq!(arguments(&deep), bounded);

    let mut kept: Vec<_> = (0..200).map(|number| json!(number)).collect();
    kept.push(json!("[more=50]"));
    assert_eq!(
        arguments(&json!((0..250).collect::<Vec<_>>())),
        Value::Array(kept)
    );

    let wide: Map<_, _> = (0..250)
        .map(|number| (format!("n{number}"), json!(0)))
        .collect();
    let kept = arguments(&Value::Object(wide));
    assert_eq!(
        (kept.as_object().unwrap().len(), &kept["[more]"]),
        (201, &json!(50))
    );
}

/// In every planted secret and in nothing else.
const PLANT: &str = "hUnTeR2";

fn secret() -> impl Strategy<Value = String> {
    ("[A-Za-z0-9_.~-]{0,8}", "[A-Za-z0-9_.~-]{0,8}")
        .prop_map(|(before, after)| format!("{before}{PLANT}{after}"))
}

/// Text around a secret, too short or long enough to be replaced as a whole.
fn prose() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,20}",
        "[a-z 你好，。\n\t]{0,12}",
        "[A-Za-z0-9+/]{60,80}"
    ]
}

/// A text that gives a secret away.
fn telling() -> impl Strategy<Value = String> {
    let opening = prop_oneof![
        Just("fh_mcp_".to_owned()),
        Just("VTA_".to_owned()),
        Just("wrk-".to_owned()),
        Just("Authorization: Bearer ".to_owned()),
        Just("bearer\t".to_owned()),
        Just("https://user:".to_owned()),
        (
            prop::sample::select(&SECRET_WORDS[..]),
            "[a-z_]{0,4}[\"']?",
            "(=|:|：| = |: \"|%3D)"
        )
            .prop_map(|(word, rest, sign)| format!("{word}{rest}{sign}")),
    ];
    (prose(), opening, secret(), prose()).prop_map(|(before, opening, secret, after)| {
        let host = if opening.contains("://") { "@host" } else { "" };
        format!("{before} {opening}{secret}{host} {after}")
    })
}

fn secret_field() -> impl Strategy<Value = String> {
    let word = prop::sample::select([&SECRET_WORDS[..], &SECRET_FIELDS[..]].concat());
    let around = ("[a-z_]{0,4}", any::<bool>());
    (word, around).prop_map(|(word, (before, upper))| {
        let field = match SECRET_FIELDS.contains(&word) {
            true => word.to_owned(),
            false => before + word,
        };
        if upper { field.to_uppercase() } else { field }
    })
}

/// Any JSON; every secret in it is planted under a secret field, in a telling text, or in the
/// name of a field.
fn planted() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(Value::from),
        prose().prop_map(Value::from),
        telling().prop_map(Value::from),
        (secret_field(), secret()).prop_map(|(field, secret)| json!({field: secret})),
        (secret_field(), secret()).prop_map(|(field, secret)| json!({field: [{"a": secret}]})),
    ];
    leaf.prop_recursive(10, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((prop_oneof!["[a-z]{1,8}", telling()], inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn no_planted_secret_survives(given in planted()) {
        let kept = arguments(&given).to_string();
        prop_assert!(!kept.to_lowercase().contains(&PLANT.to_lowercase()), "{given}\n{kept}");
    }

    #[test]
    fn a_telling_text_keeps_no_secret_in_any_column(given in telling()) {
        prop_assert!(given.contains(PLANT));
        prop_assert!(!text(&given).contains(PLANT), "{}", text(&given));
    }

    #[test]
    fn any_text_becomes_one_short_line(given in any::<String>()) {
        let kept = text(&given);
        prop_assert!(kept.chars().count() <= 2 * MAX_TEXT && !kept.contains(char::is_control), "{kept}");
    }
}
