//! Reserving a seat: everything is checked before, it is sent once, and what counts is what can be
//! read back.

mod choice;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use server_kit::{
    Failure,
    guard::{Sent, Steps, Upstream},
};

use super::{
    acting::{Actor, unreadable},
    reservations::Reservations,
    span::check_span,
};
use crate::{
    Library,
    client::{
        Reader, Reason, Refusal,
        configuration::{CaptchaMode, Configuration},
    },
    domain::{
        changes::Reserved,
        ids::{LocationId, ReservationId, SeatId},
        minute::Minute,
        reservations::Reservation,
        span::Span,
        user_key::UserKey,
    },
    error::Error,
};
pub(crate) use choice::{Choice, Chosen, Order};

/// What is wanted.
#[derive(Serialize)]
pub(crate) struct Wish {
    pub(crate) span: Span,
    pub(crate) choice: Choice,
}

/// One seat being reserved.
pub(crate) struct Booking {
    actor: Actor,
    wish: Wish,
    /// The id that the service gave it, known to whom it was given only.
    made: Option<ReservationId>,
}

/// What finding the reservation again needs.
#[derive(Serialize, Deserialize)]
struct Memo {
    seat: String,
    seat_no: Option<String>,
    location: Option<String>,
    date: Date,
    begin: u16,
    end: u16,
    /// Ids of the reservations that were there before.
    earlier: Vec<String>,
}

/// The reservation as it is meant to come about.
struct Meant {
    seat: SeatId,
    seat_no: Option<String>,
    location: Option<LocationId>,
    span: Span,
    earlier: Vec<String>,
}

impl Library {
    /// A seat to be reserved.
    pub(crate) fn booking(&self, key: &UserKey, wish: Wish) -> Booking {
        Booking {
            actor: self.actor(key),
            wish,
            made: None,
        }
    }

    /// Whether a user may book at all, as far as the account says.
    pub(crate) async fn may_book(&self, key: &UserKey) -> Result<(), Error> {
        match self.prove(key).await? {
            None => Ok(()),
            Some(barred) => Err(Error::Blacklisted {
                until: Some(barred.until.to_string()),
                said: barred.said,
            }),
        }
    }
}

impl Booking {
    /// All that is checked before a seat is reserved. Gives the seat, and the reservations that are
    /// there.
    pub(crate) async fn ready(&mut self) -> Result<(Chosen, Reservations), Error> {
        self.actor.take_turn().await?;
        let (actor, wish) = (&self.actor, &self.wish);
        actor.read(|reader| checked(actor, reader, wish)).await
    }

    /// Sends the reservation and finds it again.
    async fn book(&mut self, meant: &Meant) -> Sent {
        match self.actor.reader().book(&meant.seat, &meant.span).await {
            Ok(made) => self.made = made,
            Err(error) if error.may_have_been_done() => return Sent::Lost,
            Err(Error::Refused(refusal)) => {
                return Sent::Nothing(self.refused(refusal, meant).await.into());
            }
            Err(error) => return Sent::Nothing(self.actor.settled(error).into()),
        }
        match self.find(meant).await {
            Ok(Some(found)) => Sent::Done(json!(found)),
            // Said to be made, and not seen: that is not yet one.
            Ok(None) | Err(_) => Sent::Lost,
        }
    }

    /// Why the service refused; always with its own sentence.
    async fn refused(&self, refusal: Refusal, meant: &Meant) -> Error {
        let reason = refusal.reason();
        let (reservation_id, said) = (refusal.in_the_way.clone(), refusal.said.clone());
        let said = Some(said).filter(|said| !said.is_empty());
        match reason {
            Reason::AlreadyReserved => Error::AlreadyReserved {
                reservation_id,
                said,
            },
            Reason::Blacklisted => Error::Blacklisted { until: None, said },
            Reason::Captcha => Error::CaptchaRequired {
                page: self.official_page().await,
                known: true,
                said,
            },
            Reason::SeatTaken => Error::NoSeat {
                looked_at: 1,
                not_checked: 0,
                seat: Some(meant.seat.to_string()),
                said,
            },
            Reason::SignedOut | Reason::Unauthorised => Error::Refused(refusal),
            Reason::Other => Error::ReserveFailed { said: refusal.said },
        }
    }

    async fn official_page(&self) -> String {
        let configuration = self.actor.client.configuration().await;
        configuration.map_or_else(|_| String::new(), |known| known.vue_service.clone())
    }

    /// The reservation, if it is there. It was made, whatever has become of it since: its status
    /// tells.
    async fn find(&self, meant: &Meant) -> Result<Option<Reserved>, Error> {
        let (actor, made) = (&self.actor, self.made.as_ref());
        let is_it = |one: &Reservation| meant.is(one, made);
        let read = actor.read(|reader| Reservations::read(reader, is_it));
        let Some(found) = read.await?.take(is_it) else {
            return Ok(None);
        };
        let (now, configuration) = (actor.now(), actor.client.configuration().await?);
        let reservation = found.seen_at(now, configuration.sign_in);
        Ok(Some(Reserved {
            sign_in_window: reservation.sign_in_window,
            record: reservation.into(),
            untrusted: true,
            as_of: now,
        }))
    }
}

/// Everything but the account, which was asked before.
async fn checked(
    actor: &Actor,
    reader: &Reader,
    wish: &Wish,
) -> Result<(Chosen, Reservations), Error> {
    let now = actor.now();
    let configuration = actor.client.configuration().await?;
    check_captcha(reader, &configuration).await?;
    let (library, rights) = (reader.library().await?, reader.reader_data().await?);
    check_span(&library, &rights, &configuration, &wish.span, now)?;
    let reservations = Reservations::read_active(reader, now).await?;
    if let Some((held, _)) = reservations.active(now) {
        return Err(Error::AlreadyReserved {
            reservation_id: Some(held.reservation_id.clone()),
            said: None,
        });
    }
    let chosen = wish.choice.choose(reader, &wish.span).await?;
    Ok((chosen, reservations))
}

/// A slider is for a person at the official page.
async fn check_captcha(reader: &Reader, configuration: &Configuration) -> Result<(), Error> {
    let known = match configuration.captcha {
        CaptchaMode::None => return Ok(()),
        CaptchaMode::RushHours if !reader.rush_hour().await? => return Ok(()),
        CaptchaMode::RushHours | CaptchaMode::Always => true,
        CaptchaMode::Unknown => false,
    };
    Err(Error::CaptchaRequired {
        page: configuration.vue_service.clone(),
        known,
        said: None,
    })
}

impl Meant {
    fn read(memo: &Value) -> Option<Self> {
        let memo = Memo::deserialize(memo).ok()?;
        Some(Self {
            seat: SeatId::parse(&memo.seat)?,
            seat_no: memo.seat_no,
            location: memo.location.as_deref().and_then(LocationId::parse),
            span: Span {
                date: memo.date,
                begin: Minute::new(memo.begin)?,
                end: Minute::new(memo.end)?,
            },
            earlier: memo.earlier,
        })
    }

    /// Whether a reservation is this one: by the id that was `made`, else by seat and span.
    fn is(&self, one: &Reservation, made: Option<&ReservationId>) -> bool {
        let id = one.reservation_id.as_str();
        let named = made.is_some_and(|made| *made == one.reservation_id);
        let there = named || (one.span() == self.span && self.is_seat_of(one));
        there && !self.earlier.iter().any(|earlier| earlier == id)
    }

    /// Some systems name the seat by its label only, which is unique in its room.
    fn is_seat_of(&self, one: &Reservation) -> bool {
        match &one.seat_id {
            Some(seat) => *seat == self.seat,
            None => {
                self.seat_no.as_ref() == Some(&one.seat_no)
                    && (one.location_id.is_none() || one.location_id == self.location)
            }
        }
    }
}

impl Steps for Booking {
    const UPSTREAM: Upstream = Upstream {
        remembers: None,
        reads_back: true,
    };

    const CHECK_WITH: &'static str = "get_current_reservation";

    async fn prepare(&mut self) -> Result<Value, Failure> {
        let (chosen, reservations) = self.ready().await?;
        let earlier = reservations.all();
        let earlier = earlier.map(|one| one.reservation_id.to_string()).collect();
        let Span { date, begin, end } = self.wish.span;
        Ok(json!(Memo {
            seat: chosen.seat_id.to_string(),
            seat_no: chosen.seat_no,
            location: chosen.location_id.map(|location| location.to_string()),
            date,
            begin: begin.get(),
            end: end.get(),
            earlier,
        }))
    }

    async fn send(&mut self, memo: &Value) -> Sent {
        match Meant::read(memo) {
            Some(meant) => self.book(&meant).await,
            None => Sent::Nothing(self.nothing()),
        }
    }

    async fn look_up(&mut self, memo: &Value) -> Result<Option<Value>, Failure> {
        self.actor.take_turn().await?;
        let meant = Meant::read(memo).ok_or_else(unreadable)?;
        let found = self.find(&meant).await?;
        Ok(found.map(|found| json!(found)))
    }

    fn nothing(&self) -> Failure {
        Error::NotBooked.into()
    }
}
