//! Cities and stations: what words mean, and which rows that keeps.

use serde_json::{Value, json};

use crate::{
    expected::{at, candidate, city, codes, station, tickets, with},
    world::world,
};

#[test]
fn a_city_takes_every_row_and_a_station_its_own() {
    let world = world();
    let check = |from: &Value, to: &Value, expected: &[&str], removed: Value| {
        let [asked, wanted] = [from, to].map(|place| place["query"].as_str().expect("a query"));
        let answer = tickets(&world, asked, wanted, &json!({}));
        let about = json!([
            answer["from"],
            answer["to"],
            answer["total"],
            answer["removed"]
        ]);
        assert_eq!(about, json!([from, to, expected.len(), removed]));
        assert_eq!(codes(&answer), expected, "{asked} {wanted}");
    };
    let shanghai = city("上海", "上海", "SHH");
    let all = [
        "G531", "G103", "G1", "G105", "G3", "G5", "G7", "K1109", "G11", "1461", "G13", "G15",
        "G17", "G19", "G21", "Z281", "T109", "D707", "Z99", "K8811", "G25",
    ];
    for words in ["北京", "北京市", "北 京"] {
        // The list is longer than the twenty that are given at once.
        let answer = tickets(&world, words, "上海", &json!({"max_results": 100}));
        let about = json!([
            answer["from"],
            answer["to"],
            answer["total"],
            answer["removed"]
        ]);
        assert_eq!(about, json!([city(words, "北京", "BJP"), shanghai, 21, {}]));
        assert_eq!(codes(&answer), all, "{words}");
    }
    let main_station = ["1461", "T109", "Z99", "K8811"];
    for words in ["北京站", "北京 站"] {
        check(
            &station(words, "北京", "BJP"),
            &shanghai,
            &main_station,
            json!({"from": 17}),
        );
    }
    // Three capitals are a code, and another station has them as initials.
    let also = candidate(
        "station",
        ["白鸡坡", "BBM", "六盘水"],
        Some(["baijipo", "bjp"]),
        "initials",
    );
    check(
        &with(station("BJP", "北京", "BJP"), &json!({"also": [also]})),
        &shanghai,
        &main_station,
        json!({"from": 17}),
    );
    let also = candidate(
        "city",
        ["北京", "BJP", "北京"],
        Some(["beijing", "bj"]),
        "pinyin",
    );
    check(
        &with(station("beijing", "北京", "BJP"), &json!({"also": [also]})),
        &shanghai,
        &main_station,
        json!({"from": 17}),
    );
    let south = [
        "G531", "G103", "G1", "G105", "G3", "G5", "G7", "G11", "G13", "G15", "G17", "G19", "G21",
        "D707", "G25",
    ];
    check(
        &station("北京南", "北京南", "VNP"),
        &shanghai,
        &south,
        json!({"from": 6}),
    );
    let hongqiao = [
        "G531", "G103", "G105", "G3", "G13", "G15", "G17", "G19", "G21", "G25",
    ];
    for words in ["上海虹桥", "shhq", "aoh"] {
        check(
            &station("VNP", "北京南", "VNP"),
            &station(words, "上海虹桥", "AOH"),
            &hongqiao,
            json!({"from": 6, "to": 5}),
        );
    }
}

#[test]
fn names_that_are_both_city_and_station_are_told_apart() {
    let world = world();
    let check = |from: &Value, to: &Value, trains: &[(&str, &str, &str)], removed: Value| {
        let [asked, wanted] = [from, to].map(|place| place["query"].as_str().expect("a query"));
        let answer = tickets(&world, asked, wanted, &json!({}));
        let about = json!([answer["from"], answer["to"], answer["removed"]]);
        assert_eq!(about, json!([from, to, removed]));
        let found = answer["trains"].as_array().expect("trains").iter();
        let found = found.map(|train| {
            json!([
                train["train_code"],
                train["from_station"],
                train["to_station"]
            ])
        });
        let expected = trains
            .iter()
            .map(|(code, from, to)| json!([code, at(from), at(to)]));
        assert_eq!(Vec::from_iter(found), Vec::from_iter(expected));
    };
    let wuhan = city("武汉", "武汉", "WHN");
    let other = candidate(
        "city",
        ["当阳", "DXN", "当阳"],
        Some(["dangyang", "dy"]),
        "city",
    );
    check(
        &with(station("当阳", "当阳", "DYN"), &json!({"also": [other]})),
        &wuhan,
        &[("K1237", "当阳 DYN", "汉口 HKN")],
        json!({"from": 1}),
    );
    check(
        &city("宜昌", "宜昌", "YCN"),
        &wuhan,
        &[
            ("D5801", "宜昌东 HAN", "汉口 HKN"),
            ("K1237", "当阳 DYN", "汉口 HKN"),
        ],
        json!({}),
    );
    // No station is called 呼伦贝尔: the city is asked by its first one, and its trains leave from another.
    check(
        &city("呼伦贝尔", "呼伦贝尔", "AHX"),
        &city("哈尔滨", "哈尔滨", "HBB"),
        &[("K7089", "海拉尔 HRX", "哈尔滨 HBB")],
        json!({}),
    );
    check(
        &city("玉林", "玉林", "YLZ"),
        &station("宜州", "宜州", "YSZ"),
        &[
            ("K830", "玉林 YLZ", "宜州 YSZ"),
            ("5538", "玉林 YLZ", "宜州 YSZ"),
        ],
        json!({}),
    );
    // A loop may be asked with equal ends. It ends at WEI, a second code of 成都东 that the script lacks.
    let mut chengdu = city("成都", "成都", "CDW");
    chengdu["telecodes"]
        .as_array_mut()
        .expect("telecodes")
        .push(json!("WEI"));
    let loop_train = [("C6101", "成都东 ICW", "成都东 WEI")];
    let east = with(
        station("成都东", "成都东", "ICW"),
        &json!({"telecodes": ["ICW", "WEI"]}),
    );
    check(&chengdu, &chengdu, &loop_train, json!({}));
    check(&east, &east, &loop_train, json!({}));
    check(
        &chengdu,
        &station("WEI", "成都东", "WEI"),
        &loop_train,
        json!({}),
    );
    check(
        &city("资阳", "资阳", "FYW"),
        &east,
        &[
            ("C6101", "资阳北 FYW", "成都东 WEI"),
            ("D1855", "资阳北 FYW", "成都东 ICW"),
        ],
        json!({}),
    );
}
