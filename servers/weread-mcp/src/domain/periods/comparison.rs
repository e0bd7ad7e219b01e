//! Two periods of reading side by side.

use serde::Serialize;

/// The sums of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Seconds of reading.
    pub seconds: Option<u64>,
    /// Days of reading.
    pub reading_days: Option<u64>,
    /// Days from the first to the last; those until today in a period that goes on.
    pub calendar_days: u64,
}

/// Two periods side by side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// Seconds of reading.
    pub seconds: Change,
    /// Days of reading.
    pub reading_days: Change,
    /// Seconds of reading for each calendar day, rounded down.
    pub day_average_seconds: Change,
}

/// A number in two periods. Null is what is not known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// In the period itself.
    pub this: Option<u64>,
    /// In the one it is compared with.
    pub other: Option<u64>,
    /// How much more it is.
    pub difference: Option<i64>,
    /// The difference as a part of the other: 0.25 is a quarter more, -1 nothing any more. To four
    /// decimals; null where the other is 0.
    pub ratio: Option<f64>,
}

impl Comparison {
    /// `this` against `other`.
    pub fn of(this: Totals, other: Totals) -> Self {
        let average = |totals: Totals| totals.seconds?.checked_div(totals.calendar_days);
        Self {
            seconds: Change::of(this.seconds, other.seconds),
            reading_days: Change::of(this.reading_days, other.reading_days),
            day_average_seconds: Change::of(average(this), average(other)),
        }
    }
}

impl Change {
    fn of(this: Option<u64>, other: Option<u64>) -> Self {
        let known = this.zip(other);
        let difference = known.and_then(|(this, other)| {
            let more = i128::from(this) - i128::from(other);
            i64::try_from(more).ok()
        });
        let ratio = |(difference, other): (i64, u64)| {
            // Seconds of reading are far below 2^53, so nothing is lost.
            (other > 0).then(|| round(difference as f64 / other as f64))
        };
        Self {
            this,
            other,
            difference,
            ratio: difference.zip(other).and_then(ratio),
        }
    }
}

fn round(ratio: f64) -> f64 {
    (ratio * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_compared_and_a_base_of_nothing_has_no_ratio() {
        let totals = |seconds, reading_days, calendar_days| Totals {
            seconds,
            reading_days,
            calendar_days,
        };
        let change = |this, other, difference, ratio| Change {
            this,
            other,
            difference,
            ratio,
        };
        for (this, other, expected) in [
            (
                totals(Some(4000), Some(10), 10),
                totals(Some(3000), Some(15), 30),
                Comparison {
                    seconds: change(Some(4000), Some(3000), Some(1000), Some(0.3333)),
                    reading_days: change(Some(10), Some(15), Some(-5), Some(-0.3333)),
                    day_average_seconds: change(Some(400), Some(100), Some(300), Some(3.0)),
                },
            ),
            (
                totals(Some(60), None, 0),
                totals(Some(0), Some(0), 7),
                Comparison {
                    seconds: change(Some(60), Some(0), Some(60), None),
                    reading_days: change(None, Some(0), None, None),
                    day_average_seconds: change(None, Some(0), None, None),
                },
            ),
            (
                totals(Some(0), Some(0), 7),
                totals(Some(u64::MAX), Some(7), 7),
                Comparison {
                    seconds: change(Some(0), Some(u64::MAX), None, None),
                    reading_days: change(Some(0), Some(7), Some(-7), Some(-1.0)),
                    day_average_seconds: change(
                        Some(0),
                        Some(u64::MAX / 7),
                        Some(-2_635_249_153_387_078_802),
                        Some(-1.0),
                    ),
                },
            ),
        ] {
            assert_eq!(Comparison::of(this, other), expected);
        }
    }
}
