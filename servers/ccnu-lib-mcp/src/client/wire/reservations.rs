//! Reservations, and what comes back from those who change them.

use serde::Deserialize;

use super::scalar::{Count, Scalar, Text, optional};

/// A reservation, which the system calls "make".
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Make {
    pub(in crate::client) id: Text,
    pub(in crate::client) status: Text,
    pub(in crate::client) seat_label: Text,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) receipt: Option<Text>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) room_id: Option<Text>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) seat_id: Option<Text>,
    pub(in crate::client) build_name: Option<String>,
    pub(in crate::client) floor_name: Option<String>,
    pub(in crate::client) room_name: Option<String>,
    /// The three names joined by `|`.
    pub(in crate::client) location: Option<String>,
    /// A day as `YYYY-MM-DD`.
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) make_date_str: Option<Text>,
    /// The same as a number, supposedly `YYYYMMDD`.
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) make_date: Option<Text>,
    #[serde(default)]
    pub(in crate::client) make_begin: Scalar,
    #[serde(default)]
    pub(in crate::client) make_end: Scalar,
    #[serde(default)]
    pub(in crate::client) make_begin_str: Scalar,
    #[serde(default)]
    pub(in crate::client) make_end_str: Scalar,
    #[serde(default)]
    pub(in crate::client) actual_begin: Scalar,
    #[serde(default)]
    pub(in crate::client) actual_end: Scalar,
    #[serde(default)]
    pub(in crate::client) away_time_m: Scalar,
    /// Clock times in words, such as `09:40 _ 10:00`.
    pub(in crate::client) away_range: Option<String>,
    /// When to check in, or why it was a breach, in words.
    pub(in crate::client) message: Option<String>,
}

/// `data` of `make/freeBook`: a record, of which only the id is taken.
#[derive(Deserialize)]
pub(in crate::client) struct Booked {
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) id: Option<Text>,
}

/// `data` of `user/history` and `user/breach`.
#[derive(Deserialize)]
pub(in crate::client) struct Records {
    pub(in crate::client) count: Count,
    /// Null on a page past the end.
    pub(in crate::client) list: Option<Vec<Make>>,
}

/// One entry of `user/makeLife/{id}`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Stage {
    pub(in crate::client) stage: Text,
    /// `YYYY-MM-DD HH:MM:SS`.
    pub(in crate::client) created_date: String,
}
