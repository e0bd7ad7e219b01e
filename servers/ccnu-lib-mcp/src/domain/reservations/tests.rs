//! Check-in windows, activity and age.

use jiff::civil::date;

use super::*;

const DAY: Date = date(2026, 6, 25);

pub(crate) fn minute(text: &str) -> Minute {
    Minute::parse(text).expect(text)
}

pub(crate) fn at(clock: &str) -> Moment {
    minute(clock).on(DAY)
}

/// A reservation of that word from 08:00 to 12:00.
pub(crate) fn reservation(raw_status: &str) -> Reservation {
    Reservation {
        reservation_id: ReservationId::parse("2070000000000000001").expect("an id"),
        status: Status::of_raw(raw_status),
        raw_status: raw_status.to_owned(),
        seat_no: "N1167".to_owned(),
        path: Vec::new(),
        date: DAY,
        start_time: minute("08:00"),
        end_time: minute("12:00"),
        receipt: None,
        raw_text: None,
        location_id: None,
        seat_id: None,
        actual_begin: None,
        actual_end: None,
        sign_in_window: None,
        away_since: None,
        away_deadline: None,
        away_raw: None,
        away_estimated: None,
        away_source: None,
        missing: Vec::new(),
        stated_window: None,
        last_absence: None,
    }
}

#[test]
fn one_that_is_booked_waits_inside_its_window() {
    let stated = Some((minute("07:40"), minute("08:20")));
    let rule = |before, after| SignInRule {
        before: Some(before),
        after: Some(after),
    };
    let none = SignInRule::default();
    let half = SignInRule {
        before: Some(60),
        after: None,
    };
    for (stated, rule, begin, end, source) in [
        (
            stated,
            rule(60, 30),
            "07:40",
            "08:20",
            WindowSource::Message,
        ),
        (None, rule(60, 30), "07:00", "08:30", WindowSource::Computed),
        (None, rule(0, 0), "08:00", "08:00", WindowSource::Computed),
        (None, none, "07:30", "08:30", WindowSource::Assumed),
        (None, half, "07:30", "08:30", WindowSource::Assumed),
    ] {
        let (begin, end) = (at(begin), at(end));
        let window = SignInWindow { begin, end, source };
        for (now, expected) in [
            (begin.plus_minutes(-1), Status::Reserved),
            (begin, Status::WaitingSignIn),
            (end, Status::WaitingSignIn),
            (end.plus_minutes(1), Status::Reserved),
        ] {
            let mut booked = reservation("RESERVE");
            booked.stated_window = stated;
            let seen = booked.seen_at(now, rule);
            assert_eq!(
                (seen.status, seen.sign_in_window),
                (expected, Some(window)),
                "{now}"
            );
        }
    }
}

#[test]
fn only_the_known_word_for_booked_waits() {
    for (raw, status, has_window) in [
        ("WAIT", Status::Reserved, true),
        ("SUCCESS", Status::Reserved, true),
        ("CHECK_IN", Status::InUse, false),
        ("AWAY", Status::Away, false),
        ("CANCEL", Status::Cancelled, false),
        ("SOMETHING", Status::Unknown, false),
    ] {
        let seen = reservation(raw).seen_at(at("08:00"), SignInRule::default());
        assert_eq!(
            (seen.status, seen.sign_in_window.is_some()),
            (status, has_window),
            "{raw}"
        );
    }
}

#[test]
fn only_what_is_current_holds_a_seat_beyond_its_end() {
    for (raw, origin, now, expected) in [
        ("SOMETHING", Origin::Current, "11:59", true),
        ("SOMETHING", Origin::Current, "12:00", false),
        ("SOMETHING", Origin::List, "09:00", false),
        ("RESERVE", Origin::List, "11:59", true),
        ("RESERVE", Origin::List, "12:00", false),
        ("BREAK", Origin::List, "12:00", false),
        ("BREAK", Origin::Current, "13:00", true),
        ("CHECK_IN", Origin::List, "09:00", true),
        ("CHECK_IN", Origin::Current, "13:00", true),
        ("CANCEL", Origin::Current, "09:00", false),
    ] {
        assert_eq!(
            reservation(raw).is_active(origin, at(now)),
            expected,
            "{raw} {now}"
        );
    }
}

#[test]
fn age_goes_by_day_begin_and_id() {
    let made = |id: &str, raw: &str, day: i8, begin: &str| {
        let mut made = reservation(raw);
        made.reservation_id = ReservationId::parse(id).expect("an id");
        made.date = date(2026, 6, day);
        made.start_time = minute(begin);
        made
    };
    let mut recent = vec![
        made("10", "CHECK_IN", 25, "08:00"),
        made("12", "STOP", 26, "08:00"),
        made("9", "CANCEL", 25, "08:00"),
        made("11", "RESERVE", 25, "10:00"),
        made("8", "CANCEL", 27, "07:30"),
    ];
    let newest = newest_active(&recent, at("09:00")).map(|found| found.reservation_id.as_str());
    assert_eq!(newest, Some("11"));
    newest_first(&mut recent);
    let order: Vec<&str> = recent
        .iter()
        .map(|found| found.reservation_id.as_str())
        .collect();
    assert_eq!(order, ["8", "12", "11", "10", "9"]);
    assert_eq!(newest_active(&recent[..2], at("09:00")), None);
}
