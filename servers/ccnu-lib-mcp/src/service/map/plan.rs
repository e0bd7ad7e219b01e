//! The plan of a room, alone or with the free seats of a span in it.

use crate::{
    Library,
    client::Reader,
    domain::{
        ids::{LocationId, SeatId},
        layout::Layout,
        map::{Marked, SeatMap},
        seats::Favorite,
        span::Span,
    },
    error::Error,
    service::{readers::User, reservations::Reservations, seats::open},
};

impl Library {
    /// The plan of a room.
    pub(crate) async fn plan(&self, user: &User, location: &LocationId) -> Result<Layout, Error> {
        user.read(|| plan(&user.reader, location)).await
    }

    /// The map of a room: over a span with who can sit where, else of the room alone. The reader's
    /// own seat of that day, or of any day, is marked, and those used often are.
    pub(crate) async fn seat_map(
        &self,
        user: &User,
        location: &LocationId,
        span: Option<&Span>,
    ) -> Result<SeatMap, Error> {
        let before = match span {
            Some(span) => Some((span, self.before(user, span).await?)),
            None => None,
        };
        let (reader, before, now) = (&user.reader, before.as_ref(), self.kit.now());
        user.read(|| async move {
            let offered = match before {
                Some((span, (now, configuration))) => {
                    open(reader, configuration, span, *now).await?;
                    Some(reader.seats(location, span).await?)
                }
                None => None,
            };
            let layout = plan(reader, location).await?;
            let reservations = Reservations::read_active(reader, now).await?;
            let held = reservations.active(now).map(|(held, _)| held);
            let held = held.filter(|held| span.is_none_or(|span| span.date == held.date));
            let own = held.and_then(|held| held.seat_id.clone());
            let own: Vec<SeatId> = own.into_iter().collect();
            let favorites = reader.favorites().await?;
            let often = layout.seats.iter().filter(|seat| {
                let is = |favorite: &Favorite| favorite.is(location, &seat.seat_id, &seat.seat_no);
                favorites.iter().any(is)
            });
            let often: Vec<SeatId> = often.map(|seat| seat.seat_id.clone()).collect();
            let marked = Marked {
                own: &own,
                favorites: &often,
            };
            Ok(SeatMap::of(&layout, offered.as_deref(), marked))
        })
        .await
    }
}

/// The whole plan of a room.
pub(crate) async fn plan(reader: &Reader, location: &LocationId) -> Result<Layout, Error> {
    // "Unchanged" is no answer to who has nothing yet.
    reader
        .layout(location)
        .await?
        .ok_or_else(|| Error::Changed {
            path: format!("/frontApi/res/querySeatLayout/{location}/0"),
            field: "data".to_owned(),
            why: "为空".to_owned(),
        })
}
