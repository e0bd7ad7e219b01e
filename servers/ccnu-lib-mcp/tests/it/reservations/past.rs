//! The reservations that were.

use std::time::Duration;

use fixtures::{
    ccnu::Ccnu,
    mcp::{Both, Client, Era, World},
    upstream::Fault,
};
use serde_json::{Value, json};

use super::{id, record, with};
use crate::world::{NOW, READER, environment, launch, signed_in};

const HISTORY: &str = "get_reservation_history";

/// Pages of a list that were asked for, by the system's own count.
fn asked(fake: &Ccnu, route: &str) -> Vec<String> {
    let seen = fake.journal().of(route).into_iter();
    let page = |path: String| path.rsplit('/').nth(1).unwrap().to_owned();
    seen.map(|seen| page(seen.path)).collect()
}

fn history(both: &Both<Ccnu>, page: u32, size: u32) -> Value {
    let arguments = json!({ "page": page, "page_size": size });
    both.call(HISTORY, arguments).structured
}

/// How many records, of how many, and the day of the first.
fn outline(page: &Value) -> (u64, u64, &str) {
    let first = page["records"][0]["date"].as_str().unwrap_or_default();
    (
        page["count"].as_u64().unwrap(),
        page["total"].as_u64().unwrap(),
        first,
    )
}

#[test]
fn pages_are_counted_from_one() {
    let both = signed_in();
    both.each(|fake| fake.fill_history(READER, 25));
    let pages = [1, 2, 3].map(|page| history(&both, page, 20));
    let outlines = pages.each_ref().map(outline);
    assert_eq!(
        outlines,
        [(20, 25, "2026-06-24"), (5, 25, "2026-06-04"), (0, 25, "")]
    );
    let mut newest = record(25, "2026-06-24", "08:00", "12:00");
    newest.as_object_mut().unwrap().remove("ok");
    let ended = json!({
        "status": "ended", "raw_status": "STOP", "actual_begin": "08:00", "actual_end": "12:00",
    });
    let last = json!({
        "ok": true, "page": 1, "page_size": 1, "total": 25, "count": 1, "records": [with(newest, ended)],
        "truncated": false, "untrusted": true, "as_of": NOW,
    });
    assert_eq!(history(&both, 1, 1), last);
    // 1 and 20 are what is meant when nothing is said.
    assert_eq!(both.call(HISTORY, json!({})).structured, pages[0]);
    both.each(|fake| assert_eq!(asked(fake, "history"), ["0", "1", "2", "0", "0"]));
}

#[test]
fn a_breach_tells_why() {
    let both = signed_in();
    both.each(|fake| {
        fake.record(READER, Ccnu::N1167, "2026-06-23", 480, 720, "MISS");
        fake.record(READER, Ccnu::N1167, "2026-06-24", 480, 720, "STOP");
    });
    let mut breach = record(1, "2026-06-23", "08:00", "12:00");
    breach.as_object_mut().unwrap().remove("ok");
    let why = json!({
        "status": "violation", "raw_status": "MISS", "raw_text": "用户未在规定时间内签到, 预约释放",
    });
    assert_eq!(
        both.call("get_violation_records", json!({})).structured,
        json!({
            "ok": true, "page": 1, "page_size": 20, "total": 1, "count": 1, "records": [with(breach, why)],
            "truncated": false, "untrusted": true, "as_of": NOW,
        })
    );
}

#[test]
fn nothing_in_the_past_is_an_empty_page() {
    let both = signed_in();
    for (page, requests) in [(1, 1), (2, 2)] {
        for tool in [HISTORY, "get_violation_records"] {
            assert_eq!(
                both.call(tool, json!({ "page": page })).structured,
                json!({
                    "ok": true, "page": page, "page_size": 20, "total": 0, "count": 0, "records": [],
                    "truncated": false, "untrusted": false, "as_of": NOW,
                })
            );
        }
        both.each(|fake| assert_eq!(fake.journal().of("history").len(), requests));
    }
}

#[test]
fn a_system_that_counts_from_one_is_found_out_once_and_remembered() {
    let both = signed_in();
    both.each(|fake| {
        fake.switch(|switches| switches.page_base = 1);
        fake.fill_history(READER, 25);
        fake.record(READER, Ccnu::N1167, "2026-06-01", 480, 720, "MISS");
    });
    // The newest page is not missed, whichever page is asked for first.
    assert_eq!(outline(&history(&both, 2, 20)), (6, 26, "2026-06-04"));
    both.each(|fake| assert_eq!(asked(fake, "history"), ["0", "1", "2"]));
    assert_eq!(outline(&history(&both, 1, 20)), (20, 26, "2026-06-24"));
    both.each(|fake| assert_eq!(asked(fake, "history"), ["0", "1", "2", "1"]));
    // The other list is of the same host.
    let breaches = both.call("get_violation_records", json!({})).structured;
    assert_eq!(outline(&breaches), (1, 1, "2026-06-01"));
    both.each(|fake| assert_eq!(asked(fake, "breach"), ["1"]));
    for World { client, fake, data } in both.worlds() {
        client.close_stdin();
        assert!(client.wait_exit(Duration::from_secs(5)).is_some());
        let said = client.stderr();
        assert_eq!(
            said.matches("the number of the first page").count(),
            1,
            "{said}"
        );
        // Another process goes on with it.
        let folder = data.path().to_str().unwrap();
        let launch = launch().args(["--data-dir", folder]).env(environment(fake));
        let other = Client::start(&launch, Era::Modern);
        let found = other.call(HISTORY, json!({})).structured;
        assert_eq!(outline(&found), (20, 26, "2026-06-24"));
        assert_eq!(asked(fake, "history"), ["0", "1", "2", "1", "1"]);
        // And finds it out anew when it does not hold any more.
        fake.switch(|switches| switches.page_base = 0);
        let found = other.call(HISTORY, json!({ "page_size": 50 })).structured;
        assert_eq!(outline(&found), (26, 26, "2026-06-24"));
        assert_eq!(asked(fake, "history")[5..], ["1", "0"]);
        let found = other.call(HISTORY, json!({ "page": 2 })).structured;
        assert_eq!(outline(&found), (6, 26, "2026-06-04"));
    }
}

#[test]
fn records_that_are_counted_and_not_there_are_no_empty_page() {
    let both = signed_in();
    let counted = json!({ "status": true, "code": 200, "data": { "count": 3, "list": null } });
    both.each(|fake| fake.fault("breach", 2, Fault::Body(counted.to_string())));
    let answer = both.call("get_violation_records", json!({}));
    assert_eq!(answer.code(), Some("UPSTREAM_CHANGED"));
    assert_eq!(
        answer.structured["data"],
        json!({ "path": "/frontApi/user/breach", "field": "data.list" })
    );
}

#[test]
fn a_page_that_is_too_large_is_cut_and_says_so() {
    let both = signed_in();
    both.each(|fake| {
        fake.fill_history(READER, 60);
        let wordy = "因设备检修".repeat(40);
        for nth in 1..=60 {
            fake.show_status(&id(nth), json!(wordy));
        }
    });
    let cut = history(&both, 1, 50);
    let count = cut["count"].as_u64().unwrap();
    assert!((10..50).contains(&count), "{count}");
    assert_eq!(cut["truncated"], true);
    assert_eq!(cut["records"].as_array().unwrap().len() as u64, count);
    let whole = history(&both, 1, 10);
    assert_eq!(
        (&whole["count"], &whole["truncated"]),
        (&json!(10), &json!(false))
    );
}
