//! How long was read, in a period.

use jiff::{SignedDuration, civil::Date};
use server_kit::time::Moment;

use super::ids::BookId;

/// The length of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Monday to Sunday.
    Weekly,
    /// A calendar month.
    Monthly,
    /// A calendar year.
    Annually,
    /// Since registration.
    Overall,
}

/// Days from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
}

impl Mode {
    /// The period of that length in which `day` lies; `None` for all time.
    pub fn span(self, day: Date) -> Option<Span> {
        let (first, last) = match self {
            Self::Weekly => {
                let since_monday = i64::from(day.weekday().to_monday_zero_offset());
                let monday = day.saturating_sub(SignedDuration::from_hours(24 * since_monday));
                let six_days = SignedDuration::from_hours(24 * 6);
                (monday, monday.saturating_add(six_days))
            }
            Self::Monthly => (day.first_of_month(), day.last_of_month()),
            Self::Annually => (day.first_of_year(), day.last_of_year()),
            Self::Overall => return None,
        };
        Some(Span { first, last })
    }
}

impl Span {
    /// How many days it has; none when the last lies before the first.
    pub fn days(self) -> u64 {
        let apart = self.first.duration_until(self.last).as_hours() / 24;
        u64::try_from(apart + 1).unwrap_or_default()
    }
}

/// What the service says of one period.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    /// The first day of the period; `None` for all time.
    pub begin: Option<Date>,
    /// Seconds in total.
    pub total_seconds: Option<u64>,
    /// Seconds for each calendar day, as the service averages.
    pub day_average_seconds: Option<u64>,
    /// Days with at least a minute, as the service counts.
    pub read_days: Option<u64>,
    /// The change against the period before: 0.25 is a quarter more.
    pub compared: Option<f64>,
    /// Seconds of each part: days of a week or month, months of a year, years of all time; by first day.
    pub parts: Vec<(Date, u64)>,
    /// Seconds of each day, where the parts are longer and the service tells days too.
    pub days: Vec<(Date, u64)>,
    /// The service's counts in its own words: `读过` `9本`.
    pub counts: Vec<(String, String)>,
    /// Books read longest.
    pub longest: Vec<Longest>,
    /// Categories by time.
    pub categories: Vec<CategoryTime>,
    /// Seconds by hour of the day, from 0 to 23; empty when not told.
    pub hours: Vec<u64>,
    /// Authors, with the time in the service's own words.
    pub authors: Vec<AuthorTime>,
    /// Seconds of reading and of listening; they may be 0 although the total is not.
    pub read_listen_seconds: Option<[u64; 2]>,
    /// When the account was made.
    pub registered: Option<Moment>,
}

/// A book among those read longest.
#[derive(Debug, Clone, PartialEq)]
pub struct Longest {
    /// Its id; `None` for an album.
    pub book_id: Option<BookId>,
    /// Its title.
    pub title: String,
    /// Its author.
    pub author: Option<String>,
    /// Seconds.
    pub seconds: Option<u64>,
    /// The service's tags, `单日阅读最久`.
    pub tags: Vec<String>,
}

/// A category by time.
#[derive(Debug, Clone, PartialEq)]
pub struct CategoryTime {
    /// Its title.
    pub title: String,
    /// Seconds.
    pub seconds: Option<u64>,
    /// Books.
    pub count: Option<u64>,
}

/// An author by time.
#[derive(Debug, Clone, PartialEq)]
pub struct AuthorTime {
    /// The name.
    pub name: String,
    /// Books.
    pub count: Option<u64>,
    /// The service's words, `5小时30分钟`.
    pub time: Option<String>,
}
