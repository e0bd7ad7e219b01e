//! Buildings, rooms and the seats in them.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    ids::{BuildingId, FloorId, LocationId, SeatId},
    labels::natural,
    span::OpeningHours,
    told,
};

/// The buildings and the days that can be booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// In the system's order.
    pub buildings: Vec<Building>,
    /// The days that can be booked now, in the system's order.
    pub dates: Vec<Date>,
}

/// A building.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Building {
    /// Its id.
    pub building_id: BuildingId,
    /// Its name.
    pub name: String,
    /// None when not told, or not as two clock times.
    pub hours: Option<OpeningHours>,
    /// Its floors.
    pub floors: Vec<Floor>,
}

/// A floor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Floor {
    /// Its id.
    pub floor_id: FloorId,
    /// Its name.
    pub name: String,
}

/// A room, with its seats counted for the span that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("path", "馆、楼层、区域"),
    ("locked", "停用的座位数"),
    ("max_minute", "单次预约最长分钟数"),
]))]
pub struct Location {
    /// Its id.
    pub location_id: LocationId,
    /// Building, floor and room.
    pub path: [String; 3],
    /// All seats.
    pub total: u32,
    /// Seats that are free for the span.
    pub available: u32,
    /// Seats that cannot be booked at all.
    pub locked: Option<u32>,
    /// Longest span of one reservation, in minutes.
    pub max_minute: Option<u32>,
    /// The building it is in.
    #[serde(skip)]
    pub building_id: Option<BuildingId>,
}

/// One page of rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locations {
    /// The rooms of this page.
    pub locations: Vec<Location>,
    /// How many there are on all pages.
    pub total: Option<u32>,
    /// Whether another page follows, when told.
    pub next: Option<bool>,
}

impl Locations {
    /// Whether to ask for another page after `so_far` rooms, those of this page included.
    pub fn goes_on(&self, so_far: usize) -> bool {
        let more = self.total.is_some_and(|total| {
            let so_far = u32::try_from(so_far).unwrap_or(u32::MAX);
            so_far < total
        });
        !self.locations.is_empty() && self.next.unwrap_or(more)
    }
}

/// Whether a seat can be booked for the span that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, transform = told(&[]))]
pub enum SeatStatus {
    /// It can.
    Free,
    /// Booked for a part of the span.
    Full,
    /// Taken by somebody absent.
    Away,
    /// Somebody sits there.
    InUse,
    /// Locked by the library.
    Locked,
    /// Out of order.
    Broken,
    /// A word that is not known.
    Unknown,
}

impl SeatStatus {
    /// What the system's own word means (docs/upstreams/ccnu-lib.md, 7.2).
    pub fn of_raw(raw: &str) -> Self {
        match raw {
            "FREE" => Self::Free,
            "FULL" => Self::Full,
            "AWAY" => Self::Away,
            "IN_USE" => Self::InUse,
            "LOCK" | "LOCKED" => Self::Locked,
            "BROKEN" => Self::Broken,
            _ => Self::Unknown,
        }
    }
}

/// A seat, as it is for the span that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("seat_no", "座位上的编号"),
    ("available", "所问时段可约"),
    ("raw_status", "系统原始状态"),
]))]
pub struct Seat {
    /// Its id.
    pub seat_id: SeatId,
    /// The number on it.
    pub seat_no: String,
    /// Row and column, such as `1行9列`.
    pub name: String,
    /// The room.
    pub location_id: LocationId,
    /// Whether it is free for the whole span, as far as this list tells.
    pub available: bool,
    /// Why, or why not.
    pub status: SeatStatus,
    /// The system's own word.
    pub raw_status: String,
}

/// Sorts by number as a person would; the system's order means nothing.
pub fn by_number(seats: &mut [Seat]) {
    seats.sort_by(|a, b| {
        let number = natural(&a.seat_no, &b.seat_no);
        number.then_with(|| a.seat_id.cmp(&b.seat_id))
    });
}

/// A place the reader uses often, by the system's own list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Favorite {
    /// The entry as it came.
    pub raw: Map<String, Value>,
    /// The seat, when named.
    #[serde(skip)]
    pub seat_id: Option<SeatId>,
    /// The room, when named.
    #[serde(skip)]
    pub location_id: Option<LocationId>,
    /// The number on the seat, when named.
    #[serde(skip)]
    pub seat_no: Option<String>,
}

impl Favorite {
    /// Whether it is that seat: by its id, or where it names none by room and number.
    pub fn is(&self, location_id: &LocationId, seat_id: &SeatId, seat_no: &str) -> bool {
        match &self.seat_id {
            Some(favorite) => favorite == seat_id,
            None => {
                self.location_id.as_ref() == Some(location_id)
                    && self.seat_no.as_deref() == Some(seat_no)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_favorite_is_its_seat_or_that_number_in_its_room() {
        let (room, elsewhere) = (LocationId::parse("1"), LocationId::parse("2"));
        let (seat, other) = (SeatId::parse("a"), SeatId::parse("b"));
        for (seat_id, location_id, seat_no, expected) in [
            (&seat, &elsewhere, None, true),
            (&other, &room, Some("N1"), false),
            (&None, &room, Some("N1"), true),
            (&None, &room, Some("N2"), false),
            (&None, &elsewhere, Some("N1"), false),
            (&None, &None, Some("N1"), false),
        ] {
            let favorite = Favorite {
                raw: Map::new(),
                seat_id: seat_id.clone(),
                location_id: location_id.clone(),
                seat_no: seat_no.map(str::to_owned),
            };
            let (room, seat) = (room.as_ref().expect("an id"), seat.as_ref().expect("an id"));
            assert_eq!(favorite.is(room, seat, "N1"), expected, "{favorite:?}");
        }
    }

    #[test]
    fn every_known_word_has_its_status() {
        for (raw, expected, shown) in [
            ("FREE", SeatStatus::Free, "free"),
            ("FULL", SeatStatus::Full, "full"),
            ("AWAY", SeatStatus::Away, "away"),
            ("IN_USE", SeatStatus::InUse, "in_use"),
            ("LOCK", SeatStatus::Locked, "locked"),
            ("LOCKED", SeatStatus::Locked, "locked"),
            ("BROKEN", SeatStatus::Broken, "broken"),
            ("free", SeatStatus::Unknown, "unknown"),
            ("", SeatStatus::Unknown, "unknown"),
        ] {
            assert_eq!(SeatStatus::of_raw(raw), expected, "{raw:?}");
            assert_eq!(serde_json::to_value(expected).expect("json"), shown);
        }
    }

    #[test]
    fn pages_end_where_the_system_says() {
        let room = Location {
            location_id: LocationId::parse("1").expect("an id"),
            path: ["a", "b", "c"].map(str::to_owned),
            total: 1,
            available: 1,
            locked: None,
            max_minute: None,
            building_id: None,
        };
        for (rooms, total, next, so_far, expected) in [
            (1, None, None, 1, false),
            (1, Some(2), None, 1, true),
            (1, Some(2), None, 2, false),
            (1, Some(2), Some(false), 1, false),
            (1, None, Some(true), 1, true),
            (0, Some(2), Some(true), 1, false),
        ] {
            let page = Locations {
                locations: vec![room.clone(); rooms],
                total,
                next,
            };
            assert_eq!(
                page.goes_on(so_far),
                expected,
                "{total:?} {next:?} {so_far}"
            );
        }
    }
}
