//! The reservation that is.

mod past;

use fixtures::{
    ccnu::{Ccnu, MinuteForm, Nothing, Outage, Part},
    mcp::Both,
    upstream::Fault,
};
use serde_json::{Value, json};

use crate::expected::yes;
use crate::world::{NOW, READER, signed_in, world};

pub(crate) const TODAY: &str = "2026-06-25";

/// The fake's id of the n-th booking it was given; three are there at the start.
pub(crate) fn id(nth: u64) -> String {
    format!("207000000000000{:04}", 3 + nth)
}

/// The record of the n-th booking, of seat N1167 on that day, as it is booked.
pub(crate) fn record(nth: u64, date: &str, start: &str, end: &str) -> Value {
    json!({
        "ok": true, "reservation_id": id(nth), "status": "reserved", "raw_status": "RESERVE", "seat_no": "N1167",
        "path": ["南湖分馆", "一楼", "南湖分馆一楼中庭开敞座位区"],
        "date": date, "start_time": start, "end_time": end,
        "receipt": format!("3533-{:04}-N1167", 71 + 3 + nth), "raw_text": null,
        "location_id": Ccnu::ATRIUM, "seat_id": Ccnu::N1167, "actual_begin": null, "actual_end": null,
    })
}

/// `value` with other or more fields.
pub(crate) fn with(mut value: Value, more: Value) -> Value {
    let fields = value.as_object_mut().unwrap();
    for (name, more) in more.as_object().unwrap().clone() {
        fields.insert(name, more);
    }
    value
}

pub(crate) fn current(both: &Both<Ccnu>) -> Value {
    both.call("get_current_reservation", json!({})).structured
}

/// What is answered when nothing is held.
fn nothing(last_raw_status: Option<&str>) -> Value {
    let mut nothing = json!({
        "ok": true, "status": "none", "message": "当前无有效预约",
        "untrusted": last_raw_status.is_some(), "as_of": NOW,
    });
    if let Some(raw) = last_raw_status {
        nothing["last_raw_status"] = json!(raw);
    }
    nothing
}

/// A window to check in by the reservation's own sentence.
pub(crate) fn window(date: &str, begin: &str, end: &str) -> Value {
    let at = |clock| format!("{date}T{clock}:00+08:00");
    json!({
        "raw_text": format!("请在 {begin} 至 {end} 之间完成签到"),
        "sign_in_window": { "begin": at(begin), "end": at(end), "source": "message" },
        "untrusted": true, "as_of": NOW,
    })
}

#[test]
fn nothing_held_is_none_without_a_seat() {
    let both = signed_in();
    for form in [Nothing::Text, Nothing::Null, Nothing::Object] {
        both.each(|fake| fake.switch(|switches| switches.nothing = form));
        assert_eq!(current(&both), nothing(None), "{form:?}");
    }
    both.each(|fake| {
        fake.record(READER, Ccnu::N1167, TODAY, 480, 540, "STOP");
        fake.record(READER, Ccnu::N1167, TODAY, 570, 600, "CANCEL");
    });
    assert_eq!(current(&both), nothing(Some("CANCEL")));
}

#[test]
fn one_to_come_shows_when_to_check_in() {
    let both = signed_in();
    both.each(|fake| drop(fake.book(READER, Ccnu::N1167, TODAY, 840, 960)));
    let reserved = with(
        record(1, TODAY, "14:00", "16:00"),
        window(TODAY, "13:30", "14:30"),
    );
    for form in [MinuteForm::Number, MinuteForm::Text, MinuteForm::Clock] {
        both.each(|fake| {
            fake.switch(|switches| {
                switches.minutes = form;
                switches.ids_as_numbers = form == MinuteForm::Text;
                switches.empty_actual = form == MinuteForm::Clock;
            });
        });
        assert_eq!(current(&both), reserved, "{form:?}");
    }
}

#[test]
fn inside_its_window_it_waits_for_the_check_in() {
    for (begin, start, from, until) in [
        (660, "11:00", "10:30", "11:30"),
        (690, "11:30", "11:00", "12:00"),
        (630, "10:30", "10:00", "11:00"),
    ] {
        let both = signed_in();
        both.each(|fake| drop(fake.book(READER, Ccnu::N1167, TODAY, begin, 960)));
        let waiting = with(record(1, TODAY, start, "16:00"), window(TODAY, from, until));
        assert_eq!(
            current(&both),
            with(waiting, json!({ "status": "waiting_sign_in" }))
        );
    }
}

#[test]
fn one_in_use_shows_when_it_began_and_no_absence() {
    let both = signed_in();
    both.each(|fake| drop(fake.record(READER, Ccnu::N1167, TODAY, 600, 960, "CHECK_IN")));
    let in_use = with(
        record(1, TODAY, "10:00", "16:00"),
        json!({
            "status": "in_use", "raw_status": "CHECK_IN", "actual_begin": "10:00",
            "untrusted": true, "as_of": NOW,
        }),
    );
    assert_eq!(current(&both), in_use);
    // The gates tell of an absence that the reservation does not know yet.
    both.each(|fake| fake.gate(READER, false));
    let out = json!({
        "away_since": NOW, "away_deadline": "2026-06-25T12:30:00+08:00",
        "away_estimated": true, "away_source": "door_log",
    });
    assert_eq!(current(&both), with(in_use.clone(), out));
    // Without those records it is told without the absence, and they are named.
    let faults = [
        refused("没有权限"),
        Fault::Html,
        Fault::Status(502, Vec::new()),
        Fault::CutBody,
    ];
    for fault in faults {
        let both = signed_in();
        both.each(|fake| {
            fake.record(READER, Ccnu::N1167, TODAY, 600, 960, "CHECK_IN");
            for route in ["makeLife", "doorLog"] {
                fake.fault(route, 9, fault.clone());
            }
        });
        let missing = json!({ "missing": ["stages", "door_log"] });
        assert_eq!(current(&both), with(in_use.clone(), missing), "{fault:?}");
    }
    both.each(|fake| fake.fault("makeLife", 1, refused("没有权限")));
    let found = current(&both);
    let about = json!([found["away_source"], found["missing"]]);
    assert_eq!(about, json!(["door_log", ["stages"]]));
}

/// An answer that says no, with that sentence.
pub(crate) fn refused(sentence: &str) -> fixtures::upstream::Fault {
    let answer = json!({ "status": false, "code": 500, "message": sentence, "data": null });
    fixtures::upstream::Fault::Body(answer.to_string())
}

#[test]
fn one_that_is_left_shows_until_when() {
    let both = signed_in();
    both.each(|fake| drop(fake.record(READER, Ccnu::N1167, TODAY, 600, 960, "AWAY")));
    let away = with(
        record(1, TODAY, "10:00", "16:00"),
        json!({
            "status": "away", "raw_status": "AWAY", "actual_begin": "10:00",
            "away_since": "2026-06-25T10:00:00+08:00", "away_deadline": "2026-06-25T11:30:00+08:00",
            "away_raw": { "awayTimeM": 60, "awayRange": "10:00 _" },
            "away_estimated": false, "away_source": "record", "untrusted": true, "as_of": NOW,
        }),
    );
    assert_eq!(current(&both), away);
}

/// Words of the system, their status, and whether such a reservation holds a seat.
const WORDS: [(&str, &str, bool); 34] = [
    ("RESERVE", "reserved", true),
    ("WAIT", "reserved", true),
    ("SUCCESS", "reserved", true),
    ("CHECK_IN", "in_use", true),
    ("USING", "in_use", true),
    ("USE", "in_use", true),
    ("SIGN", "in_use", true),
    ("SIGNED", "in_use", true),
    ("SIGN_IN", "in_use", true),
    ("CHECKIN", "in_use", true),
    ("AWAY", "away", true),
    ("LEAVE", "away", true),
    ("STOP", "ended", false),
    ("FINISH", "ended", false),
    ("END", "ended", false),
    ("OVER", "ended", false),
    ("COMPLETE", "ended", false),
    ("CANCEL", "cancelled", false),
    ("MISS", "violation", false),
    ("LEAVE_EARLY", "violation", false),
    ("NO_STOP", "violation", false),
    ("NOSHOW", "violation", false),
    ("NO_SHOW", "violation", false),
    ("LEAVEEARLY", "violation", false),
    ("AWAY_TIMEOUT", "violation", false),
    ("BREAK", "violation_risk", true),
    ("VIOLATION", "violation_risk", true),
    ("ILLEGAL", "violation_risk", true),
    ("BREACH", "violation_risk", true),
    // Not known: it counts while the system calls it current and its end lies ahead.
    ("PAUSED", "unknown", true),
    ("CHECK-IN", "unknown", true),
    ("RESERVED", "unknown", true),
    ("7", "unknown", true),
    ("预约", "unknown", true),
];

#[test]
fn every_word_of_the_system_has_its_status() {
    let both = signed_in();
    both.each(|fake| drop(fake.book(READER, Ccnu::N1167, TODAY, 840, 960)));
    for (word, status, holds) in WORDS {
        both.each(|fake| fake.show_status(&id(1), json!(word)));
        let found = current(&both);
        if holds {
            assert_eq!(found["status"], status, "{word}");
            assert_eq!(found["raw_status"], word);
            assert_eq!(found["seat_no"], "N1167", "{word}");
        } else {
            assert_eq!(found, nothing(Some(word)), "{word}");
        }
    }
    both.each(|fake| fake.show_status(&id(1), json!(3)));
    assert_eq!(current(&both)["raw_status"], "3");
    // Among past ones each has its status too.
    both.each(|fake| {
        fake.fill_history(READER, WORDS.len().try_into().unwrap());
        for ((word, ..), nth) in WORDS.iter().zip(2..) {
            fake.show_status(&id(nth), json!(word));
        }
    });
    let history = both.call("get_reservation_history", json!({ "page_size": 50 }));
    let records = history.structured["records"].as_array().unwrap().iter();
    let found = records.map(|record| (&record["raw_status"], &record["status"]));
    let expected = WORDS.map(|(word, status, _)| (json!(word), json!(status)));
    let expected = expected.iter().rev().map(|(word, status)| (word, status));
    assert_eq!(Vec::from_iter(found), Vec::from_iter(expected));
}

#[test]
fn what_is_current_comes_first_and_then_the_newest() {
    let both = signed_in();
    // Tomorrow's is no current one at some schools; the list of recent ones has no order.
    both.each(|fake| {
        fake.switch(|switches| switches.current_today_only = true);
        fake.record(READER, "N1160", TODAY, 480, 540, "STOP");
        fake.book(READER, "N1162", "2026-06-26", 480, 720);
        fake.book(READER, "N1164", "2026-06-27", 480, 720);
        fake.record(READER, "N1166", "2026-06-28", 480, 720, "CANCEL");
    });
    let found = current(&both);
    assert_eq!(
        (&found["seat_no"], &found["date"]),
        (&json!("N1164"), &json!("2026-06-27"))
    );
    both.each(|fake| drop(fake.record(READER, "N1168", TODAY, 600, 960, "CHECK_IN")));
    let before = both.worlds()[0].fake.journal().of("lastMake").len();
    let found = current(&both);
    assert_eq!(
        (&found["seat_no"], &found["status"]),
        (&json!("N1168"), &json!("in_use"))
    );
    assert_eq!(both.worlds()[0].fake.journal().of("lastMake").len(), before);
}

#[test]
fn a_recent_one_that_is_over_holds_nothing_whatever_its_word() {
    let words = WORDS
        .iter()
        .filter(|(_, status, holds)| *holds && *status != "unknown");
    for (word, ..) in words {
        let both = signed_in();
        both.each(|fake| {
            fake.record(READER, Ccnu::N1167, TODAY, 480, 660, "STOP");
            fake.show_status(&id(1), json!(word));
            fake.fault("currentUseMake", 1, yes(&json!("")));
        });
        assert_eq!(current(&both), nothing(Some(word)), "{word}");
    }
}

#[test]
fn a_failure_tells_no_seat() {
    let both = signed_in();
    both.each(|fake| drop(fake.book(READER, Ccnu::N1167, TODAY, 840, 960)));
    let failed = |prepare: &dyn Fn(&Ccnu), code: &str| {
        both.each(prepare);
        let answer = both.call("get_current_reservation", json!({}));
        assert_eq!(answer.code(), Some(code), "{}", answer.text);
        for field in ["seat_no", "status", "path", "receipt", "reservation_id"] {
            assert_eq!(answer.structured.get(field), None, "{code}");
        }
    };
    let changed = |fake: &Ccnu| {
        fake.fault(
            "currentUseMake",
            1,
            fixtures::upstream::Fault::Body(
                json!({ "status": true, "code": 200, "data": { "id": "1" } }).to_string(),
            ),
        );
    };
    failed(&changed, "UPSTREAM_CHANGED");
    failed(
        &|fake| fake.fault("currentUseMake", 1, refused("系统繁忙")),
        "UPSTREAM_REFUSED",
    );
    failed(
        &|fake| fake.outage(Part::Api, Some(Outage::BadGateway)),
        "UPSTREAM_UNAVAILABLE",
    );
    failed(
        &|fake| fake.outage(Part::Api, Some(Outage::OffCampus)),
        "OFF_CAMPUS",
    );
    both.each(|fake| fake.outage(Part::Api, None));
    failed(
        &|fake| {
            fake.revoke_castgc();
            fake.expire_tokens();
        },
        "NEED_LOGIN",
    );
    assert_eq!(
        world().call("get_current_reservation", json!({})).code(),
        Some("NEED_LOGIN")
    );
}

#[test]
fn a_session_that_lapsed_is_renewed_once_in_silence() {
    let both = signed_in();
    both.each(|fake| drop(fake.book(READER, Ccnu::N1167, TODAY, 840, 960)));
    let walks = |fake: &Ccnu| fake.journal().of("auth_cas").len();
    for lapse in [Ccnu::expire_tokens as fn(&Ccnu), Ccnu::forget_tokens] {
        let before = both.worlds().each_ref().map(|world| walks(&world.fake));
        both.each(lapse);
        assert_eq!(current(&both)["status"], "reserved");
        let after = both.worlds().each_ref().map(|world| walks(&world.fake));
        assert_eq!(after, before.map(|walks| walks + 1));
    }
}
