//! What stands in the rows, and which rows a filter gives.

use std::time::Duration;

use audit::{Audit, Event, Filter, Outcome, Phase, Row, Status, Subject};
use serde_json::json;

use crate::{Log, at, call, ended};

#[test]
fn a_call_is_two_whole_rows() {
    let mut log = Log::new();
    let subject = Subject {
        id: Some("0193".to_owned()),
        tool: Some("rail_query_tickets".to_owned()),
        account: Some("2023123456".to_owned()),
        token_id: Some("7".to_owned()),
        scope: Some("read".to_owned()),
        host: Some("claude-desktop".to_owned()),
    };
    let arguments = json!({"from": "北京", "password": "hunter2"});
    log.audit.start(at(0), &subject, Some(&arguments)).unwrap();
    let outcome = Outcome {
        status: Status::Refused,
        code: Some("RATE_LIMITED".to_owned()),
        retry_after: Some(30),
        duration: Duration::from_micros(1_234_999),
    };
    log.audit.finish(at(1), &subject, &outcome).unwrap();

    let start = Row {
        seq: 1,
        at: at(0),
        event: Event::Call,
        phase: Phase::Start,
        id: subject.id,
        tool: subject.tool,
        status: None,
        code: None,
        retry_after: None,
        duration_ms: None,
        account: subject.account,
        token_id: subject.token_id,
        scope: subject.scope,
        host: subject.host,
        arguments: Some(r#"{"from":"北京","password":"***"}"#.to_owned()),
    };
    let finish = Row {
        seq: 2,
        at: at(1),
        phase: Phase::Finish,
        status: Some(Status::Refused),
        code: Some("RATE_LIMITED".to_owned()),
        retry_after: Some(30),
        duration_ms: Some(1234),
        arguments: None,
        ..start.clone()
    };
    let rows = log.audit.rows(&Filter::default()).unwrap();
    assert_eq!(rows, [start, finish]);
    assert_eq!(
        json!(rows[1]),
        json!({
            "seq": 2, "at": "2026-11-30T10:01:00+08:00", "event": "call", "phase": "finish",
            "id": "0193", "tool": "rail_query_tickets", "status": "refused", "code": "RATE_LIMITED",
            "retry_after": 30, "duration_ms": 1234, "account": "2023123456", "token_id": "7",
            "scope": "read", "host": "claude-desktop", "arguments": null,
        })
    );
}

#[test]
fn an_event_is_one_row_and_its_texts_are_redacted() {
    let mut log = Log::new();
    let subject = Subject {
        tool: Some("fh_mcp_abc".to_owned()),
        host: Some("h".repeat(65)),
        ..Subject::default()
    };
    let arguments = json!({"a": "Bearer abc"});
    let outcome = ended(Status::Refused);
    let event = Event::ToolNotFound;
    log.audit
        .event(at(0), event, &subject, &outcome, Some(&arguments))
        .unwrap();
    let row = Row {
        seq: 1,
        at: at(0),
        event,
        phase: Phase::Event,
        id: None,
        tool: Some("fh_mcp_***".to_owned()),
        status: Some(Status::Refused),
        code: None,
        retry_after: None,
        duration_ms: Some(1500),
        account: None,
        token_id: None,
        scope: None,
        host: Some("[blob=65B]".to_owned()),
        arguments: Some(r#"{"a":"Bearer ***"}"#.to_owned()),
    };
    assert_eq!(log.audit.rows(&Filter::default()).unwrap(), [row]);
    let file = std::fs::read(&log.path).unwrap();
    let side = std::fs::read(log.path.with_extension("sqlite-wal")).unwrap();
    let written = [file, side].concat();
    assert!(
        !written.windows(3).any(|bytes| bytes == b"abc"),
        "the secret is in the file"
    );
}

#[test]
fn what_was_written_is_there_after_reopening() {
    let mut log = Log::new();
    log.fill(0..3);
    let before = log.audit.rows(&Filter::default()).unwrap();
    log.audit = Audit::open(&log.path).unwrap();
    assert_eq!(log.audit.rows(&Filter::default()).unwrap(), before);
    assert_eq!(before.len(), 3);
}

#[test]
fn each_filter_gives_its_rows_newest_last() {
    let mut log = Log::new();
    let other = Subject {
        id: Some("o".to_owned()),
        tool: Some("rail_train_route".to_owned()),
        account: Some("li".to_owned()),
        token_id: Some("7".to_owned()),
        scope: Some("write".to_owned()),
        host: Some("cursor".to_owned()),
    };
    let failed = Outcome {
        code: Some("TIMEOUT".to_owned()),
        ..ended(Status::Failed)
    };
    log.audit.start(at(0), &call("c"), None).unwrap();
    log.audit
        .finish(at(1), &call("c"), &ended(Status::Ok))
        .unwrap();
    log.audit.start(at(2), &other, None).unwrap();
    log.audit.finish(at(3), &other, &failed).unwrap();
    log.audit
        .event(
            at(4),
            Event::Login,
            &Subject::default(),
            &ended(Status::Ok),
            None,
        )
        .unwrap();

    let all = Filter::default;
    let some = |text: &str| Some(text.to_owned());
    let cases = [
        (all(), vec![1, 2, 3, 4, 5]),
        (
            Filter {
                since: Some(at(1)),
                until: Some(at(3)),
                ..all()
            },
            vec![2, 3],
        ),
        (
            Filter {
                event: Some(Event::Login),
                ..all()
            },
            vec![5],
        ),
        (
            Filter {
                id: some("o"),
                ..all()
            },
            vec![3, 4],
        ),
        (
            Filter {
                tool: some("rail_query_tickets"),
                ..all()
            },
            vec![1, 2],
        ),
        (
            Filter {
                status: Some(Status::Ok),
                ..all()
            },
            vec![2, 5],
        ),
        (
            Filter {
                code: some("TIMEOUT"),
                ..all()
            },
            vec![4],
        ),
        (
            Filter {
                account: some("li"),
                ..all()
            },
            vec![3, 4],
        ),
        (
            Filter {
                token_id: some("7"),
                ..all()
            },
            vec![3, 4],
        ),
        (
            Filter {
                scope: some("write"),
                ..all()
            },
            vec![3, 4],
        ),
        (
            Filter {
                host: some("cursor"),
                until: Some(at(3)),
                ..all()
            },
            vec![3],
        ),
        (
            Filter {
                limit: Some(2),
                ..all()
            },
            vec![4, 5],
        ),
        (
            Filter {
                limit: Some(0),
                ..all()
            },
            vec![],
        ),
        (
            Filter {
                tool: some("nothing"),
                ..all()
            },
            vec![],
        ),
    ];
    for (filter, expected) in cases {
        let rows = log.audit.rows(&filter).unwrap();
        let numbers: Vec<_> = rows.iter().map(|row| row.seq).collect();
        assert_eq!(numbers, expected, "{filter:?}");
    }
}
