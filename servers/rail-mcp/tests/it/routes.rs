//! Stops of a train: exact codes, nights, sections, and what is asked of the service.

mod days;
mod pages;

use serde_json::{Value, json};

use crate::{
    expected::{given, moment, refused, with},
    world::world,
};

const TOOL: &str = "12306_train_route";

/// A stop; moments as `12-02 07:00`, empty where there is none, and the minutes between them.
fn stop(
    (station, telecode): (&str, &str),
    code: &str,
    [arrive, depart]: [&str; 2],
    dwell: Option<u32>,
    day: u32,
) -> Value {
    let time = |text: &str| {
        if text.is_empty() {
            Value::Null
        } else {
            moment(text)
        }
    };
    json!({
        "station": station, "telecode": telecode, "train_code": code, "arrive_at": time(arrive),
        "depart_at": time(depart), "dwell_minutes": dwell, "day": day, "in_section": true,
    })
}

/// Train, number, day and ends of an answer.
fn head(answer: &Value) -> Value {
    let fields = [
        "train_code",
        "train_no",
        "origin_date",
        "origin",
        "terminus",
        "total",
    ];
    Value::from(Vec::from_iter(fields.map(|field| answer[field].clone())))
}

/// The names of the stops in the section.
fn section(answer: &Value) -> Vec<&str> {
    let stops = answer["stops"].as_array().expect("stops").iter();
    let inside = stops.filter(|stop| stop["in_section"] == true);
    inside
        .map(|stop| stop["station"].as_str().expect("a name"))
        .collect()
}

#[test]
fn only_the_exact_code_is_the_train() {
    let world = world();
    let near = json!({"candidates": ["D2281", "D2282", "D2283", "D2284", "D2285", "D2286", "D2287", "D2288"]});
    refused(
        &world,
        TOOL,
        &json!({"train_code": "D228", "date": "+2"}),
        ("TRAIN_NOT_FOUND", &near),
    );
    world.each(|fake| assert_eq!(fake.journal().all().len(), 1));
    let answer = given(&world, TOOL, &json!({"train_code": "D2285", "date": "+2"}));
    assert_eq!(
        answer,
        json!({
            "ok": true, "train_code": "D2285", "train_no": "5l000D228521", "origin_date": "2026-12-02",
            "origin": "上海虹桥", "terminus": "深圳北",
            "stops": [
                stop(("上海虹桥", "AOH"), "D2285", ["", "12-02 06:20"], None, 0),
                stop(("杭州东", "HGH"), "D2285", ["12-02 07:12", "12-02 07:15"], Some(3), 0),
                stop(("厦门北", "XKS"), "D2285", ["12-02 13:01", "12-02 13:05"], Some(4), 0),
                stop(("深圳北", "IOQ"), "D2285", ["12-02 16:57", ""], None, 0),
            ],
            "total": 4, "returned": 4, "truncated": false, "as_of": "2026-11-30T10:00:00+08:00",
        })
    );
    // G1 stands first among two hundred hits; of those that begin alike at most ten are told.
    let g1 = given(&world, TOOL, &json!({"train_code": " g1 ", "date": "+2"}));
    assert_eq!(
        head(&g1),
        json!(["G1", "24000000G10K", "2026-12-02", "北京南", "上海", 4])
    );
    let ten = json!({"candidates": ["G1", "G10", "G100", "G1000", "G1001", "G1002", "G1003", "G1004", "G1005", "G1006"]});
    refused(
        &world,
        TOOL,
        &json!({"train_code": "G", "date": "+2"}),
        ("TRAIN_NOT_FOUND", &ten),
    );
    refused(
        &world,
        TOOL,
        &json!({"train_code": "X9"}),
        ("TRAIN_NOT_FOUND", &json!({"candidates": []})),
    );
    for text in ["G-1", "高1", "/K1", "G1;"] {
        let about = json!({"field": "train_code"});
        refused(
            &world,
            TOOL,
            &json!({"train_code": text}),
            ("INVALID_ARGUMENT", &about),
        );
    }
}

#[test]
fn a_code_of_two_halves_is_found_by_each_and_by_both() {
    let world = world();
    for code in ["K599", "K598", "K599/K598", "k598/k599"] {
        let answer = given(&world, TOOL, &json!({"train_code": code, "date": "+1"}));
        assert_eq!(
            head(&answer),
            json!([
                "K599/K598",
                "330000K59822",
                "2026-12-01",
                "包头",
                "广州",
                33
            ]),
            "{code}"
        );
    }
    // The code changes on the way.
    let answer = given(
        &world,
        TOOL,
        &json!({"train_code": "D7515", "date": "+2", "from": "深圳坪山"}),
    );
    assert_eq!(
        head(&answer),
        json!(["D7515", "6j000D751520", "2026-12-02", "饶平", "广州东", 8])
    );
    assert_eq!(
        answer["stops"].as_array().expect("stops")[5..],
        [
            stop(
                ("深圳坪山", "IFQ"),
                "D7515",
                ["12-02 16:07", "12-02 16:09"],
                Some(2),
                0
            ),
            stop(
                ("东莞", "RTQ"),
                "D7514",
                ["12-02 17:02", "12-02 17:04"],
                Some(2),
                0
            ),
            stop(("广州东", "GGQ"), "D7514", ["12-02 17:39", ""], None, 0),
        ]
    );
    assert_eq!(section(&answer), ["深圳坪山", "东莞", "广州东"]);
}

#[test]
fn nights_are_counted_and_a_stay_may_pass_midnight() {
    let world = world();
    let d35 = given(&world, TOOL, &json!({"train_code": "D35", "date": "+2"}));
    assert_eq!(
        d35["stops"],
        json!([
            stop(("北京西", "BXP"), "D35", ["", "12-02 09:17"], None, 0),
            stop(
                ("石家庄", "SJP"),
                "D35",
                ["12-02 11:00", "12-02 11:04"],
                Some(4),
                0
            ),
            stop(
                ("郑州东", "ZAF"),
                "D35",
                ["12-02 14:10", "12-02 14:18"],
                Some(8),
                0
            ),
            stop(
                ("长沙南", "CWQ"),
                "D35",
                ["12-02 23:58", "12-03 00:06"],
                Some(8),
                0
            ),
            stop(("广州白云", "GBA"), "D35", ["12-03 06:39", ""], None, 1),
        ])
    );
    let stops = world.follow(TOOL, json!({"train_code": "K599", "date": "+1"}), "stops");
    assert_eq!(stops.len(), 33);
    assert_eq!(
        [3, 8, 9, 26, 32].map(|at| stops[at].clone()),
        [
            stop(
                ("大同", "DTV"),
                "K599",
                ["12-01 23:52", "12-02 00:04"],
                Some(12),
                0
            ),
            stop(
                ("北京丰台", "FTP"),
                "K599",
                ["12-02 05:07", "12-02 05:19"],
                Some(12),
                1
            ),
            stop(
                ("涿州", "ZXP"),
                "K598",
                ["12-02 06:02", "12-02 06:05"],
                Some(3),
                1
            ),
            stop(
                ("长沙", "CSQ"),
                "K598",
                ["12-03 00:20", "12-03 00:28"],
                Some(8),
                2
            ),
            stop(("广州", "GZQ"), "K598", ["12-03 10:42", ""], None, 2),
        ]
    );
}

#[test]
fn a_section_runs_from_boarding_to_leaving() {
    let world = world();
    let check = |code: &str, from: Option<&str>, to: Option<&str>, expected: &[&str]| {
        let arguments = json!({"train_code": code, "date": "+2", "from": from, "to": to});
        let answer = given(&world, TOOL, &arguments);
        assert_eq!(section(&answer), expected, "{arguments}");
    };
    let g77 = [
        "北京",
        "北京西",
        "石家庄",
        "郑州东",
        "武汉",
        "岳阳东",
        "长沙南",
        "韶关",
        "广州南",
    ];
    check("G77", None, None, &g77);
    // A city is each of its stations: the first one to board, the first one after it to leave.
    check("G77", Some("北京"), Some("长沙"), &g77[..7]);
    check("G77", Some("北京西"), Some("CWQ"), &g77[1..7]);
    check("G77", Some("北京"), Some("北京"), &g77[..2]);
    check("G77", Some("zhengzhoudong"), None, &g77[3..]);
    check("G77", None, Some("武汉"), &g77[..5]);
    // A loop comes back to where it began; its last stop is written with spaces.
    let round = ["成都东", "资阳北", "内江北", "自贡", "乐山", "成都东"];
    check("C6101", Some("成都东"), Some("成都东"), &round);
    check("C6101", None, Some("成都东"), &round);
    // The stops know the station by its name, not by the second code of ticket answers.
    check("C6101", Some("WEI"), None, &round);
    check("C6101", Some("WEI"), Some("WEI"), &round);
    let answer = given(&world, TOOL, &json!({"train_code": "C6101"}));
    assert_eq!(
        head(&answer),
        json!(["C6101", "76000C61010A", "2026-11-30", "成都东", "成都东", 6])
    );

    let not_there = |field: &str, from: Option<&str>, to: Option<&str>, message: &str| {
        let arguments = json!({"train_code": "G1", "from": from, "to": to});
        let stops = json!({"field": field, "stops": ["北京南", "济南西", "南京南", "上海"]});
        let answer = refused(&world, TOOL, &arguments, ("INVALID_ARGUMENT", &stops));
        assert_eq!(answer["message"], format!("参数 {field} 有误：{message}"));
    };
    not_there("from", Some("武汉"), None, "G1 不停靠 \"武汉\"");
    not_there("to", None, Some("武汉"), "G1 在区间起点之后不停靠 \"武汉\"");
    // Against the way, and to where it begins.
    not_there(
        "to",
        Some("南京南"),
        Some("济南西"),
        "G1 在区间起点之后不停靠 \"济南西\"",
    );
    not_there(
        "to",
        None,
        Some("北京南"),
        "G1 在区间起点之后不停靠 \"北京南\"",
    );
}

#[test]
fn a_train_without_a_stop_list_is_an_empty_list() {
    let world = world();
    // The search knows G123, the stop list does not.
    for section in [
        json!({}),
        json!({"from": "北京西"}),
        json!({"to": "长沙南"}),
    ] {
        let arguments = with(json!({"train_code": "G123", "date": "+2"}), &section);
        assert_eq!(
            given(&world, TOOL, &arguments),
            json!({
                "ok": true, "train_code": "G123", "train_no": "2400000G123A", "origin_date": "2026-12-02",
                "origin": "北京西", "terminus": "长沙南", "stops": [], "total": 0, "returned": 0, "truncated": false,
                "as_of": "2026-11-30T10:00:00+08:00",
            })
        );
    }
}

#[test]
fn a_query_is_sent_as_the_page_sends_it_and_only_once() {
    let world = world();
    for section in [
        json!({}),
        json!({"from": "济南西"}),
        json!({"to": "南京南", "max_results": 2}),
    ] {
        given(
            &world,
            TOOL,
            &with(json!({"train_code": "G1", "date": "+2"}), &section),
        );
    }
    world.each(|fake| {
        let seen = fake.journal().all();
        let lines = seen.iter().map(|seen| (seen.host, seen.path.as_str()));
        assert_eq!(
            Vec::from_iter(lines),
            [
                ("search", "/search/v1/train/search"),
                ("kyfw", "/otn/leftTicket/init"),
                ("kyfw", "/otn/queryTrainInfo/query"),
            ]
        );
        let pair = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        assert_eq!(
            seen[0].query,
            [("keyword", "G1"), ("date", "20261202")].map(pair)
        );
        assert_eq!(seen[0].cookies, []);
        let stops = [
            ("leftTicketDTO.train_no", "24000000G10K"),
            ("leftTicketDTO.train_date", "2026-12-02"),
            ("rand_code", ""),
        ];
        assert_eq!(seen[2].query, stops.map(pair));
        let mut names = Vec::from_iter(seen[2].cookies.iter().map(|(name, _)| name.as_str()));
        names.sort_unstable();
        assert_eq!(names, ["BIGipServerotn", "JSESSIONID", "route"]);
    });
    // The search site never gets a cookie, in a warm session neither.
    given(&world, TOOL, &json!({"train_code": "D35", "date": "+2"}));
    world.each(|fake| {
        let searches = fake.journal().of("search");
        assert!(
            searches.iter().all(|seen| seen.cookies.is_empty()),
            "{searches:?}"
        );
        assert_eq!((searches.len(), fake.journal().of("init").len()), (2, 1));
    });
}
