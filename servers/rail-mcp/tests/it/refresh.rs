//! The station catalogue is read anew behind an answer, kept, shared, and never made worse.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use fixtures::{
    mcp::{Client, Era},
    rail::Rail,
    upstream::Fault,
};
use serde_json::{Value, json};
use state::StateDir;

use crate::world::{NOW, launch};
use fixtures::shell::end;

/// A station that no catalogue has yet.
const NEW: &str = "xin|新建测试|XQZ|xinjianceshi|xjcs|3405|0357|北京|||";

/// Long enough for a request and a file, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server whose stations are old after a week, and who tells all it does.
fn start(fake: &Rail, data: &Path, more: &[(&str, &str)]) -> Client {
    let weekly = [("RAIL_STATIONS_REFRESH_DAYS", "7")];
    let more = [&weekly, more].concat();
    let launch = launch(fake, data, &more).args(["--log", "debug"]);
    Client::start(&launch, Era::Modern)
}

/// Date of the catalogue and names found under that telecode.
fn stations(client: &Client, telecode: &str) -> (String, Vec<String>) {
    let answer = client.call("12306_search_stations", json!({ "text": telecode }));
    let exact = |one: &&Value| one["matched"] == "telecode";
    let found = answer.structured["candidates"].as_array().unwrap().iter();
    let names = found
        .filter(exact)
        .map(|one| one["name"].as_str().unwrap().to_owned());
    let date = answer.structured["as_of"].as_str().unwrap().to_owned();
    (date, names.collect())
}

/// Calls until `enough`, since what is waited for happens behind the answers.
#[track_caller]
fn call_until(client: &Client, what: &str, enough: impl Fn(&Client) -> bool) {
    let begun = Instant::now();
    while !enough(client) {
        let told = client.stderr();
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}\n{told}");
        stations(client, "AOH");
    }
}

/// Calls until the server has told that on stderr.
#[track_caller]
fn call_until_told(client: &Client, line: &str) {
    call_until(client, line, |client| client.stderr().contains(line));
}

fn bundled() -> String {
    "2026-09-30T00:00:00+08:00".to_owned()
}

fn requests(fake: &Rail) -> Vec<&'static str> {
    fake.journal().all().iter().map(|seen| seen.route).collect()
}

#[test]
fn old_stations_are_read_anew_behind_an_answer_and_kept() {
    let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    fake.add_station(NEW);
    let client = start(&fake, data.path(), &[]);
    assert_eq!(requests(&fake).len(), 0);
    assert_eq!(stations(&client, "XQZ"), (bundled(), vec![]));
    assert_eq!(fake.journal().wait_for_route("script", 1).len(), 1);
    let found = (NOW.to_owned(), vec!["新建测试".to_owned()]);
    call_until(&client, "the new station", |client| {
        stations(client, "XQZ") == found
    });
    // 成都东's second code, which no script has, is still known.
    assert_eq!(stations(&client, "WEI").1, ["成都东"]);
    end(&client);
    // The next process has it from the first call on, asks nothing, and keeps it for a week.
    for clock in [NOW, "2026-12-07T09:59:59+08:00"] {
        let client = start(&fake, data.path(), &[("RAIL_CLOCK", clock)]);
        assert_eq!(stations(&client, "XQZ"), found);
        let journey = json!({ "date": "今天", "from": "XQZ", "to": "AOH" });
        let answer = client.call("12306_query_tickets", journey);
        assert_eq!(answer.structured["from"]["name"], "新建测试");
        end(&client);
    }
    let expected = ["index", "script", "init", "tickets", "init", "tickets"];
    assert_eq!(requests(&fake), expected);
    // A week later it is old, but good for an answer.
    let clock = "2026-12-07T10:00:01+08:00";
    let client = start(&fake, data.path(), &[("RAIL_CLOCK", clock)]);
    assert_eq!(stations(&client, "XQZ"), found);
    fake.journal().wait_for_route("script", 2);
    call_until(&client, "the date of today", |client| {
        stations(client, "XQZ").0 == clock
    });
}

#[test]
fn one_try_a_day_over_all_processes() {
    let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    let missing = "the stations were not refreshed error=/index/ changed at station_name_new";
    fake.fault("index", 2, Fault::Html);
    let first = start(&fake, data.path(), &[]);
    call_until_told(&first, missing);
    // What it would have read had it not failed, as a process elsewhere keeps it.
    let (new, elsewhere) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    new.add_station(NEW);
    let lucky = start(&new, elsewhere.path(), &[]);
    let found = (NOW.to_owned(), vec!["新建测试".to_owned()]);
    call_until(&lucky, "the new station", |client| {
        stations(client, "XQZ") == found
    });
    let saved = |folder: &Path| folder.join("stations.json");
    let folder = StateDir::at(data.path().to_owned());
    for clock in [NOW, "2026-12-01T09:59:59+08:00"] {
        let other = start(&fake, data.path(), &[("RAIL_CLOCK", clock)]);
        // Another process saves between its first answer and its look at who has the day's try.
        let held = folder.lock("stations-tried.json").unwrap();
        assert_eq!(stations(&other, "XQZ"), (bundled(), vec![]));
        fs::copy(saved(elsewhere.path()), saved(data.path())).unwrap();
        drop(held);
        call_until(
            &other,
            "the station that another process has read",
            |client| stations(client, "XQZ") == found,
        );
        assert!(!other.stderr().contains("refreshed"), "{}", other.stderr());
        fs::remove_file(saved(data.path())).unwrap();
    }
    assert_eq!(requests(&fake), ["index"]);
    let clock = "2026-12-01T10:00:00+08:00";
    let later = start(&fake, data.path(), &[("RAIL_CLOCK", clock)]);
    call_until_told(&later, missing);
    assert_eq!(requests(&fake), ["index", "index"]);
    for client in [&first, &later] {
        assert_eq!(
            stations(client, "AOH"),
            (bundled(), vec!["上海虹桥".to_owned()])
        );
    }
}

#[test]
fn a_bad_catalogue_leaves_the_one_in_use() {
    let record = "@sha|上海|SHH|shanghai|sh|0|0200|上海|||";
    let script = |records: &str| Fault::Body(format!("var station_names ='{records}';"));
    let short = "the new catalogue is too short and was left alone fresh=3001 before=3405";
    let unread = "the stations were not refreshed error=";
    for (route, times, fault, told) in [
        ("script", 1, script(&many_records(3000)), short.to_owned()),
        (
            "script",
            1,
            script(&format!("{record}@x|y")),
            format!(
                "{unread}/index/script/core/common/station_name_new_v10120.js changed at station_names[1]"
            ),
        ),
        (
            "script",
            1,
            Fault::Html,
            format!(
                "{unread}/index/script/core/common/station_name_new_v10120.js changed at station_names"
            ),
        ),
        (
            "script",
            1,
            Fault::CutBody,
            format!(
                "{unread}the answer of /index/script/core/common/station_name_new_v10120.js is cut off"
            ),
        ),
        (
            "index",
            2,
            Fault::Status(503, vec![]),
            format!("{unread}/index/ answered with status 503"),
        ),
        (
            "index",
            1,
            Fault::Redirect("https://elsewhere.example/".into()),
            format!("{unread}/index/ redirects to elsewhere.example"),
        ),
    ] {
        let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
        fake.fault(route, times, fault);
        let client = start(&fake, data.path(), &[]);
        call_until_told(&client, &told);
        assert_eq!(
            stations(&client, "AOH"),
            (bundled(), vec!["上海虹桥".to_owned()])
        );
        assert!(!data.path().join("stations.json").exists());
        assert_eq!(fake.faults_left(route), 0);
    }
}

/// That many records, each a station of its own.
fn many_records(count: u32) -> String {
    let letter = |number: u32| char::from(b'A' + u8::try_from(number % 26).unwrap());
    let record = |number: u32| {
        let code: String = [number / 676, number / 26, number]
            .map(letter)
            .iter()
            .collect();
        format!("@a|站{code}|{code}|zhan|z|{number}|0357|北京|||")
    };
    (0..count).map(record).collect()
}

#[test]
fn damaged_files_are_left_aside_and_replaced() {
    let script_of_nothing = json!({ "read_at": NOW, "script": "var x = 1;" }).to_string();
    for damaged in ["{\"read_at\":", "[]", &script_of_nothing] {
        let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
        fake.add_station(NEW);
        for name in ["stations.json", "stations-tried.json"] {
            fs::write(data.path().join(name), damaged).unwrap();
        }
        let client = start(&fake, data.path(), &[]);
        assert_eq!(
            stations(&client, "AOH"),
            (bundled(), vec!["上海虹桥".to_owned()])
        );
        call_until_told(&client, "the kept stations are left aside");
        call_until_told(&client, "the stations were refreshed stations=3406");
        end(&client);
        let next = start(&fake, data.path(), &[]);
        assert_eq!(
            stations(&next, "XQZ"),
            (NOW.to_owned(), vec!["新建测试".to_owned()])
        );
    }
}

#[test]
fn without_a_usable_folder_the_bundled_stations_stay() {
    let (fake, home) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let client = start(&fake, &file.join("rail"), &[]);
    call_until_told(&client, "the stations are not refreshed error=cannot use ");
    assert_eq!(
        stations(&client, "AOH"),
        (bundled(), vec!["上海虹桥".to_owned()])
    );
    assert_eq!(requests(&fake).len(), 0);
}

#[test]
fn a_site_that_hangs_holds_up_neither_calls_nor_the_end() {
    let (fake, data) = (Rail::start(NOW), tempfile::tempdir().unwrap());
    fake.fault("index", 1, Fault::Hang);
    let client = start(&fake, data.path(), &[("RAIL_TIMEOUT_MS", "20000")]);
    assert_eq!(stations(&client, "AOH").0, bundled());
    fake.journal().wait_for_route("index", 1);
    let begun = Instant::now();
    let journey = json!({ "date": "+1", "from": "上海", "to": "常州" });
    let answer = client.call("12306_query_tickets", journey);
    assert_eq!(answer.code(), None);
    assert!(begun.elapsed() < PATIENCE, "the call waited for the site");
    end(&client);
    assert_eq!(requests(&fake), ["index", "init", "tickets"]);
}
