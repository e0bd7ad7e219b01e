//! No secret in anything written or printed, whatever goes wrong, at the finest level of the log.
//!
//! The fake marks what it makes: key, cookies, tokens, the password of its CookieCloud; the rest is marked here.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Stdio,
    thread,
};

use fixtures::{
    mcp::{Action, Client, Era, Launch},
    shell::{Ended, command, end, ended_well},
    upstream::Fault,
    weread::{CloudForm, Phone, RenewalForm, Upgrade, Weread},
};
use serde_json::{Value, json};

use crate::{
    told::{open, send},
    world::beside,
};

const MARK: &str = "CANARY";
const HTTP_TOKEN: &str = "CANARY-token-of-http-callers";
const DIGITS: &str = "CANARY4321";

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.push((path, bytes));
        }
    }
    found
}

/// Whether a secret's mark is in there.
fn holds(bytes: &[u8]) -> bool {
    bytes
        .windows(MARK.len())
        .any(|part| part == MARK.as_bytes())
}

/// With a folder for exports inside the state's, so that its files are looked through too.
fn server(fake: &Weread, data: &Path) -> Launch {
    let exports = data.join("exports");
    fs::create_dir_all(&exports).unwrap();
    let more = [
        ("WEREAD_EXPORT_DIR", exports.to_str().unwrap().to_owned()),
        ("WEREAD_CACHE_MS", "0".to_owned()),
        ("WEREAD_HTTP_TOKEN", HTTP_TOKEN.to_owned()),
        ("WEREAD_REST_MS", "0".to_owned()),
        ("WEREAD_BACK_OFF_MS", "0".to_owned()),
    ];
    beside(fake, data, &more).args(["--log", "trace"])
}

/// Whoever speaks to a server and hears everything it says.
struct Listener<'a> {
    client: &'a Client,
    heard: Vec<String>,
}

impl Listener<'_> {
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let call = json!({ "name": tool, "arguments": arguments });
        let answer = self.ask("tools/call", call);
        let text = answer["content"][0]["text"].as_str().unwrap_or("null");
        serde_json::from_str(text).unwrap_or_default()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let (Ok(answer) | Err(answer)) = self.client.request(method, params);
        self.heard.push(answer.to_string());
        answer
    }

    /// Everything that reads notes, the file that an export writes and the resource too. Gives which of it came.
    fn notes(&mut self, file: &str) -> Vec<bool> {
        let book = "27416212";
        let mut came: Vec<_> = [
            ("get_book_notes_and_highlights", json!({ "book_id": book })),
            ("search_notes", json!({ "query": "大脑" })),
            ("random_highlights", json!({ "count": 2 })),
            ("export_notes", json!({ "book_id": book, "format": "json" })),
            ("export_notes", json!({ "book_id": book, "file": file })),
        ]
        .map(|(tool, arguments)| self.call(tool, arguments)["ok"] == true)
        .into();
        let uri = format!("weread://book/{book}/notes");
        let resource = self.ask("resources/read", json!({ "uri": uri }));
        came.push(resource["contents"][0]["text"].is_string());
        came
    }

    /// The states of all ways.
    fn states(&mut self) -> Vec<Value> {
        let status = self.call("get_login_status", json!({}));
        let ways = status["ways"].as_array().unwrap().iter();
        ways.map(|way| way["state"].clone()).collect()
    }

    fn submit(&mut self, question: &Value, answer: &str) -> Value {
        let arguments = json!({ "challenge_id": question["challenge_id"], "answer": answer });
        self.call("submit_challenge", arguments)
    }
}

fn all(fake: &Weread) -> Value {
    json!({
        "api_key": Weread::API_KEY, "cookie": fake.cookie(), "cc_url": fake.cloud_url(),
        "cc_id": Weread::CLOUD_ID, "cc_password": Weread::CLOUD_PASSWORD,
    })
}

/// Right and wrong digits, and every part of the way broken in turn; signed in at last.
fn scan_in_all_ways(listener: &mut Listener<'_>, fake: &Weread) {
    let echo = |text: &str| Fault::Body(format!("{{\"errCode\":-1,\"errMsg\":\"{text}\"}}"));
    for (route, fault) in [
        ("login_uid", Fault::Html),
        ("login_uid", Fault::CutBody),
        ("login_uid", echo("稍后再试")),
        ("login_info", Fault::Page(401, "{}".to_owned())),
        (
            "login_info",
            Fault::Body("{\"succeed\":true,\"accessToken\":\"CANARY\"}".to_owned()),
        ),
        (
            "login_info",
            Fault::Body("{\"succeed\":true,\"accessToken\":[\"CANARY\"]}".to_owned()),
        ),
    ] {
        fake.fault(route, 2, fault);
        // A sign-in that meets the fault later has ended too before the next one begins.
        while fake.faults_left(route) > 0 {
            let question = listener.call("start_login", json!({}));
            if question["code"] == "NEED_CHALLENGE" {
                let told = listener.submit(&question, "okCANARY");
                assert_eq!(told["ok"], false, "{told}");
                assert_ne!(told["code"], "NEED_CHALLENGE", "{told}");
            }
        }
    }
    // A poll that is lost is asked again.
    fake.fault("login_info", 3, Fault::Status(502, Vec::new()));
    let question = listener.call("start_login", json!({}));
    while fake.faults_left("login_info") > 0 {
        thread::yield_now();
    }
    fake.phone(Phone::AskOtp(DIGITS.to_owned()));
    let digits = listener.submit(&question, "okCANARY");
    let again = listener.submit(&digits, "xCANARYx");
    let done = listener.submit(&again, DIGITS);
    assert_eq!(done["logged_in"], true, "{done}");
}

/// Arguments that are wrong, and secrets where none are expected.
fn misspeak(listener: &mut Listener<'_>) {
    for arguments in [
        json!({ "api_key": { "x": MARK } }),
        json!({ "api_key": [MARK] }),
        json!({ "api_key": MARK.repeat(200) }),
        json!({ "api_key": "CANARY \n CANARY" }),
        json!({ "apikey": MARK }),
        json!({ "cookie": MARK }),
        json!({ "cookie": 5, "cc_password": MARK }),
        json!({ "cc_password": MARK }),
        json!({ "cc_url": "https://x:CANARY@cloud.example", "cc_id": "x", "cc_password": MARK }),
    ] {
        let told = listener.call("save_credentials", arguments);
        assert_eq!(told["ok"], false, "{told}");
    }
    for arguments in [
        json!({ "challenge_id": "ch_000000000000", "answer": MARK }),
        json!({ "challenge_id": "ch_000000000000", "answer": { "x": MARK } }),
        json!({ "answer": MARK }),
    ] {
        let told = listener.call("submit_challenge", arguments);
        assert_eq!(told["ok"], false, "{told}");
    }
}

/// Ways that work, are renewed, meet the service's faults and end.
fn use_all_ways(listener: &mut Listener<'_>, fake: &Weread) {
    fake.upload_cookies(CloudForm::Legacy);
    let saved = listener.call("save_credentials", all(fake));
    assert_eq!(saved["persisted"], true, "{saved}");
    assert_eq!(listener.states(), ["works"; 4]);
    assert_eq!(listener.notes("key.md"), [true; 6]);
    fake.expire_session();
    // The first to renew takes the token from the others.
    assert_eq!(listener.states(), ["works", "works", "failed", "failed"]);
    for fault in [
        Fault::Html,
        Fault::CutBody,
        Fault::Status(401, Vec::new()),
        Fault::LostAnswer,
        Fault::Body("{\"errCode\":-1,\"errMsg\":\"稍后\"}".to_owned()),
        Fault::Body("[\"CANARY\"]".to_owned()),
    ] {
        for route in ["/user/notebooks", "shelf_sync", "renewal", "cloud_get"] {
            fake.fault(route, 1, fault.clone());
        }
        listener.states();
        for route in ["/book/bookmarklist", "/review/list/mine", "/user/notebooks"] {
            fake.fault(route, 1, fault.clone());
        }
        listener.notes("broken.md");
    }
    fake.rate_limit_after(0);
    listener.states();
    fake.lift_rate_limit();
    fake.switch(|switches| {
        switches.oldest_skill_version = "9".to_owned();
        switches.upgrade = Upgrade::Instead;
    });
    listener.states();
    for form in [
        RenewalForm::ParametersError,
        RenewalForm::Hollow,
        RenewalForm::Denied,
    ] {
        fake.switch(|switches| switches.renewal = form);
        fake.expire_session();
        listener.states();
    }
    fake.revoke_key();
    fake.put_cloud(
        Weread::CLOUD_ID,
        "CANARY-another",
        CloudForm::Legacy,
        &json!({ "cookie_data": {} }),
    );
    assert_eq!(listener.states()[..3], ["failed"; 3]);
    let came = listener.notes("closed.md");
    assert!(!came[0] && !came[5], "{came:?}");
}

/// Nothing that was said or written names a secret, but for the file that is for that.
#[track_caller]
fn assert_silent(heard: &[String], data: &Path) {
    for said in heard {
        let line = said.lines().find(|line| line.contains(MARK));
        assert_eq!(line, None);
    }
    let all = files(data);
    let names: Vec<_> = all
        .iter()
        .map(|(path, _)| path.file_name().unwrap().to_str().unwrap())
        .collect();
    for wanted in ["secrets.json", "audit"] {
        assert!(
            names.iter().any(|name| name.starts_with(wanted)),
            "{names:?}"
        );
    }
    for (path, bytes) in &all {
        // What is looked for is there to be found.
        assert_eq!(
            holds(bytes),
            path.ends_with("secrets.json"),
            "{}",
            path.display()
        );
    }
}

#[test]
fn no_secret_is_written_or_said() {
    for era in Era::ALL {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let client = Client::start(&server(&fake, data.path()), era);
        let mut listener = Listener {
            client: &client,
            heard: Vec::new(),
        };
        misspeak(&mut listener);
        scan_in_all_ways(&mut listener, &fake);
        assert_eq!(listener.notes("scan.md"), [true; 6]);
        use_all_ways(&mut listener, &fake);
        let heard = listener.heard;
        end(&client);
        let log = client.stderr();
        assert!(
            log.contains("the upstream answered"),
            "the log is at its finest"
        );
        let sessions = files(data.path());
        let is_session = |path: &Path| {
            path.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with("session-")
        };
        assert!(
            sessions.iter().any(|(path, _)| is_session(path)),
            "a session was kept"
        );
        assert_silent(&[heard, vec![log]].concat(), data.path());
        assert_eq!(fake.cloud_passwords_posted(), 0);
    }
}

#[test]
fn no_secret_is_shown_by_the_page_or_over_http() {
    for era in Era::ALL {
        let fake = std::sync::Arc::new(Weread::start());
        let data = tempfile::tempdir().unwrap();
        let phone = std::sync::Arc::clone(&fake);
        let launch = server(&fake, data.path())
            .http(Some(HTTP_TOKEN))
            .person(move |url| {
                let code = open(url);
                phone.phone(Phone::AskOtp(DIGITS.to_owned()));
                let (url, first) = send(url, &[]);
                let (url, second) = send(&url, &[("answer", "xCANARYx")]);
                let (_, third) = send(&url, &[("answer", DIGITS)]);
                assert_eq!(third.heading(), "完成了");
                for sheet in [code, first, second, third] {
                    assert!(!sheet.html.contains(MARK), "{}", sheet.html);
                }
                Action::Accept
            });
        let client = Client::start(&launch, era);
        let done = client.call("start_login", json!({})).structured;
        assert_eq!(done["logged_in"], true, "{done}");
        // So that there is something to be found.
        client.call("save_credentials", json!({ "api_key": Weread::API_KEY }));
        client.terminate();
        ended_well(&client);
        let offers = client.offers().iter().map(Value::to_string).collect();
        assert_silent(
            &[vec![client.stderr(), done.to_string()], offers].concat(),
            data.path(),
        );
    }
}

#[test]
fn no_secret_is_shown_in_a_terminal() {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let run = |args: &[&str], input: &str| {
        let more = [
            ("WEREAD_API_KEY", Weread::API_KEY.to_owned()),
            ("WEREAD_COOKIE", fake.cookie()),
        ];
        let launch = server(&fake, data.path());
        let home = tempfile::tempdir().unwrap();
        let options: Vec<_> = launch.args.iter().map(String::as_str).collect();
        let mut command = command(&launch.binary, &[args, &options].concat(), home.path());
        let mut child = command
            .envs(launch.env)
            .envs(more)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let ended = Ended::from(child.wait_with_output().unwrap());
        [ended.out, ended.err]
    };
    let typed = format!(
        "{}\n{}\n{}\n{}\n{}\n",
        Weread::API_KEY,
        fake.cookie(),
        fake.cloud_url(),
        Weread::CLOUD_ID,
        Weread::CLOUD_PASSWORD
    );
    let arguments = all(&fake).to_string();
    let mut heard = Vec::new();
    for (args, input) in [
        (&["login"][..], typed.as_str()),
        (&["login"], "CANARY CANARY\n"),
        (&["call", "save_credentials", "-"], &arguments),
        (
            &["call", "save_credentials", "-"],
            arguments.trim_start_matches('{'),
        ),
        (&["call", "get_login_status", "{}"], ""),
        (&["doctor", "--live"], ""),
        (&["doctor", "--json"], ""),
        (&["tools", "--json"], ""),
        (&["audit", "--json"], ""),
        (&["audit"], ""),
    ] {
        heard.extend(run(args, input));
    }
    assert!(
        heard.iter().any(|said| said.contains("WEREAD_API_KEY=***")),
        "{heard:?}"
    );
    assert!(
        heard
            .iter()
            .any(|said| said.contains("\"api_key\":\"***\"")),
        "{heard:?}"
    );
    assert_silent(&heard, data.path());
    heard = run(&["logout"], "").into();
    assert!(heard[0].contains("已删除"), "{heard:?}");
    for (path, bytes) in files(data.path()) {
        assert!(!holds(&bytes), "{}", path.display());
    }
}
