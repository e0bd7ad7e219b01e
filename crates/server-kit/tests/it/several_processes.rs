//! Several servers on one state folder, as several hosts start them.

use std::{collections::BTreeMap, thread};

use fixtures::mcp::{Client, Era};
use serde_json::json;

use fixtures::shell::end;

use crate::toy::{Place, launch, rows};

#[test]
fn servers_share_one_audit_log() {
    const CALLS: usize = 5;
    let place = Place::new();
    let data = place.path("state");
    thread::scope(|scope| {
        for era in [Era::Legacy, Era::Modern, Era::Modern] {
            let data = &data;
            scope.spawn(move || {
                let client = Client::start(&launch(data), era);
                for _ in 0..CALLS {
                    client.call("echo", json!({ "text": "a" }));
                }
                end(&client);
                assert_eq!(client.stderr(), "");
            });
        }
    });
    let mut phases: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in rows(&data) {
        let id = row["id"].as_str().unwrap().to_owned();
        phases.entry(id).or_default().push(row["phase"].clone());
    }
    assert_eq!(phases.len(), 3 * CALLS);
    for (id, phases) in phases {
        assert_eq!(phases, ["start", "finish"], "{id}");
    }
    let verified = place.run(&["audit", "verify", "--data-dir", data.to_str().unwrap()]);
    let whole = "完整：30 行，另有 0 行已过保留期；末行哈希 ";
    assert!(
        verified.code == 0 && verified.out.starts_with(whole),
        "{verified:?}"
    );
}
