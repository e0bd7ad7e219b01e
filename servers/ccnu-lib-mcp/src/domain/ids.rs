//! Ids of the seat system: text, though they look like numbers too long for a double.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// Longest id taken; those seen have 19 digits.
const LONGEST: usize = 64;

/// 1 to 64 ASCII letters, digits, `-` or `_`: what can stand in a path as it is.
fn is_id(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(allowed)
}

macro_rules! text_id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// That id, when `text` is 1 to 64 ASCII letters, digits, `-` or `_`.
            pub fn parse(text: &str) -> Option<Self> {
                is_id(text).then(|| Self(text.to_owned()))
            }

            /// The id as the system writes it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string" })
            }
        }
    };
}

text_id! {
    /// A building of the library.
    BuildingId
}
text_id! {
    /// A floor of a building.
    FloorId
}
text_id! {
    /// A room or area that seats stand in; the system's `roomId`.
    LocationId
}
text_id! {
    /// A seat, unlike its number on the label.
    SeatId
}
text_id! {
    /// One reservation.
    ReservationId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_can_stand_in_a_path() {
        for text in ["2003722571020177408", "0", "a-b_C", &"9".repeat(64)] {
            let id = SeatId::parse(text).map(|id| id.to_string());
            assert_eq!(id.as_deref(), Some(text));
        }
        for text in ["", "1/2", "..", "1.0", "1 ", "座", &"9".repeat(65)] {
            assert_eq!(SeatId::parse(text), None, "{text:?}");
        }
    }
}
