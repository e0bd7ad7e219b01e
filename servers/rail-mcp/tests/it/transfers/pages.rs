//! Lists of plans over several pages of the service: read to the end, or told why not.

use std::time::Duration;

use fixtures::{rail::Rail, upstream::Fault};
use serde_json::{Value, json};

use crate::{
    expected::{codes, journey, transfers},
    world::{world, world_with},
};

/// A whole page, so that the next fault meets the next page.
const HONEST: Fault = Fault::SlowAnswer(Duration::ZERO);

/// How many plans there are, and whether that is all.
fn extent(answer: &Value) -> Value {
    json!([
        answer["total"],
        answer["complete"],
        answer["incomplete_reason"]
    ])
}

/// The pages that were asked for, in order.
fn cursors(fake: &Rail) -> Vec<String> {
    let seen = fake.journal().of("transfers").into_iter();
    seen.map(|seen| seen.parameter("result_index").expect("a cursor").to_owned())
        .collect()
}

#[test]
fn pages_are_read_until_the_list_ends_or_does_not() {
    let world = world();
    let check = |from: &str, to: &str, expected: Value, cursors: &[&str]| {
        world.each(|fake| assert_eq!(fake.faults_left("transfers"), 0));
        let before = world
            .worlds()
            .each_ref()
            .map(|world| world.fake.journal().of("transfers").len());
        let answer = transfers(&world, from, to, &json!({}));
        assert_eq!(extent(&answer), expected, "{from} {to}");
        for (world, before) in world.worlds().iter().zip(before) {
            let seen = world.fake.journal().of("transfers");
            let asked = seen[before..]
                .iter()
                .map(|seen| seen.parameter("result_index").expect("a cursor"));
            assert_eq!(Vec::from_iter(asked), cursors, "{from} {to}");
        }
    };
    check("北京", "桂林", json!([23, true, null]), &["0", "10", "20"]);
    // Eighty plans: five pages are enough.
    check(
        "北京",
        "昆明",
        json!([50, false, "page_limit"]),
        &["0", "10", "20", "30", "40"],
    );
    // The second page names its own cursor again and repeats the first: each plan is told once.
    check(
        "上海",
        "桂林",
        json!([10, false, "repeated_cursor"]),
        &["0", "10"],
    );
    // An empty page is the end, whatever it says about more.
    check("上海", "昆明", json!([10, true, null]), &["0", "10"]);
    check("北京", "拉萨", json!([0, true, null]), &["0"]);
}

#[test]
fn every_plan_of_a_long_list_comes_exactly_once() {
    let world = world();
    let check = |to: &str, count: usize| {
        let arguments = journey("北京", to, &json!({"max_results": 100}));
        let plans = world.follow("12306_query_transfer", arguments, "plans");
        let expected = Vec::from_iter((1..=count).map(|n| format!("G{}+G{}", 4000 + n, 6000 + n)));
        assert_eq!(codes(&json!({"plans": plans})), expected);
    };
    check("桂林", 23);
    check("昆明", 50);
    world.each(|fake| assert_eq!(fake.journal().of("transfers").len(), 3 + 5));
}

#[test]
fn a_page_that_fails_later_leaves_the_plans_before_it() {
    let limited = Fault::RateLimited { retry_after: None };
    let broken = Fault::Status(503, Vec::new());
    for (faults, reason) in [
        (vec![HONEST, limited.clone()], "rate_limited"),
        // A passing fault is met by one more attempt, and only then by an end.
        (
            vec![HONEST, broken.clone(), broken.clone()],
            "upstream_failed",
        ),
        (vec![HONEST, Fault::CutBody], "upstream_failed"),
    ] {
        let world = world();
        world.each(|fake| {
            faults
                .iter()
                .for_each(|fault| fake.fault("transfers", 1, fault.clone()))
        });
        let answer = transfers(&world, "北京", "桂林", &json!({}));
        assert_eq!(extent(&answer), json!([10, false, reason]), "{faults:?}");
        world.each(|fake| assert_eq!(fake.faults_left("transfers"), 0, "{faults:?}"));
    }
    let world = world();
    world.each(|fake| {
        [HONEST, broken.clone()]
            .into_iter()
            .for_each(|fault| fake.fault("transfers", 1, fault))
    });
    assert_eq!(
        extent(&transfers(&world, "北京", "桂林", &json!({}))),
        json!([23, true, null])
    );
}

#[test]
fn a_list_cut_short_by_what_passes_is_read_again_at_the_next_call() {
    let retry_after = Some("1".to_owned());
    for (fault, reason) in [
        (Fault::RateLimited { retry_after }, "rate_limited"),
        (Fault::CutBody, "upstream_failed"),
    ] {
        let world = world_with(&[("RAIL_CACHE_MS", "600000")]);
        world.each(|fake| {
            fake.fault("transfers", 1, HONEST);
            fake.fault("transfers", 1, fault.clone());
        });
        let ask = || extent(&transfers(&world, "北京", "桂林", &json!({})));
        assert_eq!(ask(), json!([10, false, reason]));
        // The whole list is kept.
        assert_eq!([ask(), ask()], [(); 2].map(|()| json!([23, true, null])));
        world.each(|fake| assert_eq!(cursors(fake), ["0", "10", "0", "10", "20"], "{reason}"));
    }
}

#[test]
fn plans_read_in_time_are_answered_in_time() {
    // Pages after the first may take 0.8 of the call; this one takes longer than the whole of it.
    let world = world_with(&[("RAIL_CALL_LIMIT_MS", "2000")]);
    world.each(|fake| {
        fake.fault("transfers", 1, HONEST);
        fake.fault("transfers", 1, Fault::Hang);
    });
    let ask = || extent(&transfers(&world, "北京", "桂林", &json!({})));
    assert_eq!(ask(), json!([10, false, "time_limit"]));
    // It is read anew, not kept.
    assert_eq!(ask(), json!([23, true, null]));
    world.each(|fake| assert_eq!(cursors(fake), ["0", "10", "0", "10", "20"]));
}

#[test]
fn a_list_cut_short_is_paged_through_as_it_is() {
    let world = world();
    world.each(|fake| {
        fake.fault("transfers", 1, HONEST);
        fake.fault("transfers", 1, Fault::CutBody);
    });
    let arguments = journey("北京", "桂林", &json!({"max_results": 3}));
    let plans = world.follow("12306_query_transfer", arguments, "plans");
    assert_eq!(plans.len(), 10);
    world.each(|fake| assert_eq!(cursors(fake), ["0", "10"]));
}
