//! What each wish keeps and removes: about both trains of a plan, and about the change.

use fixtures::{mcp::Both, rail::Rail};
use serde_json::{Value, json};

use super::ALL;
use crate::{
    expected::{city, codes, journey, refused, station, transfers},
    world::world,
};

/// Asks from 广州 to 桂林 with wishes, and compares what is left, in order, and what each wish removed.
fn check(world: &Both<Rail>, wishes: Value, left: &[usize], removed: Value) -> Value {
    let answer = transfers(world, "广州", "桂林", &wishes);
    let about = json!([
        codes(&answer),
        answer["total"],
        answer["removed"],
        answer["filters"]
    ]);
    let left = Vec::from_iter(left.iter().map(|at| ALL[*at]));
    assert_eq!(about, json!([left, left.len(), removed, wishes]));
    assert_eq!(
        (&answer["complete"], &answer["incomplete_reason"]),
        (&json!(true), &Value::Null)
    );
    answer
}

#[test]
fn wishes_act_on_both_trains_of_a_plan() {
    let world = world();
    let check =
        |wishes: Value, left: &[usize], removed: Value| check(&world, wishes, left, removed);
    check(
        json!({"train_types": ["G"]}),
        &[0],
        json!({"train_types": 5}),
    );
    check(
        json!({"train_types": ["G", "K"]}),
        &[0, 2],
        json!({"train_types": 4}),
    );
    check(
        json!({"train_types": ["D", "C"]}),
        &[1, 3],
        json!({"train_types": 4}),
    );
    // Standing places count on the first leg of K436; the second train of C6001 is full.
    check(
        json!({"only_available": true}),
        &[0, 1, 2, 4, 5],
        json!({"only_available": 1}),
    );
    let seated = check(
        json!({"only_available": true, "seat_type": "二等座"}),
        &[0],
        json!({"seat_type": 3, "only_available": 2}),
    );
    assert_eq!(seated["plans"][0]["total_price_yuan_min"], 508.0);
    // The price is that of the seat asked for: 112.5 and 113.5.
    let lying = check(json!({"seat_type": "硬卧"}), &[5], json!({"seat_type": 5}));
    assert_eq!(lying["plans"][0]["total_price_yuan_min"], 226.0);
    // Departure of the first train, arrival of the last.
    let on_the_day = json!({"depart_after": "09:00", "depart_before": "15:10"});
    check(
        on_the_day,
        &[1, 2, 3],
        json!({"depart_after": 1, "depart_before": 2}),
    );
    check(
        json!({"depart_after": "24:00"}),
        &[5],
        json!({"depart_after": 5}),
    );
    check(
        json!({"arrive_before": "21:55"}),
        &[0, 1, 3],
        json!({"arrive_before": 3}),
    );
    check(
        json!({"arrive_after": "24:00", "arrive_before": "33:44"}),
        &[2, 4],
        json!({"arrive_after": 3, "arrive_before": 1}),
    );
    check(json!({"sort_by": "price"}), &[5, 4, 1, 3, 0, 2], json!({}));
    // 硬座 of K9064 for 58.5 is gone, so that its cheapest is 硬卧 for 112.5; T25 has 硬座 for 58.5.
    let available = check(
        json!({"only_available": true, "sort_by": "price"}),
        &[4, 5, 1, 0, 2],
        json!({"only_available": 1}),
    );
    let totals = available["plans"].as_array().expect("plans").iter();
    let totals = Vec::from_iter(totals.map(|plan| plan["total_price_yuan_min"].clone()));
    assert_eq!(json!(totals), json!([166.5, 171.0, 267.0, 508.0, null]));
    check(
        json!({"sort_by": "duration"}),
        &[1, 0, 3, 4, 5, 2],
        json!({}),
    );
    check(json!({"sort_by": "arrive"}), &[1, 0, 3, 2, 4, 5], json!({}));
}

#[test]
fn wishes_about_the_change_act_on_the_change() {
    let world = world();
    let check =
        |wishes: Value, left: &[usize], removed: Value| check(&world, wishes, left, removed);
    check(
        json!({"min_change_minutes": 40}),
        &[2, 3, 4, 5],
        json!({"min_change_minutes": 2}),
    );
    check(
        json!({"max_change_minutes": 38}),
        &[0, 1],
        json!({"max_change_minutes": 4}),
    );
    check(
        json!({"min_change_minutes": 38, "max_change_minutes": 90}),
        &[0, 3, 5],
        json!({"min_change_minutes": 1, "max_change_minutes": 2}),
    );
    check(
        json!({"same_station_only": true}),
        &[0, 1, 3, 5],
        json!({"same_station_only": 2}),
    );
    let all = json!({
        "train_types": ["G", "D", "C"], "only_available": true, "min_change_minutes": 10, "same_station_only": true,
    });
    check(
        all,
        &[0],
        json!({"train_types": 3, "only_available": 1, "min_change_minutes": 1}),
    );
    let wishes = json!({"train_types": ["Z"], "same_station_only": true});
    let note = check(wishes, &[], json!({"train_types": 6}))["note"].clone();
    assert_eq!(note, "没有符合全部条件的结果：train_types 去掉 6（可放宽）");
    let arguments = journey(
        "广州",
        "桂林",
        &json!({"min_change_minutes": 60, "max_change_minutes": 30}),
    );
    let about = json!({"field": "max_change_minutes"});
    refused(
        &world,
        "12306_query_transfer",
        &arguments,
        ("INVALID_ARGUMENT", &about),
    );
}

#[test]
fn a_place_to_change_at_is_a_city_or_one_station() {
    let world = world();
    let check = |place: Value, left: &[usize], removed: Value| {
        let answer = check(
            &world,
            json!({"middle_station": place["query"]}),
            left,
            removed,
        );
        assert_eq!(answer["middle"], place);
    };
    // The service widens the place to its city, and it is told as it was understood.
    check(city("长沙", "长沙", "CSQ"), &[0, 2], json!({}));
    check(station("长沙南", "长沙南", "CWQ"), &[0, 2], json!({}));
    check(
        station("长沙站", "长沙", "CSQ"),
        &[2],
        json!({"middle_station": 1}),
    );
    check(
        station("衡阳东", "衡阳东", "HVQ"),
        &[1, 4],
        json!({"middle_station": 2}),
    );
}

#[test]
fn a_city_to_change_at_is_its_own_stations_however_far_the_service_looks() {
    let world = world();
    // A service that counts 衡阳 among the stations of 长沙.
    world.each(|fake| {
        fake.remove_station("HYQ");
        fake.add_station("hya|衡阳|HYQ|hengyang|hy|632|1407|长沙|||");
    });
    check(
        &world,
        json!({"middle_station": "长沙"}),
        &[0, 2],
        json!({"middle_station": 3}),
    );
}
