//! Shapes exactly as the seat system sends them.

pub(super) mod account;
pub(super) mod configuration;
pub(super) mod presence;
pub(super) mod reservations;
pub(super) mod scalar;
pub(super) mod seats;

use scalar::{Text, optional};
use serde::Deserialize;
use serde_json::Value;

/// What every answer is wrapped in.
#[derive(Deserialize)]
pub(super) struct Envelope {
    pub(super) status: Option<bool>,
    /// Seen by one client; means the same.
    pub(super) success: Option<bool>,
    #[serde(default, deserialize_with = "optional")]
    pub(super) code: Option<Text>,
    pub(super) message: Option<String>,
    pub(super) data: Option<Value>,
}

/// `data` of some refusals.
#[derive(Deserialize)]
pub(super) struct Conflict {
    /// Id of the reservation that stands in the way.
    #[serde(default, rename = "ctId", deserialize_with = "optional")]
    pub(super) ct_id: Option<Text>,
}
