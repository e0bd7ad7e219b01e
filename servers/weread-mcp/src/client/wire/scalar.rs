//! Single values: the service sends numbers as text and switches as numbers, and leaves any of them out.

use std::fmt;

use jiff::Timestamp;
use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};
use server_kit::{is_hiding, outside, passage, time::Moment};

use crate::domain::ids::BookId;

/// Any single value; null and the empty text are `Absent`.
#[derive(Debug, Clone, PartialEq)]
enum Scalar {
    Absent,
    Switch(bool),
    Number(i64),
    Decimal(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Sent)
    }
}

struct Sent;

impl Visitor<'_> for Sent {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a single value")
    }

    fn visit_unit<E: Error>(self) -> Result<Scalar, E> {
        Ok(Scalar::Absent)
    }

    fn visit_bool<E: Error>(self, switch: bool) -> Result<Scalar, E> {
        Ok(Scalar::Switch(switch))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Scalar, E> {
        i64::try_from(number).map(Scalar::Number).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Scalar, E> {
        Ok(Scalar::Decimal(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Scalar, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Scalar, E> {
        Ok(if text.is_empty() {
            Scalar::Absent
        } else {
            Scalar::Text(text)
        })
    }
}

/// A text, or an exact number as one: an id that passed through a float is another id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Scalar")]
pub(in crate::client) struct Text(Option<String>);

impl TryFrom<Scalar> for Text {
    type Error = &'static str;

    fn try_from(sent: Scalar) -> Result<Self, &'static str> {
        match sent {
            Scalar::Absent => Ok(Self(None)),
            Scalar::Number(number) => Ok(Self(Some(number.to_string()))),
            Scalar::Text(text) => Ok(Self(Some(text))),
            Scalar::Switch(_) | Scalar::Decimal(_) => Err("not a text"),
        }
    }
}

impl Text {
    /// As it came.
    pub(in crate::client) fn sent(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    /// This one, or the other where it is missing.
    pub(in crate::client) fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }

    /// One line, harmless to show; none when nothing is left.
    pub(in crate::client) fn line(&self) -> Option<String> {
        shown(self.sent())
    }

    /// All its lines in full, harmless to show; none when nothing is left.
    pub(in crate::client) fn passage(&self) -> Option<String> {
        Some(passage(self.sent())).filter(|text| !text.trim().is_empty())
    }

    /// Whether characters that hide words were taken out of it to show it.
    pub(in crate::client) fn is_hiding(&self) -> bool {
        is_hiding(self.sent())
    }

    /// The book of this id; none when it is missing or no id.
    pub(in crate::client) fn book_id(&self) -> Option<BookId> {
        self.sent().parse().ok()
    }
}

/// An outside line without white space around, harmless to show; none when nothing is left.
pub(in crate::client) fn shown(text: &str) -> Option<String> {
    let text = outside(text.trim());
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// A whole number, a text or a switch as one; what stands behind the point of another is cut off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Scalar")]
pub(in crate::client) struct Number(Option<i64>);

impl TryFrom<Scalar> for Number {
    type Error = &'static str;

    fn try_from(sent: Scalar) -> Result<Self, &'static str> {
        Ok(Self(match sent {
            Scalar::Absent => None,
            Scalar::Switch(switch) => Some(i64::from(switch)),
            Scalar::Number(number) => Some(number),
            Scalar::Decimal(number) => Some(whole(number).ok_or("not a whole number")?),
            Scalar::Text(text) => Some(text.trim().parse().map_err(|_| "not a number")?),
        }))
    }
}

/// The whole part of a number that a float holds exactly.
fn whole(number: f64) -> Option<i64> {
    /// 2^53.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "that is what is asked for")]
    (number.abs() < EXACT).then_some(number as i64)
}

impl Number {
    /// As it came.
    pub(in crate::client) fn get(self) -> Option<i64> {
        self.0
    }

    /// This one, or the other where it is missing.
    pub(in crate::client) fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }

    /// A number from 0; none for one below.
    pub(in crate::client) fn count(self) -> Option<u64> {
        self.0.and_then(|number| number.try_into().ok())
    }

    /// A part of a hundred or of a thousand, and the like; none outside of it.
    pub(in crate::client) fn at_most<T: TryFrom<i64>>(self, most: i64) -> Option<T> {
        let number = self.0.filter(|number| (0..=most).contains(number));
        number.and_then(|number| number.try_into().ok())
    }

    /// The moment so many seconds after the beginning of 1970; none for 0, which means never.
    pub(in crate::client) fn moment(self) -> Option<Moment> {
        let seconds = self.0.filter(|seconds| *seconds > 0)?;
        Timestamp::from_second(seconds).ok().map(Moment::of)
    }

    /// The same of thousandths.
    pub(in crate::client) fn moment_of_millis(self) -> Option<Moment> {
        let millis = self.0.filter(|millis| *millis > 0)?;
        Timestamp::from_millisecond(millis).ok().map(Moment::of)
    }
}

/// A number with a point, or a text as one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(try_from = "Scalar")]
pub(in crate::client) struct Decimal(Option<f64>);

impl TryFrom<Scalar> for Decimal {
    type Error = &'static str;

    fn try_from(sent: Scalar) -> Result<Self, &'static str> {
        let number = match sent {
            Scalar::Absent => return Ok(Self(None)),
            #[expect(clippy::cast_precision_loss, reason = "prices and ratios are small")]
            Scalar::Number(number) => Some(number as f64),
            Scalar::Decimal(number) => Some(number),
            Scalar::Text(text) => text.trim().parse().ok(),
            Scalar::Switch(_) => None,
        };
        let number = number.filter(|number: &f64| number.is_finite());
        number
            .map(|number| Self(Some(number)))
            .ok_or("not a number")
    }
}

impl Decimal {
    /// As it came.
    pub(in crate::client) fn get(self) -> Option<f64> {
        self.0
    }

    /// In hundredths, rounded; none below 0.
    pub(in crate::client) fn hundredths(self) -> Option<u64> {
        let hundredths = self.0.and_then(|number| whole((number * 100.0).round()));
        hundredths.and_then(|number| number.try_into().ok())
    }
}

/// A switch: true or 1, false or 0, also as text. Other numbers are not known, so nothing is said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Scalar")]
pub(in crate::client) struct Flag(Option<bool>);

impl TryFrom<Scalar> for Flag {
    type Error = &'static str;

    fn try_from(sent: Scalar) -> Result<Self, &'static str> {
        Ok(Self(match sent {
            Scalar::Absent => None,
            Scalar::Switch(switch) => Some(switch),
            Scalar::Number(0) => Some(false),
            Scalar::Number(1) => Some(true),
            Scalar::Number(_) => None,
            Scalar::Text(text) => match text.trim() {
                "0" | "false" => Some(false),
                "1" | "true" => Some(true),
                _ => return Err("not a switch"),
            },
            Scalar::Decimal(_) => return Err("not a switch"),
        }))
    }
}

impl Flag {
    /// What it says, if anything.
    pub(in crate::client) fn get(self) -> Option<bool> {
        self.0
    }

    /// Whether it says yes.
    pub(in crate::client) fn is_on(self) -> bool {
        self.0 == Some(true)
    }
}

#[cfg(test)]
mod tests;
