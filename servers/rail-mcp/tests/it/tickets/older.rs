//! Rows with fewer fields: of 2022, and of the nightly pause of 2017.

use serde_json::json;

use crate::{
    expected::{check_trains, seat, tickets, train, with},
    world::world,
};

#[test]
fn older_and_nightly_rows_lack_prices_and_sale_times() {
    let world = world();
    // 49 fields, as of 2022.
    let g623 = train(
        ("G623", "240000G62310"),
        ["北京丰台 FTP", "太原南 TNV"],
        ("12-02 08:13", "12-02 11:21", 188),
        &[
            seat("二等座", "O", "plenty", (), 210.5),
            seat("一等座", "M", "count", 8, 337.0),
            seat("商务座", "9", "waitlist", 0, 689.0),
        ],
        &["复兴号"],
    );
    let t41 = train(
        ("T41", "2400000T4111"),
        ["北京西 BXP", "太原 TYV"],
        ("12-02 14:22", "12-02 19:46", 324),
        &[
            seat("硬卧", "3", "plenty", (), 129.0),
            seat("硬座", "1", "plenty", (), 72.0),
            seat("软卧", "4", "plenty", (), 197.0),
            seat("无座", "W", "none", 0, 72.0),
        ],
        &[],
    );
    let since_ever = json!({"sale_opens_at": null});
    check_trains(
        &tickets(&world, "北京", "太原", &json!({})),
        &[
            with(with(g623, &since_ever), &json!({"terminus": "运城北"})),
            with(with(t41, &since_ever), &json!({"terminus": "西安"})),
        ],
    );
    // 37 fields, at night. Seats come from the letters, a repeated letter is the standing place.
    let k830 = train(
        ("K830", "630000K8270J"),
        ["玉林 YLZ", "宜州 YSZ"],
        ("12-02 01:56", "12-02 07:32", 336),
        &[
            seat("硬座", "1", "plenty", (), ()),
            seat("软卧", "4", "count", 13, ()),
            seat("无座", "W", "none", 0, ()),
            seat("硬卧", "3", "count", 11, ()),
        ],
        &[],
    );
    let numbers_only = train(
        ("5538", "71000055380K"),
        ["玉林 YLZ", "宜州 YSZ"],
        ("12-02 15:32", "12-02 21:01", 329),
        &[
            seat("硬座", "1", "plenty", (), ()),
            seat("无座", "W", "plenty", (), ()),
        ],
        &[],
    );
    let night = |origin: &str, terminus: &str| json!({"sale": "not_now", "sale_opens_at": null, "origin": origin, "terminus": terminus});
    check_trains(
        &tickets(&world, "玉林", "宜州", &json!({})),
        &[
            with(k830, &night("广州", "成都")),
            with(numbers_only, &night("湛江", "金城江")),
        ],
    );
}
