//! Berths of sleepers, with prices and discounts of their own.

use serde_json::json;

use crate::{
    expected::{at_percent, check_trains, in_berths, moment, seat, tickets, train, with},
    world::world,
};

#[test]
fn sleepers_have_a_price_for_each_berth() {
    let world = world();
    let guangzhou = tickets(&world, "北京", "广州", &json!({}));
    let at_eight = json!({"sale_opens_at": moment("11-18 08:00")});
    // A berth's digit is no part of its percent: 49 and 65, not 1049 and 1065.
    let d35 = train(
        ("D35", "2400000D3510"),
        ["北京西 BXP", "广州白云 GBA"],
        ("12-02 09:17", "12-03 06:39", 1282),
        &[
            at_percent(46, seat("二等座", "O", "plenty", (), 325.0)),
            in_berths(
                seat("二等卧", "J", "plenty", (), 520.0),
                &[
                    ("上铺", 520.0, Some(50)),
                    ("下铺", 606.0, Some(49)),
                    ("中铺", 554.0, Some(49)),
                ],
            ),
            in_berths(
                seat("一等卧", "I", "plenty", (), 872.0),
                &[("上铺", 872.0, Some(65)), ("下铺", 987.0, Some(65))],
            ),
            at_percent(46, seat("无座", "W", "plenty", 34, 325.0)),
        ],
        &["复兴号", "支持选铺"],
    );
    let g897 = train(
        ("G897", "240000G89702"),
        ["北京西 BXP", "广州南 IZQ"],
        ("12-02 20:13", "12-03 06:07", 594),
        &[
            in_berths(
                seat("动卧", "F", "waitlist", 0, 950.0),
                &[("上铺", 950.0, Some(36)), ("下铺", 1070.0, Some(36))],
            ),
            at_percent(75, seat("二等座", "O", "waitlist", 0, 775.0)),
            at_percent(45, seat("特等座", "P", "waitlist", 0, 837.0)),
        ],
        &["智能动车组", "复兴号", "支持选铺"],
    );
    check_trains(
        &guangzhou,
        &[
            with(d35, &at_eight),
            with(with(g897, &at_eight), &json!({"terminus": "香港西九龙"})),
        ],
    );
    let d707 = train(
        ("D707", "240000D7070C"),
        ["北京南 VNP", "上海 SHH"],
        ("12-02 21:15", "12-03 08:46", 691),
        &[
            in_berths(
                seat("高级动卧", "A", "count", 3, 1470.0),
                &[("下铺", 1470.0, None)],
            ),
            in_berths(
                seat("动卧", "F", "plenty", (), 740.0),
                &[("上铺", 740.0, Some(71)), ("下铺", 980.0, Some(71))],
            ),
            at_percent(70, seat("二等座", "O", "count", 12, 476.0)),
        ],
        &["支持选铺"],
    );
    let t109 = train(
        ("T109", "2400000T1090"),
        ["北京 BJP", "上海 SHH"],
        ("12-02 20:05", "12-03 11:12", 907),
        &[
            seat("高级软卧", "6", "count", 2, 879.5),
            in_berths(
                seat("软卧", "4", "none", 0, 476.5),
                &[("下铺", 496.5, None), ("上铺", 476.5, None)],
            ),
            in_berths(
                seat("硬卧", "3", "plenty", (), 304.5),
                &[
                    ("上铺", 304.5, None),
                    ("下铺", 325.5, None),
                    ("中铺", 314.5, None),
                ],
            ),
            seat("硬座", "1", "plenty", (), 177.5),
            seat("无座", "W", "plenty", 40, 177.5),
        ],
        &["支持选铺"],
    );
    check_trains(
        &tickets(&world, "北京", "上海", &json!({"max_results": 100})),
        &[d707, t109],
    );
}
