//! A service that asks for a rest.

use fixtures::upstream::Fault;
use serde_json::{Value, json};

use super::{Met, ROUTE, TICKETS, TRANSFERS, arguments, forgetful};

/// The failure, with the seconds that are left.
fn rate_limited(seconds: &Value) -> Value {
    json!({
        "ok": false, "code": "RATE_LIMITED", "message": format!("12306 限流，请 {seconds} 秒后再查"),
        "retryable": true, "retry_after": seconds,
        "next": "等待 retry_after 秒后重试同一查询；期间不要换条件连续查询",
    })
}

#[test]
fn a_pause_is_kept_by_all_tools_and_its_rest_is_told() {
    for (route, stated, seconds, requests) in [
        ("tickets", None, 60, &["init", "tickets"][..]),
        ("init", Some("90"), 90, &["init"]),
        ("tickets", Some("soon"), 60, &["init", "tickets"]),
    ] {
        let both = forgetful();
        let mut met = Met::new();
        let retry_after = stated.map(str::to_owned);
        both.each(|fake| {
            let retry_after = retry_after.clone();
            fake.fault(route, 1, Fault::RateLimited { retry_after });
        });
        let answer = both.call(TICKETS, arguments(TICKETS));
        assert_eq!(answer.structured, rate_limited(&json!(seconds)));
        met.since(&both, requests, "the pause begins");
        // How much of it has passed depends on the machine, so the eras are looked at apart.
        for world in both.worlds() {
            for tool in [TICKETS, TRANSFERS, ROUTE] {
                let answer = world.client.call(tool, arguments(tool)).structured;
                assert_eq!(answer, rate_limited(&answer["retry_after"]), "{tool}");
                let left = answer["retry_after"].as_u64().unwrap();
                assert!((seconds - 25..=seconds).contains(&left), "{left}");
            }
            let stations = json!({ "text": "AOH" });
            let answer = world.client.call("12306_search_stations", stations);
            assert_eq!(answer.code(), None);
        }
        met.since(&both, &[], "during the pause");
    }
}

#[test]
fn a_short_pause_is_waited_for() {
    let both = forgetful();
    let mut met = Met::new();
    let retry_after = Some("1".to_owned());
    both.each(|fake| {
        let retry_after = retry_after.clone();
        fake.fault("search", 1, Fault::RateLimited { retry_after });
    });
    let answer = both.call(ROUTE, arguments(ROUTE));
    assert_eq!(answer.structured, rate_limited(&json!(1)));
    assert_eq!(both.call(ROUTE, arguments(ROUTE)).code(), None);
    met.since(
        &both,
        &["search", "search", "init", "stops"],
        "one second later",
    );
    for world in both.worlds() {
        let seen = world.fake.journal().of("search");
        let rest = seen[1].at - seen[0].at;
        assert!(rest.as_millis() >= 950, "{rest:?}");
    }
}
