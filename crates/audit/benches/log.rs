//! What a call pays for its two rows, and what checking a long log takes.
#![allow(
    clippy::expect_used,
    reason = "a bench that cannot run should say so and end"
)]

use std::time::Duration;

use audit::{Audit, Outcome, Status, Subject};
use jiff::Timestamp;
use serde_json::json;
use tempfile::TempDir;

fn main() {
    divan::main();
}

fn log() -> (TempDir, Audit) {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Audit::open(&folder.path().join("audit.db")).expect("a log");
    (folder, log)
}

fn call(log: &mut Audit) {
    let subject = Subject {
        id: Some("019cd0a0-0000-7000-8000-000000000000".to_owned()),
        tool: Some("12306_query_tickets".to_owned()),
        ..Subject::default()
    };
    let outcome = Outcome {
        status: Status::Ok,
        code: None,
        retry_after: None,
        duration: Duration::from_millis(120),
    };
    let arguments = json!({ "date": "明天", "from": "北京", "to": "上海", "train_types": ["G"] });
    let at = Timestamp::UNIX_EPOCH;
    log.start(at, &subject, Some(&arguments)).expect("a row");
    log.finish(at, &subject, &outcome).expect("a row");
}

/// Both rows, each synchronised to the disk.
#[divan::bench]
fn two_rows(bencher: divan::Bencher<'_, '_>) {
    let (_folder, mut log) = log();
    bencher.bench_local(|| call(&mut log));
}

/// The whole chain of 2,000 rows.
#[divan::bench(sample_count = 20)]
fn verify_two_thousand_rows(bencher: divan::Bencher<'_, '_>) {
    let (_folder, mut log) = log();
    (0..1_000).for_each(|_| call(&mut log));
    bencher.bench_local(|| log.verify().expect("an intact log"));
}
