//! What calls leave in the audit log, and how a change to it shows.

use fixtures::mcp::{Client, Era};
use serde_json::{Value, json};

use fixtures::shell::{columns, end};

use crate::toy::{Place, both, launch, rows};

const CLOCK: (&str, &str) = ("TOY_CLOCK", "2026-12-02T01:00:00Z");

#[test]
fn a_call_leaves_a_start_and_a_finish() {
    let both = both(&[], &[CLOCK]);
    both.call("ask", json!({}));
    for world in both.worlds() {
        end(&world.client);
        let rows = rows(world.data.path());
        let id = rows[0]["id"].as_str().unwrap();
        assert_eq!((id.len(), id.get(14..15)), (36, Some("7")), "{id}");
        let mut expected = json!({
            "seq": 1,
            "at": "2026-12-02T09:00:00+08:00",
            "event": "call",
            "phase": "start",
            "id": id,
            "tool": "ask",
            "status": null,
            "code": null,
            "retry_after": null,
            "duration_ms": null,
            "account": null,
            "token_id": null,
            "scope": null,
            "host": "errands-fixtures",
            "arguments": "{}",
        });
        assert_eq!(rows[0], expected);
        assert!(rows[1]["duration_ms"].is_u64(), "{}", rows[1]);
        for (name, value) in [
            ("seq", json!(2)),
            ("phase", json!("finish")),
            ("status", json!("refused")),
            ("code", json!("RATE_LIMITED")),
            ("retry_after", json!(2)),
            ("duration_ms", rows[1]["duration_ms"].clone()),
            ("arguments", Value::Null),
        ] {
            expected[name] = value;
        }
        assert_eq!(rows[1..], [expected]);
    }
}

#[test]
fn arguments_are_redacted_and_refusals_are_one_row() {
    const CANARY: &str = "canary-7f3a";
    let both = both(&[], &[]);
    both.call(
        "store_note",
        json!({ "content": CANARY, "password": CANARY, "client_token": "note-0001" }),
    );
    both.call("echo", json!({ "text": CANARY, "count": 12 }));
    both.call(
        "echo",
        json!({ "text": "a", "note": CANARY, "deep": { "er": [CANARY] } }),
    );
    both.call("break_it", json!({ "text": CANARY }));
    for world in both.worlds() {
        end(&world.client);
        let hidden = r#"{"content":"[len=11]","password":"***","client_token":"note-0001"}"#;
        let refused = r#"{"text":"[len=11]","count":12}"#;
        assert_eq!(
            columns(
                &rows(world.data.path()),
                &["seq", "event", "phase", "status", "code", "arguments"]
            ),
            [
                json!([1, "call", "start", null, null, hidden]),
                json!([2, "call", "finish", "ok", null, null]),
                json!([
                    3,
                    "param_error",
                    "event",
                    "refused",
                    "INVALID_ARGUMENT",
                    refused
                ]),
                json!([
                    4,
                    "param_error",
                    "event",
                    "refused",
                    "INVALID_ARGUMENT",
                    r#"{"text":"[len=1]","note":"[undeclared]","deep":"[undeclared]"}"#
                ]),
                json!([5, "call", "start", null, null, r#"{"text":"[len=11]"}"#]),
                json!([6, "call", "finish", "failed", "INTERNAL", null]),
            ]
            .map(|row| row.as_array().unwrap().clone())
        );
        for file in std::fs::read_dir(world.data.path()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!String::from_utf8_lossy(&bytes).contains(CANARY));
        }
    }
}

#[test]
fn a_changed_row_is_named() {
    let place = Place::new();
    let none = place.run(&["audit", "verify"]);
    assert_eq!((none.code, none.out.as_str()), (1, "没有审计记录可校验\n"));
    let none = place.run(&["audit"]);
    assert_eq!((none.code, none.out.as_str()), (0, "还没有审计记录\n"));
    for text in ["a", "b"] {
        let arguments = json!({ "text": text }).to_string();
        assert_eq!(place.run(&["call", "echo", &arguments]).code, 0);
    }
    let intact = place.run(&["audit", "verify"]);
    let whole = "完整：4 行，另有 0 行已过保留期；末行哈希 ";
    assert!(
        intact.code == 0 && intact.out.starts_with(whole),
        "{intact:?}"
    );

    let log = rusqlite::Connection::open(place.path("toy-mcp").join("audit.db")).unwrap();
    let changed = log
        .execute("UPDATE log SET status = 'failed' WHERE seq = 2", [])
        .unwrap();
    assert_eq!(changed, 1);
    drop(log);
    let broken = place.run(&["audit", "verify"]);
    let expected = (1, "已损坏：第 2 行被改动\n", "");
    assert_eq!(
        (broken.code, broken.out.as_str(), broken.err.as_str()),
        expected
    );
    // The log can still be read: what is there is evidence.
    assert_eq!(rows(&place.path("toy-mcp")).len(), 4);
}

#[test]
fn rows_are_chosen_by_tool_code_and_time() {
    let place = Place::new();
    for (tool, clock) in [
        ("ask", "2026-12-01T00:00:00Z"),
        ("wait", "2026-12-02T00:00:00Z"),
        ("ask", "2026-12-03T00:00:00Z"),
    ] {
        let env = [("TOY_CLOCK", clock), ("TOY_WAIT_MS", "0")];
        place.run_with(&["call", tool], &env, "");
    }
    let seqs = |args: &[&str]| {
        let ended = place.run(&[&["audit", "--json"], args].concat());
        columns(ended.json().as_array().unwrap(), &["seq"]).concat()
    };
    for (args, expected) in [
        (&[][..], &[1, 2, 3, 4, 5, 6][..]),
        (&["--tool", "ask"], &[1, 2, 5, 6]),
        (&["--code", "RATE_LIMITED"], &[2, 6]),
        (
            &[
                "--since",
                "2026-12-02T00:00:00Z",
                "--until",
                "2026-12-03T08:00:00+08:00",
            ],
            &[3, 4],
        ),
        (&["--limit", "1"], &[6]),
        (&["--user", "nobody"], &[]),
    ] {
        assert_eq!(seqs(args), expected, "{args:?}");
    }
    let whole = place.run(&["audit", "--limit", "6"]);
    assert_eq!((whole.out.lines().count(), whole.err.as_str()), (6, ""));
    let cut = place.run(&["audit", "--limit", "1"]);
    let told =
        " WARN server_kit::command::audit: 只显示最近 1 行，更早的没有显示；用 --limit 加大\n";
    assert_eq!(cut.err, told);
    let shown = cut.out;
    let expected = "6 2026-12-03T08:00:00+08:00 finish call ask refused RATE_LIMITED ";
    assert!(
        shown.starts_with(expected) && shown.ends_with("ms command-line\n"),
        "{shown}"
    );
}

#[test]
fn a_question_closes_its_call() {
    let both = both(&[], &[]);
    let asked = both.call("sign_in", json!({ "way": "picture" }));
    assert_eq!(
        (asked.code(), asked.is_error),
        (Some("NEED_CHALLENGE"), false)
    );
    assert_eq!(asked.content[1]["type"], json!("image"));
    let ends = |data| columns(&rows(data), &["phase", "status", "code"]);
    let start = vec![json!("start"), Value::Null, Value::Null];
    let finish = |status: &str, code: &str| vec![json!("finish"), json!(status), json!(code)];
    for world in both.worlds() {
        end(&world.client);
        let expected = [start.clone(), finish("refused", "NEED_CHALLENGE")];
        assert_eq!(ends(world.data.path()), expected);
    }
    // Only the newer era has questions that are results.
    let place = Place::new();
    let client = Client::start(&launch(&place.path("state")), Era::Modern);
    let call = json!({ "name": "sign_in", "arguments": { "way": "question" } });
    let asked = client.request("tools/call", call).unwrap();
    assert_eq!(asked["resultType"], json!("input_required"));
    end(&client);
    let expected = [start, finish("ok", "INPUT_REQUIRED")];
    assert_eq!(ends(&place.path("state")), expected);
}

#[test]
fn a_fixed_clock_removes_no_row() {
    let place = Place::new();
    for clock in ["2026-01-01T00:00:00Z", "2026-12-01T00:00:00Z"] {
        place.run_with(&["call", "ask"], &[("TOY_CLOCK", clock)], "");
    }
    assert_eq!(rows(&place.path("toy-mcp")).len(), 4);
}
