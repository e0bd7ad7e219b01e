//! Days and clock times as 12306 writes them, all in China.

use jiff::civil::{Date, DateTime};
use server_kit::time::Moment;

/// Minutes in `HH:MM`. Hours may pass 23: trains leave at `24:05` and travel for `29:23`.
pub(super) fn minutes(text: &str) -> Option<u32> {
    let (hours, minutes) = text.split_once(':')?;
    if !(1..=3).contains(&hours.len()) || minutes.len() != 2 {
        return None;
    }
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    (minutes < 60).then_some(hours * 60 + minutes)
}

/// A clock time of a day; hour 24 and later are the next day's. None from hour 48.
pub(super) fn moment(day: Date, clock: &str) -> Option<Moment> {
    let minutes = minutes(clock).filter(|minutes| *minutes < 48 * 60)?;
    Some(Moment::at(day.at(0, 0, 0, 0)).plus_minutes(minutes.into()))
}

/// A day as `YYYY-MM-DD`.
pub(super) fn day(text: &str) -> Option<Date> {
    (text.len() == 10).then(|| text.parse().ok()).flatten()
}

/// A moment as `YYYYMMDDHHMM`.
pub(super) fn compact(text: &str) -> Option<Moment> {
    digits_only(text)
        .filter(|text| text.len() == 12)
        .and_then(|text| DateTime::strptime("%Y%m%d%H%M", text).ok())
        .map(Moment::at)
}

/// A number written in ASCII digits only: no sign, no space.
pub(super) fn digits(text: &str) -> Option<u32> {
    digits_only(text)?.parse().ok()
}

fn digits_only(text: &str) -> Option<&str> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then_some(text)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn clock_times_run_past_midnight() {
        let day = date(2026, 12, 31);
        for (clock, expected) in [
            ("00:00", Some("2026-12-31T00:00:00+08:00")),
            ("23:59", Some("2026-12-31T23:59:00+08:00")),
            ("24:00", Some("2027-01-01T00:00:00+08:00")),
            ("24:05", Some("2027-01-01T00:05:00+08:00")),
            ("48:00", None),
            ("99:59", None),
            ("12:60", None),
            ("12:5", None),
            ("----", None),
            ("--", None),
            ("", None),
            ("+1:00", None),
        ] {
            let found = moment(day, clock).map(|moment| moment.to_string());
            assert_eq!(found.as_deref(), expected, "{clock:?}");
        }
    }

    #[test]
    fn durations_run_past_a_day() {
        for (text, expected) in [
            ("00:53", Some(53)),
            ("29:23", Some(1763)),
            ("99:59", Some(5999)),
            ("100:00", Some(6000)),
            ("4:29", Some(269)),
            ("0429", None),
        ] {
            assert_eq!(minutes(text), expected, "{text:?}");
        }
    }

    #[test]
    fn days_and_sale_times_are_read_whole_or_not() {
        assert_eq!(day("2026-05-27"), Some(date(2026, 5, 27)));
        for text in ["2026-13-99", "20260527", "2026-5-27", ""] {
            assert_eq!(day(text), None, "{text:?}");
        }
        let opens = compact("202512061245").map(|moment| moment.to_string());
        assert_eq!(opens.as_deref(), Some("2025-12-06T12:45:00+08:00"));
        for text in [
            "20251206",
            "202513061245",
            "202512062560",
            "2025120612+5",
            "",
        ] {
            assert_eq!(compact(text), None, "{text:?}");
        }
    }
}
