//! What kind of seat is wanted, and which of those on offer are of that kind.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::outside;

use crate::{
    domain::{
        ids::LocationId,
        layout::{Layout, LayoutSeat},
        seats::{Favorite, Location, Seat},
    },
    error::Error,
    service::seats::RoomWishes,
};

/// What kind of seat is wanted.
pub(crate) struct SeatWishes {
    /// In this room alone.
    pub(crate) location: Option<LocationId>,
    /// In these rooms, where none is named.
    pub(crate) rooms: RoomWishes,
    /// With a socket.
    pub(crate) power: bool,
    /// Facing that way, in the system's word.
    pub(crate) direction: Option<String>,
    /// As near as can be to one of these.
    pub(crate) near: Near,
    /// So many at most.
    pub(crate) limit: usize,
}

/// What a seat is to be near to, if to anything.
pub(crate) struct Near {
    /// The seat with that number or id.
    pub(crate) seat: Option<String>,
    /// The seats that the reader uses often.
    pub(crate) favorites: bool,
}

/// A seat as wished.
pub(crate) struct Match {
    pub(crate) seat: Seat,
    /// Building, floor and room, where rooms were looked for.
    pub(crate) path: Option<[String; 3]>,
    /// On the plan, where the plan was needed.
    pub(crate) place: Option<LayoutSeat>,
    /// The nearest of those it is to be near to.
    pub(crate) nearest: Option<Nearest>,
}

/// A seat that another is near to.
pub(crate) struct Nearest {
    /// In units of the plan.
    pub(crate) distance: f64,
    pub(crate) seat_no: String,
    /// Whether it was meant as one that is used often.
    pub(crate) often: bool,
}

// Free seats that the wishes left out, each by the first that did.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct RemovedSeats {
    pub(crate) power: usize,
    pub(crate) direction: usize,
    /// 布局图上没有
    pub(crate) not_on_plan: usize,
}

/// A room to look into.
pub(super) struct Room {
    pub(super) id: LocationId,
    pub(super) path: Option<[String; 3]>,
}

impl Room {
    pub(super) fn named(id: &LocationId) -> Self {
        let id = id.clone();
        Self { id, path: None }
    }
}

impl Match {
    pub(super) fn plain(seat: Seat) -> Self {
        Self {
            seat,
            path: None,
            place: None,
            nearest: None,
        }
    }
}

impl SeatWishes {
    /// Those of the rooms that have free seats, and how many have none. Near the seats used often
    /// means in their rooms; one whose room is not told may be in any.
    pub(super) fn rooms_in(
        &self,
        found: Vec<Location>,
        favorites: &[Favorite],
    ) -> (Vec<Room>, usize) {
        let has_one = |room: &Location| {
            let rooms = favorites.iter().map(|favorite| &favorite.location_id);
            let mut rooms = rooms.map(|id| id.as_ref().is_none_or(|id| *id == room.location_id));
            rooms.any(|is_it| is_it)
        };
        let meant = found
            .into_iter()
            .filter(|room| !self.near.favorites || has_one(room));
        let (free, full): (Vec<_>, Vec<_>) = meant.partition(|room| room.available > 0);
        let free = free.into_iter().map(|room| Room {
            id: room.location_id,
            path: Some(room.path),
        });
        (free.collect(), full.len())
    }

    pub(super) fn needs_plan(&self) -> bool {
        self.power || self.direction.is_some() || self.is_near()
    }

    pub(super) fn is_near(&self) -> bool {
        self.near.seat.is_some() || self.near.favorites
    }

    /// The seats of a plan that others are to be near to; `true` goes with those used often.
    pub(super) fn anchors<'a>(
        &self,
        plan: &'a Layout,
        room: &LocationId,
        favorites: &[Favorite],
    ) -> Result<Vec<(&'a LayoutSeat, bool)>, Error> {
        let named = |seat: &&LayoutSeat| {
            let is = |name: &str| {
                seat.seat_id.as_str() == name || seat.seat_no.eq_ignore_ascii_case(name)
            };
            self.near.seat.as_deref().map(str::trim).is_some_and(is)
        };
        let often = |seat: &&LayoutSeat| {
            let mut favorites = favorites.iter();
            favorites.any(|favorite| favorite.is(room, &seat.seat_id, &seat.seat_no))
        };
        let seats = || plan.seats.iter();
        let mut anchors: Vec<_> = seats().filter(named).map(|seat| (seat, false)).collect();
        if let (Some(name), true) = (&self.near.seat, anchors.is_empty()) {
            return Err(Error::Argument {
                field: "near_seat",
                why: format!("该区域的布局图上没有座位 {:?}", outside(name)),
            });
        }
        anchors.extend(seats().filter(often).map(|seat| (seat, true)));
        Ok(anchors)
    }

    /// The free seats that are as wished: the nearest first, else in their own order.
    pub(super) fn chosen(
        &self,
        free: Vec<Seat>,
        plan: &Layout,
        anchors: &[(&LayoutSeat, bool)],
        removed: &mut RemovedSeats,
    ) -> Vec<Match> {
        let mut chosen = Vec::new();
        for seat in free {
            let Some(place) = plan
                .seats
                .iter()
                .find(|place| place.seat_id == seat.seat_id)
            else {
                removed.not_on_plan += 1;
                continue;
            };
            if self.power && place.power != Some(true) {
                removed.power += 1;
                continue;
            }
            let direction = place.direction.as_deref().unwrap_or_default();
            let wanted = self.direction.as_deref();
            if wanted.is_some_and(|wanted| !direction.eq_ignore_ascii_case(wanted.trim())) {
                removed.direction += 1;
                continue;
            }
            let near = anchors.iter().map(|(anchor, often)| Nearest {
                distance: (anchor.x - place.x).hypot(anchor.y - place.y),
                seat_no: anchor.seat_no.clone(),
                often: *often,
            });
            let nearest = near.min_by(|a, b| a.distance.total_cmp(&b.distance));
            chosen.push(Match {
                place: Some(place.clone()),
                nearest,
                ..Match::plain(seat)
            });
        }
        let distance = |found: &Match| found.nearest.as_ref().map_or(0.0, |near| near.distance);
        chosen.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        chosen
    }
}
