//! Cancelling, leaving for a while, coming back, ending: sent once, and proven by reading back.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use server_kit::{
    Failure,
    guard::{Sent, Steps, Upstream},
};

use super::{
    acting::{Actor, unreadable},
    reservations::{Reservations, seen},
};
use crate::{
    Library,
    client::Reader,
    domain::{
        absence::AwaySource,
        changes::Changed,
        ids::ReservationId,
        reservations::{Acted, Origin, Reservation},
        status::Status,
        user_key::UserKey,
    },
    error::{Change, Error},
};

/// The current reservation being changed.
pub(crate) struct Changing {
    actor: Actor,
    change: Change,
    /// The reservation that the caller takes for the current one.
    asked: Option<ReservationId>,
}

/// What finding out about the change needs.
#[derive(Serialize, Deserialize)]
struct Memo {
    reservation: String,
}

impl Library {
    /// The current reservation, to be changed.
    pub(crate) fn changing(
        &self,
        key: &UserKey,
        change: Change,
        asked: Option<ReservationId>,
    ) -> Changing {
        Changing {
            actor: self.actor(key),
            change,
            asked,
        }
    }
}

impl Change {
    /// What becomes of a reservation by it.
    pub(crate) fn makes(self) -> Status {
        match self {
            Self::Cancel => Status::Cancelled,
            Self::Leave => Status::Away,
            Self::Return => Status::InUse,
            Self::End => Status::Ended,
        }
    }

    /// Whether it can be done to a reservation that is at `status`.
    ///
    /// Coming back is the same call as signing in, and that is never done from afar.
    fn fits(self, status: Status) -> bool {
        match self {
            Self::Cancel => matches!(status, Status::Reserved | Status::WaitingSignIn),
            Self::Leave => status == Status::InUse,
            Self::Return => status == Status::Away,
            Self::End => matches!(status, Status::InUse | Status::Away),
        }
    }

    /// Whether what it makes can be unmade again, so that its absence proves nothing later.
    fn passes(self) -> bool {
        match self {
            Self::Leave | Self::Return => true,
            Self::Cancel | Self::End => false,
        }
    }

    /// What is said when the system said nothing.
    fn sentence(self) -> &'static str {
        match self {
            Self::Cancel => "预约已取消",
            Self::Leave => "已暂离",
            Self::Return => "已回座",
            Self::End => "已退座",
        }
    }

    async fn send(self, reader: &Reader, reservation: &ReservationId) -> Result<Acted, Error> {
        match self {
            Self::Cancel => reader.cancel(reservation).await,
            Self::Leave => reader.leave().await,
            Self::Return => reader.come_back().await,
            Self::End => reader.stop().await,
        }
    }
}

impl Changing {
    /// All that is checked before it is sent. Gives the reservation that will be changed.
    pub(crate) async fn ready(&mut self) -> Result<Reservation, Error> {
        self.actor.take_turn().await?;
        let this = &*self;
        this.actor.read(|reader| this.checked(reader)).await
    }

    async fn checked(&self, reader: &Reader) -> Result<Reservation, Error> {
        let (change, now) = (self.change, self.actor.now());
        let reservations = Reservations::read_active(reader, now).await?;
        let (held, origin) = reservations.active(now).ok_or(Error::NoActive)?;
        let current = held.reservation_id.clone();
        if let Some(asked) = self.asked.clone().filter(|asked| *asked != current) {
            return Err(Error::Mismatch { asked, current });
        }
        if !change.fits(held.status) {
            return Err(self.wrong(held, None));
        }
        // All but a cancel name no reservation and act on what the system calls current.
        if change != Change::Cancel && origin != Origin::Current {
            return Err(self.wrong(held, Some("系统的当前预约中没有它")));
        }
        if change == Change::Return {
            let doors = reader.door_log(now.day()).await?;
            if doors.in_building != Some(true) {
                return Err(self.wrong(held, Some("今天的闸机记录没有显示已回到馆内")));
            }
        }
        Ok(held.clone())
    }

    fn wrong(&self, held: &Reservation, why: Option<&'static str>) -> Error {
        Error::WrongState {
            change: self.change,
            status: held.status,
            reservation_id: held.reservation_id.clone(),
            why,
        }
    }

    async fn change(&self, reservation: &ReservationId) -> Sent {
        let acted = match self.change.send(self.actor.reader(), reservation).await {
            Ok(acted) => acted,
            Err(error) if error.may_have_been_done() => return Sent::Lost,
            Err(Error::Refused(refusal)) => {
                let (change, said) = (self.change, refusal.said);
                return Sent::Nothing(Error::ChangeFailed { change, said }.into());
            }
            Err(error) => return Sent::Nothing(self.actor.settled(error).into()),
        };
        match self.find(reservation, Some(acted)).await {
            Ok(Some(changed)) => Sent::Done(json!(changed)),
            // Said to be done, and not seen: that is not yet done.
            Ok(None) | Err(_) => Sent::Lost,
        }
    }

    /// The change, if the reservation shows it. `acted` is what the system said to it.
    async fn find(
        &self,
        reservation: &ReservationId,
        acted: Option<Acted>,
    ) -> Result<Option<Changed>, Error> {
        let actor = &self.actor;
        let found = actor.read(|reader| self.found(reader, reservation)).await?;
        let Some(found) = found else {
            return Ok(None);
        };
        let (seen, now) = (self.seen(found).await, actor.now());
        let (said, raw) = acted.map_or((None, None), |acted| (acted.said, Some(acted.raw)));
        Ok(Some(Changed {
            reservation_id: seen.reservation_id,
            status: self.change.makes(),
            message: said.unwrap_or_else(|| self.change.sentence().to_owned()),
            raw,
            away_since: seen.away_since,
            away_deadline: seen.away_deadline,
            away_raw: seen.away_raw,
            missing: seen.missing,
            untrusted: true,
            as_of: now,
        }))
    }

    /// The reservation that proves the change, with its absence as far as that can be told.
    async fn seen(&self, found: Reservation) -> Reservation {
        let (actor, now) = (&self.actor, self.actor.now());
        if self.change != Change::Leave {
            // An absence that is over belongs to no other change.
            return Reservation {
                away_raw: None,
                ..found
            };
        }
        let seen = actor.read(|reader| seen(&actor.client, reader, found.clone(), now));
        seen.await.unwrap_or_else(|error| {
            tracing::info!(%error, "a leave is told by its status alone");
            Reservation {
                missing: vec![AwaySource::Stages, AwaySource::DoorLog],
                ..found
            }
        })
    }

    async fn found(
        &self,
        reader: &Reader,
        reservation: &ReservationId,
    ) -> Result<Option<Reservation>, Error> {
        let is_it = |one: &Reservation| one.reservation_id == *reservation;
        let reservations = Reservations::read(reader, is_it).await?;
        let found = reservations.take(is_it).ok_or(Error::NoActive)?;
        if found.status != self.change.makes() {
            // One that was left and taken again looks as if nothing had been done.
            return match self.change.passes() || found.status == Status::Unknown {
                true => Err(self.wrong(&found, None)),
                false => Ok(None),
            };
        }
        Ok(Some(found))
    }
}

impl Steps for Changing {
    const UPSTREAM: Upstream = Upstream {
        remembers: None,
        reads_back: true,
    };

    const CHECK_WITH: &'static str = "get_current_reservation";

    async fn prepare(&mut self) -> Result<Value, Failure> {
        let reservation = self.ready().await?.reservation_id.to_string();
        Ok(json!(Memo { reservation }))
    }

    async fn send(&mut self, memo: &Value) -> Sent {
        match reservation(memo) {
            Ok(reservation) => self.change(&reservation).await,
            Err(error) => Sent::Nothing(error.into()),
        }
    }

    async fn look_up(&mut self, memo: &Value) -> Result<Option<Value>, Failure> {
        self.actor.take_turn().await?;
        let found = self.find(&reservation(memo)?, None).await?;
        Ok(found.map(|changed| json!(changed)))
    }

    fn nothing(&self) -> Failure {
        Error::NotChanged(self.change).into()
    }
}

/// The reservation that a memo of ours names.
fn reservation(memo: &Value) -> Result<ReservationId, Error> {
    let memo = Memo::deserialize(memo).ok();
    let id = memo.and_then(|memo| ReservationId::parse(&memo.reservation));
    id.ok_or_else(unreadable)
}
