//! How many stops one answer tells.

use fixtures::upstream::Fault;
use serde_json::{Value, json};

use super::{TOOL, section};
use crate::{
    expected::{given, with},
    world::world,
};

#[test]
fn all_stops_are_told_unless_the_caller_says_otherwise() {
    let world = world();
    let ask = |more: Value| {
        let arguments = json!({"train_code": "K599", "date": "+2", "from": "郴州"});
        given(&world, TOOL, &with(arguments, &more))
    };
    let extent = |answer: &Value| json!([answer["total"], answer["returned"], answer["truncated"]]);
    let whole = ask(json!({}));
    assert_eq!(extent(&whole), json!([33, 33, false]));
    assert_eq!(section(&whole), ["郴州", "韶关东", "广州"]);
    assert_eq!(
        extent(&ask(json!({"max_results": 20}))),
        json!([33, 20, true])
    );
}

#[test]
fn stops_beyond_the_size_of_a_result_follow_on_the_next_page() {
    let world = world();
    let names = Vec::from_iter((0..300).map(|at| format!("站{at}")));
    let stops = names.iter().map(|name| {
        json!({
            "station_name": name, "station_train_code": "G1", "arrive_time": "08:00", "start_time": "08:00",
            "arrive_day_diff": "0",
        })
    });
    let body = json!({"status": true, "data": {"data": Vec::from_iter(stops)}}).to_string();
    world.each(|fake| fake.fault("stops", 1, Fault::Body(body.clone())));
    let arguments = json!({"train_code": "G1", "date": "+2"});
    let first = given(&world, TOOL, &arguments);
    assert_eq!(
        [&first["total"], &first["truncated"]],
        [&json!(300), &json!(true)]
    );
    let told = first["returned"].as_u64().expect("a number");
    assert!((100..300).contains(&told), "{told}");
    let all = world.follow(TOOL, arguments, "stops");
    assert_eq!(
        Vec::from_iter(all.iter().map(|stop| &stop["station"])),
        Vec::from_iter(&names)
    );
}
