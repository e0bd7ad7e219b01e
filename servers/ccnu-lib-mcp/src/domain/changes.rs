//! What is told after a reservation was made or changed.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use server_kit::time::Moment;

use super::{
    absence::{AwayRaw, AwaySource},
    ids::ReservationId,
    record::Record,
    reservations::SignInWindow,
    status::Status,
    told,
};

/// A reservation that was made, as it was read back.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = told(&[]))]
pub struct Reserved {
    /// The record.
    #[serde(flatten)]
    pub record: Record,
    /// When to check in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign_in_window: Option<SignInWindow>,
    /// It holds texts of the system.
    pub untrusted: bool,
    /// When it was read.
    pub as_of: Moment,
}

/// A change of a reservation, as it was read back.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("raw", "系统的原始返回；由核实得知结果时没有"),
    ("away_deadline", "须在此前返回"),
    ("missing", "没能读到、因而未计入的依据：stages 预约流水、door_log 闸机记录"),
]))]
pub struct Changed {
    /// Which one.
    pub reservation_id: ReservationId,
    /// What has become of it.
    pub status: Status,
    /// The system's sentence, or ours.
    pub message: String,
    /// What the system said, as it came; its meaning is not settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<Value>,
    /// Absent since then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away_since: Option<Moment>,
    /// To be back by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away_deadline: Option<Moment>,
    /// The absence in the system's own fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away_raw: Option<AwayRaw>,
    /// Records that could have told of the absence and could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<AwaySource>,
    /// It holds texts of the system.
    pub untrusted: bool,
    /// When it was read back.
    pub as_of: Moment,
}
