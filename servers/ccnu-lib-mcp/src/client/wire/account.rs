//! The reader, and the token a reader gets.

use serde::{Deserialize, Deserializer};

use super::scalar::{Count, Text, optional};

/// `data` of `user/getUserInfo`, as far as it is used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct User {
    pub(in crate::client) flag_name: Option<String>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) max_minute: Option<Count>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) step_minute: Option<Count>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) breach_num: Option<Count>,
    #[serde(default, alias = "score", deserialize_with = "optional")]
    pub(in crate::client) score_num: Option<Count>,
    /// A moment; null or empty when off the blacklist. Missing says nothing.
    #[serde(default, deserialize_with = "sent")]
    pub(in crate::client) black_time: Sent<Text>,
    pub(in crate::client) black_message: Option<String>,
    pub(in crate::client) cycle_time_name: Option<String>,
}

impl User {
    /// Whether not one of the fields was sent.
    pub(in crate::client) fn says_nothing(&self) -> bool {
        let counts = [
            self.max_minute,
            self.step_minute,
            self.breach_num,
            self.score_num,
        ];
        let texts = [&self.flag_name, &self.black_message, &self.cycle_time_name];
        counts.iter().all(Option::is_none)
            && texts.iter().all(|text| text.is_none())
            && matches!(self.black_time, Sent::Missing)
    }
}

/// A field that may be missing, which is not the same as being empty.
#[derive(Default)]
pub(in crate::client) enum Sent<T> {
    #[default]
    Missing,
    Empty,
    Value(T),
}

fn sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Sent<Text>, D::Error> {
    Ok(optional(deserializer)?.map_or(Sent::Empty, Sent::Value))
}

/// The member of the same answer that names seats often taken.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Likes {
    /// JSON in a text: a list of `Like`.
    pub(in crate::client) like_seats: Option<String>,
}

/// One seat often taken.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Like {
    pub(in crate::client) seat_id: Text,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) num: Option<Count>,
}

/// `data` of `public/auth/cas`: the token itself, or an object with it.
#[derive(Deserialize)]
#[serde(untagged)]
pub(in crate::client) enum Admission {
    Token(String),
    Object { token: String },
}
