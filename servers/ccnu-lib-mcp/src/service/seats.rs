//! Rooms and their free seats over a span, and one seat over a day.

use std::{
    cmp::{Ordering, Reverse},
    collections::HashSet,
    sync::Arc,
};

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use server_kit::time::Moment;

use super::{
    readers::User,
    span::{check_alone, check_day, check_open},
};
use crate::{
    Library,
    client::{Reader, configuration::Configuration},
    domain::{
        ids::{LocationId, SeatId},
        labels::natural,
        seats::{self, Building, Favorite, Location, Seat},
        span::Span,
        times::{StartTimes, TimeLine},
    },
    error::Error,
};

/// Which rooms are meant; parts of names, all by default.
#[derive(Debug, Clone, Default)]
pub(crate) struct RoomWishes {
    /// Part of the building's name.
    pub(crate) library: Option<String>,
    /// Part of the room's name.
    pub(crate) area: Option<String>,
}

/// The rooms that were meant.
pub(crate) struct Distribution {
    /// Most free seats first.
    pub(crate) locations: Vec<Location>,
    /// What the wishes left out.
    pub(crate) removed: RemovedRooms,
    /// Names of all buildings.
    pub(crate) buildings: Vec<String>,
}

// Buildings and rooms that the wishes left out; rooms of such a building are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct RemovedRooms {
    pub(crate) buildings: usize,
    pub(crate) locations: usize,
}

/// When one seat can be had on a day.
pub(crate) struct DayOfSeat {
    pub(crate) free: TimeLine,
    pub(crate) starts: StartTimes,
}

/// Whether a name holds that part, whatever the case of its letters; nothing is a part of all.
pub(crate) fn holds(name: &str, part: Option<&str>) -> bool {
    let part = part.map(str::trim).unwrap_or_default();
    name.to_lowercase().contains(&part.to_lowercase())
}

impl Library {
    /// The rooms that are meant, with their free seats over the span.
    pub(crate) async fn distribution(
        &self,
        user: &User,
        span: &Span,
        wishes: &RoomWishes,
    ) -> Result<Distribution, Error> {
        let (now, configuration) = self.before(user, span).await?;
        let (reader, configuration) = (&user.reader, &*configuration);
        user.read(|| async move {
            let library = open(reader, configuration, span, now).await?;
            rooms(reader, library, span, wishes).await
        })
        .await
    }

    /// The seats of a room over the span, free or not, by number.
    pub(crate) async fn room_seats(
        &self,
        user: &User,
        span: &Span,
        location: &LocationId,
    ) -> Result<Vec<Seat>, Error> {
        let (now, configuration) = self.before(user, span).await?;
        let (reader, configuration) = (&user.reader, &*configuration);
        user.read(|| async move {
            open(reader, configuration, span, now).await?;
            reader.seats(location, span).await
        })
        .await
    }

    /// When a seat is free on a day that can be booked.
    pub(crate) async fn day_of_seat(
        &self,
        user: &User,
        seat: &SeatId,
        date: Date,
    ) -> Result<DayOfSeat, Error> {
        let (now, configuration) = (self.kit.now(), self.client.configuration().await?);
        let (reader, configuration) = (&user.reader, &*configuration);
        user.read(|| async move {
            check_day(&reader.library().await?, configuration, date, now)?;
            Ok(DayOfSeat {
                free: reader.time_line(seat, date).await?,
                starts: reader.start_times(seat, date).await?,
            })
        })
        .await
    }

    /// The seats the reader uses often, in the system's order.
    pub(crate) async fn favorites(&self, user: &User) -> Result<Vec<Favorite>, Error> {
        user.read(|| user.reader.favorites()).await
    }

    /// What stands before every question about a span: what can be told without asking comes first.
    pub(crate) async fn before(
        &self,
        user: &User,
        span: &Span,
    ) -> Result<(Moment, Arc<Configuration>), Error> {
        let now = self.kit.now();
        check_alone(span, user.reader.step_minute(), now)?;
        Ok((now, self.client.configuration().await?))
    }
}

/// The buildings, when the span can be booked in one of them. Longer spans than one reservation may
/// be are looked at too: who plans several in a row asks so.
pub(crate) async fn open(
    reader: &Reader,
    configuration: &Configuration,
    span: &Span,
    now: Moment,
) -> Result<seats::Library, Error> {
    let library = reader.library().await?;
    check_open(&library, configuration, span, now)?;
    Ok(library)
}

/// The rooms that are meant, of all pages of each building.
pub(crate) async fn rooms(
    reader: &Reader,
    library: seats::Library,
    span: &Span,
    wishes: &RoomWishes,
) -> Result<Distribution, Error> {
    let mut removed = RemovedRooms::default();
    let mut locations = Vec::new();
    for building in &library.buildings {
        if !holds(&building.name, wishes.library.as_deref()) {
            removed.buildings += 1;
            continue;
        }
        for location in rooms_of(reader, building, span).await? {
            let [.., room] = &location.path;
            if holds(room, wishes.area.as_deref()) {
                locations.push(location);
            } else {
                removed.locations += 1;
            }
        }
    }
    locations.sort_by(|a, b| {
        let free = Reverse(a.available).cmp(&Reverse(b.available));
        let mut names = a.path.iter().zip(&b.path);
        free.then_with(|| {
            let different = |(a, b): (&String, &String)| Some(natural(a, b)).filter(|o| o.is_ne());
            names.find_map(different).unwrap_or(Ordering::Equal)
        })
    });
    Ok(Distribution {
        locations,
        removed,
        buildings: library
            .buildings
            .into_iter()
            .map(|building| building.name)
            .collect(),
    })
}

async fn rooms_of(
    reader: &Reader,
    building: &Building,
    span: &Span,
) -> Result<Vec<Location>, Error> {
    let mut rooms: Vec<Location> = Vec::new();
    let mut known = HashSet::new();
    for page in 1.. {
        let found = reader.locations(&building.building_id, span, page).await?;
        let fresh = found
            .locations
            .iter()
            .filter(|room| !known.contains(&room.location_id));
        let fresh: Vec<Location> = fresh.cloned().collect();
        known.extend(fresh.iter().map(|room| room.location_id.clone()));
        if fresh.is_empty() && !found.locations.is_empty() {
            // A page that brings nothing new would be asked for again without end.
            return Err(Error::Changed {
                path: format!(
                    "/frontApi/res/findRoomDuration/{}/{}",
                    building.building_id, span.date
                ),
                field: "data.pageList".to_owned(),
                why: "与前一页相同".to_owned(),
            });
        }
        rooms.extend(fresh);
        if !found.goes_on(rooms.len()) {
            break;
        }
    }
    Ok(rooms)
}
