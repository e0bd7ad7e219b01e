//! Reservations as they are now; those that were: `reservations/past.rs`.

pub(crate) mod past;

use server_kit::time::Moment;

use crate::{
    client::{Client, Reader},
    domain::{
        absence::{AwaySource, Evidence},
        reservations::{Origin, Reservation, newest_active, newest_first},
        status::Status,
    },
    error::Error,
};

/// A reader's reservations, as far as they had to be read.
pub(crate) struct Reservations {
    /// The one the system calls current.
    current: Option<Reservation>,
    /// Recent ones, in no order.
    recent: Vec<Reservation>,
}

impl Reservations {
    /// Reads the current one, and the recent ones when that is not what is looked for.
    pub(crate) async fn read(
        reader: &Reader,
        is_it: impl Fn(&Reservation) -> bool,
    ) -> Result<Self, Error> {
        let current = reader.current().await?;
        let recent = match current.as_ref().is_some_and(is_it) {
            true => Vec::new(),
            false => reader.recent().await?,
        };
        Ok(Self { current, recent })
    }

    /// Reads until one is found that holds a seat.
    pub(crate) async fn read_active(reader: &Reader, now: Moment) -> Result<Self, Error> {
        Self::read(reader, |current| current.is_active(Origin::Current, now)).await
    }

    /// The one that holds a seat: the current one first, else the newest of the recent ones.
    pub(crate) fn active(&self, now: Moment) -> Option<(&Reservation, Origin)> {
        let current = self.current.as_ref();
        let current = current.filter(|current| current.is_active(Origin::Current, now));
        let recent = || newest_active(&self.recent, now).map(|recent| (recent, Origin::List));
        current
            .map(|current| (current, Origin::Current))
            .or_else(recent)
    }

    /// Those that were read, the current one first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Reservation> {
        self.current.iter().chain(&self.recent)
    }

    /// The first that is looked for.
    pub(crate) fn take(self, is_it: impl Fn(&Reservation) -> bool) -> Option<Reservation> {
        self.current.into_iter().chain(self.recent).find(is_it)
    }

    /// The newest of all.
    fn newest(mut self) -> Option<Reservation> {
        self.recent.extend(self.current);
        newest_first(&mut self.recent);
        self.recent.into_iter().next()
    }
}

/// Whether a reader holds a seat.
pub(crate) enum Present {
    /// This one.
    Held(Box<Reservation>),
    /// None. The system's word for the newest reservation there was.
    Nothing { last_raw_status: Option<String> },
}

/// The reservation that holds a seat at `now`, with its check-in window or absence.
pub(crate) async fn present(
    client: &Client,
    reader: &Reader,
    now: Moment,
) -> Result<Present, Error> {
    let reservations = Reservations::read_active(reader, now).await?;
    let Some((held, _)) = reservations.active(now) else {
        let newest = reservations.newest();
        return Ok(Present::Nothing {
            last_raw_status: newest.map(|newest| newest.raw_status),
        });
    };
    let held = held.clone();
    let held = seen(client, reader, held, now).await?;
    Ok(Present::Held(Box::new(held)))
}

/// A reservation with what depends on the time: check-in window, absence.
pub(crate) async fn seen(
    client: &Client,
    reader: &Reader,
    reservation: Reservation,
    now: Moment,
) -> Result<Reservation, Error> {
    let configuration = client.configuration().await?;
    let reservation = reservation.seen_at(now, configuration.sign_in);
    if !matches!(reservation.status, Status::InUse | Status::Away) {
        return Ok(reservation);
    }
    let mut missing = Vec::new();
    let stages = reader.stages(&reservation.reservation_id).await;
    let stages = spared(stages, AwaySource::Stages, &mut missing)?;
    let doors = reader.door_log(reservation.date).await;
    let doors = spared(doors, AwaySource::DoorLog, &mut missing)?;
    let reservation = reservation.with_absence(Evidence {
        stages: &stages.unwrap_or_default(),
        doors: doors.as_ref(),
        limit_minutes: configuration.supervise_away,
    });
    Ok(Reservation {
        missing,
        ..reservation
    })
}

/// What only adds to a reservation is left out when it cannot be read, and named as missing. Fails
/// when the session is over, with which everything is asked anew.
pub(crate) fn spared<T>(
    told: Result<T, Error>,
    source: AwaySource,
    missing: &mut Vec<AwaySource>,
) -> Result<Option<T>, Error> {
    match told {
        Ok(told) => Ok(Some(told)),
        Err(error) if error.is_of_the_session() => Err(error),
        Err(error) => {
            tracing::info!(%error, ?source, "an absence is told without this record");
            missing.push(source);
            Ok(None)
        }
    }
}
