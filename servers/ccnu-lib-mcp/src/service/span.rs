//! Whether a seat can be had for a span at all, told before one is looked for.

use jiff::civil::Date;
use server_kit::time::Moment;

use crate::{
    client::configuration::Configuration,
    domain::{
        account::Reader,
        seats::{Building, Library},
        span::{Closed, OpeningHours, Span},
    },
    error::Error,
};

/// Step of times in minutes where nothing better is known (docs/upstreams/ccnu-lib.md, 5).
const USUAL_STEP: u32 = 30;

/// What can be told without asking: the step, as last heard, and the begin.
pub(crate) fn check_alone(span: &Span, step_minute: Option<u32>, now: Moment) -> Result<(), Error> {
    check_step(span, step_minute)?;
    span.check_ahead(now).map_err(Error::BeginInPast)
}

/// The step alone, which does not change with the time of the day.
pub(crate) fn check_step(span: &Span, step_minute: Option<u32>) -> Result<(), Error> {
    let step = step_minute.unwrap_or(USUAL_STEP);
    span.check_step(step).map_err(Error::BadTime)
}

/// Whether the day can be booked now and the library is open all along.
///
/// It is when some building is, or one whose hours are not known.
pub(crate) fn check_open(
    library: &Library,
    configuration: &Configuration,
    span: &Span,
    now: Moment,
) -> Result<(), Error> {
    check_day(library, configuration, span.date, now)?;
    let hours = |building: &Building| building.hours;
    let known: Option<Vec<OpeningHours>> = library.buildings.iter().map(hours).collect();
    let known = known.unwrap_or_default();
    if known.iter().any(|hours| span.check_open(*hours).is_ok()) {
        return Ok(());
    }
    let length = |hours: &OpeningHours| hours.closes.get().saturating_sub(hours.opens.get());
    match known.into_iter().max_by_key(length) {
        Some(longest) => Err(Error::Closed(Closed(longest))),
        None => Ok(()),
    }
}

/// Whether the day can be booked now.
pub(crate) fn check_day(
    library: &Library,
    configuration: &Configuration,
    date: Date,
    now: Moment,
) -> Result<(), Error> {
    if library.dates.contains(&date) {
        return Ok(());
    }
    Err(Error::DateNotOpen {
        date,
        today: now.day(),
        open: library.dates.clone(),
        opens_at: configuration.future_cond,
    })
}

/// Everything that a reservation of that span must keep to, but for the seat itself.
pub(crate) fn check_span(
    library: &Library,
    reader: &Reader,
    configuration: &Configuration,
    span: &Span,
    now: Moment,
) -> Result<(), Error> {
    check_alone(span, reader.step_minute, now)?;
    check_open(library, configuration, span, now)?;
    match reader.max_minute {
        Some(longest) => span.check_length(longest).map_err(Error::TooLong),
        None => Ok(()),
    }
}
