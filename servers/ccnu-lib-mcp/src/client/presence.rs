//! The gates of a day.

use http_session::drift::Drift;
use jiff::civil::Date;
use serde_json::Value;

use super::{
    clock,
    envelope::{Rejected, cleaned, data, shown},
    wire::presence as wire,
};
use crate::domain::presence::{Direction, DoorEvent, DoorLog};

/// The reader's passages of gates on `date`, newest first, from `user/doorLog/{date}`.
///
/// Fails with `Drift` when an event has no time; a direction that is not known is null.
pub fn door_log(answer: Value, date: Date) -> Result<DoorLog, Rejected> {
    let passages: Vec<wire::Passage> = data(answer)?;
    let events = passages.into_iter().enumerate().map(|(number, passage)| {
        let form = || Drift::form(&format!("data[{number}]"), "dateTimeStr");
        Ok(DoorEvent {
            time: clock::moment(&passage.date_time_str).ok_or_else(form)?,
            gate: shown(passage.gate_no).or_else(|| shown(passage.door_name)),
            direction: direction(&passage.direction),
            raw_direction: cleaned(passage.direction),
        })
    });
    let events = events.collect::<Result<Vec<DoorEvent>, Drift>>()?;
    Ok(DoorLog::of(date, events))
}

fn direction(sent: &Value) -> Option<Direction> {
    let number = sent.as_i64().map(|number| number.to_string());
    match number.as_deref().or(sent.as_str())? {
        "0" => Some(Direction::In),
        "1" => Some(Direction::Out),
        _ => None,
    }
}
