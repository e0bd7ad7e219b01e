//! Days and times of trains: boarding day, nights, hours beyond 24, trains that do not run.

use serde_json::{Value, json};

use crate::{
    expected::{at_percent, check_trains, codes, in_berths, moment, seat, tickets, train, with},
    world::world,
};

const HARD: [(&str, f64, Option<u32>); 3] = [
    ("上铺", 426.0, None),
    ("下铺", 456.0, None),
    ("中铺", 441.0, None),
];

#[test]
fn the_boarding_day_is_the_one_asked_for_and_not_the_origins() {
    let world = world();
    let answer = tickets(&world, "北京", "广州", &json!({}));
    // K599 left 包头 on December 1st and takes more than a day from here.
    let k599 = train(
        ("K599", "330000K59822"),
        ["北京丰台 FTP", "广州 GZQ"],
        ("12-02 05:19", "12-03 10:42", 1763),
        &[
            seat("硬座", "1", "waitlist", 0, 251.0),
            in_berths(
                seat("软卧", "4", "waitlist", 0, 750.0),
                &[("上铺", 750.0, None), ("下铺", 784.0, None)],
            ),
            in_berths(seat("硬卧", "3", "waitlist", 0, 426.0), &HARD),
            seat("无座", "W", "none", 0, 251.0),
        ],
        &["支持选铺"],
    );
    // One train, listed once for each of its stations here, with numbers and prices of its own.
    let g77 = |from: &str, when: (&str, &str, u32), seats: &[Value]| {
        let train = train(
            ("G77", "2400000G7710"),
            [from, "广州南 IZQ"],
            when,
            seats,
            &["智能动车组", "复兴号"],
        );
        with(train, &json!({"origin": "北京"}))
    };
    let opens = |time: &str| json!({"sale_opens_at": moment(&format!("11-18 {time}"))});
    let main_station = g77(
        "北京 BJP",
        ("12-02 07:34", "12-02 15:35", 481),
        &[
            at_percent(90, seat("商务座", "9", "count", 1, 3259.0)),
            seat("一等座", "M", "plenty", (), 1658.0),
            seat("二等座", "O", "plenty", (), 1036.0),
        ],
    );
    let west = g77(
        "北京西 BXP",
        ("12-02 08:00", "12-02 15:35", 455),
        &[
            at_percent(90, seat("商务座", "9", "waitlist", 0, 3250.0)),
            seat("一等座", "M", "count", 16, 1653.0),
            seat("二等座", "O", "count", 1, 1033.0),
        ],
    );
    check_trains(
        &answer,
        &[
            with(with(k599, &opens("08:00")), &json!({"origin": "包头"})),
            with(main_station, &opens("10:00")),
            with(west, &opens("08:00")),
        ],
    );
    let listed = codes(&answer);
    assert_eq!(
        listed.iter().filter(|code| *code == "G77").count(),
        2,
        "{listed:?}"
    );
}

#[test]
fn hour_twenty_four_is_the_next_day() {
    let world = world();
    let check = |window: Value, expected: &[&str], removed: Value| {
        let answer = tickets(&world, "北京", "上海", &window);
        assert_eq!(
            (codes(&answer), &answer["removed"]),
            (
                expected.iter().map(|code| (*code).to_owned()).collect(),
                &removed
            ),
            "{window}"
        );
        answer
    };
    // Both leave on December 3rd and stay in a window that ends after midnight.
    let answer = check(
        json!({"depart_after": "23:00"}),
        &["Z99", "K8811"],
        json!({"depart_after": 19}),
    );
    let seats = |soft: Value, hard: Value, standing: Value| {
        [soft, hard, seat("硬座", "1", "plenty", (), 177.5), standing]
    };
    check_trains(
        &answer,
        &[
            train(
                ("Z99", "24000000Z990"),
                ["北京 BJP", "上海 SHH"],
                ("12-03 00:00", "12-03 12:30", 750),
                &seats(
                    seat("软卧", "4", "none", 0, 476.5),
                    seat("硬卧", "3", "plenty", (), 304.5),
                    seat("无座", "W", "count", 5, 177.5),
                ),
                &[],
            ),
            train(
                ("K8811", "240000K88110"),
                ["北京 BJP", "上海 SHH"],
                ("12-03 00:05", "12-03 20:15", 1210),
                &seats(
                    seat("软卧", "4", "count", 1, 476.5),
                    seat("硬卧", "3", "count", 3, 304.5),
                    seat("无座", "W", "none", 0, 177.5),
                ),
                &[],
            ),
        ],
    );
    check(
        json!({"depart_after": "21:15", "depart_before": "24:00"}),
        &["D707", "Z99"],
        json!({"depart_after": 18, "depart_before": 1}),
    );
    check(
        json!({"depart_after": "24:01", "depart_before": "24:05"}),
        &["K8811"],
        json!({"depart_after": 20}),
    );
    check(
        json!({"depart_after": "21:16", "depart_before": "23:59"}),
        &[],
        json!({"depart_after": 19, "depart_before": 2}),
    );
}

#[test]
fn a_train_that_does_not_run_has_no_times() {
    let world = world();
    let answer = tickets(&world, "北京南", "上海虹桥", &json!({}));
    let g25 = train(
        ("G25", "2400000G2508"),
        ["北京南 VNP", "上海虹桥 AOH"],
        ("12-02 24:00", "12-02 24:00", 0),
        &[
            seat("商务座", "9", "none", 0, 2337.0),
            seat("一等座", "M", "none", 0, 1070.0),
            seat("二等座", "O", "none", 0, 669.0),
            seat("无座", "W", "none", 0, 669.0),
        ],
        &["复兴号"],
    );
    let stopped =
        json!({"sale": "stopped", "depart_at": null, "arrive_at": null, "duration_minutes": null});
    check_trains(&answer, &[with(g25, &stopped)]);
    // No window holds a time that is not known, and it stands last in the list.
    assert_eq!(codes(&answer).last().map(String::as_str), Some("G25"));
    let whole_day = json!({"depart_after": "00:00", "depart_before": "47:59"});
    let answer = tickets(&world, "北京南", "上海虹桥", &whole_day);
    assert_eq!(
        answer["removed"],
        json!({"from": 6, "to": 5, "depart_after": 1})
    );
    assert!(!codes(&answer).contains(&"G25".to_owned()));
}
