//! Serving over HTTP: who may come in, and how it ends.

use std::thread;

use fixtures::{
    mcp::{Both, Client, Era, Launch, Reply, exchange},
    shell::{Ended, TWO_SECONDS, ended_well},
};
use serde_json::{Value, json};

use crate::{
    service::{Service, Way},
    toy::{Place, binary, launch, rows, variables},
    writes::{ends, note, stored},
};

const TOKEN: &str = "canary-token-0123456789abcdef";

/// The toy over HTTP in both eras, each with a service.
fn world(token: Option<&str>, env: &[(&str, &str)]) -> Both<Service> {
    Both::launch(&Launch::new(binary()).http(token), |_| {
        let service = Service::start();
        let mut env = variables(env);
        env.push(service.variable());
        (service, env)
    })
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

/// Posts a first message with these headers besides the usual ones.
fn knock(client: &Client, headers: &[(&str, &str)]) -> Reply {
    let usual = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let headers = [&usual, headers].concat();
    exchange(client.address(), "POST", "/mcp", &headers, HELLO).unwrap()
}

fn healthy(client: &Client) -> (u16, String) {
    let reply = exchange(client.address(), "GET", "/healthz", &[], "").unwrap();
    (reply.status, reply.text())
}

#[test]
fn loopback_is_open_to_the_users_programs() {
    let both = world(None, &[]);
    let echoed = both.call("echo", json!({ "text": "a" })).structured;
    assert_eq!(echoed, json!({ "ok": true, "texts": ["a"], "count": 1 }));
    let written = both.call("store_note", note("note-0001")).structured;
    assert_eq!(written, stored("note-0001", false));
    for world in both.worlds() {
        assert_eq!(healthy(&world.client), (200, "ok".to_owned()));
        world.client.terminate();
        ended_well(&world.client);
        let expected = [json!(["start", null, null]), json!(["finish", "ok", null])];
        assert_eq!(ends(&rows(world.data.path()), "store_note"), expected);
        let address = world.client.address();
        let said = format!(" INFO server_kit::serve::http: 在 http://{address}/mcp 提供服务\n");
        assert_eq!(world.client.stderr(), said);
    }
}

#[test]
fn names_and_pages_of_strangers_are_refused() {
    let both = world(
        None,
        &[("TOY_HTTP_HOSTS", "seats.example, other.example:8443")],
    );
    for world in both.worlds() {
        let address = world.client.address();
        let (_, port) = address.split_once(':').unwrap();
        let local = format!("http://localhost:{port}");
        let host = "Forbidden: Host header is not allowed";
        let origin = "Forbidden: Origin header is not allowed";
        for (header, expected) in [
            (("Host", "evil.example"), (403, host)),
            (("Host", "other.example"), (403, host)),
            (("Host", "seats.example:1"), (200, "")),
            (("Host", "other.example:8443"), (200, "")),
            (("Host", "localhost"), (200, "")),
            (("Origin", "https://evil.example"), (403, origin)),
            (("Origin", "null"), (403, origin)),
            (("Origin", &local), (200, "")),
            (("Origin", "https://seats.example"), (200, "")),
        ] {
            let reply = knock(&world.client, &[header]);
            let found = match reply.status {
                200 => (200, String::new()),
                status => (status, reply.text()),
            };
            assert_eq!(found, (expected.0, expected.1.to_owned()), "{header:?}");
        }
    }
}

#[test]
fn a_token_is_asked_of_everybody_and_shown_to_nobody() {
    let env = [("TOY_HTTP_TOKEN", TOKEN)];
    let launch = Launch::new(binary())
        .args(["--log", "trace"])
        .http(Some(TOKEN));
    let both = Both::launch(&launch, |_| ((), variables(&env)));
    both.call("echo", json!({ "text": "a" }));
    for world in both.worlds() {
        let bearer = format!("bearer {TOKEN}");
        assert_eq!(
            knock(&world.client, &[("Authorization", &bearer)]).status,
            200
        );
        let longer = format!("Bearer {TOKEN}x");
        for given in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer wrong",
            TOKEN,
            "Basic Zm9v",
            &longer,
        ] {
            let reply = knock(&world.client, &[("Authorization", given)]);
            assert_eq!(reply.status, 401, "{given:?}");
            assert_eq!(reply.header("WWW-Authenticate"), Some("Bearer"));
            assert_eq!(reply.text(), "unauthorized");
        }
        assert_eq!(knock(&world.client, &[]).status, 401);
        assert_eq!(healthy(&world.client), (200, "ok".to_owned()));
        world.client.terminate();
        ended_well(&world.client);
        let said = world.client.stderr();
        assert!(
            said.contains("a caller without the token was turned away"),
            "{said}"
        );
        assert!(!said.contains(TOKEN), "{said}");
        let mut turned_away = rows(world.data.path());
        turned_away.retain(|row| row["event"] == "auth_fail");
        for row in &turned_away {
            let told = json!([
                row["phase"],
                row["status"],
                row["code"],
                row["account"],
                row["arguments"]
            ]);
            let method = "{\"method\":\"POST\"}";
            assert_eq!(
                told,
                json!(["event", "refused", "UNAUTHORIZED", null, method])
            );
        }
        assert_eq!(turned_away.len(), 8);
    }
    let doctor = Place::new().run_with(&["doctor"], &env, "");
    let line =
        "[正常] 设置：TOY_HTTP_TOKEN=***（HTTP 调用者须出示的令牌（Authorization: Bearer …））\n";
    assert!(
        doctor.out.contains(line) && !doctor.out.contains(TOKEN),
        "{doctor:?}"
    );
}

#[test]
fn what_would_let_strangers_in_stops_the_start() {
    let place = Place::new();
    let (token, hosts) = (
        ("TOY_HTTP_TOKEN", TOKEN),
        ("TOY_HTTP_HOSTS", "seats.example"),
    );
    for (address, env, said) in [
        (
            "0.0.0.0:0",
            vec![hosts],
            "TOY_HTTP_TOKEN=\"\" 无效：监听 0.0.0.0:0 时必须设置令牌",
        ),
        (
            "[::]:0",
            vec![token],
            "TOY_HTTP_HOSTS=\"\" 无效：监听 [::]:0 时必须列出调用者使用的主机名",
        ),
        (
            "127.0.0.1:0",
            vec![("TOY_HTTP_TOKEN", "canary-of-23-characters")],
            "TOY_HTTP_TOKEN=\"***\" 无效：令牌至少 24 个字符",
        ),
    ] {
        let ended = place.run_with(&["serve", "--http", address], &env, "");
        let expected = Ended {
            code: 3,
            out: String::new(),
            err: format!("ERROR server_kit::command: {said}\n"),
        };
        assert_eq!(ended, expected);
    }
}

#[test]
fn the_address_is_the_flags_else_the_settings() {
    let place = Place::new();
    let mut launch = launch(&place.path("state")).http(None);
    launch.args.pop();
    let from = |env: &[(&str, &str)]| launch.clone().env(variables(env));
    for (host, address) in [("127.0.0.2", "127.0.0.2:"), ("localhost", "127.0.0.1:")] {
        let client = Client::start(&from(&[("MCP_HOST", host), ("MCP_PORT", "0")]), Era::Legacy);
        let found = client.address();
        assert!(found.starts_with(address), "{found}");
    }

    for (variable, value, why) in [
        (
            "MCP_HOST",
            "nowhere",
            "应为 IP 地址或 localhost，例如 127.0.0.1",
        ),
        ("MCP_PORT", "65536", "应为 0 至 65535 的整数"),
    ] {
        let bad = [(variable, value), ("TOY_HTTP_TOKEN", TOKEN)];
        let refused = place.run_with(&["serve", "--http"], &bad, "");
        let line = format!("ERROR server_kit::command: {variable}=\"{value}\" 无效：{why}\n");
        assert_eq!((refused.code, refused.err), (3, line));
        // Nobody comes in that way.
        let call = place.run_with(&["call", "echo", "{\"text\":\"a\"}"], &bad, "");
        assert_eq!((call.code, call.err.as_str()), (0, ""));
    }
}

#[test]
fn an_address_in_use_is_said() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ended = place.run(&["serve", "--http", &address]);
    let begins = "ERROR server_kit::command: serving ended error=";
    assert!(
        ended.code == 1 && ended.err.starts_with(begins),
        "{ended:?}"
    );
}

#[test]
fn sessions_stand_side_by_side() {
    let both = world(None, &[]);
    for world in both.worlds() {
        let others = Era::ALL.map(|era| world.client.join(era));
        let held = world.fake.hold("store");
        thread::scope(|scope| {
            let first = scope.spawn(|| world.client.call("store_note", note("note-0001")));
            held.came();
            for other in &others {
                let echoed = other.call("echo", json!({ "text": "b" })).structured;
                assert_eq!(echoed["texts"], json!(["b"]));
                // One guard for all of them.
                let told = other.call("store_note", note("note-0001"));
                assert_eq!(told.code(), Some("IDEMPOTENCY_IN_PROGRESS"));
            }
            held.go(Way::Normal);
            assert_eq!(first.join().unwrap().structured, stored("note-0001", false));
        });
        for other in &others {
            let told = other.call("store_note", note("note-0001")).structured;
            assert_eq!(told, stored("note-0001", true));
        }
    }
}

#[test]
fn a_request_to_stop_ends_calls_and_records_them() {
    let both = world(None, &[]);
    for world in both.worlds() {
        let held = world.fake.hold("store");
        world.client.begin_call("wait", json!({}));
        world.client.begin_call("store_note", note("note-0001"));
        held.came();
        // One more that is read after it.
        world.client.call("echo", json!({ "text": "read" }));
        world.client.terminate();
        held.go(Way::Normal);
        let status = world.client.wait_exit(TWO_SECONDS).expect("an end in time");
        assert_eq!(status.code(), Some(0), "{}", world.client.stderr());
        let rows = rows(world.data.path());
        let start = json!(["start", null, null]);
        let cancelled = json!(["finish", "cancelled", "CANCELLED"]);
        assert_eq!(ends(&rows, "wait"), [start.clone(), cancelled]);
        assert_eq!(
            ends(&rows, "store_note"),
            [start, json!(["finish", "ok", null])]
        );
    }
}

#[test]
fn calls_that_are_cut_off_are_recorded() {
    let both = world(None, &[]);
    for world in both.worlds() {
        let others = Era::ALL.map(|era| world.client.join(era));
        for client in [&world.client, &others[0], &others[1]] {
            client.begin_call("wait", json!({}));
            client.call("echo", json!({ "text": "read" }));
        }
        world.client.terminate();
        ended_well(&world.client);
        let rows = ends(&rows(world.data.path()), "wait");
        let cancelled = rows.iter().filter(|row| row[1] == "cancelled");
        assert_eq!((rows.len(), cancelled.count()), (6, 3), "{rows:?}");
    }
}

#[test]
fn a_session_that_is_unknown_is_not_found() {
    let both = world(None, &[]);
    let client = &both.worlds()[0].client;
    let call = json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/list" }).to_string();
    let headers = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2025-11-25"),
        ("Mcp-Session-Id", "nothing"),
    ];
    let reply = exchange(client.address(), "POST", "/mcp", &headers, &call).unwrap();
    assert_eq!(
        (reply.status, reply.text()),
        (404, "Not Found: Session not found".to_owned())
    );
    let elsewhere = exchange(client.address(), "GET", "/", &[], "").unwrap();
    assert_eq!((elsewhere.status, elsewhere.text()), (404, String::new()));
    let _: Value = client.request("tools/list", json!({})).unwrap();
}
