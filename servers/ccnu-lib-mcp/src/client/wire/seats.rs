//! Buildings, rooms, seats and their times.

use serde::Deserialize;
use serde_json::Value;

use super::scalar::{Count, Scalar, Text, optional};

/// `data` of `res/buildingFloorDate`.
#[derive(Deserialize)]
pub(in crate::client) struct Library {
    pub(in crate::client) buildings: Vec<Building>,
    /// `YYYY-MM-DD`.
    pub(in crate::client) dates: Vec<String>,
}

/// A building.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Building {
    pub(in crate::client) id: Text,
    pub(in crate::client) name: String,
    /// `07:00 _ 22:00` or `08:00_22:00`.
    pub(in crate::client) se_time: Option<String>,
    pub(in crate::client) floors: Vec<Floor>,
}

/// A floor.
#[derive(Deserialize)]
pub(in crate::client) struct Floor {
    pub(in crate::client) id: Text,
    pub(in crate::client) name: String,
}

/// `data` of `res/findRoomDuration`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Rooms {
    pub(in crate::client) page_list: Vec<Room>,
    #[serde(default, alias = "total", deserialize_with = "optional")]
    pub(in crate::client) total_count: Option<Count>,
    pub(in crate::client) next: Option<bool>,
}

/// A room.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Room {
    pub(in crate::client) id: Text,
    pub(in crate::client) name: String,
    pub(in crate::client) building_name: String,
    pub(in crate::client) floor_name: String,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) building_id: Option<Text>,
    pub(in crate::client) seat_total: Count,
    pub(in crate::client) seat_free: Count,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) seat_lock: Option<Count>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) max_minute: Option<Count>,
}

/// A seat of `res/freeSeatIdsDuration`.
#[derive(Deserialize)]
pub(in crate::client) struct Seat {
    /// Also the key, where the seats come as an object.
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) id: Option<Text>,
    pub(in crate::client) label: Text,
    pub(in crate::client) name: Option<String>,
    pub(in crate::client) status: Text,
}

/// What the objects of a plan have in common with seats.
#[derive(Deserialize)]
pub(in crate::client) struct Object {
    pub(in crate::client) left: f64,
    pub(in crate::client) top: f64,
    pub(in crate::client) seat: PlanSeat,
}

/// A seat of a plan.
#[derive(Deserialize)]
pub(in crate::client) struct PlanSeat {
    pub(in crate::client) id: Text,
    pub(in crate::client) label: Text,
    pub(in crate::client) name: Option<String>,
    pub(in crate::client) direction: Option<String>,
    pub(in crate::client) power: Option<bool>,
}

/// `data` of `res/getTimeLine`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct TimeLine {
    pub(in crate::client) free_list: Vec<Range>,
}

/// A free time.
#[derive(Deserialize)]
pub(in crate::client) struct Range {
    /// `14:04-23:00`.
    pub(in crate::client) label: String,
}

/// An entry of `res/getStartTimes` and `res/getEndTimes`: a value and what is shown for it.
#[derive(Deserialize)]
pub(in crate::client) struct Choice(
    pub(in crate::client) Scalar,
    #[serde(default)]
    #[expect(dead_code, reason = "keeps the place of what is shown")]
    pub(in crate::client) Value,
);
