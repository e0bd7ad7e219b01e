//! Where the reader is, and what becomes of the seat meanwhile.

use jiff::civil::Date;

use super::{
    readers::User,
    reservations::{Present, present, spared},
};
use crate::{
    Library,
    domain::{absence::AwaySource, presence::DoorLog, reservations::Reservation},
    error::Error,
};

/// The gates of today and the reservation that holds a seat.
pub(crate) struct Presence {
    /// None when they cannot be told, which is then named as missing.
    pub(crate) doors: Option<DoorLog>,
    pub(crate) reservation: Option<Reservation>,
    /// What could not be read.
    pub(crate) missing: Vec<AwaySource>,
}

impl Library {
    /// The reader's passages of gates on a day, which tell where the reader is if it is today.
    pub(crate) async fn door_log(&self, user: &User, date: Date) -> Result<DoorLog, Error> {
        let today = self.kit.now().day();
        let log = user.read(|| user.reader.door_log(date)).await?;
        Ok(DoorLog {
            in_building: log.in_building.filter(|_| date == today),
            ..log
        })
    }

    /// Today's gates and the reservation that holds a seat, with its absence or check-in window.
    pub(crate) async fn presence(&self, user: &User) -> Result<Presence, Error> {
        let (reader, now) = (&user.reader, self.kit.now());
        user.read(|| async move {
            let reservation = match present(&self.client, reader, now).await? {
                Present::Held(held) => Some(*held),
                Present::Nothing { .. } => None,
            };
            let mut missing = reservation
                .as_ref()
                .map_or_else(Vec::new, |held| held.missing.clone());
            let doors = reader.door_log(now.day()).await;
            let doors = spared(doors, AwaySource::DoorLog, &mut missing)?;
            missing.dedup();
            Ok(Presence {
                doors,
                reservation,
                missing,
            })
        })
        .await
    }
}
