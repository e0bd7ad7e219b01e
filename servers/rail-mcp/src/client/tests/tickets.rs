//! Recorded ticket answers.

use http_session::drift::Drift;
use insta::assert_compact_json_snapshot;
use jiff::civil::{Date, date};
use serde_json::json;

use super::*;
use crate::client::{
    Rejected,
    tickets::{Context, trains},
};

/// Read at ten in the morning, `days` before boarding.
fn read(answer: Value, day: Date, days: i64) -> Result<Vec<Train>, Rejected> {
    let catalogue = bundled();
    let now = Moment::at(day.at(10, 0, 0, 0)).plus_minutes(-days * 24 * 60);
    let context = Context {
        catalogue: &catalogue,
        now,
    };
    trains(answer, day, context)
}

#[test]
fn beijing_to_guangzhou() {
    let answer = recorded("tickets_beijing_guangzhou_20250110.json");
    let trains = read(answer, date(2025, 1, 10), 10).expect("trains");
    assert_eq!(trains.len(), 19);
    // Left 包头 the day before; boarded on the day asked for all the same.
    check(
        &trains[0],
        "K599, 330000K59822, 北京丰台 FTP → 广州 GZQ, 包头…广州, 01-10 05:19 → 01-11 10:42, \
         1763 min, OnSale 12-27 08:00, [BerthChoice]",
        &[
            "硬座 1 Waitlist 0 251",
            "软卧 4 Waitlist 0 750 Upper 750 Lower 784",
            "硬卧 3 Waitlist 0 426 Upper 426 Lower 456 Middle 441",
            "无座 W None 0 251",
        ],
    );
    // One train with two boarding stations.
    check(
        &trains[2],
        "G77, 2400000G7710, 北京 BJP → 广州南 IZQ, 北京…广州南, 01-10 07:34 → 01-10 15:35, \
         481 min, OnSale 12-27 10:00, [Smart, Fuxing]",
        &[
            "商务座 9 Count 1 3259 90%",
            "一等座 M Plenty - 1658",
            "二等座 O Plenty - 1036",
        ],
    );
    check(
        &trains[3],
        "G77, 2400000G7710, 北京西 BXP → 广州南 IZQ, 北京…广州南, 01-10 08:00 → 01-10 15:35, \
         455 min, OnSale 12-27 08:00, [Smart, Fuxing]",
        &[
            "商务座 9 Waitlist 0 3250 90%",
            "一等座 M Count 16 1653",
            "二等座 O Count 1 1033",
        ],
    );
    // A discount per berth, standing tickets counted beyond 20.
    check(
        &trains[5],
        "D35, 2400000D3510, 北京西 BXP → 广州白云 GBA, 北京西…广州白云, \
         01-10 09:17 → 01-11 06:39, 1282 min, OnSale 12-27 08:00, [Fuxing, BerthChoice]",
        &[
            "二等座 O Plenty - 325 46%",
            "二等卧 J Plenty - 520 Upper 520 50% Lower 606 49% Middle 554 49%",
            "一等卧 I Plenty - 872 Upper 872 65% Lower 987 65%",
            "无座 W Plenty 34 325 46%",
        ],
    );
    check(
        &trains[6],
        "G79, 2400000G790Q, 北京西 BXP → 广州南 IZQ, 北京西…香港西九龙, \
         01-10 10:00 → 01-10 17:17, 437 min, OnSale 12-27 08:00, [Smart, Fuxing, QuietCoach]",
        &[
            "商务座 9 Count 2 3250 90%",
            "一等座 M Waitlist 0 1653",
            "二等座 O Waitlist 0 1033",
        ],
    );
    check(
        &trains[10],
        "Z13, 1200000Z120H, 北京丰台 FTP → 广州 GZQ, 沈阳北…广州, 01-10 14:24 → 01-11 12:41, \
         1337 min, OnSale 12-27 08:00, [BerthChoice]",
        &[
            "硬卧 3 Waitlist 0 426 Upper 426 Lower 456 Middle 441",
            "软卧 4 Waitlist 0 750 Upper 750 Lower 784",
            "高级软卧 6 Waitlist 0 1383 Upper 1383 Lower 1445",
            "硬座 1 Waitlist 0 251",
            "无座 W Plenty 30 251",
        ],
    );
    // Berth discounts of 动卧 beside seat discounts of 二等座 and 特等座.
    check(
        &trains[14],
        "G897, 240000G89702, 北京西 BXP → 广州南 IZQ, 北京西…香港西九龙, \
         01-10 20:13 → 01-11 06:07, 594 min, OnSale 12-27 08:00, [Smart, Fuxing, BerthChoice]",
        &[
            "动卧 F Waitlist 0 950 Upper 950 36% Lower 1070 36%",
            "二等座 O Waitlist 0 775 75%",
            "特等座 P Waitlist 0 837 45%",
        ],
    );
    assert_compact_json_snapshot!("beijing_guangzhou", trains);
}

#[test]
fn beijing_to_taiyuan_in_rows_of_49_fields() {
    let answer = recorded("tickets_beijing_taiyuan_20221028.json");
    let trains = read(answer, date(2022, 10, 28), 3).expect("trains");
    assert_eq!(trains.len(), 8);
    check(
        &trains[0],
        "G623, 240000G62310, 北京丰台 FTP → 太原南 TNV, 北京丰台…运城北, \
         10-28 08:13 → 10-28 11:21, 188 min, OnSale -, [Fuxing]",
        &[
            "二等座 O Plenty - 210.5",
            "一等座 M Count 8 337",
            "商务座 9 Waitlist 0 689",
        ],
    );
    check(
        &trains[2],
        "G607, 240000G6070C, 北京丰台 FTP → 太原南 TNV, 北京丰台…太原南, \
         10-28 11:31 → 10-28 14:27, 176 min, OnSale -, []",
        &[
            "二等座 O Plenty - 184.5",
            "商务座 9 Count 1 612",
            "一等座 M Count 12 296",
        ],
    );
    check(
        &trains[3],
        "T41, 2400000T4111, 北京西 BXP → 太原 TYV, 北京西…西安, 10-28 14:22 → 10-28 19:46, \
         324 min, OnSale -, []",
        &[
            "硬卧 3 Plenty - 129",
            "硬座 1 Plenty - 72",
            "软卧 4 Plenty - 197",
            "无座 W None 0 72",
        ],
    );
    check(
        &trains[6],
        "G613, 240000G6130J, 北京丰台 FTP → 太原南 TNV, 北京丰台…太原南, \
         10-28 18:48 → 10-28 21:52, 184 min, OnSale -, []",
        &[
            "商务座 9 Waitlist 0 590.5",
            "二等座 O Plenty - 163.5",
            "一等座 M Count 9 263",
        ],
    );
    check(
        &trains[7],
        "Z277, 2400000Z2770C, 北京西 BXP → 太原 TYV, 北京西…银川, 10-28 20:03 → 10-29 00:28, \
         265 min, OnSale -, []",
        &[
            "软卧 4 Plenty - 197",
            "硬卧 3 Plenty - 129",
            "高级软卧 6 Count 12 358",
            "硬座 1 Count 10 72",
            "无座 W None 0 72",
        ],
    );
    assert_compact_json_snapshot!("beijing_taiyuan", trains);
}

#[test]
fn shanghai_to_changzhou() {
    let answer = recorded("tickets_shanghai_changzhou_partial_20240422.json");
    let trains = read(answer, date(2024, 4, 22), 1).expect("trains");
    assert_eq!(trains.len(), 2);
    check(
        &trains[0],
        "D3010, 5l000D301002, 上海虹桥 AOH → 常州 CZH, 上海虹桥…汉口, \
         04-22 14:42 → 04-22 15:44, 62 min, OnSale 04-08 13:30, []",
        &[
            "一等座 M Count 14 98",
            "二等座 O Count 3 61",
            "无座 W Plenty 76 61",
        ],
    );
    check(
        &trains[1],
        "G8294, 55000G829420, 上海 SHH → 常州 CZH, 上海…盐城, 04-22 14:44 → 04-22 15:53, \
         69 min, OnSale 04-08 14:30, []",
        &[
            "商务座 9 Count 13 289 91%",
            "一等座 M Plenty - 145",
            "二等座 O Plenty - 91",
            "无座 W Plenty 110 91",
        ],
    );
    assert_compact_json_snapshot!("shanghai_changzhou", trains);
}

#[test]
fn single_rows_of_2017_to_2026() {
    let rows = recorded("tickets_single_rows.json");
    let days = [
        date(2025, 6, 27),
        date(2025, 12, 20),
        date(2025, 12, 20),
        date(2025, 12, 20),
        date(2026, 8, 10),
        // K830 left 广州 on the 24th, the day in its row, and is boarded on the 25th.
        date(2017, 12, 25),
        date(2017, 12, 25),
    ];
    let rows = rows.as_array().expect("rows").iter().zip(days);
    let trains: Vec<Train> = rows
        .flat_map(|(row, day)| {
            let answer = json!({ "status": true, "data": { "result": [row["row"]] } });
            read(answer, day, 7).expect("a train")
        })
        .collect();
    check(
        &trains[0],
        "G19, 2400000G190Q, 北京南 VNP → 上海虹桥 AOH, 北京南…上海虹桥, \
         06-27 16:00 → 06-27 20:28, 268 min, OnSale 06-13 12:45, [Smart, Fuxing]",
        &[
            "商务座 9 Waitlist 0 2318",
            "一等座 M Waitlist 0 1060",
            "二等座 O Waitlist 0 662",
        ],
    );
    check(
        &trains[1],
        "G103, 240000G10336, 北京南 VNP → 上海虹桥 AOH, 北京南…上海虹桥, \
         12-20 06:20 → 12-20 11:58, 338 min, OnSale 12-06 12:45, [Fuxing]",
        &[
            "商务座 9 Count 3 1873 81%",
            "一等座 M Plenty - 930 88%",
            "二等座 O Plenty - 553 84%",
            "无座 W None 0 553 84%",
        ],
    );
    // 优选一等座 has its own column: 4 left, while 一等座 has plenty.
    check(
        &trains[2],
        "G1, 24000000G10K, 北京南 VNP → 上海 SHH, 北京南…上海, 12-20 07:00 → 12-20 11:29, \
         269 min, OnSale 12-06 12:45, [Smart, Fuxing, QuietCoach]",
        &[
            "商务座 9 Count 1 2337",
            "一等座 M Plenty - 1070",
            "二等座 O Plenty - 669",
            "优选一等座 D Count 4 1471",
            "无座 W None 0 669",
        ],
    );
    check(
        &trains[4],
        "G531, 240000G53106, 北京南 VNP → 上海虹桥 AOH, 北京南…上海虹桥, \
         08-10 06:08 → 08-10 12:04, 356 min, OnSale 07-27 12:45, [Smart, Fuxing, QuietCoach]",
        &[
            "商务座 9 Count 9 2315 84%",
            "一等座 M Plenty - 1033 82%",
            "二等座 O Plenty - 626 79%",
            "无座 W Plenty 30 626 79%",
        ],
    );
    // 37 fields, at night: letters from seat_types, where a repeated one is standing; no prices.
    check(
        &trains[5],
        "K830, 630000K8270J, 玉林 YLZ → 宜州 YSZ, 广州…成都, 12-25 01:56 → 12-25 07:32, \
         336 min, NotNow -, []",
        &[
            "硬座 1 Plenty - -",
            "软卧 4 Count 13 -",
            "无座 W None 0 -",
            "硬卧 3 Count 11 -",
        ],
    );
    check(
        &trains[6],
        "5538, 71000055380K, 玉林 YLZ → 宜州 YSZ, 湛江…金城江, 12-25 15:32 → 12-25 21:01, \
         329 min, NotNow -, []",
        &["硬座 1 Plenty - -", "无座 W Plenty - -"],
    );
    assert_compact_json_snapshot!("single_rows", trains);
}

#[test]
fn answers_without_rows_say_why() {
    let day = date(2026, 12, 2);
    for (name, expected) in [
        ("tickets_empty.json", Ok(Vec::new())),
        (
            "tickets_date_out_of_range.json",
            Err(Rejected::Refused(
                "选择的查询日期不在预售日期范围内".to_owned(),
            )),
        ),
        (
            "tickets_path_moved.json",
            Err(Rejected::Moved("leftTicket/queryX".to_owned())),
        ),
    ] {
        assert_eq!(read(recorded(name), day, 1), expected, "{name}");
    }
}

#[test]
fn answers_of_other_endpoints_are_drift() {
    for (name, field) in [
        ("tickets_fare_g101.json", "data.result"),
        ("tickets_published_fares_20190915.json", "data[0]"),
        ("routes_stops_d7515.json", "data.result"),
    ] {
        let found = read(recorded(name), date(2026, 12, 2), 1);
        let drift = Drift::new(field, "缺失或类型不同");
        assert_eq!(found, Err(Rejected::Drift(drift)), "{name}");
    }
}
