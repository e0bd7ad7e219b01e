//! The name of a booking: replays, conflicts, rates, tries without sending.

use fixtures::{
    ccnu::{Ccnu, HoldAt},
    mcp::World,
};
use serde_json::json;

use super::{RESERVE, TOKEN, doubt::later, reserve, reserved, sent, told, wish};
use crate::{
    reservations::{TODAY, refused, with},
    world::signed_in,
};

#[test]
fn the_same_token_gives_the_same_booking() {
    let both = signed_in();
    assert_eq!(reserve(&both, wish()).structured, reserved());
    let replayed = with(reserved(), json!({ "replayed": true }));
    assert_eq!(reserve(&both, wish()).structured, replayed);
    // The same in other words is the same.
    for words in [
        json!({ "strategy": null, "location_id": null }),
        json!({ "strategy": "exact_seat", "dry_run": false }),
        json!({ "strategy": " ", "location_id": " ", "user_key": "default" }),
        json!({ "date": "今天", "seat_id": format!(" {} ", Ccnu::N1167) }),
        json!({ "date": "+0" }),
    ] {
        assert_eq!(reserve(&both, with(wish(), words)).structured, replayed);
    }
    let other = reserve(&both, with(wish(), json!({ "end_time": "17:00" })));
    assert_eq!(
        other.structured,
        json!({
            "ok": false, "code": "IDEMPOTENCY_CONFLICT", "retryable": false,
            "message": "这个 client_token 已用于参数不同的另一次调用，没有执行",
            "next": "换一个新的 client_token，或用原来的参数重试", "data": { "client_token": TOKEN },
        })
    );
    both.each(|fake| assert_eq!(sent(fake), (1, 1)));
    // Another tool has tokens of its own.
    let cancelled = both.call("cancel_reservation", json!({ "client_token": TOKEN }));
    assert_eq!(cancelled.structured["status"], "cancelled");
}

#[test]
fn the_same_words_on_another_day_are_another_booking() {
    let both = signed_in();
    let today = with(wish(), json!({ "date": "today" }));
    assert_eq!(reserve(&both, today.clone()).structured, reserved());
    for World { fake, data, .. } in both.worlds() {
        let later = later(fake, data.path(), "2026-06-26T11:00:00+08:00");
        let answer = later.call(RESERVE, today.clone());
        assert_eq!(
            answer.code(),
            Some("IDEMPOTENCY_CONFLICT"),
            "{}",
            answer.text
        );
        let replayed = later.call(RESERVE, wish()).structured;
        assert_eq!(replayed, with(reserved(), json!({ "replayed": true })));
        assert_eq!(sent(fake), (1, 1));
    }
}

#[test]
fn a_token_is_made_when_none_is_given() {
    let both = signed_in();
    let mut unnamed = wish();
    unnamed.as_object_mut().unwrap().remove("client_token");
    for world in both.worlds() {
        let booked = world.client.call(RESERVE, unnamed.clone()).structured;
        let token = booked["client_token"].as_str().unwrap();
        assert_eq!((token.len(), &booked["replayed"]), (36, &json!(false)));
        let named = with(unnamed.clone(), json!({ "client_token": token }));
        assert_eq!(
            world.client.call(RESERVE, named).structured["replayed"],
            true
        );
    }
}

#[test]
fn a_try_does_everything_but_send() {
    let both = signed_in();
    let tried = with(wish(), json!({ "dry_run": true }));
    for _ in 0..12 {
        assert_eq!(
            reserve(&both, tried.clone()).structured,
            json!({
                "ok": true, "dry_run": true, "would_be": "reserved", "message": "检查全部通过，没有提交",
                "date": TODAY, "start_time": "14:00", "end_time": "16:00", "seat_id": Ccnu::N1167,
            })
        );
    }
    both.each(|fake| assert_eq!(sent(fake), (0, 0)));
    for World { data, .. } in both.worlds() {
        assert!(!data.path().join("writes.db").exists());
    }
    // Neither the token nor the rate is used up.
    assert_eq!(reserve(&both, wish()).structured, reserved());
}

#[test]
fn ten_a_minute_are_enough() {
    let both = signed_in();
    let named = |nth| {
        let token = json!({ "client_token": format!("booking-1{nth:03}") });
        reserve(&both, with(wish(), token))
    };
    // What is found out before anything is sent does not count.
    both.each(|fake| fake.fault("getStartTimes", 11, told(json!([]))));
    for nth in 0..11 {
        assert_eq!(named(nth).code(), Some("NO_SEAT"), "{nth}");
    }
    both.each(|fake| fake.fault("freeBook", 10, refused("系统繁忙")));
    for nth in 0..10 {
        assert_eq!(named(nth).code(), Some("RESERVE_FAILED"), "{nth}");
    }
    let answer = reserve(&both, wish());
    assert_eq!(
        answer.structured,
        json!({
            "ok": false, "code": "RATE_LIMITED", "message": "写操作过于频繁，请 60 秒后再试", "retryable": true,
            "retry_after": 60, "next": "等待 retry_after 秒后重试", "data": { "client_token": TOKEN },
        })
    );
    // Too many bookings keep nobody from changing what there is.
    let cancel = both.call("cancel_reservation", json!({ "client_token": TOKEN }));
    assert_eq!(cancel.code(), Some("NO_ACTIVE"));
}

#[test]
fn a_call_that_is_given_up_finishes_its_booking() {
    let both = signed_in();
    for World { client, fake, .. } in both.worlds() {
        let hold = fake.hold("freeBook", HoldAt::Arrival);
        let call = client.begin_call(RESERVE, wish());
        hold.wait_reached(1);
        client.cancel(&call);
        // One call of a user at a time: the next waits for what the first has sent.
        let next = client.begin_call(RESERVE, wish());
        hold.release();
        let replayed = with(reserved(), json!({ "replayed": true }));
        assert_eq!(client.finish_call(&next).structured, replayed);
        assert_eq!(sent(fake), (1, 1));
        assert_eq!(client.outcome(&call), None);
    }
}

#[test]
fn a_call_that_is_given_up_before_it_sent_anything_leaves_the_token_free() {
    let both = signed_in();
    for World { client, fake, .. } in both.worlds() {
        let hold = fake.hold("getEndTimes", HoldAt::Arrival);
        let call = client.begin_call(RESERVE, wish());
        hold.wait_reached(1);
        client.cancel(&call);
        fake.journal().wait_for_abandoned(1);
        hold.release();
        assert_eq!(client.call(RESERVE, wish()).structured, reserved());
        assert_eq!(sent(fake), (1, 1));
    }
}
