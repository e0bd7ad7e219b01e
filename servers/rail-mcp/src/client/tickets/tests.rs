//! Rows that no recording has, field by field.

use jiff::civil::date;
use serde_json::json;

use super::*;
use crate::{client::stations, domain::seats::SeatName};

/// A sold-out G train of 58 fields, boarded on 2026-12-02 and asked for two days before, with an
/// open waitlist. Index 13 is another day on purpose.
const ROW: &str = "TOKEN|预订|24000000G10L|G1|VNP|AOH|VNP|AOH|09:00|13:28|04:28|N|ORDER|20261201|3|P2|01|04|1|0\
                   |||||||无||||无|无|无||90M0O0W0|9MOO|0|1||9233700000M107000000O066900000O066903000|0\
                   |||||1|5#1#0#0#z#0#z#z|||CHN,CHN|||N#N#|||202611181330|Y|";

/// The train of `ROW` with some fields replaced.
fn changed(fields: &[(usize, &str)]) -> Result<Vec<Train>, Rejected> {
    let mut row: Vec<&str> = ROW.split('|').collect();
    for (index, text) in fields {
        row[*index] = text;
    }
    mapped(&row.join("|"))
}

fn mapped(row: &str) -> Result<Vec<Train>, Rejected> {
    let catalogue = stations::bundled().expect("the shipped catalogue");
    let now = Moment::at(date(2026, 11, 30).at(10, 0, 0, 0));
    let context = Context {
        catalogue: &catalogue,
        now,
    };
    let answer = json!({ "status": true, "messages": "", "data": { "result": [row], "map": {} } });
    trains(answer, date(2026, 12, 2), context)
}

pub(in crate::client) fn one(fields: &[(usize, &str)]) -> Train {
    changed(fields).expect("a train").remove(0)
}

/// Seats as `name code availability count`, joined.
pub(in crate::client) fn seats_of(train: &Train) -> String {
    let dash = |text: Option<String>| text.unwrap_or("-".to_owned());
    let seats = train.seats.iter().map(|seat| {
        let (code, count) = (
            seat.code.map(String::from),
            seat.count.map(|n| n.to_string()),
        );
        format!(
            "{} {} {:?} {}",
            seat.seat,
            dash(code),
            seat.availability,
            dash(count)
        )
    });
    seats.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_result_has_the_fields_of_the_pattern() {
    let train = one(&[
        (26, ""),
        (30, "有"),
        (31, ""),
        (32, "1"),
        (34, ""),
        (35, ""),
        (39, "O0669000219233700001"),
        (46, "0#1#0#0#z"),
    ]);
    assert_eq!(
        serde_json::to_string(&train).expect("json"),
        concat!(
            r#"{"train_code":"G1","train_no":"24000000G10L","#,
            r#""from_station":{"name":"北京南","telecode":"VNP"},"#,
            r#""to_station":{"name":"上海虹桥","telecode":"AOH"},"#,
            r#""origin":"北京南","terminus":"上海虹桥","#,
            r#""depart_at":"2026-12-02T09:00:00+08:00","arrive_at":"2026-12-02T13:28:00+08:00","#,
            r#""duration_minutes":268,"sale":"on_sale","sale_opens_at":"2026-11-18T13:30:00+08:00","#,
            r#""seats":[{"seat":"二等座","code":"O","availability":"plenty","count":null,"#,
            r#""price_yuan":669.0,"discount_percent":null,"berths":[]},"#,
            r#"{"seat":"商务座","code":"9","availability":"count","count":1,"#,
            r#""price_yuan":2337.0,"discount_percent":null,"berths":[]}],"#,
            r#""features":["复兴号"]}"#,
        )
    );
}

#[test]
fn tokens_stay_behind() {
    let train = format!("{:?}", one(&[]));
    assert!(
        !train.contains("TOKEN") && !train.contains("ORDER"),
        "{train}"
    );
}

#[test]
fn times_past_midnight_belong_to_the_next_day() {
    let check = |start: &str, arrive: &str, lishi: &str, expected: [Option<&str>; 2]| {
        let train = one(&[(8, start), (9, arrive), (10, lishi)]);
        let found = [train.depart_at, train.arrive_at].map(|at| at.map(|at| at.to_string()));
        let expected = expected.map(|at| at.map(|at| format!("2026-12-{at}:00+08:00")));
        assert_eq!(found, expected, "{start} {arrive} {lishi}");
    };
    check(
        "09:00",
        "13:28",
        "04:28",
        [Some("02T09:00"), Some("02T13:28")],
    );
    check(
        "23:50",
        "00:10",
        "00:20",
        [Some("02T23:50"), Some("03T00:10")],
    );
    check(
        "24:05",
        "06:00",
        "05:55",
        [Some("03T00:05"), Some("03T06:00")],
    );
    check(
        "20:00",
        "24:00",
        "04:00",
        [Some("02T20:00"), Some("03T00:00")],
    );
    check(
        "05:19",
        "10:42",
        "53:23",
        [Some("02T05:19"), Some("04T10:42")],
    );
    // Clock and duration disagree: the arrival is not guessed.
    check("09:00", "13:29", "04:28", [Some("02T09:00"), None]);
    check("09:00", "13:28", "", [Some("02T09:00"), None]);
    check("----", "13:28", "04:28", [None, None]);
}

#[test]
fn sale_is_told_by_flag_and_words() {
    for (flag, words, expected) in [
        ("Y", "预订", Sale::OnSale),
        ("N", "预订", Sale::OnSale),
        ("N", "列车停运", Sale::Stopped),
        ("Y", "列车停运", Sale::Stopped),
        ("IS_TIME_NOT_BUY", "13点30分起售", Sale::NotYet),
        ("IS_TIME_NOT_BUY", "23:00-06:00系统维护时间", Sale::NotNow),
        ("N", "别的话", Sale::Unknown),
        ("?", "预订", Sale::Unknown),
        ("", "", Sale::Unknown),
    ] {
        assert_eq!(
            one(&[(11, flag), (1, words)]).sale,
            expected,
            "{flag} {words}"
        );
    }
}

#[test]
fn a_train_that_does_not_run_has_no_times() {
    for fields in [
        [(8, "24:00"), (9, "24:00"), (10, "99:59")].as_slice(),
        &[(1, "列车停运")],
    ] {
        let train = one(fields);
        let times = (train.depart_at, train.arrive_at, train.duration_minutes);
        assert_eq!((train.sale, times), (Sale::Stopped, (None, None, None)));
        assert_eq!(
            seats_of(&train),
            "商务座 9 None 0, 一等座 M None 0, 二等座 O None 0, 无座 W None 0"
        );
    }
    assert!(!one(&[(1, "列车停运"), (30, "有")]).available(None));
}

#[test]
fn the_waitlist_closes_three_hours_before_and_on_the_day() {
    let catalogue = stations::bundled().expect("the shipped catalogue");
    let open = |start: &'static str, arrive: &'static str, day: Date, now: Moment| {
        let mut row: Vec<&str> = ROW.split('|').collect();
        (row[8], row[9]) = (start, arrive);
        let answer = json!({ "data": { "result": [row.join("|")] } });
        let context = Context {
            catalogue: &catalogue,
            now,
        };
        let train = trains(answer, day, context).expect("a train").remove(0);
        seats_of(&train).contains("Waitlist")
    };
    let late = Moment::at(date(2026, 12, 1).at(23, 0, 0, 0));
    assert!(open("02:01", "06:29", date(2026, 12, 2), late));
    assert!(!open("02:00", "06:28", date(2026, 12, 2), late));
    let morning = Moment::at(date(2026, 12, 2).at(6, 0, 0, 0));
    assert!(!open("20:00", "00:28", date(2026, 12, 2), morning));
    assert!(open("20:00", "00:28", date(2026, 12, 3), morning));
}

#[test]
fn names_come_from_the_answer_then_the_catalogue_then_the_code() {
    let catalogue = stations::bundled().expect("the shipped catalogue");
    let now = Moment::at(date(2026, 11, 30).at(10, 0, 0, 0));
    let mut row: Vec<&str> = ROW.split('|').collect();
    (row[4], row[5], row[6], row[7]) = ("WEI", "QQQ", "QQX", "ICW");
    let answer =
        json!({ "data": { "result": [row.join("|")], "map": { "ICW": "成  都东", "QQX": "" } } });
    let context = Context {
        catalogue: &catalogue,
        now,
    };
    let train = trains(answer, date(2026, 12, 2), context)
        .expect("a train")
        .remove(0);
    let names = [
        Some(train.from_station.name),
        Some(train.to_station.name),
        train.origin,
        train.terminus,
    ];
    let expected = ["QQX", "成都东", "成都东", "QQQ"].map(|name| Some(name.to_owned()));
    assert_eq!(names, expected);
}

#[test]
fn a_code_of_another_form_loses_no_row() {
    let train = one(&[(6, "vn1")]);
    let expected = NamedStation {
        name: "vn1".to_owned(),
        telecode: None,
    };
    assert_eq!(train.from_station, expected);
}

#[test]
fn a_row_of_another_shape_is_drift_at_its_field() {
    let cut = |fields: usize| {
        let row: Vec<&str> = ROW.split('|').take(fields).collect();
        mapped(&row.join("|")).map(|trains| trains.len())
    };
    let drift = |field: &str| {
        let field = format!("data.result[0].{field}");
        Err(Rejected::Drift(Drift::new(field, "缺失或格式不同")))
    };
    assert_eq!(cut(34), Ok(1));
    assert_eq!(cut(33), drift("srrb_num"));
    assert_eq!(cut(20), drift("gg_num"));
    assert_eq!(
        mapped("").map(|trains| trains.len()),
        drift("buttonTextInfo")
    );
    let changed = |index: usize, text: &str| changed(&[(index, text)]).map(|trains| trains.len());
    assert_eq!(changed(3, ""), drift("station_train_code"));
    assert_eq!(changed(3, "G 1"), drift("station_train_code"));
    assert_eq!(changed(7, ""), drift("to_station_telecode"));
}

#[test]
fn envelopes_are_told_apart() {
    let drift = |field: &str, problem: &'static str| Rejected::Drift(Drift::new(field, problem));
    let shape = "缺失或类型不同";
    for (answer, expected) in [
        (
            json!({ "status": false, "c_url": "leftTicket/queryX" }),
            Rejected::Moved("leftTicket/queryX".to_owned()),
        ),
        (
            json!({ "status": false, "messages": ["一", "二"] }),
            Rejected::Refused("一；二".to_owned()),
        ),
        (
            json!({ "status": true, "messages": "不行" }),
            Rejected::Refused("不行".to_owned()),
        ),
        (
            json!({ "status": false, "errorMsg": "不行", "data": "" }),
            Rejected::Refused("不行".to_owned()),
        ),
        (
            json!({ "status": false }),
            drift("status", "为 false 而没有说明"),
        ),
        (
            json!({ "status": true, "messages": [] }),
            drift("data", "缺失"),
        ),
        (
            json!({ "status": true, "data": null }),
            drift("data", "缺失"),
        ),
        (json!({ "status": true, "data": "" }), drift("data", shape)),
        (
            json!({ "status": true, "data": { "result": null } }),
            drift("data.result", shape),
        ),
        (
            json!({ "status": true, "data": { "result": ["", 1] } }),
            drift("data.result[1]", shape),
        ),
        (
            json!({ "status": "true", "data": {} }),
            drift("status", shape),
        ),
        (json!("text"), drift(".", shape)),
        (json!(null), drift(".", shape)),
    ] {
        assert_eq!(data_of(answer.clone()), Err(expected), "{answer}");
    }
}

fn data_of(answer: serde_json::Value) -> Result<usize, Rejected> {
    let catalogue = stations::bundled().expect("the shipped catalogue");
    let now = Moment::at(date(2026, 11, 30).at(10, 0, 0, 0));
    let context = Context {
        catalogue: &catalogue,
        now,
    };
    trains(answer, date(2026, 12, 2), context).map(|trains| trains.len())
}

#[test]
fn every_feature_has_its_part() {
    use Feature::{BerthChoice, CosySleeper, Fuxing, QuietCoach, SeniorDiscount, Smart, Vibrant};
    for (dw_flag, expected) in [
        ("5#1#Q03#0#z#0#z#z", [Smart, Fuxing, QuietCoach].as_slice()),
        ("0#0#0#0#z#0#346#z", &[BerthChoice]),
        ("0#1#0#0#z", &[Fuxing]),
        ("0#0#0#0#z#0#z", &[]),
        ("#0#0#0#z", &[]),
        (
            "2#0#R#S#z#D#JI#1",
            &[CosySleeper, Vibrant, BerthChoice, SeniorDiscount],
        ),
        ("", &[]),
    ] {
        assert_eq!(features(dw_flag), expected, "{dw_flag:?}");
    }
}

#[test]
fn what_is_offered_available_and_cheapest() {
    let train = one(&[(26, "有"), (30, "无"), (31, "3"), (32, "候补")]);
    let check = |seat: Option<SeatName>, expected: (bool, bool, Option<f64>)| {
        let found = (
            train.offers(seat),
            train.available(seat),
            train.lowest_price(seat, false),
        );
        assert_eq!(found, expected, "{seat:?}");
    };
    check(None, (true, true, Some(669.0)));
    check(Some(SeatName::First), (true, true, Some(1070.0)));
    check(Some(SeatName::Second), (true, false, Some(669.0)));
    check(Some(SeatName::Business), (true, false, Some(2337.0)));
    check(Some(SeatName::Standing), (true, true, Some(669.0)));
    check(Some(SeatName::SoftSleeper), (false, false, None));
    // 候补 and 无 have prices that nobody can pay now.
    assert_eq!(train.lowest_price(None, true), Some(669.0));
    assert_eq!(train.lowest_price(Some(SeatName::Second), true), None);
    // Standing alone is a ticket, unless another seat is asked for.
    let standing = one(&[(26, "5")]);
    assert!(standing.available(None));
    assert!(!standing.available(Some(SeatName::Second)));
}

#[test]
fn kinds_are_told_by_the_public_code() {
    use crate::domain::tickets::TrainKind;
    for (code, kind) in [
        ("G1", TrainKind::G),
        ("c2001", TrainKind::C),
        ("D7515/D7514", TrainKind::D),
        ("Z13", TrainKind::Z),
        ("T41", TrainKind::T),
        ("K599", TrainKind::K),
        ("5538", TrainKind::Other),
        ("Y501", TrainKind::Other),
    ] {
        assert_eq!(
            TrainCode::parse(code).map(|code| code.kind()),
            Some(kind),
            "{code}"
        );
    }
    for text in ["", " ", "/", "G1 2", "车", "12345678901234567"] {
        assert_eq!(TrainCode::parse(text), None, "{text:?}");
    }
}
