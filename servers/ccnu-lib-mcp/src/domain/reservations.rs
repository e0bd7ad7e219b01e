//! Reservations, as the system keeps them.

use std::cmp::Reverse;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use server_kit::time::Moment;

use super::{
    absence::{AwayRange, AwayRaw, AwaySource},
    ids::{LocationId, ReservationId, SeatId},
    minute::Minute,
    span::Span,
    status::Status,
    told,
};

/// How long before and after the begin one checks in where nothing better is known, in minutes.
///
/// Guessed from the one recorded sentence (docs/upstreams/ccnu-lib.md, 8).
const USUAL_WINDOW: u32 = 30;

/// One reservation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("raw_status", "系统原始状态"),
    ("receipt", "预约凭证号"),
    ("raw_text", "系统原文，如签到时段或违约原因"),
    ("sign_in_window", "应签到的时段"),
    ("away_deadline", "须在此前返回"),
    ("away_estimated", "暂离由闸机记录推断，系统尚未记录"),
    ("away_source", "暂离依据：record 预约记录、stages 预约流水、door_log 闸机记录"),
    ("missing", "没能读到、因而未计入的依据：stages 预约流水、door_log 闸机记录"),
]))]
pub struct Reservation {
    /// Its id.
    pub reservation_id: ReservationId,
    /// What it is at; `seen_at` tells reserved from waiting for the check-in.
    pub status: Status,
    /// The system's own word.
    pub raw_status: String,
    /// The number on the seat, such as `N1143`.
    pub seat_no: String,
    /// Building, floor and room, as far as told.
    pub path: Vec<String>,
    /// The day.
    #[schemars(with = "String")]
    pub date: Date,
    /// It begins.
    pub start_time: Minute,
    /// It ends.
    pub end_time: Minute,
    /// The number shown to staff, new with each reservation.
    pub receipt: Option<String>,
    /// The system's own sentence.
    pub raw_text: Option<String>,
    /// The room.
    pub location_id: Option<LocationId>,
    /// The seat.
    pub seat_id: Option<SeatId>,
    /// Checked in at.
    pub actual_begin: Option<Minute>,
    /// Left at.
    pub actual_end: Option<Minute>,
    /// When to check in; only of a reservation that waits for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign_in_window: Option<SignInWindow>,
    /// Absent since then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away_since: Option<Moment>,
    /// To be back by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away_deadline: Option<Moment>,
    /// The absence in the system's own fields; only while in use or away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away_raw: Option<AwayRaw>,
    /// Whether the absence is concluded from the gates, unknown to the reservation so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away_estimated: Option<bool>,
    /// Which record speaks of the absence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away_source: Option<AwaySource>,
    /// Records that could have told of an absence and could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<AwaySource>,
    /// The check-in times named in `raw_text`.
    #[serde(skip)]
    pub stated_window: Option<(Minute, Minute)>,
    /// The last absence that the record names.
    #[serde(skip)]
    pub last_absence: Option<AwayRange>,
}

/// The time to check in, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("source", "message 系统原文、computed 按系统设置算出、assumed 按惯例前后 30 分钟"),
]))]
pub struct SignInWindow {
    /// Not before.
    pub begin: Moment,
    /// Not after.
    pub end: Moment,
    /// Where it is from.
    pub source: WindowSource,
}

/// Where a check-in window is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, transform = told(&[]))]
pub enum WindowSource {
    /// The reservation's own sentence.
    Message,
    /// The system's settings.
    Computed,
    /// Half an hour before and after the begin, as is usual.
    Assumed,
}

/// Minutes before and after the begin within which one checks in, by the system's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SignInRule {
    /// Before the begin.
    pub before: Option<u32>,
    /// After it.
    pub after: Option<u32>,
}

/// Which question a reservation answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The reservation in use or to come.
    Current,
    /// Recent or past ones.
    List,
}

impl Reservation {
    /// Its day and times.
    pub fn span(&self) -> Span {
        Span {
            date: self.date,
            begin: self.start_time,
            end: self.end_time,
        }
    }

    /// The same with what depends on the time: one that is booked gets its check-in window, and
    /// waits for the check-in inside it.
    #[must_use]
    pub fn seen_at(self, now: Moment, rule: SignInRule) -> Self {
        let waits = matches!(self.status, Status::Reserved | Status::WaitingSignIn);
        let window = waits.then(|| self.window(rule));
        let inside = window.is_some_and(|window| (window.begin..=window.end).contains(&now));
        let status = match self.status {
            // Of the words taken for booked this is the only one whose meaning is known.
            Status::Reserved
                if inside && self.raw_status.trim().eq_ignore_ascii_case("RESERVE") =>
            {
                Status::WaitingSignIn
            }
            other => other,
        };
        Self {
            status,
            sign_in_window: window,
            ..self
        }
    }

    fn window(&self, rule: SignInRule) -> SignInWindow {
        if let Some((begin, end)) = self.stated_window {
            return SignInWindow {
                begin: begin.on(self.date),
                end: end.on(self.date),
                source: WindowSource::Message,
            };
        }
        let (before, after, source) = match (rule.before, rule.after) {
            (Some(before), Some(after)) => (before, after, WindowSource::Computed),
            _ => (USUAL_WINDOW, USUAL_WINDOW, WindowSource::Assumed),
        };
        let begin = self.start_time.on(self.date);
        SignInWindow {
            begin: begin.plus_minutes(-i64::from(before)),
            end: begin.plus_minutes(after.into()),
            source,
        }
    }

    /// Whether it holds a seat at `now`. What the system calls current does by its word, and while
    /// its end lies ahead when that word is not known. Any other must be known to, and not be over: a
    /// record that was never set right must not stand in the way for ever.
    pub fn is_active(&self, origin: Origin, now: Moment) -> bool {
        let ahead = self.end_time.on(self.date) > now;
        match (origin, self.status) {
            (Origin::Current, Status::Unknown) => ahead,
            (Origin::Current, known) => known.is_active(),
            (Origin::List, status) => status.is_active() && ahead,
        }
    }

    /// Day, begin and id: later reservations are greater. Ids have been given out in rising order,
    /// and longer ones are later.
    fn age(&self) -> (Date, Minute, usize, &str) {
        let id = self.reservation_id.as_str();
        (self.date, self.start_time, id.len(), id)
    }
}

/// Sorts by day and begin, the newest first; the system's own order means nothing.
pub fn newest_first(reservations: &mut [Reservation]) {
    reservations.sort_by(|a, b| Reverse(a.age()).cmp(&Reverse(b.age())));
}

/// The newest of a list of recent reservations that holds a seat.
pub fn newest_active(recent: &[Reservation], now: Moment) -> Option<&Reservation> {
    let active = |reservation: &&Reservation| reservation.is_active(Origin::List, now);
    let active = recent.iter().filter(active);
    active.max_by(|a, b| a.age().cmp(&b.age()))
}

/// A page of past reservations or breaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Records {
    /// How many there are on all pages.
    pub total: u32,
    /// Those of this page, in the system's order.
    pub records: Vec<Reservation>,
}

impl Records {
    /// Whether there are records, and none of them on this page.
    pub fn lacks_all(&self) -> bool {
        self.total > 0 && self.records.is_empty()
    }
}

/// What the system says after a reservation was cancelled, left, returned to or ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Acted {
    /// Its own sentence.
    pub said: Option<String>,
    /// The data as it came, whose meaning is not settled.
    pub raw: serde_json::Value,
}

/// One step in the life of a reservation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The system's word, of the same kind as `raw_status`.
    pub raw_status: String,
    /// When it came about.
    pub at: Moment,
}

#[cfg(test)]
pub(crate) mod tests;
