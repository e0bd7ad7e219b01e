//! Journeys with one change.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::time::Moment;

use super::{tickets::Train, told};

/// A journey of two trains.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("same_train", "不下车，只换座"),
    ("total_price_yuan_min", "两程最低价之和，only_available 时只算有票席别"),
]))]
pub struct Plan {
    /// Boarding the first train.
    pub depart_at: Option<Moment>,
    /// Leaving the second train.
    pub arrive_at: Option<Moment>,
    /// The whole journey.
    pub total_minutes: Option<u32>,
    /// From the first train's arrival to the second one's departure.
    pub wait_minutes: Option<u32>,
    /// One name, or two at a change of station.
    pub transfer_station: Vec<String>,
    /// Whether the second train leaves from where the first arrives.
    pub same_station: bool,
    /// Whether the passenger stays on the train and changes the seat only.
    pub same_train: bool,
    /// The legs' lowest prices added. Null when one of them is not known.
    pub total_price_yuan_min: Option<f64>,
    /// First and second train.
    pub legs: [Train; 2],
}

/// Plans of one answer, and how to go on.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// In the upstream's order.
    pub plans: Vec<Plan>,
    /// The cursor of the next page.
    pub next: Option<u32>,
    /// Whether the upstream says that there is a next page.
    pub more: bool,
}

/// Why a list of plans was not read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = told(&[]))]
pub enum CutShort {
    /// As many pages as one query reads.
    PageLimit,
    /// The service pointed back to a page that was read already, or nowhere.
    RepeatedCursor,
    /// One call would have taken too long.
    TimeLimit,
    /// The service asked to wait, or the queue is too long.
    RateLimited,
    /// A later page could not be read.
    UpstreamFailed,
}

/// Where in a list a caller begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// At its first plan.
    First,
    /// After the plans that an answer before gave.
    Cursor,
}

impl CutShort {
    /// Whether the next try may read further.
    pub fn passes(self) -> bool {
        match self {
            Self::TimeLimit | Self::RateLimited | Self::UpstreamFailed => true,
            Self::PageLimit | Self::RepeatedCursor => false,
        }
    }
}

impl Plan {
    /// What tells plans of one answer apart.
    pub fn key(&self) -> String {
        self.legs
            .iter()
            .map(Train::key)
            .collect::<Vec<_>>()
            .join(" ")
    }
}
