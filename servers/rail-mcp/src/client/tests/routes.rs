//! Recorded stop lists and train searches.

use http_session::drift::Drift;
use insta::{assert_compact_json_snapshot, assert_debug_snapshot};
use jiff::civil::date;
use serde_json::json;

use super::*;
use crate::{
    client::{Rejected, routes},
    domain::{
        routes::{NoSection, Stop, mark_section},
        tickets::TrainCode,
    },
};

/// A stop in one line.
fn stop_line(stop: &Stop) -> String {
    format!(
        "{} {} {}, {} → {}, {} min, day {}",
        stop.station,
        or_dash(stop.telecode),
        or_dash(stop.train_code.as_ref().map(TrainCode::as_str)),
        at(stop.arrive_at),
        at(stop.depart_at),
        or_dash(stop.dwell_minutes),
        stop.day,
    )
}

fn stop_lines(stops: &[Stop]) -> Vec<String> {
    stops.iter().map(stop_line).collect()
}

#[test]
fn the_stops_of_a_train_whose_code_changes() {
    let catalogue = bundled();
    let answer = recorded("routes_stops_d7515.json");
    let mut stops = routes::stops(answer, date(2019, 9, 15), &catalogue).expect("stops");
    let lines = stop_lines(&stops);
    assert_eq!(
        lines,
        [
            "饶平 RVQ D7515, - → 09-15 13:59, - min, day 0",
            "潮汕 CBQ D7515, 09-15 14:16 → 09-15 14:19, 3 min, day 0",
            "潮阳 CNQ D7515, 09-15 14:31 → 09-15 14:33, 2 min, day 0",
            "普宁 PEQ D7515, 09-15 14:46 → 09-15 14:48, 2 min, day 0",
            "汕尾 OGQ D7515, 09-15 15:23 → 09-15 15:25, 2 min, day 0",
            "深圳坪山 IFQ D7515, 09-15 16:07 → 09-15 16:09, 2 min, day 0",
            "东莞 RTQ D7514, 09-15 17:02 → 09-15 17:04, 2 min, day 0",
            "广州东 GGQ D7514, 09-15 17:39 → -, - min, day 0",
        ]
    );
    assert_compact_json_snapshot!("stops_d7515", stops);

    let place = |name: &str| catalogue.resolve(name).expect(name);
    let marked = |stops: &[Stop]| stops.iter().map(|stop| stop.in_section).collect::<Vec<_>>();
    assert_eq!(marked(&stops), [true; 8]);
    mark_section(&mut stops, Some(&place("潮汕")), Some(&place("汕尾"))).expect("a section");
    assert_eq!(
        marked(&stops),
        [false, true, true, true, true, false, false, false]
    );
    // A city is any of its stations: 广州东 is in 广州.
    mark_section(&mut stops, Some(&place("深圳")), Some(&place("广州"))).expect("a section");
    assert_eq!(
        marked(&stops),
        [false, false, false, false, false, true, true, true]
    );
    mark_section(&mut stops, None, Some(&place("潮阳"))).expect("a section");
    assert_eq!(
        marked(&stops),
        [true, true, true, false, false, false, false, false]
    );
    for (from, to, expected) in [
        ("北京", "汕尾", NoSection::From),
        ("潮汕", "北京", NoSection::To),
        ("汕尾", "潮汕", NoSection::To),
        ("汕尾", "汕尾", NoSection::To),
    ] {
        let found = mark_section(&mut stops, Some(&place(from)), Some(&place(to)));
        assert_eq!(found, Err(expected), "{from} {to}");
    }
    assert_eq!(
        marked(&stops),
        [true, true, true, false, false, false, false, false]
    );
}

#[test]
fn fragments_of_stop_lists() {
    let catalogue = bundled();
    // The first stop's arrival equals its departure; the last of the fragment stands as an end.
    let answer =
        json!({ "status": true, "data": { "data": recorded("routes_stops_d56_fragment.json") } });
    let stops = routes::stops(answer, date(2026, 3, 1), &catalogue).expect("stops");
    let lines = stop_lines(&stops);
    assert_eq!(
        lines,
        [
            "乌鲁木齐 WAR D56, - → 03-01 10:18, - min, day 0",
            "吐鲁番北 TAR D56, 03-01 11:11 → -, - min, day 0",
        ]
    );
    // The older endpoint counts no days; they follow from the clock.
    let answer = recorded("routes_older_stops_g1932.json");
    let stops = routes::stops(answer, date(2019, 7, 1), &catalogue).expect("stops");
    let lines = stop_lines(&stops);
    assert_eq!(
        lines,
        [
            "上海虹桥 AOH G1932, - → 07-01 13:44, - min, day 0",
            "苏州北 OHH -, 07-01 14:07 → 07-01 14:09, 2 min, day 0",
            "无锡东 WGH -, 07-01 14:19 → 07-01 14:29, 10 min, day 0",
            "镇江南 ZEH -, 07-01 14:58 → 07-01 15:12, 14 min, day 0",
            "南京南 NKH -, 07-01 15:30 → -, - min, day 0",
        ]
    );
    assert_compact_json_snapshot!("older_stops_g1932", stops);
}

#[test]
fn days_pass_at_night() {
    let catalogue = bundled();
    let stop = |name: &str, arrive: &str, depart: &str, day: Option<&str>| {
        let mut stop = json!({ "station_name": name, "arrive_time": arrive, "start_time": depart });
        if let Some(day) = day {
            stop["arrive_day_diff"] = json!(day);
        }
        stop
    };
    let night = |days: [Option<&str>; 4]| {
        json!({ "status": true, "data": { "data": [
            stop("北京西", "----", "21:00", days[0]),
            stop("不在表中", "23:58", "00:04", days[1]),
            stop("郑  州", "03:10", "03:10", days[2]),
            stop("广州", "02:20", "--", days[3]),
        ] } })
    };
    let expected = [
        "北京西 BXP -, - → 12-31 21:00, - min, day 0",
        "不在表中 - -, 12-31 23:58 → 01-01 00:04, 6 min, day 0",
        "郑州 ZZF -, 01-01 03:10 → 01-01 03:10, 0 min, day 1",
        "广州 GZQ -, 01-02 02:20 → -, - min, day 2",
    ];
    for days in [[Some("0"), Some("0"), Some("1"), Some("2")], [None; 4]] {
        let stops = routes::stops(night(days), date(2026, 12, 31), &catalogue).expect("stops");
        assert_eq!(stop_lines(&stops), expected);
    }
    let drift = routes::stops(night([Some("x"); 4]), date(2026, 12, 31), &catalogue);
    let expected = Drift::new("data.data[0].arrive_day_diff", "不是数字");
    assert_eq!(drift, Err(Rejected::Drift(expected)));
}

#[test]
fn the_train_is_the_exact_hit_and_never_the_first() {
    let find = |code: &str| {
        let code = TrainCode::parse(code).expect("a code");
        let answer = recorded("routes_search_d228_20190123.json");
        routes::find_train(answer, &code).expect("hits")
    };
    for (code, expected) in [
        ("D2281", Some("D2281 54000D228150 南京 深圳北")),
        ("D2285", Some("D2285 5l000D228521 上海虹桥 深圳北")),
        (" d2286 ", Some("D2286 6i000D22860B 深圳北 上海虹桥")),
        ("D2288", Some("D2288 6i000D22880C 深圳北 上海虹桥")),
        ("D228", None),
        ("D22", None),
        ("2281", None),
    ] {
        let found = find(code);
        assert_eq!(
            found.near.len(),
            8 - usize::from(expected.is_some()),
            "{code}"
        );
        let line = found.exact.map(|hit| {
            let ends = (or_dash(hit.origin), or_dash(hit.terminus));
            let (code, no) = (hit.train_code.as_str(), hit.train_no.as_str());
            format!("{code} {no} {} {}", ends.0, ends.1)
        });
        assert_eq!(line.as_deref(), expected, "{code}");
    }
    assert_debug_snapshot!("search_d2285", find("D2285"));
}

#[test]
fn a_code_in_two_halves_is_found_by_either() {
    let hit = |code: &str| json!({ "station_train_code": code, "train_no": "6j000D751520" });
    let answer =
        json!({ "data": [hit("D75"), hit("D7514/D7515")], "status": true, "errorMsg": "" });
    for (code, expected) in [
        ("D7514", true),
        ("D7515", true),
        ("D7514/D7515", true),
        ("D751", false),
    ] {
        let code = TrainCode::parse(code).expect("a code");
        let found = routes::find_train(answer.clone(), &code).expect("hits");
        assert_eq!(found.exact.is_some(), expected, "{code:?}");
    }
    for nothing in [
        json!({ "data": [] }),
        json!({ "data": "" }),
        json!({ "data": null }),
        json!({}),
    ] {
        let code = TrainCode::parse("G1").expect("a code");
        let found = routes::find_train(nothing.clone(), &code).expect("hits");
        assert_eq!((found.exact, found.near), (None, Vec::new()), "{nothing}");
    }
}
