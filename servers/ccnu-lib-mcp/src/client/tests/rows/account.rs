//! Readers.

use http_session::drift::Drift;
use serde_json::json;
use server_kit::time::Moment;

use crate::{
    client::{
        Rejected,
        account::{app_token, liked_seats, reader},
        tests::recorded,
    },
    domain::account::{Blacklist, Reader},
};

fn drift<T>(field: &str, problem: &'static str) -> Result<T, Rejected> {
    Err(Rejected::Drift(Drift::new(field, problem)))
}

#[test]
fn a_reader_in_good_standing() {
    let expected = Reader {
        kind: Some("本科生".to_owned()),
        max_minute: Some(840),
        step_minute: Some(30),
        breaches: Some(1),
        score: Some(90),
        blacklist: Blacklist::Off,
        blacklist_message: None,
        cycle: Some("2026-06".to_owned()),
    };
    assert_eq!(reader(recorded("account_user")), Ok(expected));
    let liked = liked_seats(recorded("account_user")).expect("seats");
    let liked = liked.iter().map(|seat| (seat.seat_id.as_str(), seat.times));
    let expected = [("2003722571020177408", 5), ("2003722571020177410", 2)];
    assert!(liked.eq(expected));
}

#[test]
fn a_reader_on_the_blacklist() {
    let until = Moment::at(jiff::civil::date(2026, 7, 2).at(0, 0, 0, 0));
    let found = reader(recorded("account_user_blacklisted")).expect("a reader");
    assert_eq!(found.kind, None);
    assert_eq!(found.blacklist, Blacklist::Until(until));
    let message = "本月违约已达 3 次，暂停预约至 2026-07-02";
    assert_eq!(found.blacklist_message.as_deref(), Some(message));
}

#[test]
fn what_is_not_told_is_unknown() {
    for (sent, expected) in [
        (json!({ "blackTime": "" }), Blacklist::Off),
        (json!({ "blackTime": null }), Blacklist::Off),
        (json!({ "blackTime": "soon" }), Blacklist::Unknown),
        (
            json!({ "blackTime": 1782356400000_u64 }),
            Blacklist::Unknown,
        ),
    ] {
        let answer = json!({ "status": true, "data": sent });
        let expected = Reader {
            kind: None,
            max_minute: None,
            step_minute: None,
            breaches: None,
            score: None,
            blacklist: expected,
            blacklist_message: None,
            cycle: None,
        };
        assert_eq!(reader(answer), Ok(expected), "{sent}");
    }
    let sent = json!({ "breachNum": "2", "score": 80, "maxMinute": null });
    let found = reader(json!({ "status": true, "data": sent })).expect("a reader");
    assert_eq!(
        (found.breaches, found.score, found.max_minute),
        (Some(2), Some(80), None)
    );
}

#[test]
fn drift_names_its_field() {
    const FORM: &str = "缺失或类型不同";
    for (data, expected) in [
        (json!(null), drift("data", FORM)),
        (json!({}), drift("data", "没有一个已知的字段")),
        (
            json!({ "name": "某人", "maxMinute": null }),
            drift("data", "没有一个已知的字段"),
        ),
        (
            json!({ "breachNum": "many" }),
            drift("data.breachNum", FORM),
        ),
        (json!({ "breachNum": 1.5 }), drift("data.breachNum", FORM)),
        (json!({ "flagName": 1 }), drift("data.flagName", FORM)),
        (json!({ "blackTime": {} }), drift("data.blackTime", FORM)),
    ] {
        assert_eq!(
            reader(json!({ "status": true, "data": data })),
            expected,
            "{data}"
        );
    }
    for (likes, expected) in [
        (json!("[]"), Ok(Vec::new())),
        (json!(""), Ok(Vec::new())),
        (json!(null), Ok(Vec::new())),
        (json!("seats"), drift("data.likeSeats", "不是 JSON")),
        (json!([]), drift("data.likeSeats", FORM)),
        (json!("{}"), drift("data.likeSeats", FORM)),
        (
            json!(r#"[{"seatId":"1"},{"num":1}]"#),
            drift("data.likeSeats[1].seatId", FORM),
        ),
        (
            json!(r#"[{"seatId":1.5}]"#),
            drift("data.likeSeats[0].seatId", FORM),
        ),
        (
            json!(r#"[{"seatId":"a/b"}]"#),
            drift("data.likeSeats[0].seatId", "缺失或格式不同"),
        ),
    ] {
        let answer = json!({ "status": true, "data": { "likeSeats": likes } });
        assert_eq!(liked_seats(answer), expected, "{likes}");
    }
    for data in [
        json!(null),
        json!({}),
        json!(5),
        json!({ "token": 5 }),
        json!({ "token": null }),
    ] {
        let found = app_token(json!({ "status": true, "data": data })).map(|_| ());
        assert_eq!(found, drift("data", FORM), "{data}");
    }
    for data in [json!(""), json!({ "token": "" })] {
        let found = app_token(json!({ "status": true, "data": data })).map(|_| ());
        assert_eq!(found, drift("data.token", "为空"), "{data}");
    }
}
