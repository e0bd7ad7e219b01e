//! What days of reading add up to: weekdays, streaks, days without; and two periods compared.

mod comparison;

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::Serialize;

pub use self::comparison::{Change, Comparison, Totals};

/// From so many seconds on a day counts as a day of reading: the service too counts days "with at
/// least a minute" (docs/upstreams/weread.md, 6).
pub const READING_DAY_SECONDS: u64 = 60;

/// The reading of a period, day by day. All days are China's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Habit {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
    /// Days from the first to the last.
    pub calendar_days: u64,
    /// Days of reading.
    pub reading_days: u64,
    /// Days without, today too while nothing was read.
    pub idle_days: u64,
    /// Seconds in total, those of days below the minute too.
    pub seconds: u64,
    /// Seconds by weekday, Monday first.
    pub weekday_seconds: [u64; 7],
    /// The longest streak; the later one of two equal ones.
    pub longest_streak: Option<Streak>,
    /// The streak that goes on: it ends on the last day, or on the day before as long as nothing was read
    /// on the last one. It may have begun before the period, of which nothing is known here.
    pub current_streak: Option<Streak>,
}

/// Days of reading in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Streak {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
    /// How many.
    pub days: u64,
}

impl Habit {
    /// The days from `first` to `last`, of which `days` tells the seconds; a day that it does not tell has
    /// none, one that it tells twice has both, and those outside are left out. `last` should not lie
    /// in the future, or days to come count as days without. `None` when `last` is before `first`.
    pub fn of(days: &[(Date, u64)], first: Date, last: Date) -> Option<Self> {
        let mut told: BTreeMap<Date, u64> = BTreeMap::new();
        for (day, seconds) in days {
            if (first..=last).contains(day) {
                let sum = told.entry(*day).or_default();
                *sum = sum.saturating_add(*seconds);
            }
        }
        let apart = first.duration_until(last).as_hours() / 24;
        let calendar_days = u64::try_from(apart).ok()? + 1;
        let mut habit = Self {
            first,
            last,
            calendar_days,
            reading_days: 0,
            idle_days: calendar_days,
            seconds: 0,
            weekday_seconds: [0; 7],
            longest_streak: None,
            current_streak: None,
        };
        let mut streak: Option<Streak> = None;
        for (day, seconds) in told {
            habit.seconds = habit.seconds.saturating_add(seconds);
            let weekday = usize::from(day.weekday().to_monday_zero_offset().unsigned_abs());
            if let Some(sum) = habit.weekday_seconds.get_mut(weekday) {
                *sum = sum.saturating_add(seconds);
            }
            if seconds < READING_DAY_SECONDS {
                continue;
            }
            habit.reading_days += 1;
            habit.idle_days -= 1;
            let now = Streak::with(streak, day);
            streak = Some(now);
            if habit
                .longest_streak
                .is_none_or(|longest| longest.days <= now.days)
            {
                habit.longest_streak = Some(now);
            }
        }
        habit.current_streak =
            streak.filter(|streak| follows(streak.last, last) || streak.last == last);
        Some(habit)
    }
}

impl Streak {
    /// The streak that `day` continues, or a new one.
    fn with(before: Option<Self>, day: Date) -> Self {
        let new = Self {
            first: day,
            last: day,
            days: 1,
        };
        before
            .filter(|before| follows(before.last, day))
            .map_or(new, |before| Self {
                last: day,
                days: before.days + 1,
                ..before
            })
    }
}

fn follows(day: Date, next: Date) -> bool {
    day.tomorrow().is_ok_and(|tomorrow| tomorrow == next)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    /// November 2026: the 1st is a Sunday.
    fn november(day: i8) -> Date {
        date(2026, 11, day)
    }

    fn streak(first: i8, last: i8) -> Streak {
        Streak {
            first: november(first),
            last: november(last),
            days: u64::from((last - first + 1).unsigned_abs()),
        }
    }

    #[test]
    fn a_period_is_summed_by_day_weekday_and_streak() {
        let days = [
            (november(2), 60),
            (november(3), 3600),
            (november(1), 59),
            // A day without between.
            (november(9), 100),
            (november(10), 40),
            (november(10), 20),
            (date(2026, 10, 31), 9999),
            (november(13), 9999),
        ];
        assert_eq!(
            Habit::of(&days, november(1), november(11)),
            Some(Habit {
                first: november(1),
                last: november(11),
                calendar_days: 11,
                reading_days: 4,
                idle_days: 7,
                seconds: 59 + 60 + 3600 + 100 + 60,
                weekday_seconds: [160, 3660, 0, 0, 0, 0, 59],
                longest_streak: Some(streak(9, 10)),
                current_streak: Some(streak(9, 10)),
            })
        );
    }

    #[test]
    fn a_streak_goes_on_until_a_whole_day_has_passed_without() {
        let days: Vec<_> = [1, 2, 3].map(|day| (november(day), 600)).into();
        for (last, expected) in [(3, Some(streak(1, 3))), (4, Some(streak(1, 3))), (5, None)] {
            let habit = Habit::of(&days, november(1), november(last)).expect("a period");
            assert_eq!(habit.current_streak, expected, "{last}");
            assert_eq!(habit.longest_streak, Some(streak(1, 3)), "{last}");
        }
    }

    #[test]
    fn a_streak_runs_across_the_end_of_a_year() {
        let days = [(date(2026, 12, 31), 600), (date(2027, 1, 1), 600)];
        let habit = Habit::of(&days, date(2026, 12, 1), date(2027, 1, 1)).expect("a period");
        let across = Streak {
            first: date(2026, 12, 31),
            last: date(2027, 1, 1),
            days: 2,
        };
        assert_eq!(
            (habit.longest_streak, habit.current_streak),
            (Some(across), Some(across))
        );
    }

    #[test]
    fn a_period_without_reading_is_all_idle_and_a_reversed_one_is_none() {
        let idle = Habit::of(&[], november(1), november(30)).expect("a period");
        assert_eq!(
            (idle.idle_days, idle.seconds, idle.longest_streak),
            (30, 0, None)
        );
        assert_eq!(
            Habit::of(&[(november(1), 600)], november(2), november(1)),
            None
        );
    }
}
