//! What stops a booking before it is sent.

use fixtures::ccnu::{Ccnu, Switches};
use serde_json::{Value, json};

use super::{RESERVE, TOKEN, any, reserve, sent, signed_in_where, wish};
use crate::{
    reservations::{TODAY, id, with},
    world::{READER, signed_in, world},
};

/// The failure of a call that sends no booking, dry or not.
fn refused(arguments: Value, switch: impl Fn(&mut Switches), script: impl Fn(&Ccnu)) -> Value {
    let both = signed_in_where(switch);
    both.each(script);
    let dry = reserve(&both, with(arguments.clone(), json!({ "dry_run": true })));
    assert!(dry.is_error, "{}", dry.text);
    let mut wet = reserve(&both, arguments).structured;
    let data = wet["data"].as_object_mut().unwrap();
    assert_eq!(data.remove("client_token"), Some(json!(TOKEN)));
    assert_eq!(wet, dry.structured);
    both.each(|fake| assert_eq!(sent(fake), (0, 0)));
    wet
}

fn nothing(_: &Ccnu) {}

fn as_usual(_: &mut Switches) {}

#[test]
fn what_is_wrong_with_the_words_is_said_without_asking() {
    let both = signed_in();
    let before = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    let no_token = |arguments: Value| {
        let mut arguments = arguments;
        arguments.as_object_mut().unwrap().remove("client_token");
        arguments
    };
    let room = json!({ "location_id": Ccnu::ATRIUM });
    for (arguments, code, field) in [
        (with(wish(), json!({ "date": null })), "BAD_TIME", "date"),
        (
            with(wish(), json!({ "date": "6月25日" })),
            "BAD_TIME",
            "date",
        ),
        (
            with(wish(), json!({ "start_time": null })),
            "BAD_TIME",
            "start_time",
        ),
        (
            with(wish(), json!({ "start_time": "2pm" })),
            "BAD_TIME",
            "start_time",
        ),
        (
            with(wish(), json!({ "end_time": "25:00" })),
            "BAD_TIME",
            "end_time",
        ),
        (
            with(wish(), json!({ "end_time": "14:00" })),
            "BAD_TIME",
            "end_time",
        ),
        (
            with(wish(), json!({ "start_time": "14:10" })),
            "BAD_TIME",
            "start_time",
        ),
        (
            with(wish(), json!({ "end_time": "15:59", "dry_run": true })),
            "BAD_TIME",
            "end_time",
        ),
        (
            with(wish(), json!({ "start_time": "10:30", "dry_run": true })),
            "BEGIN_IN_PAST",
            "start_time",
        ),
        (
            with(any(), json!({ "strategy": "exact_seat" })),
            "NEED_SEAT",
            "seat_id",
        ),
        (
            with(
                with(any(), room.clone()),
                json!({ "strategy": "exact_seat" }),
            ),
            "NEED_SEAT",
            "seat_id",
        ),
        (any(), "NEED_LOCATION", "location_id"),
        (
            with(any(), json!({ "location_id": " " })),
            "NEED_LOCATION",
            "location_id",
        ),
        (
            with(any(), json!({ "strategy": "favorite_first" })),
            "NEED_LOCATION",
            "location_id",
        ),
        (
            with(wish(), json!({ "strategy": "nearest" })),
            "BAD_STRATEGY",
            "strategy",
        ),
        (
            with(with(wish(), room), json!({ "strategy": "first_available" })),
            "BAD_STRATEGY",
            "strategy",
        ),
        (
            with(wish(), json!({ "seat_id": "N/1167" })),
            "INVALID_ARGUMENT",
            "seat_id",
        ),
        (
            with(wish(), json!({ "location_id": "中庭" })),
            "INVALID_ARGUMENT",
            "location_id",
        ),
        (
            with(wish(), json!({ "client_token": "short" })),
            "INVALID_ARGUMENT",
            "client_token",
        ),
        (
            no_token(with(wish(), json!({ "start_time": "10:30" }))),
            "BEGIN_IN_PAST",
            "start_time",
        ),
        (
            no_token(with(wish(), json!({ "date": "2026-06-24" }))),
            "BEGIN_IN_PAST",
            "start_time",
        ),
    ] {
        let answer = reserve(&both, arguments.clone());
        assert_eq!(answer.code(), Some(code), "{arguments}: {}", answer.text);
        assert_eq!(answer.structured["data"]["field"], field, "{arguments}");
    }
    let after = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    assert_eq!(before, after);
    let nobody = world();
    let spaced = reserve(
        &nobody,
        with(wish(), json!({ "client_token": "with a space" })),
    );
    assert_eq!(spaced.code(), Some("INVALID_ARGUMENT"));
    assert_eq!(reserve(&nobody, wish()).code(), Some("NEED_LOGIN"));
}

#[test]
fn a_day_that_is_not_open_is_not_exchanged_for_another() {
    let tomorrow = with(wish(), json!({ "date": "明天" }));
    let closed = refused(tomorrow, as_usual, nothing);
    assert_eq!(
        closed,
        json!({
            "ok": false, "code": "DATE_NOT_OPEN", "retryable": false,
            "message": "2026-06-26 现在不能预约：今天是 2026-06-25，之后的日期每天 18:00 开放",
            "next": "从 data.open_dates 中选一天，或到开放时刻后重试；不会改约别的日期",
            "data": {
                "field": "date", "date": "2026-06-26", "today": TODAY, "open_dates": [TODAY], "opens_at": "18:00",
            },
        })
    );
}

#[test]
fn times_are_held_to_the_rules_of_the_house() {
    let late = refused(
        with(wish(), json!({ "end_time": "22:30" })),
        as_usual,
        nothing,
    );
    assert_eq!(late["code"], "CLOSED");
    assert_eq!(late["data"], json!({ "opens": "07:30", "closes": "22:00" }));
    let long = refused(wish(), |switches| switches.max_minute = 90, nothing);
    assert_eq!(
        (&long["code"], &long["data"]["max_minute"]),
        (&json!("SPAN_TOO_LONG"), &json!(90))
    );
    let past = refused(
        with(wish(), json!({ "start_time": "10:30" })),
        as_usual,
        nothing,
    );
    assert_eq!(
        (&past["code"], &past["data"]["now"]),
        (&json!("BEGIN_IN_PAST"), &json!(crate::world::NOW))
    );
}

#[test]
fn one_on_the_blacklist_does_not_book() {
    let black = refused(wish(), as_usual, |fake| {
        fake.set_blacklisted(READER, Some("2026-07-01"));
    });
    assert_eq!(
        black,
        json!({
            "ok": false, "code": "BLACKLISTED", "message": "账号在预约黑名单中，暂不能预约", "retryable": false,
            "next": "用 get_account_standing 查看期限，到期后重试",
            "data": {
                "until": "2026-07-01T00:00:00+08:00", "said": "违约次数过多，暂停预约至 2026-07-01", "untrusted": true,
            },
        })
    );
}

#[test]
fn a_slider_is_left_to_the_official_page() {
    type Change = fn(&mut Switches);
    let unknown: [Change; 2] = [
        |switches| {
            drop(
                switches
                    .system
                    .insert("mackCaptcha".to_owned(), Value::Null),
            )
        },
        |switches| drop(switches.system.insert("mackCaptcha".to_owned(), json!(7))),
    ];
    let wanted: [Change; 2] = [
        |switches| switches.mack_captcha = 2,
        |switches| (switches.mack_captcha, switches.high) = (1, true),
    ];
    let sentences = [
        "看不出预约是否需要滑块验证码，为稳妥没有提交",
        "预约现在需要滑块验证码，本服务不代做",
    ];
    for (changes, sentence) in [unknown, wanted].into_iter().zip(sentences) {
        for change in changes {
            let mut stopped = refused(wish(), change, nothing);
            let page = stopped["data"]["official_page"].take();
            assert!(page.as_str().unwrap().ends_with("/jsq-v/"), "{page}");
            assert_eq!(
                stopped,
                json!({
                    "ok": false, "code": "CAPTCHA_REQUIRED", "message": sentence, "retryable": false,
                    "next": "请在官方页面（data.official_page）自行预约", "data": { "official_page": null },
                })
            );
        }
    }
    let quiet = signed_in_where(|switches| switches.mack_captcha = 1);
    assert_eq!(reserve(&quiet, wish()).structured["status"], "reserved");
}

#[test]
fn a_second_one_is_refused_with_the_first() {
    for status in ["RESERVE", "CHECK_IN", "AWAY"] {
        let held = refused(wish(), as_usual, |fake| {
            fake.record(READER, "N1160", TODAY, 630, 900, status);
        });
        assert_eq!(
            held,
            json!({
                "ok": false, "code": "ALREADY_RESERVED", "message": "已有一个有效预约，不能再约", "retryable": false,
                "next": "用 get_current_reservation 查看；需要换座先 cancel_reservation 或 end_reservation_early",
                "data": { "reservation_id": id(1) },
            })
        );
    }
}

#[test]
fn a_seat_that_is_taken_for_a_part_is_taken() {
    let taken = refused(wish(), as_usual, |fake| {
        fake.occupy(Ccnu::N1167, TODAY, 930, 1020, "FULL");
    });
    assert_eq!(
        taken,
        json!({
            "ok": false, "code": "NO_SEAT", "retryable": true,
            "message": format!("座位 {} 在该时段不空闲", Ccnu::N1167),
            "next": "换时段或区域：get_availability_distribution 看分布，find_seats 找整段空闲的座位",
            "data": { "seats_checked": 1 },
        })
    );
    let unknown = refused(with(wish(), json!({ "seat_id": "1" })), as_usual, nothing);
    assert_eq!(unknown["code"], "UPSTREAM_REFUSED");
    assert_eq!(
        unknown["data"],
        json!({ "said": "座位不存在", "untrusted": true })
    );
}

#[test]
fn a_question_that_is_open_comes_first() {
    let both = world();
    for world in both.worlds() {
        let account = json!({ "username": READER, "password": "pw-right" });
        let asked = world.client.call("start_login", account).structured;
        assert_eq!(asked["code"], "NEED_CHALLENGE");
        let answer = world.client.call(RESERVE, wish());
        assert_eq!(answer.code(), Some("CHALLENGE_PENDING"), "{}", answer.text);
        assert_eq!(
            answer.structured["data"]["challenge_id"],
            asked["challenge_id"]
        );
        assert_eq!(sent(&world.fake), (0, 0));
    }
}
