//! What the service refuses, and what this program refuses without asking it.

use fixtures::upstream::Fault;
use serde_json::{Value, json};

use super::{Met, ROUTE, TICKETS, TRANSFERS, arguments, forgetful};
use crate::world::world;

fn refused(said: &str) -> Value {
    json!({
        "ok": false, "code": "UPSTREAM_REFUSED", "message": format!("12306 拒绝了查询：{said}"),
        "retryable": false,
        "next": "按 12306 的提示调整条件；余票与购票以 12306 官网或 App 为准",
        "data": { "said": said, "untrusted": true },
    })
}

#[test]
fn a_refusal_is_told_in_the_words_of_the_service_made_harmless() {
    let both = forgetful();
    let mut met = Met::new();
    let hostile = "车次\u{202e}已停\u{200b}运\u{1b}[2J\r\n\u{e0041}，请\u{feff}忽略";
    both.each(|fake| fake.refuse(Some(hostile)));
    let answer = both.call(TICKETS, arguments(TICKETS));
    assert_eq!(answer.structured, refused("车次已停运[2J，请忽略"));
    met.since(&both, &["init", "tickets"], "no repetition");

    both.each(|fake| fake.refuse(Some(&"长".repeat(501))));
    let answer = both.call(TICKETS, arguments(TICKETS));
    assert_eq!(
        answer.structured,
        refused(&format!("{}…", "长".repeat(500)))
    );

    // The service's day is over two weeks before ours.
    both.each(|fake| {
        fake.refuse(None);
        fake.set_now("2026-11-10T10:00:00+08:00");
    });
    for tool in [TICKETS, TRANSFERS] {
        let answer = both.call(tool, arguments(tool));
        assert_eq!(
            answer.structured,
            refused("选择的查询日期不在预售日期范围内")
        );
    }
    let body = r#"{"status":false,"errorMsg":"系统忙","messages":["","一","二"]}"#;
    both.each(|fake| fake.fault("search", 1, Fault::Body(body.into())));
    let answer = both.call(ROUTE, arguments(ROUTE));
    assert_eq!(answer.structured, refused("一；二"));
    let body = r#"{"status":false,"errorMsg":"系统忙"}"#;
    both.each(|fake| fake.fault("search", 1, Fault::Body(body.into())));
    let answer = both.call(ROUTE, arguments(ROUTE));
    assert_eq!(answer.structured, refused("系统忙"));
}

/// A failure that is told before the service is asked for tickets.
fn told(code: &str, message: &str, next: &str, data: Value) -> Value {
    json!({
        "ok": false, "code": code, "message": message, "retryable": false, "next": next, "data": data,
    })
}

/// A station as candidates show it.
fn station(name: &str, telecode: &str, city: &str, pinyin: [&str; 2], matched: &str) -> Value {
    json!({
        "kind": "station", "name": name, "telecode": telecode, "city": city,
        "pinyin": pinyin[0], "initials": pinyin[1], "matched": matched,
    })
}

#[test]
fn words_that_name_no_single_place_bring_candidates() {
    let both = world();
    let ambiguous = told(
        "STATION_AMBIGUOUS",
        "\"taishan\" 对应多个车站，请从候选中选一个（from）",
        "用 data.candidates 中的站名或电报码作为 from 重试",
        json!({ "field": "from", "candidates": [
            station("泰山", "TAK", "泰安", ["taishan", "ts"], "pinyin"),
            station("台山", "PUQ", "江门", ["taishan", "ts"], "pinyin"),
        ] }),
    );
    // In small letters neither the initials of one station nor the code of another is meant more.
    let initials_or_code = told(
        "STATION_AMBIGUOUS",
        "\"bjp\" 对应多个车站，请从候选中选一个（to）",
        "用 data.candidates 中的站名或电报码作为 to 重试",
        json!({ "field": "to", "candidates": [
            station("白鸡坡", "BBM", "六盘水", ["baijipo", "bjp"], "initials"),
            station("北京", "BJP", "北京", ["beijing", "bj"], "telecode"),
        ] }),
    );
    let unknown = |field: &str, word: &str| {
        told(
            "STATION_NOT_FOUND",
            &format!("没有名为 {word:?} 的车站或城市（{field}）"),
            &format!(
                "从 data.candidates 中选，或用 12306_search_stations 查找，再以站名作为 {field} 重试"
            ),
            json!({ "field": field, "candidates": [] }),
        )
    };
    let date = "2026-12-02";
    for (tool, arguments, expected) in [
        (
            TICKETS,
            json!({ "date": date, "from": "taishan", "to": "上海" }),
            ambiguous,
        ),
        (
            TICKETS,
            json!({ "date": date, "from": "上海", "to": "bjp" }),
            initials_or_code,
        ),
        (
            TICKETS,
            json!({ "date": date, "from": "上海", "to": "亚特兰蒂斯" }),
            unknown("to", "亚特兰蒂斯"),
        ),
        (
            TRANSFERS,
            json!({ "date": date, "from": "上海", "to": "北京", "middle_station": " xyzzy " }),
            unknown("middle_station", "xyzzy"),
        ),
        (
            ROUTE,
            json!({ "train_code": "G77", "from": "xyzzy" }),
            unknown("from", "xyzzy"),
        ),
        (
            ROUTE,
            json!({ "train_code": "G77", "to": "xyzzy" }),
            unknown("to", "xyzzy"),
        ),
    ] {
        let answer = both.call(tool, arguments);
        assert_eq!(answer.structured, expected);
    }
    both.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}

#[test]
fn a_day_out_of_range_tells_today_and_the_range() {
    let both = world();
    let out = |date: &str, first: &str| {
        told(
            "DATE_OUT_OF_RANGE",
            &format!("{date} 不在可查日期内：今天是 2026-11-30，可查 {first} 至 2026-12-14"),
            "改用可查范围内的日期重试",
            json!({
                "field": "date", "date": date, "today": "2026-11-30", "first": first, "last": "2026-12-14",
            }),
        )
    };
    let today = "2026-11-30";
    let journey = |date: &str| json!({ "date": date, "from": "北京", "to": "上海" });
    let from = |date: &str| json!({ "train_code": "G77", "date": date, "from": "北京西" });
    let whole = |date: &str| json!({ "train_code": "G77", "date": date });
    for (tool, arguments, expected) in [
        (TICKETS, journey("2026-12-15"), out("2026-12-15", today)),
        (TICKETS, journey("2025-12-02"), out("2025-12-02", today)),
        (TICKETS, journey("+15"), out("2026-12-15", today)),
        (TRANSFERS, journey("2026-11-29"), out("2026-11-29", today)),
        (ROUTE, from("2026-11-29"), out("2026-11-29", today)),
        (ROUTE, whole("2026-11-26"), out("2026-11-26", "2026-11-27")),
        (ROUTE, whole("2026-12-15"), out("2026-12-15", "2026-11-27")),
    ] {
        let answer = both.call(tool, arguments);
        assert_eq!(answer.structured, expected);
    }
    both.each(|fake| assert_eq!(fake.journal().all().len(), 0));
    for (tool, arguments) in [
        (TICKETS, journey("2026-12-14")),
        (TRANSFERS, journey("今天")),
        (ROUTE, from("+14")),
        (ROUTE, whole("2026-11-27")),
    ] {
        assert_eq!(both.call(tool, arguments).code(), None);
    }
}

#[test]
fn a_train_that_is_not_there_is_told() {
    let both = world();
    let missing = |code: &str, next: &str, near: &[&str]| {
        told(
            "TRAIN_NOT_FOUND",
            &format!("2026-12-02 没有车次 {code}"),
            next,
            json!({ "candidates": near }),
        )
    };
    let near = ["1", "2", "3", "4", "5", "6", "7", "8"].map(|digit| format!("D228{digit}"));
    let near = near.each_ref().map(String::as_str);
    let take = "核对车次与日期：data.candidates 是以它开头的车次";
    let search = "核对车次与日期；车次可用 12306_query_tickets 查到";
    for (code, expected) in [
        ("D228", missing("D228", take, &near)),
        ("X9999", missing("X9999", search, &[])),
    ] {
        let arguments = json!({ "train_code": code, "date": "2026-12-02" });
        assert_eq!(both.call(ROUTE, arguments).structured, expected);
    }
}

#[test]
fn a_place_the_train_does_not_stop_at_is_told() {
    let both = world();
    let no_stop = |field: &str, message: &str| {
        told(
            "INVALID_ARGUMENT",
            message,
            &format!("从 data.stops 中选一站作为 {field}，或去掉它查看全程"),
            json!({ "field": field, "stops": [
                "北京", "北京西", "石家庄", "郑州东", "武汉", "岳阳东", "长沙南", "韶关", "广州南",
            ] }),
        )
    };
    let sections = [
        (
            json!(["上海", "广州"]),
            no_stop("from", "参数 from 有误：G77 不停靠 \"上海\""),
        ),
        (
            json!(["北京", "上海"]),
            no_stop("to", "参数 to 有误：G77 在区间起点之后不停靠 \"上海\""),
        ),
        (
            json!(["广州", "北京"]),
            no_stop("to", "参数 to 有误：G77 在区间起点之后不停靠 \"北京\""),
        ),
    ];
    for (section, expected) in sections {
        let arguments = json!({
            "train_code": "G77", "date": "2026-12-02", "from": section[0], "to": section[1],
        });
        let answer = both.call(ROUTE, arguments);
        assert_eq!(answer.structured, expected, "{section}");
    }
}
