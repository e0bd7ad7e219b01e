//! How a server begins, is interrupted and ends, in both protocol eras.

use std::time::Instant;

use fixtures::mcp::{Client, Era, Launch, Pending, Stdin};
use serde_json::{Value, json};

use fixtures::shell::{TWO_SECONDS, columns, end};

use crate::toy::{Place, binary, both, launch, rows, variables};

/// Begins a `wait`. The answer to a call sent after it tells that the server has read it.
fn waiting(client: &Client) -> Pending {
    let pending = client.begin_call("wait", json!({}));
    client.call("echo", json!({ "text": "read" }));
    pending
}

/// The rows of `wait` alone, as phase, status and code.
fn of_wait(rows: &[Value]) -> Vec<Vec<Value>> {
    let rows: Vec<_> = rows
        .iter()
        .filter(|row| row["tool"] == "wait")
        .cloned()
        .collect();
    columns(&rows, &["phase", "status", "code"])
}

fn cancelled() -> Vec<Vec<Value>> {
    vec![
        vec![json!("start"), Value::Null, Value::Null],
        vec![json!("finish"), json!("cancelled"), json!("CANCELLED")],
    ]
}

/// Both eras, each with every kind of standard input that hosts give.
fn on_any_input() -> impl Iterator<Item = (Era, Stdin)> {
    let kinds = [Stdin::Pipe, Stdin::Socket];
    kinds
        .into_iter()
        .flat_map(|stdin| Era::ALL.map(|era| (era, stdin)))
}

#[test]
fn whatever_comes_first_is_survived() {
    for era in Era::ALL {
        let place = Place::new();
        let client = Client::spawn(&launch(&place.path("state")), era);
        for line in [
            "",
            "no JSON",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/unheard_of","params":{"a":1}}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":8,"error":{"code":-1,"message":"no"}}"#,
        ] {
            client.send_line(line);
        }
        let (method, params) = match era {
            Era::Legacy => {
                let me = json!({ "name": "test", "version": "1" });
                let version = era.version();
                let hello =
                    json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": me });
                ("initialize", hello)
            }
            Era::Modern => ("server/discover", json!({})),
        };
        let greeting = client.request(method, params).unwrap();
        assert_eq!(
            greeting["instructions"],
            json!("演示用，不联网，笔记只存于内存。")
        );
        let answer = client.call("echo", json!({ "text": "a" }));
        assert_eq!(answer.structured["texts"], json!(["a"]));
    }
}

#[test]
fn input_that_ends_before_any_message_ends_the_server() {
    let place = Place::new();
    let client = Client::spawn(&launch(&place.path("state")), Era::Legacy);
    end(&client);
    assert_eq!(client.stderr(), "");
    assert!(!place.path("state").exists(), "nothing was called");
}

#[test]
fn a_cancelled_call_leaves_the_server_serving() {
    let both = both(&[], &[]);
    for world in both.worlds() {
        let client = &world.client;
        let pending = waiting(client);
        client.cancel(&pending);
        let after = client.call("echo", json!({ "text": "after" }));
        assert_eq!(after.structured["texts"], json!(["after"]));
        end(client);
        assert_eq!(client.outcome(&pending), None);
        assert_eq!(of_wait(&rows(world.data.path())), cancelled());
    }
}

#[test]
fn the_end_of_input_is_heard_while_a_call_runs() {
    let both = both(&[], &[]);
    for world in both.worlds() {
        waiting(&world.client);
        end(&world.client);
        assert_eq!(of_wait(&rows(world.data.path())), cancelled());
    }
}

#[test]
fn a_call_that_ends_soon_is_answered_after_the_end_of_input() {
    let both = both(&[], &[("TOY_WAIT_MS", "300")]);
    for world in both.worlds() {
        let pending = world.client.begin_call("wait", json!({}));
        end(&world.client);
        let answer = world.client.finish_call(&pending);
        assert_eq!(answer.structured, json!({ "ok": true, "waited_ms": 300 }));
        assert_eq!(of_wait(&rows(world.data.path()))[1][1], json!("ok"));
    }
}

#[test]
fn a_request_to_stop_is_heard_while_a_call_runs() {
    for (era, stdin) in on_any_input() {
        let place = Place::new();
        let data = place.path("state");
        let client = Client::start(&launch(&data).stdin(stdin), era);
        waiting(&client);
        client.terminate();
        let status = client
            .wait_exit(TWO_SECONDS)
            .expect("an end within two seconds");
        assert_eq!(status.code(), Some(0));
        assert_eq!(of_wait(&rows(&data)), cancelled());
    }
}

#[test]
fn a_vanished_parent_is_noticed_while_a_call_runs() {
    for (era, stdin) in on_any_input() {
        let place = Place::new();
        let data = place.path("state");
        let (server, folder) = (binary(), data.to_str().unwrap());
        // The shell waits for the server, since one more command follows it.
        let script = [
            "-c",
            "\"$0\" --data-dir \"$1\"; :",
            server.to_str().unwrap(),
            folder,
        ];
        let client = Client::start(&Launch::new("sh").args(script).stdin(stdin), era);
        waiting(&client);
        let begun = Instant::now();
        client.kill();
        // Returns when the shell is gone and nobody holds its output any more.
        assert_eq!(client.wait_exit(TWO_SECONDS).unwrap().code(), None);
        let lasted = begun.elapsed();
        assert!(lasted < TWO_SECONDS, "the orphan lived for {lasted:?}");
        assert_eq!(of_wait(&rows(&data)), cancelled());
    }
}

#[test]
fn no_argument_stands_in_the_log_at_any_level() {
    const CANARY: &str = "canary-7f3a";
    let both = both(&["--log", "trace"], &[("TOY_WAIT_MS", "0")]);
    for (tool, arguments) in [
        ("echo", json!({ "text": CANARY })),
        ("echo", json!({ "text": "a", "count": CANARY })),
        ("echo", json!({ "text": "a", "kinds": [CANARY] })),
        ("echo", json!({ "text": "a", CANARY: 1 })),
        ("list_numbers", json!({ "total": 3, "cursor": CANARY })),
        (
            "store_note",
            json!({ "content": CANARY, "password": CANARY, "client_token": "note-0001" }),
        ),
        ("break_it", json!({ "text": CANARY })),
        ("wait", json!({})),
        ("ask", json!({})),
    ] {
        both.call(tool, arguments);
    }
    for world in both.worlds() {
        let client = &world.client;
        client.send_line(&format!("{{\"jsonrpc\":\"2.0\", {CANARY}"));
        let malformed = json!({ "name": "echo", "arguments": CANARY });
        client.request("tools/call", malformed).unwrap_err();
        client.notify("notifications/unheard_of", json!({ "text": CANARY }));
        end(client);
        let said = client.stderr();
        assert!(
            said.contains("a tool panicked; the call was answered INTERNAL"),
            "{said}"
        );
        assert!(
            said.contains(
                "ERROR server_kit::log: a panic at crates/server-kit/examples/errand/reading.rs:"
            ),
            "{said}"
        );
        assert!(!said.contains(CANARY), "{said}");
    }
}

#[test]
fn a_fixed_clock_is_told_on_stderr() {
    let place = Place::new();
    let fixed = variables(&[("TOY_CLOCK", "2026-12-02T01:00:00Z")]);
    let client = Client::start(&launch(&place.path("state")).env(fixed), Era::Modern);
    end(&client);
    let expected = " WARN server_kit::command: 时钟固定在 2026-12-02T09:00:00+08:00，仅供测试\n";
    assert_eq!(client.stderr(), expected);
}

#[test]
fn a_long_call_tells_that_it_is_under_way_when_it_is_asked_to() {
    for era in Era::ALL {
        let place = Place::new();
        let state = place.path("state");
        let launch = launch(&state).env([("TOY_PROGRESS_MS".to_owned(), "10".to_owned())]);
        let client = Client::start(&launch, era);
        let call = json!({ "name": "wait", "arguments": {}, "_meta": { "progressToken": "p1" } });
        let pending = client.begin("tools/call", call);
        let told = || -> Vec<Value> {
            let notices = client.notices().into_iter();
            let progress = notices.filter(|notice| notice["method"] == "notifications/progress");
            progress.collect()
        };
        while told().len() < 3 {
            // Each answer is one more turn of the server.
            client.call("echo", json!({ "text": "read" }));
        }
        let told = told();
        assert!(
            told.iter()
                .all(|notice| notice["params"]["progressToken"] == "p1"),
            "{told:?}"
        );
        let seconds = told
            .iter()
            .map(|notice| notice["params"]["progress"].as_f64().unwrap());
        assert!(seconds.is_sorted_by(|one, next| one < next), "{told:?}");
        client.cancel(&pending);
        end(&client);
    }
}
