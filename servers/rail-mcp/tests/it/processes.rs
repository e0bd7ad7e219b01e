//! Several processes on one state folder, equal calls in one process, and no usable folder at all.

use std::{path::Path, thread, time::Duration};

use fixtures::{
    mcp::{Client, Era, World},
    rail::Rail,
    upstream::Fault,
};
use serde_json::{Value, json};

use crate::{
    shell::run,
    world::{NOW, environment, launch, world_with},
};
use fixtures::shell::end;

const TICKETS: &str = "12306_query_tickets";
const STATIONS: &str = "12306_search_stations";

fn tickets(date: &str) -> Value {
    json!({ "date": date, "from": "上海", "to": "常州" })
}

#[test]
fn two_processes_keep_the_spacing() {
    const INTERVAL: u128 = 150;
    // What an arrival may be late by; without a common queue the gaps would be next to nothing.
    const LATE: u128 = 40;
    let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    let spaced = [("RAIL_MIN_INTERVAL_MS", "150")];
    let clients = Era::ALL.map(|era| Client::start(&launch(&fake, data.path(), &spaced), era));
    thread::scope(|scope| {
        for client in &clients {
            scope.spawn(move || {
                let pending =
                    ["+1", "+2", "+3"].map(|date| client.begin_call(TICKETS, tickets(date)));
                for pending in pending {
                    assert_eq!(client.finish_call(&pending).code(), None);
                }
            });
        }
    });
    let seen = fake.journal().all();
    // One page and three queries each.
    assert_eq!(seen.len(), 8);
    let gaps: Vec<_> = seen
        .windows(2)
        .map(|pair| (pair[1].at - pair[0].at).as_millis())
        .collect();
    assert!(gaps.iter().all(|gap| gap + LATE >= INTERVAL), "{gaps:?}");
    let whole: u128 = gaps.iter().sum();
    assert!(whole + LATE >= 7 * INTERVAL, "{gaps:?}");
}

#[test]
fn a_rest_that_one_process_was_asked_for_is_kept_by_the_other() {
    let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    let start = |era| Client::start(&launch(&fake, data.path(), &[]), era);
    let (one, other) = (start(Era::Legacy), start(Era::Modern));
    assert_eq!(other.call(TICKETS, tickets("+1")).code(), None);
    let before = fake.journal().all().len();
    fake.fault("init", 1, Fault::RateLimited { retry_after: None });
    let answer = one.call(TICKETS, tickets("+1"));
    assert_eq!(answer.structured["retry_after"], 60);
    let later = start(Era::Modern);
    for client in [&one, &other, &later] {
        let answer = client.call(TICKETS, tickets("+2"));
        assert_eq!(answer.code(), Some("RATE_LIMITED"));
        let left = answer.structured["retry_after"].as_u64().unwrap();
        assert!((35..=60).contains(&left), "{left}");
    }
    assert_eq!(fake.journal().all().len(), before + 1);
    // What is in memory is still told.
    assert_eq!(other.call(TICKETS, tickets("+1")).code(), None);
}

#[test]
fn equal_calls_at_once_are_one_query_even_if_one_is_given_up() {
    let both = world_with(&[("RAIL_CACHE_MS", "0")]);
    thread::scope(|scope| {
        for world in both.worlds() {
            scope.spawn(|| joined(world));
        }
    });
}

fn joined(World { client, fake, .. }: &World<Rail>) {
    assert_eq!(client.call(TICKETS, tickets("+1")).code(), None);
    let queries = || fake.journal().of("tickets").len();
    let journey = |to: &str| json!({ "date": "+1", "from": "上海", "to": to });
    let begin_two = || {
        let slow = Fault::SlowAnswer(Duration::from_millis(500));
        fake.fault("tickets", 1, slow);
        // Two names of one city: equal for the service.
        let two = ["常州", "常州市"].map(|to| client.begin_call(TICKETS, journey(to)));
        // The answer to a call sent after them tells that both were read.
        client.call(STATIONS, json!({ "text": "AOH" }));
        fake.journal().wait_for_route("tickets", queries().max(2));
        two
    };
    let [one, other] = begin_two();
    let (one, other) = (client.finish_call(&one), client.finish_call(&other));
    assert_eq!(one.structured["trains"], other.structured["trains"]);
    assert_eq!(one.structured["total"], 2);
    assert_eq!(queries(), 2);
    for (round, given_up) in [0, 1].into_iter().enumerate() {
        let two = begin_two();
        fake.journal().wait_for_route("tickets", 3 + round);
        client.cancel(&two[given_up]);
        let answer = client.finish_call(&two[1 - given_up]);
        assert_eq!(answer.structured["trains"], one.structured["trains"]);
        assert_eq!(client.outcome(&two[given_up]), None);
        assert_eq!(queries(), 3 + round);
    }
    let seen = fake.journal().all();
    assert!(seen.iter().all(|seen| !seen.abandoned));
}

#[test]
fn a_call_given_up_while_it_looks_for_the_path_lets_the_next_one_look() {
    let both = world_with(&[]);
    for World { client, fake, .. } in both.worlds() {
        fake.fault("init", 1, Fault::Hang);
        let one = client.begin_call(TICKETS, tickets("+1"));
        fake.journal().wait_for_route("init", 1);
        let other = client.begin_call(TICKETS, tickets("+2"));
        client.call(STATIONS, json!({ "text": "AOH" }));
        client.cancel(&one);
        assert_eq!(client.finish_call(&other).code(), None);
        let routes: Vec<_> = fake.journal().all().iter().map(|seen| seen.route).collect();
        assert_eq!(routes, ["init", "init", "tickets"]);
    }
}

/// Lists, reads and keeps a rest at a folder that cannot be used, and gives what `doctor` says of it.
fn unusable(data: &Path) -> Value {
    let fake = Rail::start(NOW);
    for era in Era::ALL {
        let client = Client::start(&launch(&fake, data, &[]), era);
        assert_eq!(client.tools().len(), 4);
        assert_eq!(client.call(TICKETS, tickets("+1")).code(), None);
        assert_eq!(client.call(STATIONS, json!({ "text": "AOH" })).code(), None);
        fake.fault("tickets", 1, Fault::RateLimited { retry_after: None });
        for _ in 0..2 {
            let answer = client.call(TICKETS, tickets("+2"));
            assert_eq!(answer.code(), Some("RATE_LIMITED"));
        }
        assert_eq!(fake.faults_left("tickets"), 0);
        end(&client);
        let told = client.stderr();
        for line in [
            "calls are answered but not audited",
            "requests are spaced in this process only",
        ] {
            assert_eq!(told.matches(line).count(), 1, "{told}");
        }
    }
    let home = tempfile::tempdir().unwrap();
    let args = ["doctor", "--json", "--data-dir", data.to_str().unwrap()];
    let doctor = run(&args, &environment(&fake, &[]), home.path());
    assert_eq!(doctor.code, 1, "{doctor:?}");
    let findings = doctor.json();
    let mut findings = findings.as_array().unwrap().iter();
    let broken: Vec<_> = findings
        .clone()
        .filter(|one| one["health"] == "broken")
        .collect();
    assert_eq!(broken.len(), 1, "{broken:?}");
    findings
        .find(|one| one["check"] == "状态目录")
        .unwrap()
        .clone()
}

#[test]
fn without_a_usable_folder_calls_are_answered_and_doctor_tells() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert_eq!(
        unusable(&file.join("rail")),
        json!({
            "check": "状态目录", "health": "broken", "found": format!("{} 不是目录", file.display()),
            "next": "移走该文件，或用 --data-dir 另选目录",
        })
    );
}

#[cfg(target_os = "linux")]
#[test]
fn without_permission_to_write_calls_are_answered_and_doctor_tells() {
    // Nobody, the superuser included, can create files below /proc.
    let found = unusable(Path::new("/proc/self/errands"));
    let told = found["found"].as_str().unwrap();
    assert_eq!(found["health"], "broken");
    assert!(
        told.starts_with("/proc/self 不可写（")
            && told.ends_with("）：查询照常，但不写审计，多个进程之间也不共享节奏"),
        "{told}"
    );
    assert_eq!(found["next"], "修正目录权限，或用 --data-dir 另选目录");
}

#[test]
fn an_absent_folder_is_made_by_the_first_call() {
    let (fake, home) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    let data = home.path().join("none/yet");
    let args = ["doctor", "--json", "--data-dir", data.to_str().unwrap()];
    let doctor = || run(&args, &environment(&fake, &[]), home.path());
    let found = |findings: Value| {
        let mut all = findings.as_array().unwrap().iter();
        all.find(|one| one["check"] == "状态目录").unwrap()["found"].clone()
    };
    let before = doctor();
    let told = json!(format!("{} 尚未建立，首次调用工具时建立", data.display()));
    assert_eq!((before.code, found(before.json())), (0, told));
    assert!(!data.exists());
    let client = Client::start(&launch(&fake, &data, &[]), Era::Modern);
    assert_eq!(client.call(TICKETS, tickets("+1")).code(), None);
    end(&client);
    let after = doctor();
    let told = json!(format!("{}（仅本用户可读写）", data.display()));
    assert_eq!((after.code, found(after.json())), (0, told));
}
