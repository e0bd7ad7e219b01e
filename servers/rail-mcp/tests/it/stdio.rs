//! The real binary as a host's child: how it begins, is interrupted and ends.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use fixtures::{
    mcp::{Both, Client, Era, Launch, Pending, World},
    rail::Rail,
    upstream::Fault,
};
use serde_json::{Value, json};

use crate::{
    shell::audited,
    world::{NOW, binary, environment, launch, world, world_with},
};
use fixtures::shell::{TWO_SECONDS, end, ended_well};

const TICKETS: &str = "12306_query_tickets";

/// Begins a ticket query that the service never answers, and waits until it is there.
fn hanging(client: &Client, fake: &Rail) -> Pending {
    fake.fault("tickets", 1, Fault::Hang);
    let arguments = json!({ "date": "2026-12-02", "from": "上海", "to": "常州" });
    let pending = client.begin_call(TICKETS, arguments);
    fake.journal().wait_for_route("tickets", 1);
    pending
}

/// The two rows of a call that was given up.
fn cancelled() -> [Value; 2] {
    [
        json!(["start", TICKETS, null, null]),
        json!(["finish", TICKETS, "cancelled", "CANCELLED"]),
    ]
}

/// Does the same in both eras at once, since most of it is waiting.
fn in_both(both: &Both<Rail>, step: impl Fn(&World<Rail>) + Sync) {
    thread::scope(|scope| {
        for world in both.worlds() {
            scope.spawn(|| step(world));
        }
    });
}

#[test]
fn a_server_of_tools_alone_offers_nothing_else() {
    for World { client, .. } in world().worlds() {
        assert_eq!(client.greeting()["capabilities"], json!({ "tools": {} }));
        for (method, params) in [
            ("prompts/list", json!({})),
            ("prompts/get", json!({ "name": "x" })),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({ "uri": "rail://x" })),
        ] {
            let expected = json!({ "code": -32601, "message": method });
            assert_eq!(client.request(method, params), Err(expected));
        }
    }
}

#[test]
fn a_cancelled_call_leaves_the_service_and_the_server_goes_on() {
    let both = world();
    in_both(&both, |World { client, fake, data }| {
        let pending = hanging(client, fake);
        client.cancel(&pending);
        let left = fake.journal().wait_for_abandoned(1);
        assert_eq!(left[0].route, "tickets");
        let arguments = json!({ "date": "2026-12-02", "from": "上海", "to": "常州" });
        assert_eq!(client.call(TICKETS, arguments).code(), None);
        end(client);
        assert_eq!(client.outcome(&pending), None);
        let rows = audited(data.path());
        assert_eq!(rows[..2], cancelled());
        let done = [
            json!(["start", TICKETS, null, null]),
            json!(["finish", TICKETS, "ok", null]),
        ];
        assert_eq!(rows[2..], done);
        assert_eq!(fake.journal().of("tickets").len(), 2);
    });
}

#[test]
fn the_end_of_input_and_a_signal_end_a_hanging_call() {
    for stop in [Client::close_stdin, Client::terminate] {
        let both = world();
        in_both(&both, |World { client, fake, data }| {
            let pending = hanging(client, fake);
            stop(client);
            ended_well(client);
            let told = json!({
                "ok": false, "code": "CANCELLED", "message": "调用已取消", "retryable": false,
            });
            assert_eq!(client.finish_call(&pending).structured, told);
            assert_eq!(fake.journal().wait_for_abandoned(1).len(), 1);
            assert_eq!(audited(data.path()), cancelled());
        });
    }
}

#[test]
fn a_call_that_ends_soon_is_answered_after_the_end_of_input() {
    let both = world();
    in_both(&both, |World { client, fake, .. }| {
        fake.fault("tickets", 1, Fault::SlowAnswer(Duration::from_millis(200)));
        let arguments = json!({ "date": "2026-12-02", "from": "上海", "to": "常州" });
        let pending = client.begin_call(TICKETS, arguments);
        end(client);
        assert_eq!(client.finish_call(&pending).code(), None);
    });
}

#[cfg(unix)]
#[test]
fn no_orphan_outlives_its_parent() {
    thread::scope(|scope| {
        for era in Era::ALL {
            scope.spawn(move || {
                let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
                let folder = data.path().to_str().unwrap();
                // The shell waits for the server, since one more command follows it.
                let script = ["-c", "\"$0\" --data-dir \"$1\"; :", binary(), folder];
                let shell = Launch::new("sh").args(script).env(environment(&fake, &[]));
                let client = Client::start(&shell, era);
                hanging(&client, &fake);
                let begun = Instant::now();
                client.kill();
                // Returns when the shell is gone and nobody holds its output any more.
                assert_eq!(client.wait_exit(TWO_SECONDS).unwrap().code(), None);
                let lasted = begun.elapsed();
                assert!(lasted < TWO_SECONDS, "the orphan lived for {lasted:?}");
                assert_eq!(fake.journal().wait_for_abandoned(1).len(), 1);
                assert_eq!(audited(data.path()), cancelled());
            });
        }
    });
}

#[test]
fn many_calls_at_once_are_all_answered() {
    let mut calls = Vec::new();
    for day in 0..5 {
        let date = format!("+{day}");
        calls.extend([
            (
                TICKETS,
                json!({ "date": date, "from": "上海", "to": "常州" }),
            ),
            (
                "12306_query_transfer",
                json!({ "date": date, "from": "上海", "to": "常州" }),
            ),
            (
                "12306_train_route",
                json!({ "date": date, "train_code": "G77" }),
            ),
            (
                "12306_search_stations",
                json!({ "text": "beijing", "max_results": day + 1 }),
            ),
        ]);
    }
    let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    let alone = Client::start(&launch(&fake, data.path(), &[]), Era::Modern);
    let expected = calls
        .iter()
        .map(|(tool, arguments)| alone.call(tool, arguments.clone()));
    let expected: Vec<_> = expected.collect();
    in_both(&world(), |World { client, .. }| {
        let begin = |(tool, arguments): &(&str, Value)| client.begin_call(tool, arguments.clone());
        let pending: Vec<_> = calls.iter().map(begin).collect();
        // Answers that got mixed up would not be those of the same calls one by one.
        for (pending, expected) in pending.iter().zip(&expected).rev() {
            assert_eq!(client.finish_call(pending), *expected);
        }
    });
}

#[test]
fn a_notification_may_come_first() {
    let fake = Rail::start(NOW);
    for era in Era::ALL {
        let data = tempfile::tempdir().unwrap();
        let client = Client::spawn(&launch(&fake, data.path(), &[]), era);
        client.notify("notifications/initialized", json!({}));
        let gone = json!({ "requestId": 1, "reason": "test" });
        client.notify("notifications/cancelled", gone);
        let (method, params) = match era {
            Era::Legacy => {
                let info = json!({ "name": "test", "version": "1" });
                let version = era.version();
                let hello =
                    json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": info });
                ("initialize", hello)
            }
            Era::Modern => ("server/discover", json!({})),
        };
        let greeting = client.request(method, params).unwrap();
        let instructions = greeting["instructions"].as_str().unwrap();
        assert!(
            instructions.starts_with("查询中国铁路 12306"),
            "{instructions}"
        );
        let answer = client.call("12306_search_stations", json!({ "text": "AOH" }));
        assert_eq!(answer.code(), None);
    }
}

#[test]
fn to_be_listed_asks_nothing_and_writes_nothing() {
    // The stations are old enough to be read anew, but nobody has used them.
    let both = world_with(&[("RAIL_STATIONS_REFRESH_DAYS", "1")]);
    assert_eq!(both.tools().len(), 4);
    for World { client, fake, data } in both.worlds() {
        end(client);
        assert_eq!(fake.journal().all().len(), 0);
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);
    }
    // A state folder that is not there is not made either.
    let fake = Rail::start(NOW);
    for era in Era::ALL {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("none/yet");
        let client = Client::start(&launch(&fake, &data, &[]), era);
        assert_eq!(client.tools().len(), 4);
        end(&client);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }
}
