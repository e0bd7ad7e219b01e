//! The name of a booking: replays, conflicts, rates, tries without sending.

use fixtures::{
    ccnu::{Ccnu, HoldAt},
    mcp::World,
};
use serde_json::json;

use super::{RESERVE, TOKEN, reserve, reserved, sent, wish};
use crate::{
    reservations::{TODAY, with},
    world::signed_in,
};

#[test]
fn the_same_token_gives_the_same_booking() {
    let both = signed_in();
    assert_eq!(reserve(&both, wish()).structured, reserved());
    let replayed = with(reserved(), json!({ "replayed": true }));
    assert_eq!(reserve(&both, wish()).structured, replayed);
    // An explicit null is as good as nothing.
    let spelled = with(wish(), json!({ "strategy": null, "location_id": null }));
    assert_eq!(reserve(&both, spelled).structured, replayed);
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
    both.each(|fake| fake.occupy(Ccnu::N1167, TODAY, 840, 900, "FULL"));
    for nth in 0..10 {
        let named = with(
            wish(),
            json!({ "client_token": format!("booking-10{nth}") }),
        );
        assert_eq!(reserve(&both, named).code(), Some("NO_SEAT"), "{nth}");
    }
    let answer = reserve(&both, wish());
    assert_eq!(
        answer.structured,
        json!({
            "ok": false, "code": "RATE_LIMITED", "message": "写操作过于频繁，请 60 秒后再试", "retryable": true,
            "retry_after": 60, "next": "等待 retry_after 秒后重试", "data": { "client_token": TOKEN },
        })
    );
    let cancel = both.call("cancel_reservation", json!({ "client_token": TOKEN }));
    assert_eq!(cancel.code(), Some("RATE_LIMITED"));
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
