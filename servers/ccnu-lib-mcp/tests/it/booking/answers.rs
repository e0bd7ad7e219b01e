//! What the service may say to a booking that was sent.

use fixtures::{
    ccnu::{Ccnu, HoldAt},
    mcp::{Answer, Client, World},
    upstream::Fault,
};
use serde_json::{Value, json};

use super::{RESERVE, TOKEN, reserve, reserved, sent, signed_in_where, told, wish};
use crate::{
    reservations::{TODAY, id, record, refused, window, with},
    world::{READER, signed_in},
};

const TOMORROW: &str = "2026-06-26";

/// A refusal of the booking, with the code that the tool gives it.
const REFUSALS: [(&str, &str); 9] = [
    ("请完成验证码校验", "CAPTCHA_REQUIRED"),
    ("您已被列入黑名单，2026-07-01 前不可预约", "BLACKLISTED"),
    ("所选日期不在可预约范围内", "RESERVE_FAILED"),
    ("所选时间不在开放时间内", "RESERVE_FAILED"),
    ("预约时长不能超过840分钟", "RESERVE_FAILED"),
    ("座位不存在或不可预约", "NO_SEAT"),
    ("该座位当前时段已被预约，请选择其他时段或座位", "NO_SEAT"),
    (
        "已有1个有效预约，请先取消或结束后再预约",
        "ALREADY_RESERVED",
    ),
    ("每日只能预约一次", "RESERVE_FAILED"),
];

#[test]
fn each_refusal_has_its_code_and_keeps_the_sentence() {
    let both = signed_in();
    for (sentence, code) in REFUSALS {
        both.each(|fake| fake.fault("freeBook", 1, refused(sentence)));
        let answer = reserve(&both, wish());
        assert_eq!(answer.code(), Some(code), "{sentence}: {}", answer.text);
        let data = &answer.structured["data"];
        assert_eq!(
            (&data["said"], &data["untrusted"], &data["client_token"]),
            (&json!(sentence), &json!(true), &json!(TOKEN))
        );
        for field in ["seat_no", "status", "receipt", "reservation_id"] {
            assert_eq!(answer.structured.get(field), None, "{code}");
        }
    }
    // Nothing was done, so that the token is free.
    assert_eq!(reserve(&both, wish()).structured, reserved());
    both.each(|fake| assert_eq!(sent(fake), (REFUSALS.len() + 1, 1)));
}

#[test]
fn a_refusal_is_told_whole() {
    let both = signed_in();
    let in_the_way = json!({
        "status": false, "code": 500, "message": "已有1个有效预约", "data": { "ctId": "2070000000000000077" },
    });
    both.each(|fake| {
        fake.fault("freeBook", 1, refused("每日只能预约一次\u{200b}"));
        fake.fault("freeBook", 1, Fault::Body(in_the_way.to_string()));
    });
    assert_eq!(
        reserve(&both, wish()).structured,
        json!({
            "ok": false, "code": "RESERVE_FAILED", "message": "图书馆系统拒绝了预约：每日只能预约一次", "retryable": false,
            "next": "按系统提示调整；用 list_available_seats 另选座位",
            "data": { "said": "每日只能预约一次", "untrusted": true, "client_token": TOKEN },
        })
    );
    assert_eq!(
        reserve(&both, wish()).structured["data"],
        json!({
            "reservation_id": "2070000000000000077", "said": "已有1个有效预约", "untrusted": true,
            "client_token": TOKEN,
        })
    );
}

/// Books while something happens after the last check and before the booking is sent.
fn meanwhile(world: &World<Ccnu>, happens: impl Fn(&Ccnu)) -> Answer {
    let World { client, fake, .. } = world;
    let hold = fake.hold("getEndTimes", HoldAt::Effect);
    let call = client.begin_call(RESERVE, wish());
    hold.wait_reached(1);
    happens(fake);
    hold.release();
    client.finish_call(&call)
}

fn again(client: &Client) -> Value {
    client.call(RESERVE, wish()).structured
}

#[test]
fn another_reader_may_be_faster() {
    for world in signed_in().worlds() {
        let taken = meanwhile(world, |fake| {
            fake.book("2026000005", Ccnu::N1167, TODAY, 840, 900);
        });
        assert_eq!(taken.code(), Some("NO_SEAT"), "{}", taken.text);
        assert_eq!(sent(&world.fake), (1, 0));
    }
}

#[test]
fn a_session_that_lapses_in_between_sends_nothing_twice() {
    for world in signed_in().worlds() {
        let lapsed = meanwhile(world, Ccnu::expire_tokens);
        assert_eq!(
            lapsed.structured,
            json!({
                "ok": false, "code": "LOGIN_EXPIRED", "message": "登录态刚刚失效", "retryable": true,
                "next": "重试一次；若仍失败，调用 start_login", "data": { "client_token": TOKEN },
            })
        );
        assert_eq!(sent(&world.fake), (1, 0));
        // Renewed in silence before the next is sent.
        assert_eq!(again(&world.client), reserved());
        assert_eq!(sent(&world.fake), (2, 1));
    }
}

#[test]
fn a_session_that_lapsed_before_is_renewed_before_anything_is_sent() {
    let both = signed_in();
    both.each(Ccnu::expire_tokens);
    assert_eq!(reserve(&both, wish()).structured, reserved());
    both.each(|fake| {
        assert_eq!(sent(fake), (1, 1));
        assert_eq!(fake.journal().of("auth_cas").len(), 2);
    });
    both.each(|fake| {
        fake.expire_tokens();
        fake.revoke_castgc();
    });
    let other = with(wish(), json!({ "client_token": "booking-0002" }));
    assert_eq!(reserve(&both, other).code(), Some("NEED_LOGIN"));
    both.each(|fake| assert_eq!(sent(fake), (1, 1)));
}

#[test]
fn a_key_that_is_changed_in_between_is_read_anew() {
    for world in signed_in().worlds() {
        let booked = meanwhile(world, |fake| {
            fake.switch(|switches| switches.key = "SimLib2026rot".to_owned());
        });
        assert_eq!(booked.structured, reserved());
        // The first was refused for its signature, which proves that it did nothing.
        assert_eq!(sent(&world.fake), (2, 1));
    }
}

#[test]
fn a_signature_that_is_refused_all_the_same_is_named() {
    let both = signed_in();
    let unsigned = json!({ "status": false, "code": 401, "message": "签名校验失败" });
    both.each(|fake| fake.fault("freeBook", 1, Fault::Body(unsigned.to_string())));
    let answer = reserve(&both, wish());
    assert_eq!(answer.code(), Some("SIGNATURE_REJECTED"), "{}", answer.text);
    both.each(|fake| assert_eq!(sent(fake), (1, 0)));
    both.each(|fake| fake.fault("freeBook", 1, Fault::Status(401, Vec::new())));
    assert_eq!(reserve(&both, wish()).code(), Some("SIGNATURE_REJECTED"));
    both.each(|fake| assert_eq!(sent(fake), (2, 0)));
}

#[test]
fn an_earlier_reservation_of_the_same_seat_is_not_taken_for_the_new_one() {
    let both = signed_in_where(|switches| {
        switches.tomorrow_from = 600;
        switches.current_today_only = true;
    });
    both.each(|fake| {
        fake.record(READER, Ccnu::N1167, TOMORROW, 840, 960, "CANCEL");
        // Said to be made, and not made.
        fake.fault(
            "freeBook",
            1,
            told(json!({ "id": id(1), "status": "RESERVE" })),
        );
    });
    let tomorrow = |token: &str| with(wish(), json!({ "date": TOMORROW, "client_token": token }));
    let answer = reserve(&both, tomorrow("booking-0002"));
    assert_eq!(answer.code(), Some("OUTCOME_UNKNOWN"), "{}", answer.text);
    // Made, and listed behind the earlier one.
    let record = record(2, TOMORROW, "14:00", "16:00");
    let booked = with(record, window(TOMORROW, "13:30", "14:30"));
    let written = json!({ "client_token": TOKEN, "replayed": false });
    assert_eq!(
        reserve(&both, tomorrow(TOKEN)).structured,
        with(booked, written)
    );
}
