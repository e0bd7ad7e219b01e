//! What each kind of value takes and refuses.

use serde_json::{from_value, json};

use super::*;

#[test]
fn a_text_may_be_a_number_but_none_with_a_point() {
    for (sent, expected) in [
        (json!("060"), Ok(Some("060"))),
        (
            json!(2003722571020177408_i64),
            Ok(Some("2003722571020177408")),
        ),
        (json!(""), Ok(None)),
        (json!(null), Ok(None)),
        (json!(" "), Ok(Some(" "))),
        (json!(2.0037225710201774e18), Err(())),
        (json!(true), Err(())),
        (json!([]), Err(())),
        (json!({}), Err(())),
    ] {
        let found = from_value::<Text>(sent.clone())
            .map(|text| text.0)
            .map_err(|_| ());
        assert_eq!(
            found,
            expected.map(|text| text.map(str::to_owned)),
            "{sent}"
        );
    }
}

#[test]
fn a_number_may_be_a_text_or_a_switch() {
    for (sent, expected) in [
        (json!(-2147473635), Ok(Some(-2_147_473_635))),
        (json!("12"), Ok(Some(12))),
        (json!(" 12 "), Ok(Some(12))),
        (json!(12.9), Ok(Some(12))),
        (json!(-0.5), Ok(Some(0))),
        (json!(true), Ok(Some(1))),
        (json!(false), Ok(Some(0))),
        (json!(""), Ok(None)),
        (json!(null), Ok(None)),
        (json!(1e300), Err(())),
        (json!(u64::MAX), Err(())),
        (json!("5小时"), Err(())),
        (json!({}), Err(())),
    ] {
        let found = from_value::<Number>(sent.clone())
            .map(|number| number.0)
            .map_err(|_| ());
        assert_eq!(found, expected, "{sent}");
    }
    let number = |number| Number(Some(number));
    assert_eq!((number(-1).count(), number(0).count()), (None, Some(0)));
    assert_eq!(number(100).at_most::<u8>(100), Some(100));
    assert_eq!(number(101).at_most::<u8>(100), None);
    assert_eq!(number(1000).at_most::<u8>(1000), None);
}

#[test]
fn a_decimal_may_be_a_text() {
    for (sent, expected) in [
        (json!(39.9), Ok((Some(39.9), Some(3990)))),
        (json!("39.90"), Ok((Some(39.9), Some(3990)))),
        (json!(29.4), Ok((Some(29.4), Some(2940)))),
        (json!(21.99), Ok((Some(21.99), Some(2199)))),
        (json!(0), Ok((Some(0.0), Some(0)))),
        (json!(-1), Ok((Some(-1.0), None))),
        (json!(""), Ok((None, None))),
        (json!(null), Ok((None, None))),
        (json!("NaN"), Err(())),
        (json!("inf"), Err(())),
        (json!(true), Err(())),
        (json!([]), Err(())),
    ] {
        let found = from_value::<Decimal>(sent.clone()).map_err(|_| ());
        let found = found.map(|decimal| (decimal.get(), decimal.hundredths()));
        assert_eq!(found, expected, "{sent}");
    }
}

#[test]
fn a_switch_is_true_or_false_or_not_known() {
    for (sent, expected) in [
        (json!(true), Ok(Some(true))),
        (json!(1), Ok(Some(true))),
        (json!("1"), Ok(Some(true))),
        (json!("true"), Ok(Some(true))),
        (json!(false), Ok(Some(false))),
        (json!(0), Ok(Some(false))),
        (json!("0"), Ok(Some(false))),
        (json!("false"), Ok(Some(false))),
        (json!(2), Ok(None)),
        (json!(""), Ok(None)),
        (json!(null), Ok(None)),
        (json!("yes"), Err(())),
        (json!(0.5), Err(())),
        (json!([]), Err(())),
    ] {
        let found = from_value::<Flag>(sent.clone())
            .map(Flag::get)
            .map_err(|_| ());
        assert_eq!(found, expected, "{sent}");
    }
}

#[test]
fn moments_are_those_of_china_and_0_is_never() {
    let moment = |number| {
        Number(Some(number))
            .moment()
            .map(|moment| moment.to_string())
    };
    assert_eq!(
        moment(1_777_564_800).as_deref(),
        Some("2026-05-01T00:00:00+08:00")
    );
    assert_eq!(
        (moment(0), moment(-1), moment(i64::MAX)),
        (None, None, None)
    );
    let millis = Number(Some(1_779_847_486_210)).moment_of_millis();
    let millis = millis.map(|moment| moment.to_string());
    assert_eq!(millis.as_deref(), Some("2026-05-27T10:04:46+08:00"));
}

#[test]
fn texts_are_made_harmless_and_passages_keep_their_lines() {
    let sent = "　一\u{202e}\r\n\u{200b}二 ";
    let text = || Text(Some(sent.to_owned()));
    assert_eq!(text().line().as_deref(), Some("一二"));
    assert_eq!(text().passage().as_deref(), Some("　一\n二 "));
    for sent in ["", " ", "\u{200b}", " \u{200b} ", "\n"] {
        let text = || Text(Some(sent.to_owned()));
        assert_eq!((text().line(), text().passage()), (None, None), "{sent:?}");
    }
    let id = |id: &str| Text(Some(id.to_owned())).book_id().map(|id| id.to_string());
    assert_eq!(
        (id("mpbook").as_deref(), id("a b"), id("")),
        (Some("mpbook"), None, None)
    );
}
