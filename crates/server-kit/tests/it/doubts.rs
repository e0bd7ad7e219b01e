//! Writes whose answer was lost: seen, settled later, sent again where the service allows it, or left unknown.

use fixtures::{
    mcp::{Client, Era},
    shell::end,
};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::{
    service::{Service, Way},
    toy::{launch, rows},
    writes::{ends, note, store, stored, unknown, world},
};

#[test]
fn a_lost_answer_is_looked_up() {
    let both = world(&[]);
    both.each(|service| service.next("store", Way::LoseDone));
    assert_eq!(store(&both, note("note-0001")), stored("note-0001", false));
    for world in both.worlds() {
        assert_eq!(world.fake.asked(), ["count", "store", "find"]);
        end(&world.client);
        let expected = [json!(["start", null, null]), json!(["finish", "ok", null])];
        assert_eq!(ends(&rows(world.data.path()), "store_note"), expected);
    }
}

#[test]
fn a_write_in_doubt_is_settled_by_a_later_call() {
    let both = world(&[]);
    both.each(|service| {
        service.next("store", Way::LoseDone);
        for way in [Way::Absent, Way::LoseNothing] {
            service.next("find", way);
        }
    });
    // Not seen, then not reachable, then seen.
    assert_eq!(store(&both, note("note-0001")), unknown("note-0001"));
    assert_eq!(store(&both, note("note-0001")), unknown("note-0001"));
    assert_eq!(store(&both, note("note-0001")), stored("note-0001", true));
    for world in both.worlds() {
        assert_eq!(world.fake.stores(), (1, 1));
        end(&world.client);
        let expected = [
            json!(["start", null, null]),
            json!(["finish", "unknown", "OUTCOME_UNKNOWN"]),
            json!(["event", "unknown", "OUTCOME_UNKNOWN"]),
            json!(["event", "ok", null]),
        ];
        assert_eq!(ends(&rows(world.data.path()), "store_note"), expected);
    }
}

/// One call to a server of its own on a state folder that others used before.
pub(crate) fn call_at(service: &Service, data: &std::path::Path, era: Era, clock: &str) -> Value {
    let env = [
        service.variable(),
        ("TOY_CLOCK".to_owned(), clock.to_owned()),
    ];
    let client = Client::start(&launch(data).env(env), era);
    client.call("store_note", note("note-0001")).structured
}

#[test]
fn a_write_that_surely_did_not_happen_frees_its_token() {
    for era in Era::ALL {
        let (service, data) = (Service::start(), tempfile::tempdir().unwrap());
        let call = |clock| call_at(&service, data.path(), era, clock);
        service.next("store", Way::LoseNothing);
        assert_eq!(call("2026-12-02T04:00:00Z"), unknown("note-0001"));
        // It may still be under way.
        assert_eq!(call("2026-12-02T04:00:59Z"), unknown("note-0001"));
        let nothing = json!({
            "ok": false,
            "code": "UPSTREAM_UNAVAILABLE",
            "message": "服务没有存下这条笔记",
            "retryable": true,
            "next": "以相同参数再次调用 store_note",
            "data": { "client_token": "note-0001" },
        });
        assert_eq!(call("2026-12-02T04:01:00Z"), nothing);
        assert_eq!(call("2026-12-02T04:01:00Z"), stored("note-0001", false));
        assert_eq!(service.stores(), (2, 1));
    }
}

#[test]
fn a_service_that_remembers_is_sent_the_same_again() {
    let both = world(&[("TOY_HABIT", "remembers")]);
    both.each(|service| service.next("store", Way::LoseDone));
    assert_eq!(store(&both, note("note-0001")), unknown("note-0001"));
    assert_eq!(store(&both, note("note-0001")), stored("note-0001", false));
    for world in both.worlds() {
        // Under the name of the first time, so that there is one note.
        assert_eq!(world.fake.stores(), (2, 1));
        assert_eq!(world.fake.asked(), ["count", "store", "store"]);
        end(&world.client);
        let expected = [
            json!(["start", null, null]),
            json!(["finish", "unknown", "OUTCOME_UNKNOWN"]),
            json!(["start", null, null]),
            json!(["finish", "ok", null]),
        ];
        assert_eq!(ends(&rows(world.data.path()), "store_note"), expected);
    }
}

#[test]
fn what_cannot_be_found_out_stays_unknown() {
    let both = world(&[("TOY_HABIT", "neither")]);
    both.each(|service| service.next("store", Way::LoseDone));
    for _ in 0..3 {
        assert_eq!(store(&both, note("note-0001")), unknown("note-0001"));
    }
    for world in both.worlds() {
        assert_eq!(world.fake.asked(), ["count", "store"]);
    }
}

#[test]
fn a_step_that_panics_leaves_the_write_in_doubt() {
    let both = world(&[]);
    both.each(|service| service.next("store", Way::Break));
    assert_eq!(store(&both, note("note-0001")), unknown("note-0001"));
    for world in both.worlds() {
        assert_eq!(world.client.call("count_notes", json!({})).code(), None);
        end(&world.client);
        let expected = [
            json!(["start", null, null]),
            json!(["finish", "unknown", "OUTCOME_UNKNOWN"]),
        ];
        assert_eq!(ends(&rows(world.data.path()), "store_note"), expected);
        let ledger = Connection::open(world.data.path().join("writes.db")).unwrap();
        let open = "SELECT until_ms IS NULL AND since_ms IS NOT NULL FROM claims";
        let in_doubt: bool = ledger.query_row(open, [], |row| row.get(0)).unwrap();
        assert!(in_doubt, "its lease is over");
    }
}
