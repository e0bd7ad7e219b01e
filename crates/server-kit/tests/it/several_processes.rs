//! Several servers on one state folder, as several hosts start them.

use std::{collections::BTreeMap, thread};

use fixtures::mcp::{Client, Era};
use serde_json::json;

use fixtures::shell::end;

use crate::{
    service::Service,
    toy::{Place, launch, rows},
    writes::{in_progress, note, stored},
};

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

#[test]
fn one_token_is_one_write_in_all_of_them() {
    let (place, service) = (Place::new(), Service::start());
    let launch = launch(&place.path("state")).env([service.variable()]);
    let eras = [Era::Legacy, Era::Modern, Era::Legacy, Era::Modern];
    let clients = eras.map(|era| Client::start(&launch, era));
    for round in 1..=5 {
        let token = format!("note-{round:04}");
        let pending = clients
            .each_ref()
            .map(|client| client.begin_call("store_note", note(&token)));
        let mut told = Vec::new();
        for (client, pending) in clients.iter().zip(&pending) {
            told.push(client.finish_call(pending).structured);
        }
        let expected = |replayed| {
            let mut expected = stored(&token, replayed);
            expected["stored"] = json!(round);
            expected
        };
        let first = told.iter().filter(|answer| **answer == expected(false));
        assert_eq!(first.count(), 1, "{told:?}");
        let late = [expected(true), expected(false), in_progress(&token)];
        assert!(told.iter().all(|answer| late.contains(answer)), "{told:?}");
        assert_eq!(service.stores(), (round, round));
    }
}
