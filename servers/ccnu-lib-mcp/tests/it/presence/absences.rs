//! Away from the seat: who knows of it, and until when.

use fixtures::ccnu::Ccnu;
use serde_json::{Value, json};

use super::{
    MORNING, TOOL, USING, absence, answer, at, check, event, held, in_use, inside, seen_now,
};
use crate::{
    expected::{TODAY, given, yes},
    world::READER,
};

/// Out at 10:10 after the check-in.
fn out(fake: &Ccnu) {
    in_use(fake);
    at(fake, "10:10");
    fake.gate(READER, false);
}

#[test]
fn an_absence_that_only_the_gates_know_is_estimated() {
    let reservation = held("CHECK_IN", MORNING, None);
    let place = || inside(Some(event("10:10", false)));
    let next = "已离开座位：在 06-25 11:40 前过闸机回馆；不回来就用 end_reservation_early 退座，否则记违约";
    let both = seen_now(out);
    let away = absence("10:10", Some("11:40"), "door_log");
    check(
        &both,
        &answer(place(), "in_use", reservation.clone(), away, next),
    );
    // Without a limit, or one that is told, there is no deadline.
    let next = "已离开座位：尽快过闸机回馆；不回来就用 end_reservation_early 退座，否则记违约";
    let away = absence("10:10", None, "door_log");
    let expected = answer(place(), "in_use", reservation, away, next);
    let unlimited = seen_now(|fake| {
        fake.switch(|switches| switches.supervise_away = 0);
        out(fake);
    });
    check(&unlimited, &expected);
    let untold = seen_now(|fake| {
        fake.switch(|switches| drop(switches.system.insert("superviseAway".into(), Value::Null)));
        out(fake);
    });
    check(&untold, &expected);
}

#[test]
fn an_absence_that_the_record_knows_is_certain() {
    let both = seen_now(|fake| {
        fake.switch(|switches| switches.away_live = true);
        out(fake);
    });
    let place = inside(Some(event("10:10", false)));
    let next = "已离开座位：在 06-25 11:40 前过闸机回馆；不回来就用 end_reservation_early 退座，否则记违约";
    let away = absence("10:10", Some("11:40"), "record");
    check(
        &both,
        &answer(place, "away", held("AWAY", MORNING, None), away, next),
    );
}

#[test]
fn an_absence_that_only_the_steps_know_is_taken_from_them() {
    let both = seen_now(|fake| {
        fake.switch(|switches| switches.away_live = true);
        out(fake);
    });
    let record = json!({
        "id": "2070000000000000004", "seatLabel": "N1163", "status": "AWAY", "makeDateStr": TODAY, "makeBegin": 480,
        "makeEnd": 720, "location": "南湖分馆|一楼|南湖分馆一楼中庭开敞座位区",
    });
    both.each(|fake| fake.fault("currentUseMake", 1, yes(&record)));
    let found = given(&both, TOOL, &json!({}));
    assert_eq!(found["absence"], absence("10:10", Some("11:40"), "stages"));
}

#[test]
fn back_in_the_seat_the_absence_is_over() {
    let both = seen_now(|fake| {
        out(fake);
        at(fake, "10:40");
        fake.gate(READER, true);
    });
    let place = inside(Some(event("10:40", true)));
    check(
        &both,
        &answer(
            place,
            "in_use",
            held("CHECK_IN", MORNING, None),
            Value::Null,
            USING,
        ),
    );
    // Back by the gates, away by the record: the way back is offered.
    let both = seen_now(|fake| {
        fake.switch(|switches| switches.away_live = true);
        out(fake);
        fake.door(
            READER,
            "2026-06-25T10:50:00+08:00",
            "南湖二楼右入",
            json!(0),
        );
    });
    let place = inside(Some(event("10:50", true)));
    let next = "闸机显示已回馆，系统仍为暂离：可用 return_from_temporary_leave 回座";
    let away = absence("10:10", Some("11:40"), "record");
    check(
        &both,
        &answer(place, "away", held("AWAY", MORNING, None), away, next),
    );
}
