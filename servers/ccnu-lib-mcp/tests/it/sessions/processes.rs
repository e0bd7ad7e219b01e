//! Two processes on one state.

use std::thread;

use fixtures::{
    ccnu::{Ccnu, HoldAt},
    mcp::{Client, Era},
    upstream::Fault,
};
use serde_json::json;

use crate::{
    told::{signed_in, told},
    world::{NOW, PASSWORD, READER, environment, launch},
};

const TOOL: &str = "get_site_favorite_locations";

/// Two servers on one state, of which one has signed in.
fn pair(era: Era) -> (Ccnu, [Client; 2], tempfile::TempDir) {
    pair_with(era, &[])
}

/// The same with more variables.
fn pair_with(era: Era, more: &[(&str, &str)]) -> (Ccnu, [Client; 2], tempfile::TempDir) {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    fake.switch(|switches| switches.captcha = false);
    let folder = data.path().to_str().unwrap();
    let more = more
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let launch = launch()
        .args(["--data-dir", folder])
        .env(environment(&fake))
        .env(more);
    let clients = [0, 1].map(|_| Client::start(&launch, era));
    let account = json!({ "username": READER, "password": PASSWORD });
    assert_eq!(
        told(clients[0].call("start_login", account)).value,
        signed_in(true)
    );
    (fake, clients, data)
}

#[test]
fn one_renews_and_the_other_uses_it() {
    for era in Era::ALL {
        let (fake, [first, second], _data) = pair(era);
        assert_eq!(second.call(TOOL, json!({})).structured["ok"], true);
        assert_eq!(fake.journal().of("sso_login").len(), 1);
        fake.expire_tokens();
        assert_eq!(first.call(TOOL, json!({})).structured["ok"], true);
        assert_eq!(second.call(TOOL, json!({})).structured["ok"], true);
        assert_eq!(fake.journal().of("sso_login").len(), 2);
        assert_eq!(fake.journal().of("auth_cas").len(), 2);
        assert_eq!(fake.passwords_posted(), 1);
    }
}

#[test]
fn two_that_find_it_over_at_once_renew_it_once() {
    for era in Era::ALL {
        let (fake, clients, _data) = pair(era);
        for client in &clients {
            client.call(TOOL, json!({}));
        }
        fake.expire_tokens();
        let exchange = fake.hold("auth_cas", HoldAt::Arrival);
        thread::scope(|scope| {
            let calls = clients
                .each_ref()
                .map(|client| scope.spawn(|| client.call(TOOL, json!({})).structured));
            // One is in the middle of it, and the other has been refused too.
            exchange.wait_reached(1);
            fake.journal().wait_for_route("findCommonSeat", 4);
            exchange.release();
            for call in calls {
                assert_eq!(call.join().unwrap()["ok"], true);
            }
        });
        assert_eq!(fake.journal().of("sso_login").len(), 2);
        assert_eq!(fake.journal().of("auth_cas").len(), 2);
    }
}

#[test]
fn a_renewal_that_another_process_never_ends_is_not_waited_for_long() {
    thread::scope(|scope| {
        for era in Era::ALL {
            scope.spawn(move || {
                let (fake, [_, client], data) = pair_with(era, &[("CCNU_TIMEOUT_MS", "1000")]);
                let lock = data.path().join("users/default/session.json.lock");
                let held = std::fs::File::open(&lock).unwrap();
                held.lock().unwrap();
                fake.expire_tokens();
                let busy = json!({
                    "ok": false, "code": "RATE_LIMITED", "message": "同一用户的另一个操作还没有结束",
                    "retryable": true, "retry_after": 5, "next": "等待 retry_after 秒后重试",
                });
                assert_eq!(client.call(TOOL, json!({})).structured, busy);
                drop(held);
                assert_eq!(client.call(TOOL, json!({})).structured["ok"], true);
            });
        }
    });
}

#[test]
fn a_login_that_is_given_up_holds_nobody_up() {
    for era in Era::ALL {
        let (fake, [client, _], _data) = pair(era);
        fake.expire_tokens();
        fake.fault("web_oauth", 1, Fault::Hang);
        let login = client.begin_call("start_login", json!({}));
        fake.journal().wait_for_route("web_oauth", 2);
        client.cancel(&login);
        fake.journal().wait_for_abandoned(1);
        assert_eq!(
            told(client.call("start_login", json!({}))).value,
            signed_in(true)
        );
        assert_eq!(fake.passwords_posted(), 1);
    }
}

#[test]
fn many_calls_of_one_user_renew_once() {
    for era in Era::ALL {
        let (fake, [client, _], _data) = pair(era);
        fake.expire_tokens();
        let calls: Vec<_> = (0..6).map(|_| client.begin_call(TOOL, json!({}))).collect();
        for call in &calls {
            assert_eq!(client.finish_call(call).structured["ok"], true);
        }
        assert_eq!(fake.journal().of("auth_cas").len(), 2);
        assert_eq!(fake.journal().of("findCommonSeat").len(), 7);
    }
}
