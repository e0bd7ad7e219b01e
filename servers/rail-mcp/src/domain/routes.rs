//! The stops of one train.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::time::Moment;

use super::{
    stations::{Place, PlaceKind, Telecode},
    tickets::{TrainCode, TrainNo},
    told,
};

/// What a search for a public code found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainHits {
    /// The train with that very code.
    pub exact: Option<TrainHit>,
    /// The other hits, whose codes only begin alike, in the service's order.
    pub near: Vec<TrainHit>,
}

/// A train found by its public code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrainHit {
    /// As the upstream writes it; `A/B` where it changes on the way.
    pub train_code: TrainCode,
    /// What its stops are asked with.
    pub train_no: TrainNo,
    /// Name of the station where it starts.
    pub origin: Option<String>,
    /// Name of the station where it ends.
    pub terminus: Option<String>,
}

/// One stop of a train.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("day", "到达时为始发后第几天，当天为 0"),
    ("in_section", "在所问区间内"),
]))]
pub struct Stop {
    /// Its name.
    pub station: String,
    /// Null when the catalogue has no station of that name.
    pub telecode: Option<Telecode>,
    /// The public code here; it may change on the way.
    pub train_code: Option<TrainCode>,
    /// Null at the origin.
    pub arrive_at: Option<Moment>,
    /// Null at the terminus.
    pub depart_at: Option<Moment>,
    /// Null at both ends.
    pub dwell_minutes: Option<u32>,
    /// Days since the train left its origin, at arrival; 0 on the same day.
    pub day: u32,
    /// Whether it belongs to the section asked for, ends included.
    pub in_section: bool,
}

impl Stop {
    /// What tells stops of one route apart: a loop stops twice at a station.
    pub fn key(&self) -> String {
        let at = self.arrive_at.or(self.depart_at).map(|at| at.to_string());
        format!("{} {}", self.station, at.unwrap_or_default())
    }

    /// Whether this stop is at that place. A station may have a second code, which stops lack.
    pub fn is_at(&self, place: &Place) -> bool {
        let same_name = place.kind == PlaceKind::Station && place.name == self.station;
        same_name || self.telecode.is_some_and(|telecode| place.holds(&telecode))
    }
}

/// Which end of a section is not on the route, or stands before the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSection {
    /// The train does not stop at the place to board.
    From,
    /// The train does not stop at the place to leave, or not after the one to board or its origin.
    To,
}

/// Marks the stops from the first one at `from` to the first later one at `to`; an end that is not
/// asked for is the route's own. Nothing is changed when there is no such section, or no stop at all.
pub fn mark_section(
    stops: &mut [Stop],
    from: Option<&Place>,
    to: Option<&Place>,
) -> Result<(), NoSection> {
    if stops.is_empty() {
        return Ok(());
    }
    let start = match from {
        Some(from) => stops.iter().position(|stop| stop.is_at(from)),
        None => Some(0),
    };
    let start = start.ok_or(NoSection::From)?;
    let end = match to {
        Some(to) => {
            let after = start + 1;
            let later = stops.iter().skip(after).position(|stop| stop.is_at(to));
            later.map(|position| position + after)
        }
        None => Some(stops.len() - 1),
    };
    let end = end.ok_or(NoSection::To)?;
    for (position, stop) in stops.iter_mut().enumerate() {
        stop.in_section = (start..=end).contains(&position);
    }
    Ok(())
}
