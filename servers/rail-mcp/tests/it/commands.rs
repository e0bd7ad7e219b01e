//! What the real binary does from a shell.

use std::{fs, net::TcpListener, path::Path};

use fixtures::{
    mcp::{Client, Era},
    rail::Rail,
};
use serde_json::{Value, json};

use crate::{
    shell::run,
    world::{NOW, binary, environment, launch},
};
use fixtures::shell::{Ended, end};

const TICKETS: &str = "12306_query_tickets";

/// A home, a state folder and the fake service.
struct Place {
    fake: Rail,
    home: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            fake: Rail::start(NOW),
            home: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.home.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Ended {
        self.run_with(args, &[])
    }

    /// Runs a command with more variables, on the state folder `state`.
    fn run_with(&self, args: &[&str], more: &[(&str, &str)]) -> Ended {
        let state = self.path("state");
        let args = [args, &["--data-dir", state.to_str().unwrap()]].concat();
        run(&args, &environment(&self.fake, more), self.home.path())
    }
}

/// The one line on stderr of a process whose clock stands still.
const STILL: &str = " WARN server_kit::command: 时钟固定在 2026-11-30T10:00:00+08:00，仅供测试\n";

#[test]
fn call_answers_as_a_host_is_answered() {
    let place = Place::new();
    let arguments = json!({ "date": "2026-12-02", "from": "上海", "to": "常州" });
    let client = Client::start(&launch(&place.fake, &place.path("other"), &[]), Era::Modern);
    let answer = client.call(TICKETS, arguments.clone());
    for tool in [TICKETS, "rail_query_tickets"] {
        let called = place.run(&["call", tool, &arguments.to_string()]);
        let expected = Ended {
            code: 0,
            out: format!("{}\n", answer.text),
            err: STILL.to_owned(),
        };
        assert_eq!(called, expected);
    }
    let refused = place.run(&["call", TICKETS, r#"{"date":"2026-12-02"}"#]);
    let text = client.call(TICKETS, json!({ "date": "2026-12-02" })).text;
    assert_eq!((refused.code, refused.out), (1, format!("{text}\n")));
    assert_eq!(place.run(&["call", "query_tickets"]).code, 2);
}

#[test]
fn tools_prints_what_is_listed() {
    let place = Place::new();
    for (names, first) in [("digits", TICKETS), ("letters", "rail_query_tickets")] {
        let variables = [("RAIL_TOOL_NAMES", names)];
        let printed = place.run_with(&["tools", "--json"], &variables);
        assert_eq!((printed.code, printed.err.as_str()), (0, STILL));
        let state = place.path("listed");
        let client = Client::start(&launch(&place.fake, &state, &variables), Era::Modern);
        let listed = client.request("tools/list", json!({})).unwrap();
        assert_eq!(printed.json(), listed);
        assert_eq!(listed["tools"][0]["name"], first);
        let shown = place.run_with(&["tools"], &variables);
        let begins = format!("{first}  [只读] 查询火车票\n    查询某日两地之间的直达列车");
        assert!(shown.out.starts_with(&begins), "{}", shown.out);
    }
    // No tool writes, so that nothing is missing from the list for readers.
    let all = place.run(&["tools", "--json"]);
    assert_eq!(place.run(&["tools", "--json", "--read-only"]), all);
    assert_eq!(place.fake.journal().all().len(), 0);
    assert!(!place.path("state").exists());
}

/// Check, health, finding and next step of the checks that are the railway's own.
fn own_checks(doctor: &Ended) -> Vec<Value> {
    let shared = ["版本", "程序", "时钟", "状态目录", "设置"];
    let findings = doctor.json();
    let own = findings.as_array().unwrap().iter();
    let own = own.filter(|one| !shared.contains(&one["check"].as_str().unwrap()));
    own.cloned().collect()
}

fn fine(check: &str, found: &str) -> Value {
    json!({ "check": check, "health": "ok", "found": found })
}

#[test]
fn doctor_asks_the_service_only_when_told_to() {
    let place = Place::new();
    let stations = fine("车站", "3405 个，随程序附带，日期 2026-09-30");
    let quiet = place.run(&["doctor", "--json"]);
    assert_eq!(
        (quiet.code, own_checks(&quiet)),
        (0, vec![stations.clone()])
    );
    assert_eq!(place.fake.journal().all().len(), 0);

    let live = place.run(&["doctor", "--json", "--live"]);
    let expected = [
        stations,
        fine(
            "余票与中转",
            "查询路径 otn/leftTicket/queryG、lcquery/queryX",
        ),
        fine("车次检索", "有答复"),
        fine(
            "车站目录",
            "index/script/core/common/station_name_new_v10120.js",
        ),
    ];
    assert_eq!((live.code, own_checks(&live)), (0, expected.to_vec()));
    let seen = place.fake.journal().all();
    let routes: Vec<_> = seen.iter().map(|seen| seen.route).collect();
    assert_eq!(routes, ["init", "lc_init", "search", "index", "script"]);
}

#[test]
fn doctor_names_the_host_that_is_down() {
    let place = Place::new();
    // A port that was free a moment ago: nobody listens there.
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    for (variable, check) in [
        ("RAIL_KYFW_URL", "余票与中转"),
        ("RAIL_SEARCH_URL", "车次检索"),
        ("RAIL_SITE_URL", "车站目录"),
    ] {
        let doctor = place.run_with(&["doctor", "--json", "--live"], &[(variable, &gone)]);
        let findings = own_checks(&doctor);
        let broken: Vec<_> = findings
            .iter()
            .filter(|one| one["health"] != "ok")
            .collect();
        let expected = json!({
            "check": check, "health": "broken", "found": "连不上 127.0.0.1：无法建立连接",
            "next": "稍后重试；若一直失败，运行 rail-mcp doctor --live 查看网络",
        });
        assert_eq!((doctor.code, findings.len()), (1, 4));
        assert_eq!(broken, [&expected]);
    }
}

/// The entry without its host's surroundings.
fn entry(host: &str, text: &str) -> Value {
    let text: String = text.lines().filter(|line| !line.starts_with('#')).collect();
    let whole: Value = serde_json::from_str(&text).unwrap();
    let section = if host == "vscode" {
        "servers"
    } else {
        "mcpServers"
    };
    whole[section]["rail-mcp"].clone()
}

#[test]
fn setup_prints_an_entry_for_each_host() {
    let place = Place::new();
    for host in [
        "claude-desktop",
        "claude-code",
        "cursor",
        "vscode",
        "gemini",
    ] {
        let printed = place.run(&["setup", host]);
        assert_eq!(printed.code, 0, "{printed:?}");
        let mut expected = json!({ "command": binary(), "args": [] });
        match host {
            "vscode" => expected["type"] = json!("stdio"),
            "gemini" => expected["env"] = json!({ "RAIL_TOOL_NAMES": "letters" }),
            _ => {}
        }
        assert_eq!(entry(host, &printed.out), expected, "{host}");
    }
    let printed = place.run(&["setup", "codex"]);
    let entry = format!(
        "[mcp_servers.rail-mcp]\ncommand = \"{}\"\nargs = []\n",
        binary()
    );
    assert!(
        printed.code == 0 && printed.out.contains(&entry),
        "{printed:?}"
    );
    assert_eq!(fs::read_dir(place.home.path()).unwrap().count(), 0);
}

#[test]
fn setup_writes_into_what_is_there_or_leaves_it() {
    let place = Place::new();
    let file = place.path("settings.json");
    let before = r#"{"theme":"dark","mcpServers":{"other":{"command":"o"}}}"#;
    fs::write(&file, before).unwrap();
    let args = [
        "setup",
        "gemini",
        "--write",
        "--config",
        file.to_str().unwrap(),
    ];
    let written = place.run(&args);
    assert_eq!(written.code, 0, "{written:?}");
    let after: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let own = json!({ "command": binary(), "args": [], "env": { "RAIL_TOOL_NAMES": "letters" } });
    let expected =
        json!({ "theme": "dark", "mcpServers": { "other": { "command": "o" }, "rail-mcp": own } });
    assert_eq!(after, expected);
    let copies = |folder: &Path| {
        let texts = fs::read_dir(folder).unwrap();
        let texts = texts.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
        texts.filter(|text| text == before).count()
    };
    assert_eq!(copies(place.home.path()), 1, "no backup");

    let broken = r#"{"mcpServers": {} // mine"#;
    fs::write(&file, broken).unwrap();
    let refused = place.run(&args);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), broken);
    assert_eq!(fs::read_dir(place.home.path()).unwrap().count(), 2);
}

#[test]
fn audit_shows_each_call_and_names_a_changed_row() {
    let place = Place::new();
    let state = place.path("state");
    let client = Client::start(&launch(&place.fake, &state, &[]), Era::Legacy);
    client.call(
        TICKETS,
        json!({ "date": "明天", "from": "上海", "to": "常州" }),
    );
    client.call(
        TICKETS,
        json!({ "date": "明天", "from": "xyzzy", "to": "常州" }),
    );
    client.call(TICKETS, json!({ "date": "明天" }));
    end(&client);
    let audit = place.run(&["audit", "--json"]);
    let columns = [
        "seq",
        "event",
        "phase",
        "tool",
        "status",
        "code",
        "host",
        "arguments",
    ];
    let shown = audit.json();
    let pick = |row: &Value| {
        columns
            .iter()
            .map(|name| row[name].clone())
            .collect::<Value>()
    };
    let shown: Vec<_> = shown.as_array().unwrap().iter().map(pick).collect();
    let host = "errands-fixtures";
    let expected = [
        json!([
            1,
            "call",
            "start",
            TICKETS,
            null,
            null,
            host,
            r#"{"date":"明天","from":"上海","to":"常州"}"#
        ]),
        json!([2, "call", "finish", TICKETS, "ok", null, host, null]),
        json!([
            3,
            "call",
            "start",
            TICKETS,
            null,
            null,
            host,
            r#"{"date":"明天","from":"xyzzy","to":"常州"}"#
        ]),
        json!([
            4,
            "call",
            "finish",
            TICKETS,
            "refused",
            "STATION_NOT_FOUND",
            host,
            null
        ]),
        json!([
            5,
            "param_error",
            "event",
            TICKETS,
            "refused",
            "INVALID_ARGUMENT",
            host,
            r#"{"date":"明天"}"#
        ]),
    ];
    assert_eq!(shown, expected);
    let verified = place.run(&["audit", "verify"]);
    let whole = "完整：5 行，另有 0 行已过保留期；末行哈希 ";
    assert!(
        verified.code == 0 && verified.out.starts_with(whole),
        "{verified:?}"
    );

    let log = rusqlite::Connection::open(state.join("audit.db")).unwrap();
    let change = "UPDATE log SET code = NULL WHERE seq = 4";
    assert_eq!(log.execute(change, []).unwrap(), 1);
    drop(log);
    let broken = place.run(&["audit", "verify"]);
    assert_eq!(
        (broken.code, broken.out.as_str()),
        (1, "已损坏：第 4 行被改动\n")
    );
}
