//! A write is done at most once for its token, whatever becomes of its answer.

use fixtures::{
    lint,
    mcp::{Both, Client, Era},
    shell::{columns, end},
};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::{
    service::{Service, Way},
    toy::{binary, launch, rows, variables},
};

pub(crate) const NOON: (&str, &str) = ("TOY_CLOCK", "2026-12-02T04:00:00Z");

/// The toy with a service, in both eras.
pub(crate) fn world(env: &[(&str, &str)]) -> Both<Service> {
    Both::start(binary(), |_| {
        let service = Service::start();
        let mut env = variables(env);
        env.push(service.variable());
        (service, env)
    })
}

pub(crate) fn note(token: &str) -> Value {
    json!({ "content": "a", "client_token": token })
}

/// The answer to a note that is stored as the only one.
pub(crate) fn stored(token: &str, replayed: bool) -> Value {
    json!({ "ok": true, "stored": 1, "locked": false, "client_token": token, "replayed": replayed })
}

pub(crate) fn unknown(token: &str) -> Value {
    json!({
        "ok": false,
        "code": "OUTCOME_UNKNOWN",
        "message": "请求已发出或可能已发出，但没有得到可确认的答复，结果未知",
        "retryable": false,
        "next": "不要换新 client_token 重做；先用 count_notes 核实，或稍后以相同参数和 data.client_token 再次调用以继续确认",
        "data": { "client_token": token },
    })
}

pub(crate) fn in_progress(token: &str) -> Value {
    json!({
        "ok": false,
        "code": "IDEMPOTENCY_IN_PROGRESS",
        "message": "相同 client_token 的调用正在进行",
        "retryable": true,
        "retry_after": 5,
        "next": "等待 retry_after 秒后以相同参数重试，会得到它的结果",
        "data": { "client_token": token },
    })
}

fn unreachable(token: &str) -> Value {
    json!({
        "ok": false,
        "code": "UPSTREAM_UNAVAILABLE",
        "message": "连不上存笔记的服务",
        "retryable": true,
        "next": "稍后重试",
        "data": { "client_token": token },
    })
}

/// Phase, status and code of each row of a tool.
pub(crate) fn ends(rows: &[Value], tool: &str) -> Vec<Value> {
    let rows: Vec<_> = rows
        .iter()
        .filter(|row| row["tool"] == tool)
        .cloned()
        .collect();
    let columns = columns(&rows, &["phase", "status", "code"]);
    columns.into_iter().map(Value::Array).collect()
}

pub(crate) fn store(both: &Both<Service>, arguments: Value) -> Value {
    both.call("store_note", arguments).structured
}

#[test]
fn one_token_is_one_write() {
    let both = world(&[]);
    let token = "note-0001";
    assert_eq!(store(&both, note(token)), stored(token, false));
    // What means the same is the same.
    for user in [Value::Null, json!("me")] {
        let again =
            json!({ "user": user, "client_token": token, "content": "a", "password": null });
        assert_eq!(store(&both, again), stored(token, true));
    }
    let other = json!({ "content": "b", "client_token": token });
    let conflict = json!({
        "ok": false,
        "code": "IDEMPOTENCY_CONFLICT",
        "message": "这个 client_token 已用于参数不同的另一次调用，没有执行",
        "retryable": false,
        "next": "换一个新的 client_token，或用原来的参数重试",
        "data": { "client_token": token },
    });
    assert_eq!(store(&both, other.clone()), conflict);
    // Each account has tokens of its own.
    let mut theirs = note(token);
    theirs["user"] = json!("other");
    assert_eq!(store(&both, theirs)["stored"], json!(2));
    for world in both.worlds() {
        assert_eq!(world.fake.stores(), (2, 2));
        end(&world.client);
        let rows = rows(world.data.path());
        let expected = [
            json!(["start", null, null]),
            json!(["finish", "ok", null]),
            json!(["event", "ok", null]),
            json!(["event", "ok", null]),
            json!(["event", "refused", "IDEMPOTENCY_CONFLICT"]),
            json!(["start", null, null]),
            json!(["finish", "ok", null]),
        ];
        assert_eq!(ends(&rows, "store_note"), expected);
        let ledger = Connection::open(world.data.path().join("writes.db")).unwrap();
        let mut calls = ledger
            .prepare("SELECT call FROM claims ORDER BY id")
            .unwrap();
        let calls = calls.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let ids: Vec<_> = calls.map(|id| json!(id.unwrap())).collect();
        assert_eq!(ids, [rows[0]["id"].clone(), rows[5]["id"].clone()]);
        assert_eq!(
            (&rows[0]["id"], &rows[5]["id"]),
            (&rows[1]["id"], &rows[6]["id"])
        );
        assert_eq!(rows[5]["account"], json!("other"));
    }
}

#[test]
fn a_token_is_made_and_given_back() {
    let both = world(&[]);
    for world in both.worlds() {
        let store = |arguments| world.client.call("store_note", arguments).structured;
        let first = store(json!({ "content": "a" }));
        let token = first["client_token"].as_str().unwrap();
        assert_eq!(first, stored(token, false));
        assert_eq!(token.len(), 36);
        assert_eq!(store(note(token)), stored(token, true));
        let second = store(json!({ "content": "a" }));
        assert_eq!(
            (&second["stored"], &second["replayed"]),
            (&json!(2), &json!(false))
        );
    }
}

#[test]
fn a_bad_token_asks_nobody() {
    let both = world(&[]);
    for token in ["1234567", "with space", "座位座位座位座位"] {
        let expected = json!({
            "ok": false,
            "code": "INVALID_ARGUMENT",
            "message": "参数 client_token 有误：须为 8–128 个字符的 A-Z a-z 0-9 . _ : -，例如 booking-20260625-1",
            "retryable": false,
            "next": "改正该参数后重试",
            "data": { "field": "client_token" },
        });
        assert_eq!(store(&both, note(token)), expected);
    }
    for world in both.worlds() {
        assert_eq!(world.fake.asked(), [] as [&str; 0]);
        assert!(!world.data.path().join("writes.db").exists());
    }
}

#[test]
fn limits_come_in_their_order() {
    let refused = |code: &str, message: &str, seconds: u64, next: &str, data: Value| {
        json!({
            "ok": false, "code": code, "message": message, "retryable": true,
            "retry_after": seconds, "next": next, "data": data,
        })
    };
    let wait = "等待 retry_after 秒后重试";
    let token = json!({ "client_token": "note-0002" });
    let (rate, cooldown, quota) = (
        ("TOY_PER_MINUTE", "1"),
        ("TOY_COOLDOWN_MS", "5000"),
        ("TOY_QUOTA", "1"),
    );
    let too_often = refused(
        "RATE_LIMITED",
        "写操作过于频繁，请 60 秒后再试",
        60,
        wait,
        token.clone(),
    );
    let too_soon = refused(
        "COOLDOWN",
        "刚做过同样的操作，请 5 秒后再试",
        5,
        wait,
        token,
    );
    let over = refused(
        "QUOTA_EXCEEDED",
        "配额 1 次已用完",
        24 * 3_600,
        "等待名额释放后重试",
        json!({ "limit": 1, "used": 1, "held": 0, "client_token": "note-0002" }),
    );
    for (env, expected) in [
        (vec![rate, cooldown, quota], too_often.clone()),
        (vec![cooldown, quota], too_soon),
        (vec![quota], over),
    ] {
        let both = world(&[&env[..], &[NOON]].concat());
        assert_eq!(store(&both, note("note-0001")), stored("note-0001", false));
        assert_eq!(store(&both, note("note-0002")), expected);
        // The state of the account comes before all of them.
        let mut theirs = note("note-0002");
        theirs["user"] = json!("stranger");
        let stranger = json!({
            "ok": false, "code": "NEED_LOGIN", "message": "没有这个用户", "retryable": false,
            "data": { "client_token": "note-0002" },
        });
        assert_eq!(store(&both, theirs), stranger);
        for world in both.worlds() {
            assert_eq!(world.fake.stores(), (1, 1));
            end(&world.client);
            let rows = ends(&rows(world.data.path()), "store_note");
            let refusals = [
                json!(["event", "refused", expected["code"]]),
                json!(["event", "refused", "NEED_LOGIN"]),
            ];
            assert_eq!(rows[2..], refusals);
        }
    }
    // A replay is refused by the rate, and counts in nothing.
    let both = world(&[rate, NOON]);
    store(&both, note("note-0002"));
    assert_eq!(store(&both, note("note-0002")), too_often);
}

#[test]
fn while_one_runs_the_other_waits() {
    let both = world(&[]);
    for world in both.worlds() {
        let held = world.fake.hold("store");
        let first = world.client.begin_call("store_note", note("note-0001"));
        held.came();
        let store = || {
            world
                .client
                .call("store_note", note("note-0001"))
                .structured
        };
        assert_eq!(store(), in_progress("note-0001"));
        // The start of the write was on disk before it left.
        let open = [
            json!(["start", null, null]),
            json!(["event", "refused", "IDEMPOTENCY_IN_PROGRESS"]),
        ];
        let so_far = rows(world.data.path());
        assert_eq!(ends(&so_far, "store_note")[..1], open[..1]);
        held.go(Way::Normal);
        let first = world.client.finish_call(&first).structured;
        assert_eq!(
            (first, store()),
            (stored("note-0001", false), stored("note-0001", true))
        );
        assert_eq!(world.fake.stores(), (1, 1));
    }
}

#[test]
fn what_was_not_sent_leaves_the_token_free() {
    let refused = json!({
        "ok": false,
        "code": "UPSTREAM_REFUSED",
        "message": "服务拒绝了这条笔记",
        "retryable": false,
        "data": { "said": "closed today", "client_token": "note-0001" },
    });
    let started = |code: &str, status: &str| {
        vec![
            json!(["start", null, null]),
            json!(["finish", status, code]),
        ]
    };
    let unavailable = "UPSTREAM_UNAVAILABLE";
    type Script = fn(&Service);
    let cases: [(Script, Value, Vec<Value>); 3] = [
        (
            |service| service.next("store", Way::Refuse),
            refused,
            started("UPSTREAM_REFUSED", "refused"),
        ),
        (
            |service| service.next("count", Way::Absent),
            unreachable("note-0001"),
            vec![json!(["event", "failed", unavailable])],
        ),
        (
            |service| service.next("count", Way::ThenGone),
            unreachable("note-0001"),
            started(unavailable, "failed"),
        ),
    ];
    for (script, expected, ended) in cases {
        let both = world(&[]);
        both.each(script);
        assert_eq!(store(&both, note("note-0001")), expected);
        let gone = ended.len() == 2 && expected["code"] == unavailable;
        if gone {
            both.each(Service::back);
        }
        assert_eq!(store(&both, note("note-0001")), stored("note-0001", false));
        for world in both.worlds() {
            end(&world.client);
            let rows = ends(&rows(world.data.path()), "store_note");
            assert_eq!(rows[..ended.len()], ended);
        }
    }
}

#[test]
fn without_a_place_for_its_records_nothing_is_sent() {
    let refused = |message: String| {
        json!({
            "ok": false,
            "code": "STATE_UNAVAILABLE",
            "message": message,
            "retryable": false,
            "next": "运行 doctor 查看状态目录，修正后重试",
            "data": { "client_token": "note-0001" },
        })
    };
    for era in Era::ALL {
        let (service, place) = (Service::start(), tempfile::tempdir().unwrap());
        let store = |data: &std::path::Path| {
            let client = Client::start(&launch(data).env([service.variable()]), era);
            client.call("store_note", note("note-0001")).structured
        };
        std::fs::write(place.path().join("file"), "").unwrap();
        let below = store(&place.path().join("file").join("toy-mcp"));
        let message = below["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("写操作记录不可用（"), "{message}");
        assert_eq!((below, service.asked()), (refused(message), vec![]));

        let data = place.path().join("state");
        std::fs::create_dir_all(data.join("audit.db")).unwrap();
        let unaudited = refused("审计写不下去，因此没有发送".to_owned());
        assert_eq!(
            (store(&data), service.asked()),
            (unaudited, vec!["count".to_owned()])
        );
        // The token was given back.
        std::fs::remove_dir(data.join("audit.db")).unwrap();
        assert_eq!(store(&data), stored("note-0001", false));
    }
}

#[test]
fn written_fields_stand_in_the_schema() {
    let both = world(&[]);
    let allowed = ["client_token", "password"];
    assert_eq!(lint::faults(both.tools(), &allowed), Vec::<String>::new());
    let schema = both.worlds()[0].client.tool("store_note")["outputSchema"].clone();
    let fields: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    let expected = [
        "ok",
        "stored",
        "locked",
        "client_token",
        "replayed",
        "code",
        "message",
        "retryable",
        "retry_after",
        "next",
        "data",
    ];
    assert_eq!(fields, expected);
}
