//! Long lists: as many as asked for at once, every train once, and no going on in a list that has changed.

use serde_json::{Value, json};

use crate::{
    expected::{DAY, codes, given, journey, refused, tickets, with},
    world::{world, world_with},
};

#[test]
fn every_train_of_a_long_list_comes_exactly_once() {
    let world = world();
    let check = |rows: usize, page: Value| {
        let arguments = journey("广州", "深圳", &page);
        let trains = world.follow("12306_query_tickets", arguments, "trains");
        let mut numbers = Vec::from_iter(trains.iter().map(|train| train["train_no"].clone()));
        let mut expected =
            Vec::from_iter((0..rows).map(|n| json!(format!("{:0>11}A", format!("C{}", 7001 + n)))));
        numbers.sort_by_key(Value::to_string);
        expected.sort_by_key(Value::to_string);
        assert_eq!(numbers, expected, "{page}");
    };
    check(120, json!({}));
    check(120, json!({"max_results": 24, "sort_by": "price"}));
    check(120, json!({"max_results": 100}));
    world.each(|fake| fake.many(1000));
    // Another day, since the first answer is kept for a while.
    check(1000, json!({"date": "+3", "max_results": 100}));
}

#[test]
fn a_page_holds_as_many_as_asked_for_and_says_that_it_goes_on() {
    let world = world();
    let check = |limit: Value, returned: usize| {
        let answer = tickets(&world, "广州", "深圳", &limit);
        let about = json!([answer["total"], answer["returned"], answer["truncated"]]);
        assert_eq!(about, json!([120, returned, true]));
        assert_eq!(codes(&answer).len(), returned);
        assert_eq!(codes(&answer)[0], "C7001");
    };
    check(json!({}), 20);
    check(json!({"max_results": 1}), 1);
    check(json!({"max_results": "15"}), 15);
    // A short list fits and has no cursor.
    let answer = tickets(&world, "深圳", "广州", &json!({"max_results": 5}));
    let about = json!([
        answer["total"],
        answer["returned"],
        answer["truncated"],
        answer.get("next_cursor")
    ]);
    assert_eq!(about, json!([5, 5, false, null]));
}

#[test]
fn a_cursor_that_is_none_is_refused_before_anything_is_asked() {
    let world = world_with(&[("RAIL_CACHE_MS", "0")]);
    for (tool, arguments) in [
        ("12306_query_tickets", journey("广州", "深圳", &json!({}))),
        ("12306_query_transfer", journey("北京", "桂林", &json!({}))),
        ("12306_train_route", json!({"train_code": "K599"})),
    ] {
        let first = given(
            &world,
            tool,
            &with(arguments.clone(), &json!({"max_results": 5})),
        );
        assert_eq!(first["truncated"], true, "{tool}");
        let asked = || {
            world
                .worlds()
                .each_ref()
                .map(|world| world.fake.journal().all().len())
        };
        let before = asked();
        for cursor in ["20", "x", "-1", "x-0123456789abcdef", "１-0123456789abcdef"] {
            let on = with(arguments.clone(), &json!({"cursor": cursor}));
            let about = json!({"field": "cursor"});
            let answer = refused(&world, tool, &on, ("INVALID_ARGUMENT", &about));
            let message = "参数 cursor 有误：不是本工具给出的 next_cursor；去掉它从头查起";
            assert_eq!(answer["message"], message, "{tool} {cursor}");
        }
        assert_eq!(asked(), before, "{tool}");
    }
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let world = world_with(&[("RAIL_CACHE_MS", "0")]);
    let arguments = journey("广州", "深圳", &json!({"max_results": 20}));
    let first = given(&world, "12306_query_tickets", &arguments);
    let on = with(arguments, &json!({"cursor": first["next_cursor"]}));
    assert_eq!(codes(&given(&world, "12306_query_tickets", &on)).len(), 20);
    let about_cursor = json!({"field": "cursor"});
    let refused = |arguments: &Value| {
        refused(
            &world,
            "12306_query_tickets",
            arguments,
            ("INVALID_ARGUMENT", &about_cursor),
        );
    };
    // Other wishes, another day, no cursor of ours.
    refused(&with(
        on.clone(),
        &json!({"sort_by": "arrive", "depart_after": "08:00"}),
    ));
    refused(&with(on.clone(), &json!({"date": "明天"})));
    refused(&with(on.clone(), &json!({"cursor": "20"})));
    refused(&with(on.clone(), &json!({"cursor": "20-0123456789abcdef"})));
    // The service lists one train more than before.
    let one_more = "{secret}|预订|69000C999900|C9999|GGQ|SZQ|GGQ|SZQ|22:00|23:10|01:10|Y|{token}|{day}|3|P3|01|05|1|0|||||||||||有|5|||M0O0|MO|0|0||M009950005O007950021|0|||||1|0#1#0#0#z#0#z#z|||CHN,CHN|||N#N#|||{sale:1245}|Y|";
    world.each(|fake| fake.add_row(one_more));
    refused(&on);
    let again = tickets(
        &world,
        "广州",
        "深圳",
        &json!({"date": DAY, "max_results": 1}),
    );
    assert_eq!(again["total"], 121);
}
