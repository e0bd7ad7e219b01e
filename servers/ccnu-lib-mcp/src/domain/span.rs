//! The span of time somebody wants a seat for, and what can be wrong with it before it is asked.

use jiff::civil::Date;
use serde::Serialize;
use server_kit::time::Moment;

use super::minute::Minute;

/// From one clock time to another of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Span {
    /// The day.
    pub date: Date,
    /// The first minute.
    pub begin: Minute,
    /// The minute it is over.
    pub end: Minute,
}

/// When a building is open, the same each day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningHours {
    /// It opens.
    pub opens: Minute,
    /// It closes.
    pub closes: Minute,
}

/// Which of the two times a reason is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// `start_time`.
    Begin,
    /// `end_time`.
    End,
}

/// Why day or times themselves are wrong: code `BAD_TIME`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadTime {
    /// No day.
    Day {
        /// What was written; empty when nothing was.
        text: String,
    },
    /// Not `HH:MM`.
    Format {
        /// Which.
        edge: Edge,
        /// What was written; empty when nothing was.
        text: String,
    },
    /// No multiple of the step.
    Step {
        /// Which.
        edge: Edge,
        /// The step in minutes.
        step_minute: u32,
    },
    /// The end is not after the begin.
    Order,
}

/// Longer than one reservation may be: code `SPAN_TOO_LONG`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Asked for.
    pub minutes: u32,
    /// Allowed.
    pub max_minute: u32,
}

/// Not all within the opening hours: code `CLOSED`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed(pub OpeningHours);

/// Begins before now: code `BEGIN_IN_PAST`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeginInPast {
    /// The present moment.
    pub now: Moment,
}

impl Span {
    /// The span between two times written `HH:MM`, of which the second is the later.
    pub fn read(date: Date, begin: &str, end: &str) -> Result<Self, BadTime> {
        let minute = |edge, text: &str| {
            let refuse = || BadTime::Format {
                edge,
                text: text.to_owned(),
            };
            Minute::parse(text).ok_or_else(refuse)
        };
        let (begin, end) = (minute(Edge::Begin, begin)?, minute(Edge::End, end)?);
        if begin >= end {
            return Err(BadTime::Order);
        }
        Ok(Self { date, begin, end })
    }

    /// Its length in minutes.
    pub fn minutes(&self) -> u32 {
        u32::from(self.end.get().saturating_sub(self.begin.get()))
    }

    /// Whether both times are multiples of `step_minute`; a step of 0 is none.
    pub fn check_step(&self, step_minute: u32) -> Result<(), BadTime> {
        let off = |minute: Minute| {
            u32::from(minute.get())
                .checked_rem(step_minute)
                .unwrap_or(0)
                != 0
        };
        let edges = [(Edge::Begin, self.begin), (Edge::End, self.end)];
        match edges.into_iter().find(|(_, minute)| off(*minute)) {
            Some((edge, _)) => Err(BadTime::Step { edge, step_minute }),
            None => Ok(()),
        }
    }

    /// Whether one reservation may be that long.
    pub fn check_length(&self, max_minute: u32) -> Result<(), TooLong> {
        let minutes = self.minutes();
        if minutes > max_minute {
            return Err(TooLong {
                minutes,
                max_minute,
            });
        }
        Ok(())
    }

    /// Whether all of it lies within the opening hours.
    pub fn check_open(&self, hours: OpeningHours) -> Result<(), Closed> {
        if self.begin < hours.opens || self.end > hours.closes {
            return Err(Closed(hours));
        }
        Ok(())
    }

    /// Whether it begins in the present minute or later.
    pub fn check_ahead(&self, now: Moment) -> Result<(), BeginInPast> {
        let begin = (self.date, self.begin);
        if begin < (now.day(), Minute::in_day_of(now)) {
            return Err(BeginInPast { now });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    const DAY: Date = date(2026, 6, 25);

    fn span(begin: &str, end: &str) -> Span {
        Span::read(DAY, begin, end).expect("a span")
    }

    #[test]
    fn times_are_clock_times_in_order() {
        let format = |edge, text: &str| {
            let text = text.to_owned();
            BadTime::Format { edge, text }
        };
        for (begin, end, expected) in [
            ("08:00", "12:00", Ok(240)),
            ("00:00", "24:00", Ok(1440)),
            ("08:00", "08:00", Err(BadTime::Order)),
            ("12:00", "08:00", Err(BadTime::Order)),
            ("8:00", "12:00", Err(format(Edge::Begin, "8:00"))),
            ("08:00", "noon", Err(format(Edge::End, "noon"))),
        ] {
            let found = Span::read(DAY, begin, end).map(|span| span.minutes());
            assert_eq!(found, expected, "{begin} {end}");
        }
    }

    #[test]
    fn both_times_keep_the_step() {
        let step = |edge, step_minute| Err(BadTime::Step { edge, step_minute });
        for (begin, end, minutes, expected) in [
            ("08:00", "12:30", 30, Ok(())),
            ("08:10", "12:15", 30, step(Edge::Begin, 30)),
            ("08:00", "12:15", 30, step(Edge::End, 30)),
            ("08:00", "12:15", 15, Ok(())),
            ("08:01", "12:17", 0, Ok(())),
        ] {
            assert_eq!(
                span(begin, end).check_step(minutes),
                expected,
                "{begin} {end}"
            );
        }
    }

    #[test]
    fn length_and_hours_are_allowed_to_the_minute() {
        let four_hours = span("08:00", "12:00");
        assert_eq!(four_hours.check_length(240), Ok(()));
        let too_long = TooLong {
            minutes: 240,
            max_minute: 239,
        };
        assert_eq!(four_hours.check_length(239), Err(too_long));
        let minute = |text: &str| Minute::parse(text).expect(text);
        let hours = OpeningHours {
            opens: minute("07:30"),
            closes: minute("22:00"),
        };
        for (begin, end, expected) in [
            ("07:30", "22:00", Ok(())),
            ("07:00", "09:00", Err(Closed(hours))),
            ("20:00", "22:30", Err(Closed(hours))),
        ] {
            assert_eq!(
                span(begin, end).check_open(hours),
                expected,
                "{begin} {end}"
            );
        }
    }

    #[test]
    fn the_present_minute_is_not_past() {
        let asked = span("11:00", "12:00");
        for (now, expected) in [
            (DAY.at(10, 59, 59, 0), true),
            (DAY.at(11, 0, 59, 0), true),
            (DAY.at(11, 1, 0, 0), false),
            (date(2026, 6, 24).at(23, 59, 0, 0), true),
            (date(2026, 6, 26).at(0, 0, 0, 0), false),
        ] {
            let now = Moment::at(now);
            let expected = if expected {
                Ok(())
            } else {
                Err(BeginInPast { now })
            };
            assert_eq!(asked.check_ahead(now), expected, "{now}");
        }
    }
}
