//! Single values that come as a number or as text, where the facts say so.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};

/// A number or a text; null and the empty text are `Absent`.
///
/// A float is none of them: an id of 19 digits that passed through one is another id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::client) enum Scalar {
    /// Nothing.
    #[default]
    Absent,
    /// An exact number.
    Number(i64),
    /// A text, never empty.
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
        f.write_str("a text or an exact number")
    }

    fn visit_unit<E: Error>(self) -> Result<Scalar, E> {
        Ok(Scalar::Absent)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Scalar, E> {
        i64::try_from(number).map(Scalar::Number).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Scalar, E> {
        Ok(match text {
            "" => Scalar::Absent,
            text => Scalar::Text(text.to_owned()),
        })
    }
}

/// A text, or a number as one. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Scalar")]
pub(in crate::client) struct Text(pub(in crate::client) String);

impl TryFrom<Scalar> for Text {
    type Error = &'static str;

    fn try_from(sent: Scalar) -> Result<Self, &'static str> {
        match sent {
            Scalar::Absent => Err("missing"),
            Scalar::Number(number) => Ok(Self(number.to_string())),
            Scalar::Text(text) => Ok(Self(text)),
        }
    }
}

/// A number from 0, or one as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Scalar")]
pub(in crate::client) struct Count(pub(in crate::client) u32);

impl TryFrom<Scalar> for Count {
    type Error = &'static str;

    fn try_from(sent: Scalar) -> Result<Self, &'static str> {
        let count = match sent {
            Scalar::Absent => None,
            Scalar::Number(number) => u32::try_from(number).ok(),
            Scalar::Text(text) => text.parse().ok(),
        };
        count.map(Self).ok_or("not a count")
    }
}

/// That kind of value, or none where the field is null or empty; put `default` beside it for one
/// that may be missing.
pub(in crate::client) fn optional<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<Scalar, Error = &'static str>,
{
    match Scalar::deserialize(deserializer)? {
        Scalar::Absent => Ok(None),
        sent => T::try_from(sent).map(Some).map_err(D::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::*;

    #[derive(Deserialize, Debug, PartialEq)]
    struct Sample {
        id: Text,
        #[serde(default, deserialize_with = "optional")]
        count: Option<Count>,
    }

    fn read(sent: Value) -> Option<Sample> {
        from_value(sent).ok()
    }

    #[test]
    fn numbers_and_texts_are_one_and_floats_are_none() {
        let sample = |id: &str, count| {
            let (id, count) = (Text(id.to_owned()), Option::map(count, Count));
            Some(Sample { id, count })
        };
        for (sent, expected) in [
            (
                json!({ "id": "2003722571020177408" }),
                sample("2003722571020177408", None),
            ),
            (
                json!({ "id": 2003722571020177408_u64 }),
                sample("2003722571020177408", None),
            ),
            (json!({ "id": "060", "count": "3" }), sample("060", Some(3))),
            (json!({ "id": "a", "count": 3 }), sample("a", Some(3))),
            (json!({ "id": "a", "count": "" }), sample("a", None)),
            (json!({ "id": "a", "count": null }), sample("a", None)),
            (json!({ "id": 2.0037225710201774e18 }), None),
            (json!({ "id": 1.0 }), None),
            (json!({ "id": u64::MAX }), None),
            (json!({ "id": "" }), None),
            (json!({ "id": null }), None),
            (json!({ "id": true }), None),
            (json!({ "id": {} }), None),
            (json!({ "count": 1 }), None),
            (json!({ "id": "a", "count": -1 }), None),
            (json!({ "id": "a", "count": "+" }), None),
            (json!({ "id": "a", "count": 1.5 }), None),
            (json!({ "id": "a", "count": [] }), None),
        ] {
            assert_eq!(read(sent.clone()), expected, "{sent}");
        }
    }
}
