//! Seats that are proven to be free over a whole span, as somebody wishes them.

mod wishes;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    map::plan,
    readers::User,
    seats::{open, rooms},
};
use crate::{
    Library,
    client::{Reader, configuration::Configuration},
    domain::{seats::Favorite, span::Span},
    error::Error,
};
pub(crate) use wishes::{Match, Near, SeatWishes};
use wishes::{RemovedSeats, Room};

/// Most seats that one search proves, each by a request.
const MOST_PROOFS: usize = 20;

/// Most rooms that one search looks into.
const MOST_ROOMS: usize = 6;

/// What a search came to.
pub(crate) struct Search {
    /// Proven, the nearest or the first first.
    pub(crate) seats: Vec<Match>,
    pub(crate) counts: Counts,
}

// How far a search went.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Counts {
    pub(crate) rooms: usize,
    pub(crate) rooms_full: usize,
    pub(crate) rooms_checked: usize,
    pub(crate) rooms_not_checked: usize,
    /// 列为空闲且符合条件
    pub(crate) candidates: usize,
    /// 查过时间线
    pub(crate) checked: usize,
    pub(crate) proven: usize,
    pub(crate) not_checked: usize,
    /// 空闲但被条件去掉的
    pub(crate) removed: RemovedSeats,
}

impl Counts {
    /// Whether every seat that could have been meant was looked at.
    pub(crate) fn is_all(&self) -> bool {
        self.rooms_not_checked == 0 && self.not_checked == 0
    }
}

impl Library {
    /// Seats proven free over the whole span, as wished. Books nothing; at most 20 proofs in 6 rooms.
    pub(crate) async fn find_seats(
        &self,
        user: &User,
        span: &Span,
        wishes: &SeatWishes,
    ) -> Result<Search, Error> {
        let (now, configuration) = self.before(user, span).await?;
        let (reader, configuration): (&Reader, &Configuration) = (&user.reader, &configuration);
        user.read(|| async move {
            let library = open(reader, configuration, span, now).await?;
            let favorites = match wishes.near.favorites {
                true => reader.favorites().await?,
                false => Vec::new(),
            };
            let (rooms, rooms_full) = match &wishes.location {
                Some(id) => (vec![Room::named(id)], 0),
                None => {
                    let found = rooms(reader, library, span, &wishes.rooms).await?;
                    wishes.rooms_in(found.locations, &favorites)
                }
            };
            let counts = Counts {
                rooms: rooms.len() + rooms_full,
                rooms_full,
                ..Counts::default()
            };
            search(reader, span, wishes, &favorites, rooms, counts).await
        })
        .await
    }
}

async fn search(
    reader: &Reader,
    span: &Span,
    wishes: &SeatWishes,
    favorites: &[Favorite],
    rooms: Vec<Room>,
    mut counts: Counts,
) -> Result<Search, Error> {
    let mut proven = Vec::new();
    let enough = |proven: &[Match], checked| proven.len() == wishes.limit || checked == MOST_PROOFS;
    let (mut anchored, to_check) = (!wishes.is_near(), rooms.len());
    for room in rooms.into_iter().take(MOST_ROOMS) {
        if enough(&proven, counts.checked) {
            break;
        }
        let free = reader.seats(&room.id, span).await?.into_iter();
        let free = free.filter(|seat| seat.available).collect();
        counts.rooms_checked += 1;
        let matches = match wishes.needs_plan() {
            true => {
                let plan = plan(reader, &room.id).await?;
                let anchors = wishes.anchors(&plan, &room.id, favorites)?;
                if wishes.is_near() && anchors.is_empty() {
                    continue;
                }
                anchored = true;
                wishes.chosen(free, &plan, &anchors, &mut counts.removed)
            }
            false => free.into_iter().map(Match::plain).collect(),
        };
        counts.candidates += matches.len();
        for found in matches {
            if enough(&proven, counts.checked) {
                break;
            }
            counts.checked += 1;
            let line = reader.time_line(&found.seat.seat_id, span.date).await?;
            if line.covers(span) {
                let path = room.path.clone();
                proven.push(Match { path, ..found });
            }
        }
    }
    if !anchored && counts.rooms_checked == to_check && counts.rooms_full == 0 {
        return Err(Error::Argument {
            field: "near_favorites",
            why: "所选区域里没有常用座位；用 get_site_favorite_locations 查看".to_owned(),
        });
    }
    counts.proven = proven.len();
    counts.rooms_not_checked = to_check - counts.rooms_checked;
    counts.not_checked = counts.candidates - counts.checked;
    Ok(Search {
        seats: proven,
        counts,
    })
}
