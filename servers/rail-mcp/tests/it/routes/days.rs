//! The day of a route: of the origin, or of boarding on the way.

use fixtures::{mcp::Both, rail::Rail};
use serde_json::{Value, json};

use super::TOOL;
use crate::{
    expected::{ask, given, refused},
    world::world,
};

/// Days asked of the search and of the stop list, in order.
fn days_asked(world: &Both<Rail>) -> Vec<String> {
    let fakes = world.worlds().each_ref().map(|world| {
        let seen = world.fake.journal().all().into_iter();
        let days = seen.filter_map(|seen| match seen.route {
            "search" => seen.parameter("date").map(|day| format!("search {day}")),
            "stops" => seen
                .parameter("leftTicketDTO.train_date")
                .map(|day| format!("stops {day}")),
            _ => None,
        });
        days.collect::<Vec<_>>()
    });
    assert_eq!(fakes[0], fakes[1]);
    let [days, _] = fakes;
    days
}

#[test]
fn a_boarding_day_leads_to_the_day_of_the_origin() {
    let world = world();
    let boards = |code: &str, date: &str, from: &str| json!({"train_code": code, "date": date, "from": from, "max_results": 1});
    // K599 leaves 北京丰台 a day and 广州's neighbour two days after its origin.
    for (date, from, origin_date) in [
        ("2026-12-02", "包头", "2026-12-02"),
        ("2026-12-02", "北京丰台", "2026-12-01"),
        ("2026-12-02", "大同", "2026-12-01"),
        ("2026-12-02", "韶关东", "2026-11-30"),
        ("今天", "韶关东", "2026-11-28"),
    ] {
        let answer = given(&world, TOOL, &boards("K599", date, from));
        assert_eq!(answer["origin_date"], origin_date, "{from}");
    }
    assert_eq!(
        days_asked(&world),
        [
            "search 20261202",
            "stops 2026-12-02",
            "search 20261201",
            "stops 2026-12-01",
            "search 20261130",
            "stops 2026-11-30",
            "search 20261128",
            "stops 2026-11-28",
        ]
    );
}

#[test]
fn a_train_that_does_not_run_every_day_is_found_on_its_own_day() {
    let world = world();
    world.each(|fake| fake.leaves_only("K599/K598", &["2026-12-01"]));
    let boards = |date: &str, from: &str| json!({"train_code": "K599", "date": date, "from": from, "max_results": 1});
    let answer = given(&world, TOOL, &boards("2026-12-02", "北京丰台"));
    assert_eq!(answer["origin_date"], "2026-12-01");
    assert_eq!(
        days_asked(&world),
        ["search 20261202", "search 20261201", "stops 2026-12-01"]
    );
    assert_eq!(
        given(&world, TOOL, &boards("2026-12-03", "郴州"))["origin_date"],
        "2026-12-01"
    );
    // Nobody can board it there on that day, which is the day told, whenever it left its origin.
    let none = |date: &str| {
        json!({
            "ok": false, "code": "TRAIN_NOT_FOUND", "message": format!("{date} 没有车次 K599"), "retryable": false,
            "next": "核对车次与日期；车次可用 12306_query_tickets 查到", "data": {"candidates": []},
        })
    };
    for (date, from) in [
        ("2026-12-02", "包头"),
        ("2026-12-03", "北京丰台"),
        ("2026-12-02", "郴州"),
        ("2026-12-10", "广州"),
    ] {
        let answer = ask(&world, TOOL, &boards(date, from)).structured;
        assert_eq!(answer, none(date), "{from}");
    }
    let leaves = json!({"train_code": "K599", "date": "2026-12-02"});
    assert_eq!(ask(&world, TOOL, &leaves).structured, none("2026-12-02"));
}

#[test]
fn the_day_is_today_unless_told_and_trains_under_way_count() {
    let world = world();
    for (date, origin_date) in [
        (Value::Null, "2026-11-30"),
        (json!("今天"), "2026-11-30"),
        (json!("明天"), "2026-12-01"),
        (json!("+14"), "2026-12-14"),
        // It may still be on its way.
        (json!("2026-11-29"), "2026-11-29"),
        (json!("2026-11-27"), "2026-11-27"),
    ] {
        let answer = given(&world, TOOL, &json!({"train_code": "G1", "date": date}));
        assert_eq!(answer["origin_date"], origin_date, "{date}");
    }
    world.each(|fake| assert_eq!(fake.journal().of("search").len(), 5));
    let check = |date: &str, from: Option<&str>, day: &str, first: &str| {
        let data = json!({"field": "date", "date": day, "today": "2026-11-30", "first": first, "last": "2026-12-14"});
        let arguments = json!({"train_code": "G1", "date": date, "from": from});
        let answer = refused(&world, TOOL, &arguments, ("DATE_OUT_OF_RANGE", &data));
        let message =
            format!("{day} 不在可查日期内：今天是 2026-11-30，可查 {first} 至 2026-12-14");
        assert_eq!(answer["message"], message);
    };
    check("2026-11-26", None, "2026-11-26", "2026-11-27");
    check("+15", None, "2026-12-15", "2026-11-27");
    // Nobody boards yesterday.
    check("2026-11-29", Some("北京南"), "2026-11-29", "2026-11-30");
    for date in ["2026-13-99", "2026-12-1"] {
        let about = json!({"field": "date"});
        let answer = refused(
            &world,
            TOOL,
            &json!({"train_code": "G1", "date": date}),
            ("INVALID_ARGUMENT", &about),
        );
        let span = "；今天是 2026-11-30，可查 2026-11-27 至 2026-12-14";
        assert!(
            answer["message"]
                .as_str()
                .expect("a message")
                .ends_with(span),
            "{answer}"
        );
    }
    world.each(|fake| assert_eq!(fake.journal().of("search").len(), 5));
}
