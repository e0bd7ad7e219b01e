//! The words of a journey, understood.

use jiff::{ToSpan, civil::Date};
use server_kit::time::day;

use crate::{Rail, domain::journey::Journey, error::Error};

/// Days on sale after today (all recordings, 2022–2026; docs/upstreams/rail.md, dates).
pub(crate) const DAYS_AHEAD: i64 = 14;

/// The longest runs take three days: a train that left before is still on its way.
pub(crate) const DAYS_UNDER_WAY: i64 = 3;

impl Rail {
    /// Understands the words of a journey. The date comes first: it needs no catalogue.
    pub(crate) async fn journey(&self, date: &str, from: &str, to: &str) -> Result<Journey, Error> {
        let date = self.day_on_sale(date)?;
        Ok(Journey {
            date,
            from: self.stations.place("from", from).await?,
            to: self.stations.place("to", to).await?,
        })
    }

    /// A day on which tickets are sold.
    pub(crate) fn day_on_sale(&self, text: &str) -> Result<Date, Error> {
        self.day_between(text, 0)
    }

    /// A day on which a train that runs now or later may have left its origin.
    pub(crate) fn day_of_origin(&self, text: &str) -> Result<Date, Error> {
        self.day_between(text, DAYS_UNDER_WAY)
    }

    fn day_between(&self, text: &str, days_back: i64) -> Result<Date, Error> {
        let today = self.kit.today();
        let first = today.saturating_sub(days_back.days());
        let last = today.saturating_add(DAYS_AHEAD.days());
        let date = day(text, today).map_err(|why| Error::Argument {
            field: "date",
            why: format!("{why}；今天是 {today}，可查 {first} 至 {last}"),
        })?;
        if date < first || date > last {
            return Err(Error::DateOutOfRange {
                date,
                today,
                first,
                last,
            });
        }
        Ok(date)
    }
}
