//! Cancelling, leaving for a while, coming back, ending.

mod doubt;
mod refusals;

use fixtures::{
    ccnu::{Ccnu, DoneForm},
    mcp::{Answer, Both},
};
use serde_json::{Value, json};

use crate::{
    reservations::{TODAY, id, with},
    world::{NOW, READER, signed_in},
};

const CANCEL: &str = "cancel_reservation";
const LEAVE: &str = "start_temporary_leave";
const RETURN: &str = "return_from_temporary_leave";
const END: &str = "end_reservation_early";
const ALL: [&str; 4] = [CANCEL, LEAVE, RETURN, END];
const TOKEN: &str = "change-0001";

fn change(both: &Both<Ccnu>, tool: &str) -> Answer {
    both.call(tool, json!({ "client_token": TOKEN }))
}

/// What the wire calls a change.
fn route(tool: &str) -> &'static str {
    match tool {
        CANCEL => "cancel",
        LEAVE => "leave",
        RETURN => "checkIn",
        _ => "stop",
    }
}

/// How often a change was sent, and how often it took effect.
fn sent(fake: &Ccnu, tool: &str) -> (usize, usize) {
    (
        fake.journal().of(route(tool)).len(),
        fake.count(route(tool)),
    )
}

/// What all of them answer.
fn changed(status: &str, message: &str, raw: Value) -> Value {
    json!({
        "ok": true, "reservation_id": id(1), "status": status, "message": message, "raw": raw,
        "untrusted": true, "as_of": NOW, "client_token": TOKEN, "replayed": false,
    })
}

/// The reader came in this morning, and the one booking is at that status, so that the change fits.
fn ready_for(both: &Both<Ccnu>, tool: &str) {
    both.each(|fake| {
        let (begin, status) = match tool {
            CANCEL => (840, "RESERVE"),
            RETURN => (600, "AWAY"),
            _ => (600, "CHECK_IN"),
        };
        fake.record(READER, Ccnu::N1167, TODAY, begin, 960, status);
        fake.door(
            READER,
            "2026-06-25T10:40:00+08:00",
            "南湖二楼右入",
            json!(0),
        );
    });
}

fn ready(tool: &str) -> Both<Ccnu> {
    let both = signed_in();
    ready_for(&both, tool);
    both
}

/// The answer to each change when all is well.
fn done(tool: &str) -> Value {
    match tool {
        CANCEL => changed("cancelled", "取消成功", json!(2)),
        LEAVE => with(
            changed("away", "暂离成功", json!("暂离成功")),
            json!({
                "away_since": NOW, "away_deadline": "2026-06-25T12:30:00+08:00",
                "away_raw": { "awayRange": "11:00 _" },
            }),
        ),
        RETURN => changed("in_use", "返回成功", json!({ "message": "返回成功" })),
        _ => changed("ended", "结束使用成功", json!("结束使用成功")),
    }
}

#[test]
fn each_change_is_made_once_and_read_back() {
    for (tool, raw) in [
        (CANCEL, "CANCEL"),
        (LEAVE, "AWAY"),
        (RETURN, "CHECK_IN"),
        (END, "STOP"),
    ] {
        let both = ready(tool);
        assert_eq!(change(&both, tool).structured, done(tool));
        both.each(|fake| {
            assert_eq!(sent(fake, tool), (1, 1));
            assert_eq!(fake.status(&id(1)), raw);
        });
        // Once more under its token is a replay, whatever the reservation is by now.
        let replayed = with(done(tool), json!({ "replayed": true }));
        assert_eq!(change(&both, tool).structured, replayed);
        both.each(|fake| assert_eq!(sent(fake, tool), (1, 1)));
    }
}

#[test]
fn a_change_names_the_reservation_that_it_is_of() {
    let both = ready(CANCEL);
    let named = json!({ "reservation_id": id(1), "client_token": TOKEN });
    assert_eq!(both.call(CANCEL, named).structured, done(CANCEL));
    both.each(|fake| {
        let path = format!("/jsq/static/frontApi/make/cancel/{}", id(1));
        assert_eq!(fake.journal().of("cancel").remove(0).path, path);
    });
    let both = ready(RETURN);
    assert_eq!(change(&both, RETURN).structured, done(RETURN));
    both.each(|fake| {
        let seen = fake.journal().of("checkIn").remove(0);
        assert_eq!(seen.query, [("qrMd5".to_owned(), "PC".to_owned())]);
    });
}

#[test]
fn an_answer_may_be_a_sentence_or_hold_one() {
    for (form, raw) in [
        (DoneForm::Text, json!("结束使用成功")),
        (DoneForm::Object, json!({ "message": "结束使用成功" })),
    ] {
        let both = ready(END);
        both.each(|fake| fake.switch(|switches| switches.done = form));
        let ended = with(done(END), json!({ "raw": raw }));
        assert_eq!(change(&both, END).structured, ended);
    }
}

#[test]
fn one_that_is_left_can_be_ended_from_outside() {
    let both = signed_in();
    both.each(|fake| {
        fake.record(READER, Ccnu::N1167, TODAY, 600, 960, "AWAY");
        fake.door(
            READER,
            "2026-06-25T10:50:00+08:00",
            "南湖二楼中出",
            json!(1),
        );
    });
    assert_eq!(change(&both, END).structured, done(END));
    assert_eq!(
        both.call("get_current_reservation", json!({})).structured["status"],
        "none"
    );
}

#[test]
fn one_of_tomorrow_that_is_not_current_can_be_cancelled() {
    let both = signed_in();
    both.each(|fake| {
        fake.switch(|switches| switches.current_today_only = true);
        fake.book(READER, Ccnu::N1167, "2026-06-26", 840, 960);
    });
    assert_eq!(change(&both, CANCEL).structured, done(CANCEL));
}

#[test]
fn a_try_does_everything_but_send() {
    for (tool, status) in [
        (CANCEL, "cancelled"),
        (LEAVE, "away"),
        (RETURN, "in_use"),
        (END, "ended"),
    ] {
        let both = ready(tool);
        for _ in 0..2 {
            assert_eq!(
                both.call(tool, json!({ "client_token": TOKEN, "dry_run": true }))
                    .structured,
                json!({
                    "ok": true, "dry_run": true, "would_be": status, "message": "检查全部通过，没有提交",
                    "reservation_id": id(1),
                })
            );
        }
        both.each(|fake| assert_eq!(sent(fake, tool), (0, 0)));
    }
}
