//! What stops a change, here or at the service.

use fixtures::{ccnu::Ccnu, mcp::Both, upstream::Fault};
use serde_json::{Value, json};

use super::{ALL, CANCEL, END, LEAVE, RETURN, TOKEN, change, done, ready, sent};
use crate::{
    reservations::{TODAY, id, refused, with},
    world::{READER, signed_in, world},
};

#[test]
fn without_a_reservation_there_is_nothing_to_change() {
    let both = signed_in();
    both.each(|fake| drop(fake.record(READER, Ccnu::N1167, TODAY, 480, 600, "STOP")));
    for tool in ALL {
        assert_eq!(
            change(&both, tool).structured,
            json!({
                "ok": false, "code": "NO_ACTIVE", "message": "当前没有有效预约", "retryable": false,
                "next": "用 get_current_reservation 确认", "data": { "client_token": TOKEN },
            })
        );
        both.each(|fake| assert_eq!(sent(fake, tool), (0, 0)));
    }
}

#[test]
fn another_reservation_than_the_current_one_is_left_alone() {
    for tool in ALL {
        let both = ready(tool);
        let other = json!({ "reservation_id": "2070000000000000999", "client_token": TOKEN });
        assert_eq!(
            both.call(tool, other.clone()).structured,
            json!({
                "ok": false, "code": "RESERVATION_MISMATCH", "retryable": false,
                "message": "2070000000000000999 不是当前预约，没有执行",
                "next": "核对 get_current_reservation 的 reservation_id，或不传 reservation_id",
                "data": {
                    "reservation_id": "2070000000000000999", "current_reservation_id": id(1), "client_token": TOKEN,
                },
            })
        );
        let tried = both.call(tool, with(other, json!({ "dry_run": true })));
        assert_eq!(tried.code(), Some("RESERVATION_MISMATCH"));
        both.each(|fake| assert_eq!(sent(fake, tool), (0, 0)));
    }
    let both = signed_in();
    let before = both.worlds()[0].fake.journal().all().len();
    let none = both.call(
        CANCEL,
        json!({ "reservation_id": "../1", "client_token": TOKEN }),
    );
    assert_eq!(none.code(), Some("INVALID_ARGUMENT"));
    assert_eq!(none.structured["data"]["field"], "reservation_id");
    assert_eq!(both.worlds()[0].fake.journal().all().len(), before);
}

/// The refusal of a change in that state.
fn wrong(both: &Both<Ccnu>, tool: &str) -> Value {
    let tried = json!({ "client_token": TOKEN, "dry_run": true });
    let answer = both.call(tool, tried).structured;
    both.each(|fake| assert_eq!(sent(fake, tool), (0, 0)));
    answer
}

#[test]
fn each_change_fits_some_states_only() {
    const LOOK: &str = "用 get_current_reservation 查看现状";
    const STOP: &str = "使用中的座位请用 end_reservation_early 退座";
    const TAKE_BACK: &str = "尚未签到的预约请用 cancel_reservation 取消";
    const GATE: &str = "回座由闸机自动完成；先过闸机进馆，再用 get_presence 查看";
    let worlds = ALL.map(ready);
    for (tool, doing, word, status, next) in [
        (CANCEL, "取消", "CHECK_IN", "in_use", STOP),
        (CANCEL, "取消", "AWAY", "away", STOP),
        (CANCEL, "取消", "BREACH", "violation_risk", LOOK),
        (CANCEL, "取消", "PAUSED", "unknown", LOOK),
        (LEAVE, "暂离", "RESERVE", "reserved", LOOK),
        (LEAVE, "暂离", "AWAY", "away", LOOK),
        (LEAVE, "暂离", "BREACH", "violation_risk", LOOK),
        (RETURN, "回座", "RESERVE", "reserved", GATE),
        (RETURN, "回座", "CHECK_IN", "in_use", GATE),
        (RETURN, "回座", "PAUSED", "unknown", GATE),
        (END, "退座", "RESERVE", "reserved", TAKE_BACK),
        (END, "退座", "VIOLATION", "violation_risk", LOOK),
        (END, "退座", "PAUSED", "unknown", LOOK),
    ] {
        let both = &worlds[ALL.iter().position(|known| *known == tool).unwrap()];
        both.each(|fake| fake.show_status(&id(1), json!(word)));
        assert_eq!(
            wrong(both, tool),
            json!({
                "ok": false, "code": "WRONG_STATE", "message": format!("当前预约的状态不能{doing}"), "retryable": false,
                "next": next, "data": { "status": status, "reservation_id": id(1) },
            }),
            "{tool} {word}"
        );
    }
}

#[test]
fn coming_back_wants_the_gate_of_today_to_say_so() {
    let back = |doors: &[(&str, Value)]| {
        let both = signed_in();
        both.each(|fake| {
            fake.record(READER, Ccnu::N1167, TODAY, 600, 960, "AWAY");
            for (at, direction) in doors {
                fake.door(READER, at, "门", direction.clone());
            }
        });
        wrong(&both, RETURN)
    };
    let (early, late) = ("2026-06-25T10:10:00+08:00", "2026-06-25T10:20:00+08:00");
    for doors in [
        vec![],
        vec![(early, json!(0)), (late, json!(1))],
        vec![(early, json!(0)), (late, json!("side"))],
        // Yesterday says nothing about today.
        vec![("2026-06-24T18:00:00+08:00", json!(0))],
    ] {
        let refused = back(&doors);
        assert_eq!(refused["code"], "WRONG_STATE", "{doors:?}");
        assert_eq!(
            refused["message"],
            "不能回座：今天的闸机记录没有显示已回到馆内"
        );
    }
    assert_eq!(
        back(&[(early, json!(1)), (late, json!(0))])["would_be"],
        "in_use"
    );
}

#[test]
fn what_acts_on_the_current_one_wants_it_to_be_current() {
    for tool in [LEAVE, END] {
        let both = ready(tool);
        both.each(|fake| {
            let nothing = json!({ "status": true, "code": 200, "data": "" });
            fake.fault("currentUseMake", 1, Fault::Body(nothing.to_string()));
        });
        let refused = wrong(&both, tool);
        assert_eq!(refused["code"], "WRONG_STATE");
        assert_eq!(refused["data"]["status"], "in_use");
    }
}

#[test]
fn the_refusal_of_the_service_keeps_its_sentence() {
    for (tool, code, message) in [
        (CANCEL, "CANCEL_FAILED", "图书馆系统没有完成取消：系统说不"),
        (LEAVE, "LEAVE_FAILED", "图书馆系统没有完成暂离：系统说不"),
        (RETURN, "RETURN_FAILED", "图书馆系统没有完成回座：系统说不"),
        (END, "END_FAILED", "图书馆系统没有完成退座：系统说不"),
    ] {
        let both = ready(tool);
        both.each(|fake| fake.fault(super::route(tool), 1, refused("系统说不")));
        assert_eq!(
            change(&both, tool).structured,
            json!({
                "ok": false, "code": code, "message": message, "retryable": false,
                "next": "用 get_current_reservation 查看现状",
                "data": { "said": "系统说不", "untrusted": true, "client_token": TOKEN },
            })
        );
        // Nothing was done, so that the token is free.
        assert_eq!(change(&both, tool).structured, done(tool));
        both.each(|fake| assert_eq!(sent(fake, tool), (2, 1)));
    }
}

#[test]
fn the_rules_of_the_house_are_the_services_own() {
    let both = signed_in();
    both.each(|fake| {
        fake.switch(|switches| switches.cancels_a_day = 0);
        fake.book(READER, Ccnu::N1167, TODAY, 840, 960);
    });
    let answer = change(&both, CANCEL);
    assert_eq!(answer.code(), Some("CANCEL_FAILED"));
    assert_eq!(answer.structured["data"]["said"], "今日取消次数已用完");
    let late = signed_in();
    late.each(|fake| drop(fake.book(READER, Ccnu::N1167, TODAY, 650, 960)));
    let answer = change(&late, CANCEL);
    assert_eq!(answer.structured["data"]["said"], "已超过可取消时间");
}

#[test]
fn without_a_session_nothing_is_changed() {
    let nobody = world();
    for tool in ALL {
        let answer = change(&nobody, tool);
        assert_eq!(answer.code(), Some("NEED_LOGIN"));
        assert_eq!(answer.structured["data"], json!({ "client_token": TOKEN }));
        nobody.each(|fake| assert_eq!(sent(fake, tool), (0, 0)));
    }
    for (tool, code) in ALL.into_iter().zip(["20003", "20002", "10001", "10002"]) {
        let both = ready(tool);
        let over = json!({ "status": false, "code": code, "message": "登录已失效" });
        both.each(|fake| fake.fault(super::route(tool), 1, Fault::Body(over.to_string())));
        assert_eq!(change(&both, tool).code(), Some("LOGIN_EXPIRED"), "{code}");
        both.each(|fake| assert_eq!(sent(fake, tool), (1, 0)));
        assert_eq!(change(&both, tool).structured, done(tool));
    }
}
