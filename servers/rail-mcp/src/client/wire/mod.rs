//! Shapes exactly as 12306 sends them.

pub(super) mod routes;
pub(super) mod stations;
pub(super) mod tickets;
pub(super) mod transfers;

use serde::Deserialize;
use serde_json::Value;

/// What every JSON answer is wrapped in.
#[derive(Deserialize)]
pub(super) struct Envelope {
    pub(super) status: Option<bool>,
    /// The new query path, when the asked one is retired.
    pub(super) c_url: Option<String>,
    #[serde(default)]
    pub(super) messages: Value,
    #[serde(rename = "errorMsg")]
    pub(super) error_msg: Option<String>,
    pub(super) data: Option<Value>,
}
