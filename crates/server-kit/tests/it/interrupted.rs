//! Writes whose call, client or process goes away meanwhile.

use std::time::Instant;

use fixtures::{
    mcp::{Client, Era},
    shell::{TWO_SECONDS, end, ended_well},
};
use serde_json::{Value, json};

use crate::{
    doubts::call_at,
    service::{Service, Way},
    toy::{launch, rows},
    writes::{NOON, ends, in_progress, note, stored, unknown, world},
};

fn recorded() -> [Value; 2] {
    [json!(["start", null, null]), json!(["finish", "ok", null])]
}

/// A server whose write waits at the service, started at noon.
fn begun(service: &Service, data: &std::path::Path, era: Era) -> Client {
    let env = [service.variable(), (NOON.0.to_owned(), NOON.1.to_owned())];
    let client = Client::start(&launch(data).env(env), era);
    client.begin_call("store_note", note("note-0001"));
    client
}

#[test]
fn a_call_that_is_cancelled_before_sending_gives_its_token_back() {
    let both = world(&[]);
    for world in both.worlds() {
        let held = world.fake.hold("count");
        let pending = world.client.begin_call("store_note", note("note-0001"));
        held.came();
        world.client.cancel(&pending);
        // It is given back beside the next call.
        let mut tries = (0..1_000).map(|_| world.client.call("store_note", note("note-0001")));
        let free = tries.find(|answer| answer.code() != Some("IDEMPOTENCY_IN_PROGRESS"));
        assert_eq!(free.unwrap().structured, stored("note-0001", false));
        end(&world.client);
        assert_eq!(world.client.outcome(&pending), None);
        let rows = ends(&rows(world.data.path()), "store_note");
        assert_eq!(rows[0], json!(["event", "cancelled", "CANCELLED"]));
        assert_eq!(rows[rows.len() - 2..], recorded());
        assert_eq!(world.fake.stores(), (1, 1));
    }
}

#[test]
fn a_call_that_is_cancelled_after_sending_is_finished_and_recorded() {
    let both = world(&[NOON]);
    for world in both.worlds() {
        let held = world.fake.hold("store");
        let pending = world.client.begin_call("store_note", note("note-0001"));
        held.came();
        world.client.cancel(&pending);
        world.client.call("echo", json!({ "text": "after" }));
        held.go(Way::Normal);
        end(&world.client);
        assert_eq!(world.client.outcome(&pending), None);
        assert_eq!(ends(&rows(world.data.path()), "store_note"), recorded());
        let era = world.client.era();
        let later = call_at(&world.fake, world.data.path(), era, "2026-12-02T04:00:01Z");
        assert_eq!(later, stored("note-0001", true));
    }
}

#[test]
fn a_server_that_is_asked_to_stop_records_its_writes() {
    for era in Era::ALL {
        for stop in [Client::close_stdin, Client::terminate] {
            let (service, data) = (Service::start(), tempfile::tempdir().unwrap());
            let held = service.hold("store");
            let client = begun(&service, data.path(), era);
            held.came();
            stop(&client);
            held.go(Way::Normal);
            ended_well(&client);
            assert_eq!(ends(&rows(data.path()), "store_note"), recorded());
            let later = call_at(&service, data.path(), era, "2026-12-02T04:00:01Z");
            assert_eq!(later, stored("note-0001", true));
        }
    }
}

#[test]
fn a_write_that_takes_too_long_is_left_behind_and_settled_later() {
    for era in Era::ALL {
        let (service, data) = (Service::start(), tempfile::tempdir().unwrap());
        let held = service.hold("store");
        let client = begun(&service, data.path(), era);
        held.came();
        let begin = Instant::now();
        client.terminate();
        ended_well(&client);
        assert!(begin.elapsed() < TWO_SECONDS);
        assert_eq!(ends(&rows(data.path()), "store_note"), recorded()[..1]);
        held.go(Way::Normal);
        settled_after_its_lease(&service, data.path(), era);
    }
}

/// What was begun at noon and not reported: its lease runs two minutes.
fn settled_after_its_lease(service: &Service, data: &std::path::Path, era: Era) {
    let call = |clock| call_at(service, data, era, clock);
    assert_eq!(call("2026-12-02T04:01:59Z"), in_progress_for_a_second());
    // The answer may have been lost on its way; the service has long done it by now.
    assert_eq!(call("2026-12-02T04:02:00Z"), stored("note-0001", true));
    assert_eq!(call("2026-12-02T04:02:00Z"), stored("note-0001", true));
    assert_eq!(service.stores(), (1, 1));
}

fn in_progress_for_a_second() -> Value {
    let mut expected = in_progress("note-0001");
    expected["retry_after"] = json!(1);
    expected
}

#[test]
fn a_killed_process_has_sent_at_most_once() {
    for era in Era::ALL {
        let (service, data) = (Service::start(), tempfile::tempdir().unwrap());
        let held = service.hold("store");
        let client = begun(&service, data.path(), era);
        held.came();
        kill(&client);
        held.go(Way::Normal);
        settled_after_its_lease(&service, data.path(), era);
        assert_eq!(ends(&rows(data.path()), "store_note")[..1], recorded()[..1]);
    }
}

#[test]
fn what_a_killed_process_may_still_send_stays_unknown() {
    for era in Era::ALL {
        let (service, data) = (Service::start(), tempfile::tempdir().unwrap());
        let held = service.hold("store");
        let client = begun(&service, data.path(), era);
        held.came();
        kill(&client);
        held.go(Way::LoseNothing);
        for clock in ["2026-12-02T04:02:00Z", "2026-12-03T04:00:00Z"] {
            let later = call_at(&service, data.path(), era, clock);
            assert_eq!(later, unknown("note-0001"));
        }
        assert_eq!(service.stores(), (1, 0));
    }
}

#[test]
fn a_process_killed_before_sending_leaves_the_token_to_its_lease() {
    for era in Era::ALL {
        let (service, data) = (Service::start(), tempfile::tempdir().unwrap());
        let held = service.hold("count");
        let client = begun(&service, data.path(), era);
        held.came();
        kill(&client);
        let call = |clock| call_at(&service, data.path(), era, clock);
        assert_eq!(call("2026-12-02T04:01:59Z"), in_progress_for_a_second());
        assert_eq!(call("2026-12-02T04:02:00Z"), stored("note-0001", false));
        assert_eq!(service.stores(), (1, 1));
    }
}

fn kill(client: &Client) {
    client.kill();
    assert_eq!(client.wait_exit(TWO_SECONDS).unwrap().code(), None);
}
