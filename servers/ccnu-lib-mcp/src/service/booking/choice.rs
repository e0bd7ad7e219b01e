//! Which seat it is to be.

use serde::Serialize;
use uuid::Uuid;

use crate::{
    client::Reader,
    domain::{
        ids::{LocationId, SeatId},
        seats::{Seat, by_number},
        span::Span,
    },
    error::Error,
};

/// So many seats are proven one by one before it is said that none was found: each takes two
/// requests, and the list has called each of them free.
const MOST_PROVEN: usize = 8;

/// Which seat is wanted.
#[derive(Serialize)]
pub(crate) enum Choice {
    /// That one, in that room if one is named.
    Exact {
        seat: SeatId,
        location: Option<LocationId>,
    },
    /// Any free one of a room.
    Any { location: LocationId, order: Order },
}

/// Which of the free seats of a room comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Order {
    /// The lowest number.
    First,
    /// Each as likely as any other.
    Random,
    /// The reader's favourites, then by number.
    Favorite,
}

/// The seat that was chosen. It is free over the whole span.
pub(crate) struct Chosen {
    pub(crate) seat_id: SeatId,
    /// The number on it, where a list was read.
    pub(crate) seat_no: Option<String>,
    /// The room it stands in, where a list was read.
    pub(crate) location_id: Option<LocationId>,
}

impl Choice {
    /// The first seat, in the order asked for, that is proven free over the whole span.
    ///
    /// Fails with [`Error::NoSeat`].
    pub(super) async fn choose(&self, reader: &Reader, span: &Span) -> Result<Chosen, Error> {
        let candidates = match self {
            Self::Exact {
                seat,
                location: None,
            } => vec![Chosen {
                seat_id: seat.clone(),
                seat_no: None,
                location_id: None,
            }],
            Self::Exact {
                seat,
                location: Some(location),
            } => {
                let mut free = free(reader, location, span).await?;
                free.retain(|free| free.seat_id == *seat);
                chosen(free)
            }
            Self::Any { location, order } => {
                let free = free(reader, location, span).await?;
                chosen(order.sorted(reader, location, free).await?)
            }
        };
        let looked_at = candidates.len().min(MOST_PROVEN);
        let not_checked = candidates.len() - looked_at;
        for candidate in candidates.into_iter().take(MOST_PROVEN) {
            if is_free(reader, &candidate.seat_id, span).await? {
                return Ok(candidate);
            }
        }
        Err(Error::NoSeat {
            looked_at,
            not_checked,
            seat: match self {
                Self::Exact { seat, .. } => Some(seat.to_string()),
                Self::Any { .. } => None,
            },
            said: None,
        })
    }
}

impl Order {
    async fn sorted(
        self,
        reader: &Reader,
        location: &LocationId,
        mut free: Vec<Seat>,
    ) -> Result<Vec<Seat>, Error> {
        by_number(&mut free);
        match self {
            Self::First => {}
            Self::Random => free.sort_by_cached_key(|_| Uuid::new_v4()),
            Self::Favorite => {
                let rank = Favourites::read(reader, location).await?;
                free.sort_by_key(|seat| rank.of(seat));
            }
        }
        Ok(free)
    }
}

/// The reader's favourites: those kept in the system's list, then those taken most often.
struct Favourites {
    kept: Vec<(Option<SeatId>, Option<String>)>,
    often: Vec<SeatId>,
}

impl Favourites {
    async fn read(reader: &Reader, location: &LocationId) -> Result<Self, Error> {
        let kept = reader.favorites().await?.into_iter();
        let here = kept.filter(|kept| kept.location_id.as_ref().is_none_or(|at| at == location));
        let often = reader.liked_seats().await?.into_iter();
        Ok(Self {
            kept: here.map(|kept| (kept.seat_id, kept.seat_no)).collect(),
            often: often.map(|liked| liked.seat_id).collect(),
        })
    }

    /// The place of a seat among them; all others come after.
    fn of(&self, seat: &Seat) -> usize {
        let kept = self.kept.iter().position(|(id, number)| match id {
            Some(id) => *id == seat.seat_id,
            // Some systems name the label only, which is unique in its room.
            None => number.as_ref() == Some(&seat.seat_no),
        });
        let often = || self.often.iter().position(|often| *often == seat.seat_id);
        let behind = self.kept.len();
        kept.or_else(|| often().map(|place| behind + place))
            .unwrap_or(behind + self.often.len())
    }
}

fn chosen(seats: Vec<Seat>) -> Vec<Chosen> {
    let seats = seats.into_iter().map(|seat| Chosen {
        seat_id: seat.seat_id,
        seat_no: Some(seat.seat_no),
        location_id: Some(seat.location_id),
    });
    seats.collect()
}

/// The seats of a room that the list calls free, which is no proof.
async fn free(reader: &Reader, location: &LocationId, span: &Span) -> Result<Vec<Seat>, Error> {
    let mut seats = reader.seats(location, span).await?;
    seats.retain(|seat| seat.available);
    Ok(seats)
}

/// Whether a seat can be reserved from begin to end, which only these two lists prove
/// (docs/upstreams/ccnu-lib.md, 7.2).
async fn is_free(reader: &Reader, seat: &SeatId, span: &Span) -> Result<bool, Error> {
    let starts = reader.start_times(seat, span.date).await?;
    if !starts.offer(span.begin) {
        return Ok(false);
    }
    let ends = reader.end_times(seat, span.date, span.begin).await?;
    Ok(ends.offer(span.end))
}
