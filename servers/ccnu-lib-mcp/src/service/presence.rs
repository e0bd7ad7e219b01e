//! Where the reader is, and what becomes of the seat meanwhile.

use jiff::civil::Date;

use super::{
    readers::User,
    reservations::{Present, present},
};
use crate::{
    Library,
    domain::{presence::DoorLog, reservations::Reservation},
    error::Error,
};

/// The gates of today and the reservation that holds a seat.
pub(crate) struct Presence {
    pub(crate) doors: DoorLog,
    pub(crate) reservation: Option<Reservation>,
}

impl Library {
    /// The reader's passages of gates on a day.
    pub(crate) async fn door_log(&self, user: &User, date: Date) -> Result<DoorLog, Error> {
        user.read(|| user.reader.door_log(date)).await
    }

    /// Today's gates and the reservation that holds a seat, with its absence or check-in window.
    pub(crate) async fn presence(&self, user: &User) -> Result<Presence, Error> {
        let (reader, now) = (&user.reader, self.kit.now());
        user.read(|| async move {
            let doors = reader.door_log(now.day()).await?;
            let reservation = match present(&self.client, reader, now).await? {
                Present::Held(held) => Some(*held),
                Present::Nothing { .. } => None,
            };
            Ok(Presence { doors, reservation })
        })
        .await
    }
}
