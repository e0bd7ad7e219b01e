//! How the seats of a room stand, free or not.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{ids::SeatId, told};

/// The plan of a room.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("seats", "不含实时空闲"),
    ("layout", "网页版 Fabric.js 画布原文"),
]))]
pub struct Layout {
    /// The system's number of this version of the plan.
    pub layout_version: Option<String>,
    /// How many seats.
    pub seat_count: usize,
    /// The seats, in the plan's order.
    pub seats: Vec<LayoutSeat>,
    /// The whole canvas as it came.
    pub layout: Map<String, Value>,
}

/// A seat on a plan.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("power", "有电源"),
    ("x", "画布坐标"),
]))]
pub struct LayoutSeat {
    /// Its id.
    pub seat_id: SeatId,
    /// The number on it.
    pub seat_no: String,
    /// Row and column, such as `1行9列`.
    pub name: String,
    /// The system's word for where it faces, such as `top`.
    pub direction: Option<String>,
    /// Whether it has a socket; null when not told.
    pub power: Option<bool>,
    /// From the left, in units of the canvas.
    pub x: f64,
    /// From the top, in units of the canvas.
    pub y: f64,
}
