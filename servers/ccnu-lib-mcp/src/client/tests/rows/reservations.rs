//! Reservations.

use serde_json::json;

use crate::{
    client::{
        Reason, Rejected,
        reservations::{acted, booked, current, recent, records, stages},
        tests::recorded,
    },
    domain::reservations::{Acted, Reservation},
};

/// A reservation in one line: id, status, raw status, seat, day, times, really, away, window.
pub(super) fn line(found: &Reservation) -> String {
    let or_dash = |minute: Option<crate::domain::minute::Minute>| {
        minute.map_or("-".to_owned(), |minute| minute.to_string())
    };
    let away = found
        .last_absence
        .map(|away| format!("{}…{}", away.begin, or_dash(away.end)));
    let window = found
        .stated_window
        .map(|(begin, end)| format!("{begin}–{end}"));
    format!(
        "{} {:?} {} {} {} {}–{} ({}–{}) {} {}",
        found.reservation_id,
        found.status,
        found.raw_status,
        found.seat_no,
        found.date,
        found.start_time,
        found.end_time,
        or_dash(found.actual_begin),
        or_dash(found.actual_end),
        away.as_deref().unwrap_or("-"),
        window.as_deref().unwrap_or("-"),
    )
}

fn the_current(name: &str) -> Option<String> {
    current(recorded(name)).expect(name).as_ref().map(line)
}

#[test]
fn the_current_reservation_in_each_state() {
    for (name, expected) in [
        (
            "reservations_current_reserved_20260625",
            Some(
                "2070000000000000001 Reserved RESERVE N1167 2026-06-25 08:00–12:00 (---) - 07:30–08:30",
            ),
        ),
        (
            "reservations_current_in_use_20260625",
            Some("2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:00–12:00 (07:57–-) - -"),
        ),
        (
            "reservations_current_away_20260625",
            Some("2070000000000000001 Away AWAY N1167 2026-06-25 08:00–12:00 (07:57–-) 09:40…- -"),
        ),
        ("reservations_current_none", None),
        ("reservations_current_none_null", None),
    ] {
        assert_eq!(
            the_current(name)
                .map(|line| line.replace("(-–-)", "(---)"))
                .as_deref(),
            expected,
            "{name}"
        );
    }
    assert_eq!(current(json!({ "status": true, "data": {} })), Ok(None));
    assert_eq!(current(json!({ "status": true })), Ok(None));
}

#[test]
fn a_reservation_as_results_show_it() {
    let found = current(recorded("reservations_current_away_20260625")).expect("an answer");
    let expected = json!({
        "reservation_id": "2070000000000000001", "status": "away", "raw_status": "AWAY",
        "seat_no": "N1167", "path": ["南湖分馆", "一楼", "南湖分馆一楼中庭开敞座位区"],
        "date": "2026-06-25", "start_time": "08:00", "end_time": "12:00",
        "receipt": "3533-0072-N1167", "raw_text": null,
        "location_id": "1995338594917990400", "seat_id": "2003722571020177408",
        "actual_begin": "07:57", "actual_end": null,
        "away_raw": { "awayTimeM": 22, "awayRange": "09:40 _" },
    });
    assert_eq!(serde_json::to_value(found).expect("json"), expected);
}

#[test]
fn a_page_of_history() {
    let page = records(recorded("reservations_history_page0")).expect("a page");
    let lines: Vec<String> = page.records.iter().map(line).collect();
    let expected = [
        "2070000000000000000 Cancelled CANCEL N1168 2026-06-25 08:00–12:00 (-–-) - -",
        "2069000000000000007 Violation MISS N1167 2026-06-18 08:00–12:00 (-–-) - -",
        "2069000000000000006 Violation LEAVE_EARLY N1167 2026-06-12 08:00–12:00 (-–-) 10:05…11:35 -",
        "2069000000000000005 Ended STOP N1167 2026-06-11 08:00–12:00 (07:59–11:55) - -",
        "2069000000000000004 Violation NO_STOP N1167 2026-06-10 08:00–12:00 (-–-) - -",
    ];
    assert_eq!(
        (page.total, lines),
        (5, expected.map(str::to_owned).to_vec())
    );
    assert!(page.records.iter().all(|record| record.away_raw.is_none()));
    let reason = page.records[2].raw_text.as_deref();
    assert_eq!(reason, Some("用户暂离超时未归, 预约释放"));
    let past = records(recorded("reservations_history_past_end")).expect("a page");
    assert_eq!((past.total, past.records), (5, Vec::new()));
    let breaches = records(recorded("reservations_breaches_page0")).expect("a page");
    let lines: Vec<String> = breaches.records.iter().map(line).collect();
    assert_eq!(
        (breaches.total, lines),
        (
            2,
            expected[1..3]
                .iter()
                .map(|line| (*line).to_owned())
                .collect()
        )
    );
}

#[test]
fn recent_reservations_keep_the_order_they_came_in() {
    let recent = recent(recorded("reservations_recent_20260625")).expect("a list");
    let lines: Vec<String> = recent.iter().map(line).collect();
    let expected = [
        "2070000000000000000 Cancelled CANCEL N1168 2026-06-25 08:00–12:00 (-–-) - -",
        "2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:00–12:00 (07:57–-) - -",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn what_is_said_after_a_change_is_kept_as_it_came() {
    for (name, said, raw) in [
        ("reservations_cancel_done", "取消成功", json!(2)),
        ("presence_leave_done", "暂离成功", json!("暂离成功")),
        (
            "presence_return_done",
            "返回成功",
            json!({ "message": "返回成功" }),
        ),
        ("presence_stop_done", "结束使用成功", json!("结束使用成功")),
    ] {
        let said = Some(said.to_owned());
        assert_eq!(acted(recorded(name)), Ok(Acted { said, raw }), "{name}");
    }
    let silent = Acted {
        said: None,
        raw: json!(null),
    };
    assert_eq!(acted(json!({ "status": true })), Ok(silent));
    let hidden = json!({ "status": true, "message": "好", "data": { "a\u{200b}": ["\u{202e}b"] } });
    let shown = Acted {
        said: Some("好".to_owned()),
        raw: json!({ "a": ["b"] }),
    };
    assert_eq!(acted(hidden), Ok(shown));
}

#[test]
fn a_reservation_was_made_whatever_its_record_looks_like() {
    let id = "2070000000000000001";
    for (data, expected) in [
        (json!({ "id": id, "receipt": "3533-0072-N1167" }), Some(id)),
        (json!({ "receipt": "3533-0072-N1167" }), None),
        (json!({ "id": "", "receipt": null }), None),
        (json!({ "id": 1.5 }), None),
        (json!("预约成功"), None),
        (json!(null), None),
    ] {
        let found = booked(json!({ "status": true, "data": data }));
        let expected = expected.and_then(crate::domain::ids::ReservationId::parse);
        assert_eq!(found, Ok(expected), "{data}");
    }
}

#[test]
fn refusals_tell_why() {
    for (name, code, reason, in_the_way) in [
        (
            "reservations_refused_active",
            "500",
            Reason::AlreadyReserved,
            Some("2070000000000000001"),
        ),
        (
            "reservations_refused_blacklisted",
            "500",
            Reason::Blacklisted,
            None,
        ),
        ("reservations_refused_captcha", "500", Reason::Captcha, None),
        ("reservations_refused_taken", "500", Reason::SeatTaken, None),
        ("reservations_cancel_too_late", "500", Reason::Other, None),
        ("presence_no_current", "500", Reason::Other, None),
        (
            "account_token_missing_whu",
            "20002",
            Reason::SignedOut,
            None,
        ),
        ("account_token_rejected", "20002", Reason::SignedOut, None),
        (
            "account_session_expired_text_code",
            "20003",
            Reason::SignedOut,
            None,
        ),
        (
            "configuration_signature_rejected",
            "401",
            Reason::Unauthorised,
            None,
        ),
    ] {
        let Err(Rejected::Refused(refusal)) = acted(recorded(name)) else {
            panic!("{name} is no refusal");
        };
        let found = refusal.in_the_way.as_ref().map(|id| id.as_str());
        assert_eq!(
            refusal.code.as_ref().map(|code| code.as_str()),
            Some(code),
            "{name}"
        );
        assert_eq!((refusal.reason(), found), (reason, in_the_way), "{name}");
        assert!(!refusal.said.is_empty(), "{name}");
    }
}

#[test]
fn the_steps_of_a_reservation() {
    let stages = stages(recorded("reservations_stages_20260625")).expect("steps");
    let lines = stages
        .iter()
        .map(|stage| format!("{} {}", stage.raw_status, stage.at));
    let lines: Vec<String> = lines.collect();
    let expected = [
        "RESERVE 2026-06-25T07:01:03+08:00",
        "CHECK_IN 2026-06-25T07:57:20+08:00",
        "AWAY 2026-06-25T09:40:07+08:00",
    ];
    assert_eq!(lines, expected);
}
