//! Whether a reader is away from a seat, since when, and until when that is allowed.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::time::Moment;

use super::{
    minute::Minute,
    presence::{Direction, DoorLog},
    reservations::{Reservation, Stage},
    status::Status,
    told,
};

/// An absence that the record itself names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwayRange {
    /// Left.
    pub begin: Minute,
    /// Came back; none while absent.
    pub end: Option<Minute>,
}

/// The system's own fields about an absence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub struct AwayRaw {
    /// Minutes absent, booked on return.
    #[serde(rename = "awayTimeM", skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
    /// Clock times in words.
    #[serde(rename = "awayRange", skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
}

/// Which record speaks of an absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, transform = told(&[]))]
pub enum AwaySource {
    /// The reservation: its absences.
    Record,
    /// The reservation's steps.
    Stages,
    /// The gates.
    DoorLog,
}

/// What else is known while a reservation is used.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence<'a> {
    /// The steps of the reservation.
    pub stages: &'a [Stage],
    /// The gates on the day of the reservation.
    pub doors: Option<&'a DoorLog>,
    /// Minutes of absence allowed; none when unknown, 0 when there is no limit.
    pub limit_minutes: Option<u32>,
}

impl Reservation {
    /// The same with its absence, if the reader is away from a seat in use.
    ///
    /// The reservation speaks first, then its steps, then the gates: walking out does not change the
    /// reservation at once, the absence is booked on return.
    #[must_use]
    pub fn with_absence(self, evidence: Evidence<'_>) -> Self {
        let used = matches!(self.status, Status::InUse | Status::Away);
        let absence = used.then(|| self.absence(evidence)).flatten();
        let since = absence.map(|(since, _)| since);
        let limit = evidence.limit_minutes.filter(|limit| *limit > 0);
        Self {
            away_since: since,
            away_deadline: since
                .zip(limit)
                .map(|(since, limit)| since.plus_minutes(limit.into())),
            away_estimated: absence.map(|(_, source)| source == AwaySource::DoorLog),
            away_source: absence.map(|(_, source)| source),
            ..self
        }
    }

    fn absence(&self, evidence: Evidence<'_>) -> Option<(Moment, AwaySource)> {
        let open = self.last_absence.filter(|range| range.end.is_none());
        let recorded = open.map(|range| (range.begin.on(self.date), AwaySource::Record));
        let step = evidence.stages.iter().max_by_key(|stage| stage.at);
        let step = step.filter(|stage| Status::of_raw(&stage.raw_status) == Status::Away);
        let step = step.map(|stage| (stage.at, AwaySource::Stages));
        let gate = evidence.doors.and_then(|doors| self.gone_through(doors));
        let gate = gate.map(|at| (at, AwaySource::DoorLog));
        recorded.or(step).or(gate)
    }

    /// When the reader went out through a gate and did not come back, after the check-in.
    fn gone_through(&self, doors: &DoorLog) -> Option<Moment> {
        let last = doors.events.first()?;
        let checked_in = self.actual_begin.unwrap_or(self.start_time).on(self.date);
        let gone = last.direction == Some(Direction::Out) && last.time >= checked_in;
        (gone && doors.date == self.date).then_some(last.time)
    }
}

#[cfg(test)]
mod tests;
