//! Journeys with one change: plans, places, and what is asked of the service.

mod pages;
mod wishes;

use serde_json::{Value, json};

use crate::{
    expected::{at_percent, city, codes, in_berths, moment, seat, station, train, transfers, with},
    world::world,
};

const ALL: [&str; 6] = [
    "G6102+G1508",
    "D2971+D2971",
    "G6022+K1373",
    "C6001+D3965",
    "K436+D3961",
    "K9064+T25",
];

/// A leg: the service says nothing there of sale and waitlist.
fn leg(train: Value) -> Value {
    with(train, &json!({"sale": "unknown", "sale_opens_at": null}))
}

#[test]
fn a_plan_holds_both_trains_and_its_totals() {
    let world = world();
    let answer = transfers(&world, "广州", "桂林", &json!({}));
    let around = with(answer.clone(), &json!({"plans": []}));
    assert_eq!(
        around,
        json!({
            "ok": true, "date": "2026-12-02", "from": city("广州", "广州", "GZQ"), "to": city("桂林", "桂林", "GLZ"),
            "plans": [], "total": 6, "returned": 6, "truncated": false, "complete": true, "incomplete_reason": null,
            "filters": {}, "removed": {}, "as_of": "2026-11-30T10:00:00+08:00",
        })
    );
    assert_eq!(codes(&answer), ALL);
    // Through the night, to another station of the town; the cheapest way is to stand, then to sit.
    let k436 = train(
        ("K436", "6900000K4360"),
        ["广州北 GBQ", "衡阳 HYQ"],
        ("12-02 22:30", "12-03 03:51", 321),
        &[
            seat("硬卧", "3", "none", 0, 112.5),
            seat("硬座", "1", "none", 0, 58.5),
            seat("无座", "W", "plenty", 60, 58.5),
        ],
        &[],
    );
    let d3961 = train(
        ("D3961", "65000D39610A"),
        ["衡阳东 HVQ", "桂林 GLZ"],
        ("12-03 06:54", "12-03 09:44", 170),
        &[
            seat("一等座", "M", "plenty", (), 173.0),
            seat("二等座", "O", "plenty", (), 108.0),
            seat("无座", "W", "plenty", 40, 108.0),
        ],
        &["复兴号"],
    );
    assert_eq!(
        answer["plans"][4],
        json!({
            "depart_at": moment("12-02 22:30"), "arrive_at": moment("12-03 09:44"), "total_minutes": 674,
            "wait_minutes": 183, "transfer_station": ["衡阳", "衡阳东"], "same_station": false, "same_train": false,
            "total_price_yuan_min": 166.5, "legs": [with(leg(k436), &json!({"origin": "广州"})), leg(d3961)],
        })
    );
    // 优选一等座 and discounts in a leg.
    let g6102 = train(
        ("G6102", "6i000G61020C"),
        ["广州南 IZQ", "长沙南 CWQ"],
        ("12-02 08:00", "12-02 10:32", 152),
        &[
            at_percent(83, seat("商务座", "9", "count", 2, 983.0)),
            at_percent(84, seat("一等座", "M", "plenty", (), 502.0)),
            at_percent(84, seat("二等座", "O", "plenty", (), 314.0)),
            seat("优选一等座", "D", "count", 4, 690.0),
            seat("无座", "W", "none", 0, 314.0),
        ],
        &["智能动车组", "复兴号", "静音车厢"],
    );
    assert_eq!(answer["plans"][0]["legs"][0], leg(g6102));
    // 24:05 is the next day; the second train left its origin a day before it is boarded.
    let k9064 = train(
        ("K9064", "6900000K9064"),
        ["广州 GZQ", "衡阳 HYQ"],
        ("12-03 00:05", "12-03 06:10", 365),
        &[
            in_berths(
                seat("硬卧", "3", "plenty", (), 112.5),
                &[
                    ("上铺", 112.5, None),
                    ("中铺", 116.5, None),
                    ("下铺", 121.5, None),
                ],
            ),
            seat("硬座", "1", "none", 0, 58.5),
            seat("无座", "W", "none", 0, 58.5),
        ],
        &["支持选铺"],
    );
    let t25 = train(
        ("T25", "2400000T250B"),
        ["衡阳 HYQ", "桂林 GLZ"],
        ("12-03 07:40", "12-03 13:10", 330),
        &[
            in_berths(
                seat("软卧", "4", "count", 3, 174.5),
                &[("上铺", 174.5, None), ("下铺", 181.5, None)],
            ),
            seat("硬卧", "3", "none", 0, 113.5),
            seat("硬座", "1", "plenty", (), 58.5),
            seat("无座", "W", "none", 0, 58.5),
        ],
        &["支持选铺"],
    );
    assert_eq!(
        answer["plans"][5],
        json!({
            "depart_at": moment("12-03 00:05"), "arrive_at": moment("12-03 13:10"), "total_minutes": 785,
            "wait_minutes": 90, "transfer_station": ["衡阳"], "same_station": true, "same_train": false,
            "total_price_yuan_min": 117.0, "legs": [leg(k9064), with(leg(t25), &json!({"origin": "北京西"}))],
        })
    );
    // Totals, the change, and a price that is not known where one leg has none.
    let summary = |plan: usize| {
        let plan = &answer["plans"][plan];
        let stations = &plan["transfer_station"];
        json!([
            plan["depart_at"],
            plan["arrive_at"],
            plan["total_minutes"],
            plan["wait_minutes"],
            stations,
            plan["same_station"],
            plan["same_train"],
            plan["total_price_yuan_min"],
        ])
    };
    let day = |from: &str, to: &str| (moment(from), moment(to));
    for (plan, (from, to), rest) in [
        (
            0,
            day("12-02 08:00", "12-02 14:44"),
            json!([404, 38, ["长沙南"], true, false, 508.0]),
        ),
        (
            1,
            day("12-02 09:30", "12-02 14:25"),
            json!([295, 6, ["衡阳东"], true, true, 267.0]),
        ),
        (
            2,
            day("12-02 13:00", "12-03 03:30"),
            json!([870, 176, ["长沙南", "长沙"], false, false, null]),
        ),
        (
            3,
            day("12-02 15:10", "12-02 21:55"),
            json!([405, 40, ["衡阳"], true, false, 267.0]),
        ),
    ] {
        let rest = rest.as_array().expect("values").clone();
        assert_eq!(
            summary(plan),
            Value::from([vec![from, to], rest].concat()),
            "{plan}"
        );
    }
}

#[test]
fn stations_at_both_ends_take_their_own_plans() {
    let world = world();
    let answer = transfers(&world, "广州南", "桂林北站", &json!({}));
    let about = json!([
        answer["from"],
        answer["to"],
        codes(&answer),
        answer["removed"]
    ]);
    assert_eq!(
        about,
        json!([
            station("广州南", "广州南", "IZQ"),
            station("桂林北站", "桂林北", "GBZ"),
            [ALL[0], ALL[1]],
            {"from": 3, "to": 1},
        ])
    );
}

#[test]
fn no_plan_is_an_empty_list() {
    let world = world();
    assert_eq!(
        transfers(&world, "北京南", "拉萨站", &json!({})),
        json!({
            "ok": true, "date": "2026-12-02", "from": station("北京南", "北京南", "VNP"),
            "to": station("拉萨站", "拉萨", "LSO"), "plans": [], "total": 0, "returned": 0, "truncated": false,
            "complete": true, "incomplete_reason": null, "filters": {}, "removed": {},
            "as_of": "2026-11-30T10:00:00+08:00",
        })
    );
}

#[test]
fn a_query_is_sent_as_the_page_sends_it_and_only_once() {
    let world = world();
    transfers(&world, "广州", "桂林", &json!({}));
    transfers(
        &world,
        "广州站",
        "GLZ",
        &json!({"train_types": ["G"], "same_station_only": true}),
    );
    transfers(
        &world,
        "广州",
        "桂林",
        &json!({"middle_station": "长沙", "purpose": "student"}),
    );
    world.each(|fake| {
        let seen = fake.journal().all();
        let lines = seen
            .iter()
            .map(|seen| (seen.host, seen.route, seen.path.as_str()));
        let asked = ("kyfw", "transfers", "/lcquery/queryX");
        assert_eq!(
            Vec::from_iter(lines),
            [
                ("kyfw", "init", "/otn/leftTicket/init"),
                ("kyfw", "lc_init", "/otn/lcQuery/init"),
                asked,
                asked,
            ]
        );
        let query = |middle: &str, purpose: &str| {
            [
                ("train_date", "2026-12-02"),
                ("from_station_telecode", "GZQ"),
                ("to_station_telecode", "GLZ"),
                ("middle_station", middle),
                ("result_index", "0"),
                ("can_query", "Y"),
                ("isShowWZ", "Y"),
                ("purpose_codes", purpose),
                ("channel", "E"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
        };
        assert_eq!(seen[2].query, query("", "00"));
        assert_eq!(seen[3].query, query("CSQ", "0X"));
        // JSESSIONID belongs to /otn: the page gets it, the query below /lcquery does not.
        let names = |at: usize| {
            let mut names = Vec::from_iter(seen[at].cookies.iter().map(|(name, _)| name.as_str()));
            names.sort_unstable();
            names
        };
        assert_eq!(names(1), ["BIGipServerotn", "JSESSIONID", "route"]);
        assert_eq!(names(2), ["BIGipServerotn", "route"]);
    });
}
