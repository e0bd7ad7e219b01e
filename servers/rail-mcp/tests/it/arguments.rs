//! Every argument of every tool, given wrongly in every way, is named and nothing is asked for it.

use fixtures::{
    arguments::{Expect, cases},
    mcp::Both,
    rail::Rail,
};
use serde_json::{Value, json};

use crate::world::{world, world_with};

const TICKETS: &str = "12306_query_tickets";
const TRANSFERS: &str = "12306_query_transfer";
const ROUTE: &str = "12306_train_route";
const STATIONS: &str = "12306_search_stations";

/// A call with every argument but `cursor`, which only an answer gives.
fn whole(tool: &str) -> Value {
    let journey = json!({
        "date": "2026-12-02", "from": "广州", "to": "桂林", "train_types": ["G"],
        "depart_after": "00:00", "depart_before": "24:30", "arrive_after": "00:00", "arrive_before": "47:59",
        "only_available": false, "seat_type": "二等座", "purpose": "adult", "sort_by": "depart", "max_results": 3,
    });
    match tool {
        TICKETS => journey,
        TRANSFERS => {
            let change = json!({
                "middle_station": "长沙", "min_change_minutes": 0, "max_change_minutes": 1440, "same_station_only": false,
            });
            let both = [journey, change].map(|part| part.as_object().unwrap().clone());
            both.into_iter().flatten().collect()
        }
        ROUTE => json!({
            "train_code": "G77", "date": "2026-12-02", "from": "北京西", "to": "广州南", "max_results": 3,
        }),
        STATIONS => json!({ "text": "AOH", "max_results": 3 }),
        _ => panic!("a tool without arguments here: {tool}"),
    }
}

/// The whole call with some arguments changed.
fn changed(tool: &str, changes: &Value) -> Value {
    let mut arguments = whole(tool);
    for (field, value) in changes.as_object().unwrap() {
        arguments[field] = value.clone();
    }
    arguments
}

/// How many requests have arrived in both worlds.
fn requests(both: &Both<Rail>) -> usize {
    let count = |world: &fixtures::mcp::World<Rail>| world.fake.journal().all().len();
    both.worlds().iter().map(count).sum()
}

#[test]
fn every_argument_given_wrongly_is_named_and_nothing_is_asked() {
    let both = world_with(&[("RAIL_CACHE_MS", "600000")]);
    let mut faults = Vec::new();
    let mut kinds = [0, 0];
    for tool in both.tools() {
        let name = tool["name"].as_str().unwrap();
        let valid = whole(name);
        let cases = cases(tool, &valid);
        let fields = tool["inputSchema"]["properties"].as_object().unwrap();
        for field in fields.keys() {
            let given = valid.get(field).is_some() || field == "cursor";
            assert!(given, "{name}: no valid value for {field} is tried here");
        }
        for case in cases {
            let before = requests(&both);
            let answer = both.call(name, case.arguments.clone());
            faults.extend(case.fault(&answer).map(|fault| format!("{name}: {fault}")));
            match case.expect {
                Expect::Accepted => kinds[0] += 1,
                Expect::Invalid { .. } => {
                    kinds[1] += 1;
                    assert_eq!(requests(&both), before, "{name}: {}", case.name);
                }
            }
        }
    }
    assert_eq!(faults, Vec::<String>::new());
    assert!(kinds[0] > 50 && kinds[1] > 250, "too few cases: {kinds:?}");
}

#[test]
fn every_example_of_a_schema_is_a_good_argument() {
    let both = world();
    let mut tried = 0;
    for tool in both.tools() {
        let name = tool["name"].as_str().unwrap();
        let schema = &tool["inputSchema"];
        let examples = |field: &str| schema["properties"][field]["examples"].as_array();
        // The least call is made of the first examples.
        let required = schema["required"].as_array().unwrap().iter();
        let required = required.map(|field| field.as_str().unwrap());
        let least = required.map(|field| (field.to_owned(), examples(field).unwrap()[0].clone()));
        let least = Value::Object(least.collect());
        for field in schema["properties"].as_object().unwrap().keys() {
            for example in examples(field).into_iter().flatten() {
                let mut arguments = least.clone();
                arguments[field] = example.clone();
                let answer = both.call(name, arguments.clone());
                assert_eq!(answer.code(), None, "{name} {arguments}: {}", answer.text);
                tried += 1;
                if name == STATIONS {
                    let found = answer.structured["candidates"].as_array().unwrap();
                    let hongqiao = found.iter().any(|one| one["name"] == "上海虹桥");
                    assert!(hongqiao, "{arguments}: {}", answer.text);
                }
            }
        }
    }
    assert!(tried >= 24, "too few examples: {tried}");
}

#[test]
fn what_a_schema_cannot_say_is_named_as_well() {
    let both = world();
    let day = |text: &str| {
        format!(
            "{text:?} 不是有效日期，例如 2026-12-02、今天、明天、后天 或 +3；今天是 2026-11-30，可查 2026-11-30 至 2026-12-14"
        )
    };
    let time =
        |text: &str| format!("{text:?} 不是 HH:MM（00:00–47:59，24 点以后为次日），例如 08:30");
    let reversed = |after: &str| {
        format!(
            "早于 {after}，没有车能满足；跨过午夜请把次日写成 24 点以后，例如 30:00 为次日 06:00"
        )
    };
    let train = |text: &str| format!("{text:?} 不是车次，例如 \"G1\"");
    let change = "小于 min_change_minutes，例如 30 与 120".to_owned();
    let cursor = "不是本工具给出的 next_cursor；去掉它从头查起".to_owned();
    for (tool, changes, field, why) in [
        (
            TICKETS,
            json!({ "date": "2026-13-99" }),
            "date",
            day("2026-13-99"),
        ),
        (
            TICKETS,
            json!({ "date": "2026-02-30" }),
            "date",
            day("2026-02-30"),
        ),
        (
            TICKETS,
            json!({ "date": "2019-10-1" }),
            "date",
            day("2019-10-1"),
        ),
        (TRANSFERS, json!({ "date": "昨天" }), "date", day("昨天")),
        (TRANSFERS, json!({ "date": "+1000" }), "date", day("+1000")),
        (
            ROUTE,
            json!({ "date": "20261202" }),
            "date",
            day("20261202"),
        ),
        (
            TICKETS,
            json!({ "depart_before": "9:00" }),
            "depart_before",
            time("9:00"),
        ),
        (
            TRANSFERS,
            json!({ "arrive_after": "8" }),
            "arrive_after",
            time("8"),
        ),
        (
            TRANSFERS,
            json!({ "arrive_before": "08:00:00" }),
            "arrive_before",
            time("08:00:00"),
        ),
        (
            TICKETS,
            json!({ "depart_after": " 8:00" }),
            "depart_after",
            time(" 8:00"),
        ),
        (
            TICKETS,
            json!({ "depart_before": "+8:00" }),
            "depart_before",
            time("+8:00"),
        ),
        (
            TICKETS,
            json!({ "arrive_after": "08：00" }),
            "arrive_after",
            time("08：00"),
        ),
        (
            TICKETS,
            json!({ "arrive_before": "48:00" }),
            "arrive_before",
            time("48:00"),
        ),
        (
            TRANSFERS,
            json!({ "depart_after": "08:60" }),
            "depart_after",
            time("08:60"),
        ),
        (
            TRANSFERS,
            json!({ "depart_before": "08.00" }),
            "depart_before",
            time("08.00"),
        ),
        (
            TRANSFERS,
            json!({ "arrive_after": "ab:cd" }),
            "arrive_after",
            time("ab:cd"),
        ),
        (
            TRANSFERS,
            json!({ "arrive_before": "24:60" }),
            "arrive_before",
            time("24:60"),
        ),
        (
            TICKETS,
            json!({ "depart_after": "24:31" }),
            "depart_before",
            reversed("depart_after"),
        ),
        (
            TRANSFERS,
            json!({ "arrive_after": "22:00", "arrive_before": "06:00" }),
            "arrive_before",
            reversed("arrive_after"),
        ),
        (
            TRANSFERS,
            json!({ "min_change_minutes": 31, "max_change_minutes": 30 }),
            "max_change_minutes",
            change,
        ),
        (
            ROUTE,
            json!({ "train_code": "高铁1号" }),
            "train_code",
            train("高铁1号"),
        ),
        (
            ROUTE,
            json!({ "train_code": "G77&date=1" }),
            "train_code",
            train("G77&date=1"),
        ),
        (
            ROUTE,
            json!({ "train_code": "  " }),
            "train_code",
            train("  "),
        ),
        (STATIONS, json!({ "cursor": "x" }), "cursor", cursor),
    ] {
        let expected = json!({
            "ok": false, "code": "INVALID_ARGUMENT", "message": format!("参数 {field} 有误：{why}"),
            "retryable": false, "next": "改正该参数后重试", "data": { "field": field },
        });
        let answer = both.call(tool, changed(tool, &changes));
        assert_eq!(answer.structured, expected);
    }
    assert_eq!(requests(&both), 0);
    // A window or a range of one value is narrow, not wrong.
    for (tool, changes) in [
        (
            TICKETS,
            json!({ "depart_after": "24:30", "arrive_before": "00:00" }),
        ),
        (TRANSFERS, json!({ "min_change_minutes": 1440 })),
    ] {
        let answer = both.call(tool, changed(tool, &changes));
        assert_eq!(answer.code(), None, "{tool} {changes}");
    }
}
