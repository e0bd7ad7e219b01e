//! The gates.

use serde::Deserialize;
use serde_json::Value;

/// One entry of `user/doorLog/{date}`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Passage {
    /// `YYYY-MM-DD HH:MM:SS`.
    pub(in crate::client) date_time_str: String,
    /// 0 in, 1 out, as a number or as text; others and null have been met.
    #[serde(default)]
    pub(in crate::client) direction: Value,
    pub(in crate::client) gate_no: Option<String>,
    /// What another school names instead.
    pub(in crate::client) door_name: Option<String>,
}
