//! Clients that show the page: it is opened for the person, and the call waits for them.

use std::sync::{Arc, Mutex};

use fixtures::{
    ccnu::Ccnu,
    mcp::{Action, Both, Client, Era, Launch, World},
};
use serde_json::{Value, json};

use crate::{
    told::{both_told, call, captcha, login_failed, manual, open, send, signed_in, submit, told},
    world::{NOW, PASSWORD, READER, environment, launch},
};

const TYPED: [(&str, &str); 3] = [
    ("username", READER),
    ("password", PASSWORD),
    ("answer", "7k3p"),
];

/// Both worlds with a person before the client, and with this patience in milliseconds.
fn shown(patience: &str, person: impl Fn(&str) -> Action + Send + Sync + 'static) -> Both<Ccnu> {
    shown_by(launch().person(person), patience)
}

fn shown_by(launch: Launch, patience: &str) -> Both<Ccnu> {
    Both::launch(&launch, |_| {
        let fake = Ccnu::start(NOW);
        let mut env = environment(&fake);
        env.push(("CCNU_ASK_WAIT_MS".to_owned(), patience.to_owned()));
        (fake, env)
    })
}

fn account() -> Value {
    json!({ "username": READER, "password": PASSWORD })
}

/// What the person did, since a client that fails must not fail silently.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn note(&self, what: &str) {
        self.0.lock().unwrap().push(what.to_owned());
    }

    #[track_caller]
    fn assert(&self, expected: &[&str]) {
        assert_eq!(*self.0.lock().unwrap(), expected);
    }
}

#[test]
fn a_login_on_the_page_ends_in_the_same_call() {
    let seen = Seen::default();
    let note = seen.clone();
    let both = shown("20000", move |url| {
        note.note(send(url, &TYPED).1.heading());
        Action::Accept
    });
    assert_eq!(call(&both, "start_login", json!({})).value, signed_in(true));
    seen.assert(&["完成了"; 2]);
    for World { client, .. } in both.worlds() {
        let [offer] = &client.offers()[..] else {
            panic!("one offer")
        };
        assert_eq!(
            offer["message"],
            "请用学号和统一身份认证密码登录；账号只用于这次登录，不会保存"
        );
    }
}

#[test]
fn the_person_may_take_longer_than_the_client() {
    let seen = Seen::default();
    let note = seen.clone();
    let both = shown("20000", move |url| {
        let (url, note) = (url.to_owned(), note.clone());
        std::thread::spawn(move || {
            note.note(open(&url).heading());
            note.note(send(&url, &[("answer", "7k3p")]).1.heading());
        });
        Action::Accept
    });
    assert_eq!(call(&both, "start_login", account()).value, signed_in(true));
    seen.assert(&["输入验证码", "完成了", "输入验证码", "完成了"]);
}

#[test]
fn a_question_that_follows_is_waited_for_and_not_offered_again() {
    let both = shown("20000", |url| {
        let url = url.to_owned();
        std::thread::spawn(move || {
            let (again, sheet) = send(&url, &[("answer", "xxxx")]);
            assert_eq!(sheet.note(), Some("验证码不正确。"));
            send(&again, &[("answer", "7k3p")])
        });
        Action::Accept
    });
    let mut arguments = account();
    arguments["login_now"] = json!(true);
    assert_eq!(
        call(&both, "save_account", arguments).value,
        signed_in(true)
    );
    for World { client, fake, .. } in both.worlds() {
        assert_eq!((client.offers().len(), fake.passwords_posted()), (1, 2));
    }
}

#[test]
fn a_page_that_fails_is_told_with_its_reason() {
    let both = shown("20000", |url| {
        send(url, &[("answer", "7k3p")]);
        Action::Accept
    });
    let wrong = json!({ "username": READER, "password": "pw-wrong" });
    let told = call(&both, "start_login", wrong).value;
    assert_eq!(told, login_failed("您输入的用户名或密码有误。"));
}

#[test]
fn who_says_no_goes_by_the_tool() {
    for action in [Action::Decline, Action::Cancel] {
        let both = shown("20000", move |_| action);
        let question = call(&both, "start_login", account());
        assert_eq!(
            (question.value.clone(), question.pictures.len()),
            (captcha(json!({})), 1)
        );
        let again = call(&both, "start_login", json!({}));
        assert_eq!(again.ids(), question.ids());
        for World { client, .. } in both.worlds() {
            assert_eq!(client.offers().len(), 1, "once for each question");
        }
        assert_eq!(submit(&both, &question, "7k3p").value, signed_in(true));
    }
}

#[test]
fn a_page_that_nobody_finishes_leads_to_the_tool() {
    let both = shown("300", |_| Action::Accept);
    let question = call(&both, "start_login", account());
    assert_eq!(question.value, captcha(json!({})));
    assert_eq!(submit(&both, &question, "7k3p").value, signed_in(true));
}

#[test]
fn a_client_that_advertises_and_never_shows_reaches_the_tool() {
    let both = shown("300", |_| Action::Ignore);
    let answers = both.worlds().each_ref().map(|World { client, .. }| {
        if client.era() == Era::Modern {
            let call = json!({ "name": "start_login", "arguments": account() });
            let required = client.request("tools/call", call).unwrap();
            assert_eq!(required["resultType"], "input_required");
        } else {
            let question = told(client.call("start_login", account()));
            assert_eq!(question.value, captcha(json!({})));
        }
        client.call("start_login", json!({}))
    });
    let question = both_told(answers);
    assert_eq!(
        (question.value.clone(), question.pictures.len()),
        (captcha(json!({})), 1)
    );
    assert_eq!(submit(&both, &question, "7k3p").value, signed_in(true));
}

#[test]
fn an_offer_of_which_the_server_knows_nothing_is_refused() {
    let both = shown("300", |_| Action::Accept);
    let [_, World { client, fake, .. }] = both.worlds();
    for state in ["ch_000000000000", "../..", ""] {
        let call = json!({
            "name": "start_login", "arguments": {}, "requestState": state,
            "inputResponses": { "page": { "action": "accept" } },
        });
        let result = client.request("tools/call", call).unwrap();
        assert_eq!(
            result["structuredContent"]["code"], "CHALLENGE_NOT_FOUND",
            "{state}"
        );
    }
    assert_eq!(fake.journal().all().len(), 0);
}

#[test]
fn it_is_the_same_over_http_on_loopback() {
    let launch = launch().http(None).person(|url| {
        send(url, &TYPED);
        Action::Accept
    });
    let both = shown_by(launch, "20000");
    assert_eq!(call(&both, "start_login", json!({})).value, signed_in(true));
}

#[test]
fn clients_that_show_no_pages_are_given_the_address() {
    let fake = Ccnu::start(NOW);
    for era in Era::ALL {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().to_str().unwrap();
        let launch = launch()
            .args(["--data-dir", folder])
            .env(environment(&fake));
        let client = Client::start(&launch, era);
        let question = told(client.call("start_login", json!({})));
        assert_eq!(question.value, manual(json!({})));
        assert_eq!(client.offers(), [] as [Value; 0]);
    }
}
