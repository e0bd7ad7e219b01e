//! What each wish keeps and removes, alone and together, and the order of the list.

use fixtures::{mcp::Both, rail::Rail};
use serde_json::{Value, json};

use crate::{
    expected::{codes, journey, refused, tickets, with},
    world::world,
};

/// Asks for a route with wishes, and compares what is left, in order, and what each wish removed.
fn check(world: &Both<Rail>, [from, to]: [&str; 2], wishes: Value, left: &str, removed: Value) {
    let answer = tickets(
        world,
        from,
        to,
        &with(wishes.clone(), &json!({"max_results": 100})),
    );
    let left = Vec::from_iter(left.split_whitespace());
    let about = json!([answer["total"], answer["removed"], answer["filters"]]);
    assert_eq!(codes(&answer), left, "{wishes}");
    assert_eq!(about, json!([left.len(), removed, wishes]));
    assert_eq!(answer.get("note"), None, "{answer}");
}

#[test]
fn each_wish_counts_what_it_removes() {
    let world = world();
    let shanghai = |wishes: Value, left: &str, removed: Value| {
        check(&world, ["北京", "上海"], wishes, left, removed)
    };
    let guangzhou = |wishes: Value, left: &str, removed: Value| {
        check(&world, ["深圳", "广州"], wishes, left, removed)
    };
    // G and C are different types; a code of digits only is 其他.
    guangzhou(
        json!({"train_types": ["G"]}),
        "G6012",
        json!({"train_types": 4}),
    );
    guangzhou(
        json!({"train_types": ["C"]}),
        "C7001 C7003",
        json!({"train_types": 3}),
    );
    guangzhou(
        json!({"train_types": ["K", "D"]}),
        "D7516 K9002",
        json!({"train_types": 3}),
    );
    shanghai(
        json!({"train_types": ["Z", "T"]}),
        "Z281 T109 Z99",
        json!({"train_types": 18}),
    );
    shanghai(
        json!({"train_types": ["其他"]}),
        "1461",
        json!({"train_types": 20}),
    );
    // Both ends of a window belong to it; each counts by itself what it takes from the rest.
    shanghai(
        json!({"depart_after": "10:00", "depart_before": "11:00"}),
        "G7 K1109 G11",
        json!({"depart_after": 7, "depart_before": 11}),
    );
    // Arrival is compared with its day: half past seven of the next morning is 31:30.
    let by_noon = "G531 G103 G1 G105 G3 G5 G7 G11 G13 G15 G17 G19 G21 1461";
    shanghai(
        json!({"arrive_before": "12:04"}),
        "G531 G103 G1",
        json!({"arrive_before": 18}),
    );
    shanghai(
        json!({"arrive_before": "31:30"}),
        by_noon.trim_end_matches(" 1461"),
        json!({"arrive_before": 8}),
    );
    shanghai(
        json!({"arrive_before": "31:34", "sort_by": "arrive"}),
        "G1 G103 G531 G3 G105 G5 G7 G11 G13 G15 G17 G19 G21 1461",
        json!({"arrive_before": 7}),
    );
    shanghai(
        json!({"arrive_after": "32:00", "arrive_before": "35:12"}),
        "K1109 Z281 T109 D707",
        json!({"arrive_after": 15, "arrive_before": 2}),
    );
    // A name that a column shares is not another name of that column.
    for (seat, left) in [
        ("优选一等座", "G1"),
        ("二等包座", "G21"),
        ("高级动卧", "D707"),
        ("高级软卧", "T109"),
        ("软座", "K1109"),
        ("其他", "1461"),
    ] {
        shanghai(json!({"seat_type": seat}), left, json!({"seat_type": 20}));
    }
    shanghai(
        json!({"seat_type": "软卧"}),
        "Z281 T109 Z99 K8811",
        json!({"seat_type": 17}),
    );
    // What asks for nothing removes nothing.
    shanghai(
        json!({"train_types": ["G"], "only_available": false, "purpose": "adult", "sort_by": "depart"}),
        "G531 G103 G1 G105 G3 G5 G7 G11 G13 G15 G17 G19 G21 G25",
        json!({"train_types": 7}),
    );
}

#[test]
fn available_is_what_can_be_had_now() {
    let world = world();
    let shanghai = |wishes: Value, left: &str, removed: Value| {
        check(&world, ["北京", "上海"], wishes, left, removed)
    };
    // A waitlist is not available, nor what is not on sale, not known, or does not run.
    shanghai(
        json!({"only_available": true}),
        "G531 G103 G1 G105 G3 G5 G7 K1109 1461 G21 Z281 T109 D707 Z99 K8811",
        json!({"only_available": 6}),
    );
    shanghai(
        json!({"only_available": true, "seat_type": "二等座"}),
        "G531 G103 G1 G105 G3 G5 D707",
        json!({"seat_type": 7, "only_available": 7}),
    );
    shanghai(
        json!({"only_available": true, "seat_type": "无座"}),
        "G531 1461 T109 Z99",
        json!({"seat_type": 3, "only_available": 14}),
    );
    shanghai(
        json!({"only_available": true, "seat_type": "软卧"}),
        "Z281 K8811",
        json!({"seat_type": 17, "only_available": 2}),
    );
    // Z13 has standing places only: they count, unless another seat is asked for.
    let guangzhou = |wishes: Value, left: &str, removed: Value| {
        check(&world, ["北京", "广州"], wishes, left, removed)
    };
    guangzhou(
        json!({"only_available": true}),
        "G335 G77 G77 G1579 D35 G79 G337 G339 G81 Z13 Z501",
        json!({"only_available": 8}),
    );
    guangzhou(
        json!({"only_available": true, "seat_type": "硬座"}),
        "Z501",
        json!({"seat_type": 15, "only_available": 3}),
    );
    guangzhou(
        json!({"only_available": true, "seat_type": "无座"}),
        "D35 Z13",
        json!({"seat_type": 15, "only_available": 2}),
    );
}

#[test]
fn wishes_together_count_each_train_once() {
    let world = world();
    check(
        &world,
        ["北京南", "上海虹桥"],
        json!({
            "train_types": ["G", "D"], "depart_after": "06:10", "depart_before": "17:00", "arrive_before": "20:00",
            "only_available": true, "seat_type": "商务座", "sort_by": "price",
        }),
        "G103 G105 G3",
        // 6 of 21 leave elsewhere, 5 of 15 arrive elsewhere, G531 leaves too early and G25 never,
        // G19 and G21 arrive too late, G13, G15 and G17 have nothing.
        json!({"from": 6, "to": 5, "depart_after": 2, "arrive_before": 2, "only_available": 3}),
    );
    // Everything removed: the answer says by what, and that it can be relaxed.
    let wishes = json!({"train_types": ["D"], "depart_before": "12:00", "seat_type": "硬座"});
    let answer = tickets(&world, "北京", "上海虹桥", &wishes);
    let about = json!([
        answer["trains"],
        answer["total"],
        answer["filters"],
        answer["removed"],
        answer["note"]
    ]);
    let note = "没有符合全部条件的结果：to 的同城其他车站另有 11（写城市名可查），train_types 去掉 10（可放宽）";
    assert_eq!(
        about,
        json!([[], 0, wishes, {"to": 11, "train_types": 10}, note])
    );
}

#[test]
fn a_list_is_ordered_and_what_is_not_known_stands_last() {
    let world = world();
    let orders = [
        (
            "depart",
            "G531 G103 G1 G105 G3 G5 G7 K1109 G11 1461 G13 G15 G17 G19 G21 Z281 T109 D707 Z99 K8811 G25",
        ),
        (
            "arrive",
            "G1 G103 G531 G3 G105 G5 G7 G11 G13 G15 G17 G19 G21 1461 K1109 D707 Z281 T109 Z99 K8811 G25",
        ),
        (
            "duration",
            "G21 G7 G15 G19 G1 G3 G13 G17 G11 G5 G103 G105 G531 D707 Z99 Z281 T109 1461 K8811 K1109 G25",
        ),
        // Equal prices in order of departure, G25 without one behind them; G3 and G5 have no price.
        (
            "price",
            "1461 K1109 Z281 T109 Z99 K8811 D707 G103 G531 G105 G19 G1 G7 G11 G13 G15 G17 G25 G21 G3 G5",
        ),
    ];
    for (sort_by, left) in orders {
        check(
            &world,
            ["北京", "上海"],
            json!({"sort_by": sort_by}),
            left,
            json!({}),
        );
    }
    // The price of the seat that is asked for.
    check(
        &world,
        ["北京", "上海"],
        json!({"sort_by": "price", "seat_type": "一等座"}),
        "G103 G105 G531 G19 G1 G7 G11 G13 G15 G17 G21 G25 G3 G5",
        json!({"seat_type": 7}),
    );
}

#[test]
fn the_price_of_a_sold_out_seat_counts_only_where_it_is_asked_for() {
    let world = world();
    let guangzhou = |wishes: Value, left: &str, removed: Value| {
        check(&world, ["北京", "广州"], wishes, left, removed)
    };
    // G79 and G339 have business class only, at 3250 and 2990, beside 二等座 for 1033 and 862 that is gone.
    guangzhou(
        json!({"only_available": true, "sort_by": "price"}),
        "Z13 Z501 D35 G335 G1579 G337 G77 G81 G77 G339 G79",
        json!({"only_available": 8}),
    );
    let everything = json!({"train_types": ["G"], "sort_by": "price"});
    guangzhou(
        everything,
        "G897 G335 G1579 G337 G339 G77 G79 G81 G77",
        json!({"train_types": 10}),
    );
}

#[test]
fn a_window_that_no_train_can_meet_is_refused() {
    let world = world();
    let check = |field: &str, wishes: Value| {
        let arguments = journey("北京", "上海", &wishes);
        refused(
            &world,
            "12306_query_tickets",
            &arguments,
            ("INVALID_ARGUMENT", &json!({"field": field})),
        );
    };
    check(
        "depart_before",
        json!({"depart_after": "20:00", "depart_before": "08:00"}),
    );
    check(
        "arrive_before",
        json!({"arrive_after": "30:00", "arrive_before": "29:59"}),
    );
    for text in [
        "9:00", "48:00", "12:60", "+8:00", "8：00x", "ab:cd", "08-00",
    ] {
        check("depart_after", json!({"depart_after": text}));
        check("arrive_before", json!({"arrive_before": text}));
    }
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}
