//! A reservation as a list of past ones shows it, or one that was just made.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ids::{LocationId, ReservationId, SeatId},
    minute::Minute,
    reservations::Reservation,
    status::Status,
    told,
};

/// What every reservation tells, without what matters only while a seat is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("raw_status", "系统原始状态"),
    ("raw_text", "系统原文，如签到时段或违约原因"),
]))]
pub struct Record {
    /// Its id.
    pub reservation_id: ReservationId,
    /// What has become of it.
    pub status: Status,
    /// The system's own word.
    pub raw_status: String,
    /// The number on the seat.
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
    /// The number shown to staff.
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
}

impl From<Reservation> for Record {
    fn from(reservation: Reservation) -> Self {
        Self {
            reservation_id: reservation.reservation_id,
            status: reservation.status,
            raw_status: reservation.raw_status,
            seat_no: reservation.seat_no,
            path: reservation.path,
            date: reservation.date,
            start_time: reservation.start_time,
            end_time: reservation.end_time,
            receipt: reservation.receipt,
            raw_text: reservation.raw_text,
            location_id: reservation.location_id,
            seat_id: reservation.seat_id,
            actual_begin: reservation.actual_begin,
            actual_end: reservation.actual_end,
        }
    }
}
