//! Several processes on one state folder.

mod killed;

use std::{path::Path, thread};

use fixtures::{
    ccnu::{Ccnu, HoldAt},
    mcp::{Answer, Client, Era},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    reservations::{TODAY, id, with},
    world::{NOW, PASSWORD, READER, environment, launch},
};

const CURRENT: &str = "get_current_reservation";
const RESERVE: &str = "reserve_seat";

/// Another reader of the same state folder.
const OTHER: &str = "2026000005";

/// A fake and a state folder with [`READER`] signed in.
struct Place {
    fake: Ccnu,
    data: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self {
            fake: Ccnu::start(NOW),
            data: tempfile::tempdir().unwrap(),
        };
        place.fake.switch(|switches| switches.captcha = false);
        sign_in(&place.start(Era::Modern), READER, "default");
        place
    }

    fn start(&self, era: Era) -> Client {
        start(&self.fake, self.data.path(), era)
    }

    /// How often a session was opened.
    fn walks(&self) -> usize {
        self.fake.journal().of("auth_cas").len()
    }

    /// How often a booking was sent, and how often it took effect.
    fn sent(&self) -> (usize, usize) {
        (
            self.fake.journal().of("freeBook").len(),
            self.fake.count("freeBook"),
        )
    }
}

/// A server with the fake's clock as it stands.
fn start(fake: &Ccnu, data: &Path, era: Era) -> Client {
    let launch = launch().args(["--data-dir", data.to_str().unwrap()]);
    Client::start(&launch.env(environment(fake)), era)
}

fn sign_in(client: &Client, reader: &str, key: &str) {
    let account = json!({ "username": reader, "password": PASSWORD, "user_key": key });
    let answer = client.call("start_login", account);
    assert_eq!(answer.structured["logged_in"], true, "{}", answer.text);
}

/// Seat N1167 in the afternoon.
fn wish(token: &str) -> Value {
    json!({
        "date": TODAY, "start_time": "15:00", "end_time": "16:00", "seat_id": Ccnu::N1167, "client_token": token,
    })
}

/// Calls in both at once.
fn at_once(clients: &[Client; 2], call: impl Fn(usize, &Client) -> Answer + Sync) -> [Answer; 2] {
    let call = &call;
    thread::scope(|scope| {
        let [one, other] = [0, 1].map(|nth| scope.spawn(move || call(nth, &clients[nth])));
        [one.join().unwrap(), other.join().unwrap()]
    })
}

/// Calls until no other call of that token is under way.
fn settled(client: &Client, arguments: &Value) -> Answer {
    let mut tries = (0..1_000).map(|_| client.call(RESERVE, arguments.clone()));
    let answer = tries.find(|answer| answer.code() != Some("IDEMPOTENCY_IN_PROGRESS"));
    answer.expect("the other call to end")
}

#[test]
fn one_renews_the_session_and_the_other_uses_it() {
    let place = Place::new();
    place.fake.book(READER, Ccnu::N1167, TODAY, 900, 960);
    let clients = Era::ALL.map(|era| place.start(era));
    let current = |client: &Client| client.call(CURRENT, json!({})).structured["status"].clone();
    // What the first process has opened serves the others.
    assert_eq!(clients.each_ref().map(current), ["reserved", "reserved"]);
    assert_eq!(place.walks(), 1);
    for lapse in [Ccnu::expire_tokens as fn(&Ccnu), Ccnu::forget_tokens] {
        let before = place.walks();
        lapse(&place.fake);
        assert_eq!(clients.each_ref().map(current), ["reserved", "reserved"]);
        assert_eq!(place.walks(), before + 1);
        lapse(&place.fake);
        let answers = at_once(&clients, |_, client| client.call(CURRENT, json!({})));
        assert_eq!(
            answers.map(|answer| answer.structured["status"].clone()),
            ["reserved", "reserved"]
        );
        assert_eq!(place.walks(), before + 2);
    }
}

#[test]
fn one_token_is_one_booking_in_both() {
    let place = Place::new();
    let clients = Era::ALL.map(|era| place.start(era));
    for round in 1..=4 {
        let wish = wish(&format!("booking-{round:04}"));
        let answers = at_once(&clients, |_, client| settled(client, &wish));
        let replays = answers.each_ref().map(|answer| {
            assert_eq!(
                answer.structured["reservation_id"],
                id(round),
                "{}",
                answer.text
            );
            answer.structured["replayed"].as_bool().unwrap()
        });
        assert!(replays[0] != replays[1], "{replays:?}");
        assert_eq!(place.sent(), (round as usize, round as usize));
        place.fake.switch(|switches| switches.cancels_a_day = 10);
        let cancelled = clients[0].call("cancel_reservation", json!({}));
        assert_eq!(
            cancelled.structured["status"], "cancelled",
            "{}",
            cancelled.text
        );
        for client in &clients {
            assert_eq!(
                client.call(RESERVE, wish.clone()).structured["replayed"],
                true
            );
        }
    }
}

#[test]
fn two_tokens_of_one_reader_come_one_after_the_other() {
    let place = Place::new();
    let clients = Era::ALL.map(|era| place.start(era));
    let answers = at_once(&clients, |nth, client| {
        client.call(RESERVE, wish(&format!("booking-000{nth}")))
    });
    let mut codes = answers.each_ref().map(Answer::code);
    codes.sort();
    assert_eq!(codes, [None, Some("ALREADY_RESERVED")]);
    // The second was stopped by what the first had done, before it was sent.
    assert_eq!(place.sent(), (1, 1));
}

#[test]
fn readers_do_not_wait_for_each_other() {
    let place = Place::new();
    let clients = Era::ALL.map(|era| place.start(era));
    sign_in(&clients[0], OTHER, "other");
    let hold = place.fake.hold("freeBook", HoldAt::Arrival);
    let first = clients[0].begin_call(RESERVE, wish("booking-0001"));
    hold.wait_reached(1);
    let other = json!({ "user_key": "other", "seat_id": place.fake.seat_id("N1160") });
    let booked = clients[1].call(RESERVE, with(wish("booking-0001"), other));
    assert_eq!(booked.structured["status"], "reserved", "{}", booked.text);
    // The first reader is told in the other process that this call is under way.
    let same = clients[1].call(RESERVE, wish("booking-0001"));
    assert_eq!(
        same.code(),
        Some("IDEMPOTENCY_IN_PROGRESS"),
        "{}",
        same.text
    );
    let next = clients[1].begin_call(RESERVE, wish("booking-0002"));
    hold.release();
    assert_eq!(clients[0].finish_call(&first).structured["replayed"], false);
    assert_eq!(
        clients[1].finish_call(&next).code(),
        Some("ALREADY_RESERVED")
    );
    assert_eq!(place.sent(), (2, 2));
}

#[test]
fn who_waits_too_long_is_told_to_come_back() {
    let place = Place::new();
    let clients = Era::ALL.map(|era| place.start(era));
    let hold = place.fake.hold("freeBook", HoldAt::Arrival);
    let first = clients[0].begin_call(RESERVE, wish("booking-0001"));
    hold.wait_reached(1);
    assert_eq!(
        clients[1].call(RESERVE, wish("booking-0002")).structured,
        json!({
            "ok": false, "code": "RATE_LIMITED", "message": "同一用户的另一个操作还没有结束", "retryable": true,
            "retry_after": 5, "next": "等待 retry_after 秒后重试", "data": { "client_token": "booking-0002" },
        })
    );
    hold.release();
    assert_eq!(
        clients[0].finish_call(&first).structured["status"],
        "reserved"
    );
    assert_eq!(
        clients[1].call(RESERVE, wish("booking-0002")).code(),
        Some("ALREADY_RESERVED")
    );
}
