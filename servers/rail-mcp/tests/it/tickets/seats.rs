//! Seats of every kind of row: names, what is left, prices, discounts, berths.

use serde_json::{Value, json};

use crate::{
    expected::{at_percent, check_trains, moment, seat, tickets, train, with},
    world::world,
};

const SMART: [&str; 3] = ["智能动车组", "复兴号", "静音车厢"];
const FUXING: [&str; 1] = ["复兴号"];
const SOUTH_TO_HONGQIAO: [&str; 2] = ["北京南 VNP", "上海虹桥 AOH"];
const SOUTH_TO_SHANGHAI: [&str; 2] = ["北京南 VNP", "上海 SHH"];
const MAIN_TO_SHANGHAI: [&str; 2] = ["北京 BJP", "上海 SHH"];

#[test]
fn seats_have_their_own_counts_and_prices() {
    let world = world();
    let answer = tickets(&world, "北京", "上海", &json!({"max_results": 100}));
    check_trains(
        &answer,
        &[
            // 优选一等座 has a count of its own, not first class'.
            train(
                ("G1", "24000000G10K"),
                SOUTH_TO_SHANGHAI,
                ("12-02 07:00", "12-02 11:29", 269),
                &[
                    seat("商务座", "9", "count", 1, 2337.0),
                    seat("一等座", "M", "plenty", (), 1070.0),
                    seat("二等座", "O", "plenty", (), 669.0),
                    seat("优选一等座", "D", "count", 4, 1471.0),
                    seat("无座", "W", "none", 0, 669.0),
                ],
                &SMART,
            ),
            // Standing places are counted beyond twenty; discounts are percents.
            train(
                ("G531", "240000G53106"),
                SOUTH_TO_HONGQIAO,
                ("12-02 06:08", "12-02 12:04", 356),
                &[
                    at_percent(84, seat("商务座", "9", "count", 9, 2315.0)),
                    at_percent(82, seat("一等座", "M", "plenty", (), 1033.0)),
                    at_percent(79, seat("二等座", "O", "plenty", (), 626.0)),
                    at_percent(79, seat("无座", "W", "plenty", 30, 626.0)),
                ],
                &SMART,
            ),
            // 二等包座 shares the column of 二等座.
            train(
                ("G21", "2400000G210B"),
                SOUTH_TO_HONGQIAO,
                ("12-02 17:00", "12-02 21:18", 258),
                &[
                    seat("商务座", "9", "count", 1, 2337.0),
                    seat("一等座", "M", "count", 8, 1070.0),
                    seat("二等包座", "S", "count", 6, 780.0),
                ],
                &FUXING,
            ),
            // A code of digits only, and the column 其他.
            train(
                ("1461", "240000146100"),
                MAIN_TO_SHANGHAI,
                ("12-02 11:59", "12-03 07:34", 1175),
                &[
                    seat("其他", "H", "count", 2, 98.0),
                    seat("硬卧", "3", "plenty", (), 283.5),
                    seat("硬座", "1", "plenty", (), 156.5),
                    seat("无座", "W", "plenty", 30, 156.5),
                ],
                &[],
            ),
        ],
    );
    let changzhou = tickets(&world, "上海", "常州", &json!({}));
    let g8294 = train(
        ("G8294", "55000G829420"),
        ["上海 SHH", "常州 CZH"],
        ("12-02 14:44", "12-02 15:53", 69),
        &[
            at_percent(91, seat("商务座", "9", "count", 13, 289.0)),
            seat("一等座", "M", "plenty", (), 145.0),
            seat("二等座", "O", "plenty", (), 91.0),
            seat("无座", "W", "plenty", 110, 91.0),
        ],
        &[],
    );
    let d3010 = train(
        ("D3010", "5l000D301002"),
        ["上海虹桥 AOH", "常州 CZH"],
        ("12-02 14:42", "12-02 15:44", 62),
        &[
            seat("一等座", "M", "count", 14, 98.0),
            seat("二等座", "O", "count", 3, 61.0),
            seat("无座", "W", "plenty", 76, 61.0),
        ],
        &[],
    );
    let sale = |time: &str| moment(&format!("11-18 {time}"));
    check_trains(
        &changzhou,
        &[
            with(
                g8294,
                &json!({"terminus": "盐城", "sale_opens_at": sale("14:30")}),
            ),
            with(
                d3010,
                &json!({"terminus": "汉口", "sale_opens_at": sale("13:30")}),
            ),
        ],
    );
}

#[test]
fn what_cannot_be_read_is_unknown_or_null() {
    let world = world();
    let answer = tickets(&world, "北京", "上海", &json!({"max_results": 100}));
    check_trains(
        &answer,
        &[
            // A price text of a wrong length, and one with a letter among the digits: no price at all.
            train(
                ("G3", "24000000G30C"),
                SOUTH_TO_HONGQIAO,
                ("12-02 08:00", "12-02 12:30", 270),
                &[
                    seat("商务座", "9", "count", 3, ()),
                    seat("一等座", "M", "plenty", (), ()),
                    seat("二等座", "O", "plenty", (), ()),
                    seat("无座", "W", "none", 0, ()),
                ],
                &FUXING,
            ),
            train(
                ("G5", "24000000G50C"),
                SOUTH_TO_SHANGHAI,
                ("12-02 09:05", "12-02 13:42", 277),
                &[
                    seat("商务座", "9", "waitlist", 0, ()),
                    seat("一等座", "M", "count", 5, ()),
                    seat("二等座", "O", "plenty", (), ()),
                    seat("无座", "W", "none", 0, ()),
                ],
                &FUXING,
            ),
            // 少量 is a word that nobody knows.
            train(
                ("G7", "24000000G70D"),
                SOUTH_TO_SHANGHAI,
                ("12-02 10:00", "12-02 14:28", 268),
                &[
                    seat("商务座", "9", "count", 2, 2337.0),
                    seat("一等座", "M", "plenty", (), 1070.0),
                    seat("二等座", "O", "unknown", (), 669.0),
                    seat("无座", "W", "none", 0, 669.0),
                ],
                &FUXING,
            ),
        ],
    );
    // The origin QQX is in no catalogue and in no answer: its code stands for it.
    let d1855 = train(
        ("D1855", "QQ000D18550A"),
        ["资阳北 FYW", "成都东 ICW"],
        ("12-02 13:20", "12-02 13:51", 31),
        &[
            seat("一等座", "M", "count", 2, 48.0),
            seat("二等座", "O", "plenty", (), 30.0),
        ],
        &FUXING,
    );
    check_trains(
        &tickets(&world, "资阳", "成都", &json!({})),
        &[with(d1855, &json!({"origin": "QQX"}))],
    );
}

#[test]
fn what_is_gone_is_on_the_waitlist_by_the_rule_of_the_page() {
    let world = world();
    let gone = |codes: [&str; 3]| {
        let [business, first, second] = codes;
        vec![
            seat("商务座", "9", business, 0, 2337.0),
            seat("一等座", "M", first, 0, 1070.0),
            seat("二等座", "O", second, 0, 669.0),
            seat("无座", "W", "none", 0, 669.0),
        ]
    };
    let check = |date: &str, code: &str, seats: &[Value]| {
        let answer = tickets(
            &world,
            "北京",
            "上海",
            &json!({"date": date, "max_results": 100}),
        );
        let mut trains = answer["trains"].as_array().expect("trains").iter();
        let found = trains
            .find(|train| train["train_code"] == code)
            .expect("the train");
        assert_eq!(found["seats"], json!(seats), "{code} on {date}");
    };
    // Open, but full for second class; never for 无座.
    check(
        "+2",
        "G11",
        &gone(["waitlist", "waitlist", "waitlist_full"]),
    );
    // The booking token is the word null, or empty and the waitlist not open.
    check("+2", "G13", &gone(["none"; 3]));
    check("+2", "G15", &gone(["none"; 3]));
    // Not on the day itself.
    check("今天", "G11", &gone(["none"; 3]));
}

#[test]
fn what_is_not_on_sale_yet_says_from_when() {
    let world = world();
    let closed = [
        seat("商务座", "9", "not_on_sale", (), 2337.0),
        seat("一等座", "M", "not_on_sale", (), 1070.0),
        seat("二等座", "O", "not_on_sale", (), 669.0),
        seat("无座", "W", "not_on_sale", (), 669.0),
    ];
    let g17 = train(
        ("G17", "2400000G170C"),
        SOUTH_TO_HONGQIAO,
        ("12-02 15:00", "12-02 19:34", 274),
        &closed,
        &FUXING,
    );
    let opens =
        |time: &str| json!({"sale": "not_yet", "sale_opens_at": moment(&format!("11-30 {time}"))});
    check_trains(
        &tickets(&world, "北京南", "上海虹桥", &json!({})),
        &[with(g17, &opens("14:30"))],
    );
    // On the last day on sale, trains open at the hour of their station: 08:00 has passed, 12:45 has not.
    let last = json!({"date": "+14", "train_types": ["G"]});
    let states = |from: &str, to: &str, code: &str| {
        let answer = tickets(&world, from, to, &last);
        let mut trains = answer["trains"].as_array().expect("trains").iter();
        let found = trains
            .find(|train| train["train_code"] == code)
            .expect("the train");
        json!([
            found["sale"],
            found["sale_opens_at"],
            found["seats"][2]["availability"]
        ])
    };
    assert_eq!(
        states("北京", "上海", "G531"),
        json!(["not_yet", moment("11-30 12:45"), "not_on_sale"])
    );
    assert_eq!(
        states("北京", "广州", "G335"),
        json!(["on_sale", moment("11-30 08:00"), "plenty"])
    );
}
