//! The hours in which a train may leave or arrive.

use jiff::civil::Date;
use server_kit::time::Moment;

use crate::error::Error;

/// A span of time with both ends in it. An open end is `None`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Window {
    pub(crate) after: Option<Moment>,
    pub(crate) before: Option<Moment>,
}

impl Window {
    /// Reads the ends as hours and minutes of `date`; hours from 24 on are of the days after.
    pub(crate) fn read(
        date: Date,
        (after_field, after): (&'static str, Option<&str>),
        (before_field, before): (&'static str, Option<&str>),
    ) -> Result<Self, Error> {
        let read =
            |field, text: Option<&str>| text.map(|text| moment(date, field, text)).transpose();
        let window = Self {
            after: read(after_field, after)?,
            before: read(before_field, before)?,
        };
        match (window.after, window.before) {
            (Some(after), Some(before)) if after > before => Err(Error::Argument {
                field: before_field,
                why: format!(
                    "早于 {after_field}，没有车能满足；跨过午夜请把次日写成 24 点以后，例如 30:00 为次日 06:00"
                ),
            }),
            _ => Ok(window),
        }
    }

    /// Whether the window has begun at that moment; at an unknown one only when it has no begin.
    pub(crate) fn begun(&self, moment: Option<Moment>) -> bool {
        let after = |after| moment.is_some_and(|at| at >= after);
        self.after.is_none_or(after)
    }

    /// Whether the window has not ended at that moment; at an unknown one only when it has no end.
    pub(crate) fn open(&self, moment: Option<Moment>) -> bool {
        let before = |before| moment.is_some_and(|at| at <= before);
        self.before.is_none_or(before)
    }
}

fn moment(date: Date, field: &'static str, text: &str) -> Result<Moment, Error> {
    let refuse = || Error::Argument {
        field,
        why: format!("{text:?} 不是 HH:MM（00:00–47:59，24 点以后为次日），例如 08:30"),
    };
    let (hours, minutes) = text.trim().split_once(':').ok_or_else(refuse)?;
    let number = |part: &str, below: i64| {
        let plain = part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
        plain
            .then(|| part.parse::<i64>().ok())
            .flatten()
            .filter(|number| *number < below)
    };
    let hours = number(hours, 48).ok_or_else(refuse)?;
    let minutes = number(minutes, 60).ok_or_else(refuse)?;
    Ok(Moment::at(date.at(0, 0, 0, 0)).plus_minutes(hours * 60 + minutes))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn window(after: Option<&str>, before: Option<&str>) -> Result<Window, Error> {
        Window::read(
            date(2026, 12, 2),
            ("arrive_after", after),
            ("arrive_before", before),
        )
    }

    #[test]
    fn a_window_compares_whole_moments() {
        let at = |text: &str| moment(date(2026, 12, 2), "x", text).expect("a moment");
        for (after, before, moment, inside) in [
            (Some("08:00"), None, Some(at("08:00")), true),
            (Some("08:00"), None, Some(at("07:59")), false),
            // Half past six the next morning is after eight this evening, and not before noon today.
            (Some("20:00"), None, Some(at("30:30")), true),
            (None, Some("12:00"), Some(at("30:30")), false),
            (None, Some("31:00"), Some(at("30:30")), true),
            (Some("24:00"), Some("24:30"), Some(at("24:05")), true),
            (Some("00:00"), None, None, false),
            (None, None, None, true),
        ] {
            let window = window(after, before).expect("a window");
            assert_eq!(
                window.begun(moment) && window.open(moment),
                inside,
                "{after:?} {before:?} {moment:?}"
            );
        }
    }

    #[test]
    fn what_is_no_window_is_refused_by_field() {
        for (after, before, field) in [
            (Some("8:00"), None, "arrive_after"),
            (Some("08:60"), None, "arrive_after"),
            (None, Some("48:00"), "arrive_before"),
            (None, Some("+8:00"), "arrive_before"),
            (None, Some("0800"), "arrive_before"),
            (Some("20:00"), Some("08:00"), "arrive_before"),
        ] {
            match window(after, before) {
                Err(Error::Argument { field: refused, .. }) => assert_eq!(refused, field),
                other => panic!("{after:?} {before:?}: {other:?}"),
            }
        }
    }
}
