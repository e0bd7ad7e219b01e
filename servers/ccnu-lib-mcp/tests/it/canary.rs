//! No secret in anything written or printed, whatever goes wrong, at the finest level of the log.
//!
//! The fake marks what it makes (cookies, tickets of the way, tokens); the rest is marked here.

use std::{fs, io::Write, path::Path, process::Stdio};

use fixtures::{
    ccnu::{Ccnu, Outage, Part, SecondFactor},
    mcp::{Action, Client, Era, Launch},
    shell::{Ended, command, end, ended_well},
    upstream::Fault,
};
use serde_json::{Value, json};

use crate::{
    told::{send, told},
    world::{NOW, READER, environment, launch},
};

const MARK: &str = "CANARY";
const PASSWORD: &str = "pw-CANARY-password";
const WRONG: &str = "pw-CANARY-wrong";
const CAPTCHA: &str = "cCANARYc";
const SMS: &str = "1CANARY1";
const HTTP_TOKEN: &str = "CANARY-token-of-http-callers";

/// Every file below a folder with its bytes.
pub(crate) fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.push((path.to_str().unwrap().to_owned(), bytes));
        }
    }
    found
}

/// Whether a secret's mark is in there.
pub(crate) fn holds(bytes: &[u8], mark: &str) -> bool {
    bytes
        .windows(mark.len())
        .any(|part| part == mark.as_bytes())
}

fn fake() -> Ccnu {
    let fake = Ccnu::start(NOW);
    fake.set_password(READER, PASSWORD);
    fake.switch(|switches| {
        switches.captcha_answer = CAPTCHA.to_owned();
        switches.sms_code = SMS.to_owned();
        switches.wrong_tries = 100;
    });
    fake
}

fn server(fake: &Ccnu, data: &Path) -> Launch {
    let folder = data.to_str().unwrap();
    let more = [
        ("CCNU_HTTP_TOKEN", HTTP_TOKEN),
        ("CCNU_DEFAULT_USERNAME", "2026000005"),
        ("CCNU_DEFAULT_PASSWORD", WRONG),
    ];
    let more = more.map(|(name, value)| (name.to_owned(), value.to_owned()));
    launch()
        .args(["--log", "trace", "--data-dir", folder])
        .env(environment(fake))
        .env(more)
}

/// Whoever speaks to a server and hears everything it says.
struct Listener<'a> {
    client: &'a Client,
    heard: Vec<String>,
}

impl Listener<'_> {
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let call = json!({ "name": tool, "arguments": arguments });
        let answer = self.client.request("tools/call", call);
        let (Ok(answer) | Err(answer)) = answer;
        self.heard.push(answer.to_string());
        let text = answer["content"][0]["text"].as_str().unwrap_or("null");
        serde_json::from_str(text).unwrap_or_default()
    }

    fn start(&mut self, password: &str) -> Value {
        self.call(
            "start_login",
            json!({ "username": READER, "password": password }),
        )
    }

    fn submit(&mut self, question: &Value, answer: &str) -> Value {
        let arguments = json!({ "challenge_id": question["challenge_id"], "answer": answer });
        self.call("submit_challenge", arguments)
    }

    #[track_caller]
    fn code(&self, told: &Value, expected: &str) {
        assert_eq!(told["code"], expected, "{told}");
    }
}

/// Right and wrong answers, second steps, and every part of the way broken in turn.
fn sign_in_in_all_ways(listener: &mut Listener<'_>, fake: &Ccnu) {
    let question = listener.start(WRONG);
    let told = listener.submit(&question, CAPTCHA);
    listener.code(&told, "LOGIN_FAILED");
    let question = listener.start(PASSWORD);
    let told = listener.submit(&question, "xCANARYx");
    listener.code(&told, "LOGIN_FAILED");
    fake.switch(|switches| switches.captcha = false);
    fake.set_second_factor(READER, SecondFactor::Sms);
    let question = listener.start(PASSWORD);
    let question = listener.submit(&question, "okCANARY");
    let question = listener.submit(&question, "0CANARY0");
    let told = listener.submit(&question, SMS);
    assert_eq!(told["logged_in"], true, "{told}");
    fake.set_second_factor(READER, SecondFactor::Unknown);
    fake.revoke_castgc();
    fake.expire_tokens();
    let told = listener.start(PASSWORD);
    listener.code(&told, "SECOND_FACTOR_UNSUPPORTED");
    fake.set_second_factor(READER, SecondFactor::None);
    let foreign = fake.foreign();
    let home = format!("{}/jsq-v/?tokens=CANARY", fake.origin());
    for (redirect, code) in [(foreign, "AUTH_UNSETTLED"), (home, "NO_CAS_TOKEN")] {
        fake.switch(|switches| switches.foreign_redirect = Some(redirect));
        let told = listener.start(PASSWORD);
        listener.code(&told, code);
    }
    fake.switch(|switches| switches.foreign_redirect = None);
    let echo = |token: &str| json!({ "status": false, "code": 500, "message": token }).to_string();
    for (route, fault, code) in [
        ("cas_post", Fault::LostAnswer, "SUBMIT_FAILED"),
        ("web_oauth", Fault::Status(502, Vec::new()), "SSO_FAILED"),
        (
            "web_oauth",
            Fault::Redirect("/cas/login?ticket=CANARY".to_owned()),
            "SECOND_FACTOR_UNSUPPORTED",
        ),
        (
            "auth_cas",
            Fault::Status(500, Vec::new()),
            "UPSTREAM_UNAVAILABLE",
        ),
        ("auth_cas", Fault::Html, "UPSTREAM_UNAVAILABLE"),
        ("auth_cas", Fault::CutBody, "UPSTREAM_UNAVAILABLE"),
        ("auth_cas", Fault::LostAnswer, "UPSTREAM_UNAVAILABLE"),
        (
            "auth_cas",
            Fault::Body("{\"status\":true,\"data\":[1]}".to_owned()),
            "UPSTREAM_CHANGED",
        ),
        (
            "auth_cas",
            Fault::Body(echo("casToken异常")),
            "AUTH_EXCHANGE_FAILED",
        ),
        (
            "auth_cas",
            Fault::Status(401, Vec::new()),
            "AUTH_EXCHANGE_FAILED",
        ),
        (
            "getUserInfo",
            Fault::Body(echo("稍后再试")),
            "UPSTREAM_REFUSED",
        ),
        ("getUserInfo", Fault::CutBody, "UPSTREAM_UNAVAILABLE"),
    ] {
        fake.revoke_castgc();
        fake.expire_tokens();
        fake.fault(route, 1, fault);
        let told = listener.start(PASSWORD);
        listener.code(&told, code);
    }
}

/// Arguments that are wrong, and secrets where none are expected.
fn misspeak(listener: &mut Listener<'_>) {
    for arguments in [
        json!({ "password": PASSWORD }),
        json!({ "username": READER, "password": { "x": PASSWORD } }),
        json!({ "username": READER, "password": [PASSWORD] }),
        json!({ "username": READER, "password": PASSWORD.repeat(20) }),
        json!({ "username": READER, "passwort": PASSWORD }),
        json!({ "username": READER, "password": PASSWORD, "token": "CANARY" }),
    ] {
        for tool in ["start_login", "save_account"] {
            let told = listener.call(tool, arguments.clone());
            assert_eq!(told["ok"], false, "{told}");
        }
    }
    for arguments in [
        json!({ "challenge_id": "ch_000000000000", "answer": CAPTCHA }),
        json!({ "challenge_id": "ch_000000000000", "answer": { "x": CAPTCHA } }),
        json!({ "answer": CAPTCHA }),
    ] {
        let told = listener.call("submit_challenge", arguments);
        assert_eq!(told["ok"], false, "{told}");
    }
}

/// A session that works, is renewed, and meets the service's faults.
fn use_session(listener: &mut Listener<'_>, fake: &Ccnu) {
    for lapse in [Ccnu::expire_tokens, Ccnu::forget_tokens] {
        lapse(fake);
        let told = listener.call("get_current_reservation", json!({}));
        assert_eq!(told["status"], "none", "{told}");
    }
    for fault in [
        Fault::Html,
        Fault::CutBody,
        Fault::Status(401, Vec::new()),
        Fault::LostAnswer,
    ] {
        fake.fault("currentUseMake", 2, fault);
        listener.call("get_current_reservation", json!({}));
    }
    fake.outage(Part::Api, Some(Outage::OffCampus));
    let told = listener.call("get_current_reservation", json!({}));
    listener.code(&told, "OFF_CAMPUS");
    fake.outage(Part::Api, None);
}

/// Nothing that was said or written names a secret, but for the file that is for that.
#[track_caller]
fn assert_silent(heard: &[String], data: &Path) {
    for said in heard {
        assert!(!said.contains(MARK), "{said}");
    }
    let all = files(data);
    assert!(
        all.len() > 5,
        "{:?}",
        all.iter().map(|(name, _)| name).collect::<Vec<_>>()
    );
    for (name, bytes) in all {
        // What is looked for is there to be found.
        assert_eq!(
            holds(&bytes, MARK),
            name.ends_with("/secrets.json"),
            "{name}"
        );
    }
}

#[test]
fn no_secret_is_written_or_said() {
    for era in Era::ALL {
        let (fake, data) = (fake(), tempfile::tempdir().unwrap());
        let client = Client::start(&server(&fake, data.path()), era);
        let mut listener = Listener {
            client: &client,
            heard: Vec::new(),
        };
        sign_in_in_all_ways(&mut listener, &fake);
        misspeak(&mut listener);
        let told = listener.start(PASSWORD);
        assert_eq!(told["logged_in"], true, "{told}");
        use_session(&mut listener, &fake);
        let heard = listener.heard;
        end(&client);
        let log = client.stderr();
        assert!(
            log.contains("the upstream answered"),
            "the log is at its finest"
        );
        assert_silent(&[heard, vec![log]].concat(), data.path());
    }
}

#[test]
fn no_secret_is_shown_by_the_page_or_over_http() {
    for era in Era::ALL {
        let (fake, data) = (fake(), tempfile::tempdir().unwrap());
        let launch = server(&fake, data.path())
            .http(Some(HTTP_TOKEN))
            .person(|url| {
                let typed = |password, captcha| {
                    [
                        ("username", READER),
                        ("password", password),
                        ("answer", captcha),
                    ]
                };
                let (url, first) = send(url, &typed(WRONG, CAPTCHA));
                let (url, second) = send(&url, &typed(PASSWORD, "xCANARYx"));
                let (_, third) = send(&url, &typed(PASSWORD, CAPTCHA));
                assert_eq!(third.heading(), "完成了");
                for sheet in [first, second, third] {
                    assert!(!sheet.html.contains(MARK), "{}", sheet.html);
                }
                Action::Accept
            });
        let client = Client::start(&launch, era);
        let other = json!({ "user_key": "other" });
        let done = told(client.call("start_login", other)).value;
        assert_eq!(done["logged_in"], true, "{done}");
        // So that there is something to be found.
        let account = json!({ "username": READER, "password": PASSWORD, "user_key": "other" });
        client.call("save_account", account);
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
    let (fake, data) = (fake(), tempfile::tempdir().unwrap());
    // Nobody is there to answer.
    fake.switch(|switches| switches.captcha = false);
    let run = |args: &[&str], input: &str| {
        let launch = server(&fake, data.path());
        let home = tempfile::tempdir().unwrap();
        let options: Vec<_> = launch.args.iter().map(String::as_str).collect();
        let mut command = command(&launch.binary, &[args, &options].concat(), home.path());
        let mut child = command
            .envs(launch.env)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let ended = Ended::from(child.wait_with_output().unwrap());
        [ended.out, ended.err]
    };
    let typed = format!("{READER}\n{PASSWORD}\n");
    let arguments = json!({ "username": READER, "password": PASSWORD }).to_string();
    let mut heard = Vec::new();
    for (args, input) in [
        (&["login"][..], typed.as_str()),
        (&["login"], PASSWORD),
        (&["call", "start_login", "-"], &arguments),
        (&["call", "save_account", "-"], &arguments),
        (
            &["call", "save_account", "-"],
            arguments.trim_start_matches('{'),
        ),
        (&["doctor", "--live"], ""),
        (&["doctor", "--json"], ""),
        (&["tools", "--json"], ""),
        (&["audit", "--json"], ""),
        (&["audit"], ""),
    ] {
        heard.extend(run(args, input));
    }
    assert!(
        heard
            .iter()
            .any(|said| said.contains("CCNU_DEFAULT_PASSWORD=***"))
    );
    assert!(
        heard
            .iter()
            .any(|said| said.contains("\"password\":\"***\""))
    );
    assert_silent(&heard, data.path());
    heard = run(&["logout"], "").into();
    assert!(heard[0].contains("已删除"), "{heard:?}");
    for (name, bytes) in files(data.path()) {
        assert!(!holds(&bytes, MARK), "{name}");
    }
}
