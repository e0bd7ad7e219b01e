//! Days and clock times as the seat system writes them, all in China.

use jiff::civil::{Date, DateTime};
use server_kit::time::Moment;

use super::wire::scalar::Scalar;
use crate::domain::minute::Minute;

/// A minute of the day: a number, the same as text, or `HH:MM`; -1, empty and null are none.
pub(super) fn minute(sent: &Scalar) -> Result<Option<Minute>, ()> {
    let number = match sent {
        Scalar::Absent => return Ok(None),
        Scalar::Number(number) => *number,
        Scalar::Text(text) => match text.parse() {
            Ok(number) => number,
            Err(_) => return only(text).map(Some).ok_or(()),
        },
    };
    if number == -1 {
        return Ok(None);
    }
    let minute = u16::try_from(number).ok().and_then(Minute::new);
    minute.map(Some).ok_or(())
}

/// The one clock time that a text is.
pub(super) fn only(text: &str) -> Option<Minute> {
    let (hours, minutes) = text.trim().split_once(':')?;
    Minute::of(hours, minutes)
}

/// Every clock time in a text, in order, with one or two digits for the hour; seconds are cut.
pub(super) fn times(text: &str) -> Vec<Minute> {
    let words = text.split(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '：'));
    let time = |word: &str| {
        let mut parts = word.split([':', '：']);
        let (hours, minutes) = (parts.next()?, parts.next()?);
        let seconds = parts.next().is_none_or(|seconds| seconds.len() == 2);
        let alone = seconds && parts.next().is_none();
        alone.then(|| Minute::of(hours, minutes))?
    };
    words.filter_map(time).collect()
}

/// The two clock times that a text such as `07:00 _ 22:00` names, of which the second is the later.
pub(super) fn between(text: &str) -> Option<(Minute, Minute)> {
    match times(text).as_slice() {
        [from, to] if from < to => Some((*from, *to)),
        _ => None,
    }
}

/// A day as `YYYY-MM-DD`, or as `YYYYMMDD`.
pub(super) fn day(text: &str) -> Option<Date> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    match (text.len(), digits) {
        (10, 8) => text.parse().ok(),
        (8, 8) => Date::strptime("%Y%m%d", text).ok(),
        _ => None,
    }
}

/// A moment as `YYYY-MM-DD HH:MM:SS`, its seconds or its time missing at most.
pub(super) fn moment(text: &str) -> Option<Moment> {
    let text = text.trim();
    if let Some(day) = day(text) {
        return Some(Moment::at(day.at(0, 0, 0, 0)));
    }
    let formats = match text.len() {
        16 => "%Y-%m-%d %H:%M",
        19 => "%Y-%m-%d %H:%M:%S",
        _ => return None,
    };
    DateTime::strptime(formats, text).ok().map(Moment::at)
}

#[cfg(test)]
mod tests;
