//! Clock times of a day, in minutes.

use std::fmt;

use jiff::civil::Date;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use server_kit::time::Moment;

/// A minute of the day from 0 to 1440, the day's end. In results: `HH:MM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minute(u16);

impl Minute {
    const LAST: u16 = 24 * 60;

    /// That minute of the day, when it is not past 1440.
    pub const fn new(minute: u16) -> Option<Self> {
        if minute <= Self::LAST {
            Some(Self(minute))
        } else {
            None
        }
    }

    /// Exactly `HH:MM`, from `00:00` to `24:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let (hours, minutes) = text.split_once(':')?;
        (hours.len() == 2).then(|| Self::of(hours, minutes))?
    }

    /// Hours of one or two digits and minutes of two.
    pub fn of(hours: &str, minutes: &str) -> Option<Self> {
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if !(1..=2).contains(&hours.len()) || minutes.len() != 2 {
            return None;
        }
        if !digits(hours) || !digits(minutes) {
            return None;
        }
        let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
        (minutes < 60).then(|| Self::new(hours * 60 + minutes))?
    }

    /// Minutes since the day began.
    pub fn get(self) -> u16 {
        self.0
    }

    /// The minute in which `moment` lies.
    pub fn in_day_of(moment: Moment) -> Self {
        let local = moment.local();
        let minute = i32::from(local.hour()) * 60 + i32::from(local.minute());
        Self(u16::try_from(minute).unwrap_or(Self::LAST))
    }

    /// That clock time of `day`; `24:00` is the beginning of the next one.
    pub fn on(self, day: Date) -> Moment {
        Moment::at(day.at(0, 0, 0, 0)).plus_minutes(self.0.into())
    }
}

impl fmt::Display for Minute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl Serialize for Minute {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Minute {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Minute".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn clock_times_are_read_whole_or_not() {
        for (text, expected) in [
            ("00:00", Some(0)),
            ("07:30", Some(450)),
            ("22:00", Some(1320)),
            ("23:59", Some(1439)),
            ("24:00", Some(1440)),
            ("24:01", None),
            ("25:00", None),
            ("08:60", None),
            ("8:00", None),
            ("08:0", None),
            ("08:000", None),
            ("0800", None),
            ("+8:00", None),
            ("08:00 ", None),
            ("", None),
        ] {
            assert_eq!(Minute::parse(text).map(Minute::get), expected, "{text:?}");
        }
        assert_eq!(Minute::of("9", "05").map(Minute::get), Some(545));
        assert_eq!(Minute::new(1441), None);
    }

    #[test]
    fn a_minute_is_a_moment_of_a_day() {
        let at = |text: &str| Minute::parse(text).expect(text).on(date(2026, 12, 31));
        assert_eq!(at("08:05").to_string(), "2026-12-31T08:05:00+08:00");
        assert_eq!(at("24:00").to_string(), "2027-01-01T00:00:00+08:00");
        let late = Moment::at(date(2026, 12, 31).at(23, 59, 59, 0));
        assert_eq!(Minute::in_day_of(late).to_string(), "23:59");
    }
}
