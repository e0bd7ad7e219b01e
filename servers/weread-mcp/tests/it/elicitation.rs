//! Clients that show the page: it is opened for the person, and the call waits for the phone.

use std::sync::{Arc, Mutex};

use fixtures::{
    mcp::{Action, Both, Client, Era, Launch, World},
    weread::{Phone, Weread},
};
use serde_json::{Value, json};

use crate::{
    told::{both_told, call, open, scan, send, signed_in, submit, told},
    world::{beside, environment, launch, world},
};

/// The fakes beside the servers, for the person who scans.
type Fakes = Arc<Mutex<Vec<Arc<Weread>>>>;

/// Both worlds with a person before the client, who has the phones of both, and with this patience in
/// milliseconds.
fn shown(
    patience: &str,
    person: impl Fn(&str, &[Arc<Weread>]) -> Action + Send + Sync + 'static,
) -> Both<Arc<Weread>> {
    shown_by(launch(), patience, person)
}

fn shown_by(
    launch: Launch,
    patience: &str,
    person: impl Fn(&str, &[Arc<Weread>]) -> Action + Send + Sync + 'static,
) -> Both<Arc<Weread>> {
    let fakes = Fakes::default();
    let known = Arc::clone(&fakes);
    let launch = launch.person(move |url| person(url, &known.lock().unwrap()));
    Both::launch(&launch, |_| {
        let fake = Arc::new(Weread::start());
        fakes.lock().unwrap().push(Arc::clone(&fake));
        let mut env = environment(&fake);
        env.push(("WEREAD_ASK_WAIT_MS".to_owned(), patience.to_owned()));
        (fake, env)
    })
}

/// Does that on the phone of whoever has a code that waits.
fn phone(fakes: &[Arc<Weread>], step: &Phone) {
    for fake in fakes {
        if fake.journal().of("login_uid").is_empty() || fake.state()["logins"][0]["ended"] == true {
            continue;
        }
        fake.phone(step.clone());
    }
}

fn started(both: &Both<Arc<Weread>>) -> Value {
    both.call("start_login", json!({})).structured
}

#[test]
fn a_scan_ends_in_the_same_call() {
    let both = shown("20000", |url, fakes| {
        assert_eq!(open(url).heading(), "扫码登录");
        phone(fakes, &Phone::Confirm);
        Action::Accept
    });
    assert_eq!(started(&both), signed_in(true));
    for World { client, .. } in both.worlds() {
        let [offer] = &client.offers()[..] else {
            panic!("one offer")
        };
        assert_eq!(
            offer["message"],
            "请用手机微信扫描二维码，并在手机上确认登录微信读书"
        );
    }
}

#[test]
fn the_digits_that_follow_are_waited_for_and_not_offered_again() {
    let both = shown("20000", |url, fakes| {
        let url = url.to_owned();
        phone(fakes, &Phone::AskOtp("4321".to_owned()));
        std::thread::spawn(move || {
            let (digits, _) = send(&url, &[]);
            send(&digits, &[("answer", "4321")])
        });
        Action::Accept
    });
    assert_eq!(started(&both), signed_in(true));
    for World { client, .. } in both.worlds() {
        assert_eq!(client.offers().len(), 1);
    }
}

#[test]
fn a_person_who_declines_leaves_the_question_to_the_tool() {
    for action in [Action::Decline, Action::Cancel] {
        let both = shown("20000", move |_, _| action);
        let answers = both
            .worlds()
            .each_ref()
            .map(|world| world.client.call("start_login", json!({})));
        assert_eq!(both_told(answers).value, scan(&json!({})));
    }
}

#[test]
fn it_is_the_same_over_http_on_loopback() {
    let both = shown_by(launch().http(None), "20000", |_, fakes| {
        phone(fakes, &Phone::Confirm);
        Action::Accept
    });
    assert_eq!(started(&both), signed_in(true));
}

#[test]
fn clients_that_show_no_pages_are_given_the_address() {
    let fake = Weread::start();
    for era in Era::ALL {
        let data = tempfile::tempdir().unwrap();
        let client = Client::start(&beside(&fake, data.path(), &[]), era);
        let question = told(client.call("start_login", json!({})));
        assert_eq!(question.value, scan(&json!({})));
        assert_eq!(client.offers(), [] as [Value; 0]);
    }
    let both = world();
    let question = call(&both, "start_login", json!({}));
    both.each(|fake| fake.phone(Phone::Confirm));
    assert_eq!(submit(&both, &question, "ok").value, signed_in(true));
}
