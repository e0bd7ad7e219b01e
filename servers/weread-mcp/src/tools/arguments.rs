//! Arguments that several tools read alike.

use jiff::{SignedDuration, Timestamp, civil::Date};
use server_kit::{
    Failure, bad_argument,
    time::{self, Moment},
};

use crate::domain::ids::BookId;

/// The book that `book_id` names.
pub(super) fn book_id(text: &str) -> Result<BookId, Failure> {
    book("book_id", text)
}

/// The book that an argument names.
pub(super) fn book(field: &str, text: &str) -> Result<BookId, Failure> {
    let id = text.parse();
    id.map_err(|why| bad_argument(field, format!("{why}")))
}

/// The begin of the day that an argument names, or of the day `later` days after it.
pub(super) fn begin_of_day(
    field: &str,
    text: &str,
    today: Date,
    later: i64,
) -> Result<Timestamp, Failure> {
    let day = time::day(text, today).map_err(|why| bad_argument(field, why.to_string()))?;
    let day = day.saturating_add(SignedDuration::from_hours(24 * later));
    Ok(Moment::at(day.at(0, 0, 0, 0)).timestamp())
}
