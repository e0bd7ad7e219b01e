//! Station search, and the words that name no single place.

use fixtures::{mcp::Both, rail::Rail};
use serde_json::{Value, json};

use crate::{
    expected::{DAY, ask, candidate, given, refused},
    world::world,
};

const AS_OF: &str = "2026-09-30T00:00:00+08:00";

#[test]
fn every_candidate_says_what_it_is_and_why_it_fits() {
    let world = world();
    let check = |text: &str, candidates: &[Value]| {
        assert_eq!(
            given(&world, "12306_search_stations", &json!({"text": text})),
            json!({
                "ok": true, "candidates": candidates, "total": candidates.len(), "returned": candidates.len(),
                "truncated": false, "as_of": AS_OF,
            }),
            "{text}"
        );
    };
    let hongqiao = |matched| {
        candidate(
            "station",
            ["上海虹桥", "AOH", "上海"],
            Some(["shanghaihongqiao", "shhq"]),
            matched,
        )
    };
    // A telecode stands first, though a pinyin begins with it as well; it may be written small or wide.
    let aohan = candidate(
        "station",
        ["敖汉", "YED", "赤峰"],
        Some(["aohan", "ah"]),
        "pinyin_prefix",
    );
    for text in ["AOH", "aoh", "ＡＯＨ"] {
        check(text, &[hongqiao("telecode"), aohan.clone()]);
    }
    for text in ["上海虹桥", "上海虹桥站", " 上海 虹桥 "] {
        check(text, &[hongqiao("name")]);
    }
    check("shhq", &[hongqiao("initials")]);
    check("Shanghai'Hongqiao", &[hongqiao("pinyin")]);
    // The official script lacks WEI: it is found by its code only, and 成都东 stays one station.
    let east = |telecode, matched| {
        candidate(
            "station",
            ["成都东", telecode, "成都"],
            Some(["chengdudong", "cdd"]),
            matched,
        )
    };
    check("成都东", &[east("ICW", "name")]);
    check(
        "cdd",
        &[
            east("ICW", "initials"),
            candidate(
                "station",
                ["承德东", "CCP", "承德"],
                Some(["chengdedong", "cdd"]),
                "initials",
            ),
        ],
    );
    // A station in one city has the name of another city.
    let latin = Some(["dangyang", "dy"]);
    check(
        "当阳",
        &[
            candidate("city", ["当阳", "DXN", "当阳"], latin, "city"),
            candidate("station", ["当阳", "DYN", "宜昌"], latin, "name"),
            candidate(
                "station",
                ["当阳西", "DXN", "当阳"],
                Some(["dangyangxi", "dyx"]),
                "city",
            ),
        ],
    );
    check(
        "hongkong",
        &[candidate(
            "station",
            ["香港西九龙", "XJA", "香港"],
            Some(["hkwestkowloon", "xgxjl"]),
            "pinyin",
        )],
    );
    check(
        "宋",
        &[
            candidate(
                "station",
                ["宋", "SOB", "绥化"],
                Some(["song", "son"]),
                "name",
            ),
            candidate(
                "station",
                ["宋城路", "SFF", "开封"],
                Some(["songchenglu", "scl"]),
                "name_contains",
            ),
        ],
    );
    // A part of a pinyin says something from four letters on.
    check("hongqiao", &[hongqiao("pinyin_contains")]);
    check("Ai Hong", &[hongqiao("pinyin_contains")]);
    check(
        "ngq",
        &[candidate(
            "station",
            ["板塘", "NGQ", "湘潭"],
            Some(["bantang", "bt"]),
            "telecode",
        )],
    );
    check("zzzzzzzz", &[]);
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}

#[test]
fn a_long_list_is_followed_to_its_end() {
    let world = world();
    let all = world.follow(
        "12306_search_stations",
        json!({"text": "北京", "max_results": 20}),
        "candidates",
    );
    let latin = Some(["beijing", "bj"]);
    // The city and its 65 stations.
    assert_eq!(all.len(), 66);
    assert_eq!(
        all[..2],
        [
            candidate("city", ["北京", "BJP", "北京"], latin, "city"),
            candidate("station", ["北京", "BJP", "北京"], latin, "name"),
        ]
    );
    // A city that no station has its name from is asked by its first station and has no pinyin.
    let answer = given(
        &world,
        "12306_search_stations",
        &json!({"text": "呼伦贝尔", "max_results": 1}),
    );
    let cursor = answer["next_cursor"].clone();
    assert_eq!(
        answer,
        json!({
            "ok": true, "candidates": [candidate("city", ["呼伦贝尔", "AHX", "呼伦贝尔"], None, "city")],
            "total": 38, "returned": 1, "truncated": true, "next_cursor": cursor, "as_of": AS_OF,
        })
    );
}

#[test]
fn words_for_several_stations_or_none_are_refused_with_candidates_and_without_a_request() {
    let world = world();
    let check = |tool: &str, field: &str, words: &str, code: &str, candidates: &[Value]| {
        let mut arguments = match tool {
            "12306_train_route" => json!({"train_code": "G1"}),
            _ => json!({"date": DAY, "from": "北京", "to": "上海"}),
        };
        arguments[field] = json!(words);
        let data = json!({"field": field, "candidates": candidates});
        refused(&world, tool, &arguments, (code, &data));
    };
    let station = |text: [&str; 3], latin: [&str; 2], matched| {
        candidate("station", text, Some(latin), matched)
    };
    let east = [
        station(
            ["成都东", "ICW", "成都"],
            ["chengdudong", "cdd"],
            "initials",
        ),
        station(
            ["承德东", "CCP", "承德"],
            ["chengdedong", "cdd"],
            "initials",
        ),
    ];
    for (tool, field) in [
        ("12306_query_tickets", "from"),
        ("12306_query_tickets", "to"),
        ("12306_query_transfer", "middle_station"),
        ("12306_train_route", "from"),
        ("12306_train_route", "to"),
    ] {
        check(tool, field, "cdd", "STATION_AMBIGUOUS", &east);
        check(tool, field, "卜卜卜站", "STATION_NOT_FOUND", &[]);
    }
    let yichun = ["yichun", "yc"];
    check(
        "12306_query_tickets",
        "from",
        "YiChun",
        "STATION_AMBIGUOUS",
        &[
            candidate("city", ["伊春", "YCB", "伊春"], Some(yichun), "pinyin"),
            candidate("city", ["宜春", "YEG", "宜春"], Some(yichun), "pinyin"),
            station(["宜春", "YEG", "宜春"], yichun, "pinyin"),
            station(["伊春", "YCB", "伊春"], yichun, "pinyin"),
        ],
    );
    // 呼伦贝尔 is a city only, so that 呼伦贝尔站 is none; the city and its stations are offered.
    let answer = refused_candidates(&world, "呼伦贝尔站");
    assert_eq!(
        answer[..2],
        [
            candidate("city", ["呼伦贝尔", "AHX", "呼伦贝尔"], None, "city"),
            station(["阿里河", "AHX", "呼伦贝尔"], ["alihe", "alh"], "city"),
        ]
    );
    // Twenty-three stations begin with s and y; ten are offered. A misspelt one gets similar names.
    assert_eq!(refused_candidates(&world, "sy").len(), 10);
    assert!(refused_candidates(&world, "北京男").contains(&station(
        ["北京南", "VNP", "北京"],
        ["beijingnan", "bjn"],
        "similar"
    )));
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}

fn refused_candidates(world: &Both<Rail>, from: &str) -> Vec<Value> {
    let arguments = json!({"date": DAY, "from": from, "to": "上海"});
    let answer = ask(world, "12306_query_tickets", &arguments).structured;
    answer["data"]["candidates"]
        .as_array()
        .expect("candidates")
        .clone()
}
