//! A booking whose answer was lost: found again, or not sent again.

use std::path::Path;

use fixtures::{
    ccnu::Ccnu,
    mcp::{Both, Client, Era, World},
    upstream::Fault,
};
use serde_json::{Value, json};

use super::{RESERVE, TOKEN, reserve, reserved, sent, told, wish};
use crate::{
    reservations::{TODAY, id, record, with},
    world::{environment, launch, signed_in, signed_in_with},
};

/// What is answered while nobody knows.
fn unknown() -> Value {
    json!({
        "ok": false, "code": "OUTCOME_UNKNOWN", "retryable": false,
        "message": "请求已发出或可能已发出，但没有得到可确认的答复，结果未知",
        "next": "不要换新 client_token 重做；先用 get_current_reservation 核实，或稍后以相同参数和 data.client_token 再次调用以继续确认",
        "data": { "client_token": TOKEN },
    })
}

/// Another process on that folder, started at another time.
pub(crate) fn later(fake: &Ccnu, data: &Path, now: &str) -> Client {
    fake.set_clock(now);
    let launch = launch().args(["--data-dir", data.to_str().unwrap()]);
    Client::start(&launch.env(environment(fake)), Era::Modern)
}

const TWO_MINUTES_LATER: &str = "2026-06-25T11:02:00+08:00";

#[test]
fn one_that_took_effect_is_found_by_reading() {
    for fault in [Fault::LostAnswer, Fault::CutBody] {
        let both = signed_in();
        both.each(|fake| fake.fault("freeBook", 1, fault.clone()));
        assert_eq!(reserve(&both, wish()).structured, reserved());
        both.each(|fake| assert_eq!(sent(fake), (1, 1)));
    }
}

#[test]
fn one_that_cannot_be_seen_is_unknown_until_it_surely_was_not_made() {
    let page = "<html><body>502</body></html>".to_owned();
    for fault in [
        Fault::Page(502, page),
        Fault::Html,
        Fault::Empty,
        Fault::Status(500, Vec::new()),
    ] {
        let both = signed_in();
        both.each(|fake| fake.fault("freeBook", 1, fault.clone()));
        assert_eq!(reserve(&both, wish()).structured, unknown(), "{fault:?}");
        // It may still arrive: asking again does not send again.
        assert_eq!(reserve(&both, wish()).structured, unknown(), "{fault:?}");
        both.each(|fake| assert_eq!(sent(fake), (1, 0)));
        for World { fake, data, .. } in both.worlds() {
            let later = later(fake, data.path(), TWO_MINUTES_LATER);
            assert_eq!(
                later.call(RESERVE, wish()).structured,
                json!({
                    "ok": false, "code": "RESERVE_FAILED", "message": "核实过：这次预约没有提交成功", "retryable": true,
                    "next": "可用相同参数重新调用", "data": { "client_token": TOKEN },
                })
            );
            assert_eq!(sent(fake), (1, 0));
            let booked = later.call(RESERVE, wish()).structured;
            assert_eq!(
                (&booked["status"], &booked["replayed"]),
                (&json!("reserved"), &json!(false))
            );
            assert_eq!(sent(fake), (2, 1));
        }
    }
}

#[test]
fn no_answer_in_time_is_no_answer() {
    let both = signed_in_with(&[("CCNU_TIMEOUT_MS", "700")]);
    both.each(|fake| fake.fault("freeBook", 1, Fault::Hang));
    assert_eq!(reserve(&both, wish()).structured, unknown());
    both.each(|fake| assert_eq!(sent(fake), (1, 0)));
}

#[test]
fn one_that_is_said_to_be_made_counts_when_it_is_seen() {
    let both = signed_in();
    // The reads before the booking find what is there, those after it do not.
    both.each(|fake| {
        fake.fault("currentUseMake", 1, told(json!("")));
        fake.fault("lastMake", 1, told(json!([])));
        for _ in 0..2 {
            fake.fault("currentUseMake", 1, told(json!("")));
            fake.fault("lastMake", 1, told(json!([])));
        }
    });
    assert_eq!(reserve(&both, wish()).structured, unknown());
    // Now it is seen, in the same minute.
    let found = with(reserved(), json!({ "replayed": true }));
    assert_eq!(reserve(&both, wish()).structured, found);
    both.each(|fake| assert_eq!(sent(fake), (1, 1)));
}

/// Books, and neither the answer nor the read after it arrives.
fn lose(both: &Both<Ccnu>) {
    both.each(|fake| {
        fake.fault("freeBook", 1, Fault::LostAnswer);
        fake.fault("currentUseMake", 1, told(json!("")));
        fake.fault("currentUseMake", 1, Fault::Html);
    });
    assert_eq!(reserve(both, wish()).structured, unknown());
    both.each(|fake| assert_eq!(fake.faults_left("currentUseMake"), 0));
}

#[test]
fn one_that_was_made_and_is_over_is_not_made_again() {
    for (word, status) in [
        ("CANCEL", "cancelled"),
        ("STOP", "ended"),
        ("MISS", "violation"),
        ("PAUSED", "unknown"),
    ] {
        let both = signed_in();
        lose(&both);
        both.each(|fake| fake.show_status(&id(1), json!(word)));
        for World { fake, data, .. } in both.worlds() {
            let later = later(fake, data.path(), TWO_MINUTES_LATER);
            let settled = with(
                record(1, TODAY, "14:00", "16:00"),
                json!({
                    "status": status, "raw_status": word, "client_token": TOKEN, "replayed": true,
                    "raw_text": "请在 13:30 至 14:30 之间完成签到", "untrusted": true,
                    "as_of": TWO_MINUTES_LATER,
                }),
            );
            for _ in 0..2 {
                assert_eq!(later.call(RESERVE, wish()).structured, settled);
            }
            assert_eq!(sent(fake), (1, 1));
        }
    }
}

#[test]
fn its_outcome_can_be_asked_for_when_its_begin_is_over() {
    let both = signed_in();
    lose(&both);
    for World { fake, data, .. } in both.worlds() {
        let later = later(fake, data.path(), "2026-06-25T14:01:00+08:00");
        let found = later.call(RESERVE, wish());
        let said = (&found.structured["status"], &found.structured["replayed"]);
        assert_eq!(
            said,
            (&json!("waiting_sign_in"), &json!(true)),
            "{}",
            found.text
        );
        assert_eq!(sent(fake), (1, 1));
    }
}

/// What the service tells of the booking, without the seat's id and with other fields.
fn without_seat_id(more: Value) -> Fault {
    let record = json!({
        "id": id(1), "status": "RESERVE", "seatLabel": "N1167", "roomId": Ccnu::ATRIUM, "makeDateStr": TODAY,
        "makeBegin": 840, "makeEnd": 960, "location": "馆|楼|区",
    });
    told(with(record, more))
}

#[test]
fn one_whose_seat_has_no_id_is_known_by_its_own_id_or_its_label() {
    let in_room = json!({ "location_id": Ccnu::ATRIUM });
    let nothing = json!({});
    for (named, wished, shown, found) in [
        (true, &nothing, json!({}), true),
        (
            true,
            &nothing,
            json!({ "seatLabel": "N1", "roomId": null }),
            true,
        ),
        (false, &in_room, json!({}), true),
        (false, &in_room, json!({ "roomId": null }), true),
        (false, &in_room, json!({ "roomId": "1" }), false),
        (false, &in_room, json!({ "seatLabel": "N1168" }), false),
        (false, &in_room, json!({ "makeEnd": 990 }), false),
        // Nobody knows the label of a seat that was named by its id alone.
        (false, &nothing, json!({}), false),
    ] {
        let both = signed_in();
        both.each(|fake| {
            fake.switch(|switches| switches.book_id = named);
            fake.fault("currentUseMake", 1, told(json!("")));
            for _ in 0..2 {
                fake.fault("currentUseMake", 1, without_seat_id(shown.clone()));
            }
            // Where the current one is not it, the recent ones are read; they tell nothing here.
            for _ in 0..3 {
                fake.fault("lastMake", 1, told(json!([])));
            }
        });
        let answer = reserve(&both, with(wish(), wished.clone())).structured;
        let expected = if found {
            json!(true)
        } else {
            json!("OUTCOME_UNKNOWN")
        };
        let about = if found {
            &answer["ok"]
        } else {
            &answer["code"]
        };
        assert_eq!(about, &expected, "{named} {wished} {shown}: {answer}");
        both.each(|fake| assert_eq!(sent(fake), (1, 1)));
    }
}
