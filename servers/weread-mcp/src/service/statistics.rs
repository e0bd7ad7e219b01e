//! How long was read in a period, and in the one before.

use jiff::civil::Date;
use server_kit::time::Moment;

use super::access::Need;
use crate::{
    WeRead,
    client::Surface,
    domain::{
        periods::{Habit, Totals},
        statistics::{Mode, Span, Statistics},
    },
    error::Error,
};

/// A period, and the one before where that is wanted and could be had.
pub(crate) struct Report {
    pub(crate) this: Period,
    pub(crate) before: Option<Period>,
    /// What could not be had.
    pub(crate) missing: Vec<(&'static str, Error)>,
}

/// What is known of one period.
pub(crate) struct Period {
    pub(crate) span: Span,
    /// Its days that have begun.
    pub(crate) past: Span,
    pub(crate) told: Statistics,
    /// What its days add up to, where they are told.
    pub(crate) habit: Option<Habit>,
}

impl WeRead {
    /// The period in which `day` lies, and with `compare` the one before; all time has none before.
    pub(crate) async fn reading(
        &self,
        mode: Mode,
        day: Date,
        compare: bool,
    ) -> Result<Report, Error> {
        let this = self.period(mode, day).await?;
        let day_before = this.span.first.yesterday().ok();
        let day_before = day_before.filter(|_| compare && mode != Mode::Overall);
        let mut missing = Vec::new();
        let before = match day_before {
            None => None,
            Some(day) => match self.period(mode, day).await {
                Ok(before) => Some(before),
                Err(error) => {
                    missing.push(("compared", error));
                    None
                }
            },
        };
        Ok(Report {
            this,
            before,
            missing,
        })
    }

    async fn period(&self, mode: Mode, day: Date) -> Result<Period, Error> {
        let span = mode.span(day);
        let begin = span.map(|span| Moment::at(span.first.at(0, 0, 0, 0)).timestamp());
        let ask = |surface: Surface| async move { surface.statistics(mode, begin).await };
        let told = self.access.ask(Need::Gateway, ask).await?;
        let span = match span {
            Some(span) => asked_for(span, mode, &told)?,
            None => all_time(&told, self.kit.today()),
        };
        Ok(Period::new(mode, span, told, self.kit.today()))
    }
}

impl Period {
    fn new(mode: Mode, span: Span, mut told: Statistics, today: Date) -> Self {
        let past = Span {
            first: span.first,
            last: span.last.min(today),
        };
        // Parts to come have nothing to tell.
        told.parts.retain(|(begin, _)| *begin <= today);
        told.days.retain(|(day, _)| *day <= today);
        let days = match mode {
            Mode::Weekly | Mode::Monthly => Some(&told.parts),
            Mode::Annually => Some(&told.days),
            Mode::Overall => None,
        };
        // No days at all are a period without reading only when that is what the sum says.
        let days = days.filter(|days| !days.is_empty() || told.total_seconds == Some(0));
        let habit = days.and_then(|days| Habit::of(days, past.first, past.last));
        Self {
            span,
            past,
            told,
            habit,
        }
    }

    /// Whether it is not over yet.
    pub(crate) fn goes_on(&self, today: Date) -> bool {
        today <= self.span.last
    }

    /// Days with at least a minute, as the service counts, or by its days.
    pub(crate) fn reading_days(&self) -> Option<u64> {
        let counted = self.habit.as_ref().map(|habit| habit.reading_days);
        self.told.read_days.or(counted)
    }

    /// Seconds of its first so many days, where days are told.
    pub(crate) fn first_days(&self, days: u64) -> Option<u64> {
        self.habit.as_ref()?;
        let told = match self.told.days.as_slice() {
            [] => &self.told.parts,
            _ => &self.told.days,
        };
        let within = |day: Date| {
            let until = Span {
                first: self.span.first,
                last: day,
            };
            until.days() <= days
        };
        let told = told.iter().filter(|(day, _)| within(*day));
        Some(told.map(|(_, seconds)| seconds).sum())
    }

    pub(crate) fn totals(&self) -> Totals {
        Totals {
            seconds: self.told.total_seconds,
            reading_days: self.reading_days(),
            calendar_days: self.past.days(),
        }
    }
}

/// Holds the answer to the question: the service gives the running period when it does not see the day.
fn asked_for(span: Span, mode: Mode, told: &Statistics) -> Result<Span, Error> {
    let begin = told.begin.unwrap_or(span.first);
    match mode.span(begin) == Some(span) {
        true => Ok(span),
        false => Err(Error::Changed {
            path: "/readdata/detail".to_owned(),
            field: "baseTime".to_owned(),
            why: format!("给出的是 {begin} 起的时段，所问的从 {} 起", span.first),
        }),
    }
}

/// From the account's first day, or the first part that is told.
fn all_time(told: &Statistics, today: Date) -> Span {
    let registered = told.registered.map(Moment::day);
    let first = told.parts.first().map(|(begin, _)| *begin);
    Span {
        first: registered.or(first).unwrap_or(today),
        last: today,
    }
}
