//! Times in every form seen or guessed.

use serde_json::{Value, from_value, json};

use super::*;

#[test]
fn minutes_come_as_numbers_texts_and_clock_times() {
    let minute = |sent: &Value| {
        let sent: Scalar = from_value(sent.clone()).expect("a scalar");
        minute(&sent).map(|minute| minute.map(|minute| minute.to_string()))
    };
    for (sent, expected) in [
        (json!(480), Ok(Some("08:00"))),
        (json!("480"), Ok(Some("08:00"))),
        (json!("08:00"), Ok(Some("08:00"))),
        (json!("8:05"), Ok(Some("08:05"))),
        (json!(0), Ok(Some("00:00"))),
        (json!(1440), Ok(Some("24:00"))),
        (json!(-1), Ok(None)),
        (json!("-1"), Ok(None)),
        (json!(""), Ok(None)),
        (json!(null), Ok(None)),
        (json!(1441), Err(())),
        (json!(-2), Err(())),
        (json!("8h"), Err(())),
        (json!("08:00-09:00"), Err(())),
    ] {
        let found = minute(&sent);
        assert_eq!(
            found.as_ref().map(Option::as_deref),
            expected.as_ref().map(|text| *text),
            "{sent}"
        );
    }
}

#[test]
fn clock_times_are_found_in_words() {
    for (text, expected) in [
        ("请在 07:30 至 08:30 之间完成签到", "07:30 08:30"),
        ("07:00 _ 22:00", "07:00 22:00"),
        ("08:00_22:00", "08:00 22:00"),
        ("14:04-23:00", "14:04 23:00"),
        ("9：40~~10：05", "09:40 10:05"),
        ("2026-06-25 09:40:07", "09:40"),
        ("~~", ""),
        ("1:2 123:45 12:345 25:00 :30 12: 1:02:03:04 1:02:3", ""),
        ("", ""),
    ] {
        let found: Vec<String> = times(text).iter().map(Minute::to_string).collect();
        assert_eq!(found.join(" "), expected, "{text:?}");
    }
    for (text, expected) in [
        ("07:00 _ 22:00", true),
        ("22:00 _ 07:00", false),
        ("07:00 _ 07:00", false),
        ("07:00", false),
        ("07:00 12:00 14:00", false),
    ] {
        assert_eq!(between(text).is_some(), expected, "{text:?}");
    }
}

#[test]
fn days_and_moments_are_read_whole_or_not() {
    for (text, expected) in [
        ("2026-06-25", Some("2026-06-25")),
        ("20260625", Some("2026-06-25")),
        ("2026-6-25", None),
        ("2026-02-30", None),
        ("202606", None),
        ("", None),
    ] {
        let found = day(text).map(|day| day.to_string());
        assert_eq!(found.as_deref(), expected, "{text:?}");
    }
    for (text, expected) in [
        ("2026-07-01 15:17:14", Some("2026-07-01T15:17:14+08:00")),
        ("2026-07-01 15:17", Some("2026-07-01T15:17:00+08:00")),
        ("2026-07-01", Some("2026-07-01T00:00:00+08:00")),
        ("2026-07-01T15:17:14", None),
        ("2026-07-01 25:00:00", None),
        ("1782356400000", None),
        ("", None),
    ] {
        let found = moment(text).map(|moment| moment.to_string());
        assert_eq!(found.as_deref(), expected, "{text:?}");
    }
}
