//! Changing something for a user: one at a time, over all processes.

use std::sync::Arc;

use server_kit::{
    Kit,
    guard::{Limits, Rate},
    time::Moment,
};

use crate::{
    Library,
    client::{Client, Reader},
    domain::{account::Blacklist, user_key::UserKey},
    error::Error,
    service::readers::{Acting, User},
};

/// Of bookings.
pub(crate) const BOOKING: Limits<'static> = ten_a_minute("bookings");

/// Of changes of a reservation, which no number of bookings keeps from being made.
pub(crate) const CHANGES: Limits<'static> = ten_a_minute("changes");

/// A person books, cancels and leaves a few times an hour. Ten a minute leave room for tries and
/// stop a loop; nothing is known of a limit of the system's own.
const fn ten_a_minute(scope: &'static str) -> Limits<'static> {
    Limits {
        rate: Some(Rate {
            scope,
            per_minute: 10,
        }),
        cooldown: None,
        quota: None,
    }
}

/// Who changes something, and the right to it once it was taken.
pub(crate) struct Actor {
    pub(crate) client: Arc<Client>,
    user: Arc<User>,
    kit: Kit,
    acting: Option<Acting>,
}

impl Library {
    /// Somebody about to change something.
    pub(crate) fn actor(&self, key: &UserKey) -> Actor {
        Actor {
            client: Arc::clone(&self.client),
            user: self.login.user(key),
            kit: self.kit.clone(),
            acting: None,
        }
    }

    /// Whether the service takes a user for signed in, so that a write need not be repeated after a
    /// renewal. Gives until when the user may not book, and the service's sentence about it.
    pub(crate) async fn prove(&self, key: &UserKey) -> Result<Option<Barred>, Error> {
        let user = self.login.user(key);
        let reader = user.read(|| user.reader.reader_data()).await?;
        let now = self.kit.now();
        Ok(match reader.blacklist {
            Blacklist::Until(until) if until > now => Some(Barred {
                until,
                said: reader.blacklist_message,
            }),
            Blacklist::Until(_) | Blacklist::Off | Blacklist::Unknown => None,
        })
    }
}

/// Bookings are closed to a reader.
pub(crate) struct Barred {
    pub(crate) until: Moment,
    pub(crate) said: Option<String>,
}

impl Actor {
    /// Takes the right to act, if it was not taken yet. It is kept until this is dropped.
    pub(crate) async fn take_turn(&mut self) -> Result<(), Error> {
        if self.acting.is_none() {
            self.acting = Some(self.user.act().await?);
        }
        Ok(())
    }

    /// Asks as the reader, for one who has taken the turn.
    pub(crate) async fn read<'a, T, F>(&'a self, ask: impl Fn(&'a Reader) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        self.user.read_in_turn(|| ask(&self.user.reader)).await
    }

    /// The reader itself, for what is sent once.
    pub(crate) fn reader(&self) -> &Reader {
        &self.user.reader
    }

    pub(crate) fn now(&self) -> Moment {
        self.kit.now()
    }

    /// What a refusal of a write means, after the session was proven good. The service understood
    /// it, so nothing was done; and the write is not repeated.
    pub(crate) fn settled(&self, error: Error) -> Error {
        match error {
            Error::Unauthorised => Error::SignatureRejected {
                skew_seconds: self.user.reader.skew_seconds(),
            },
            other => other,
        }
    }
}

/// What was noted before a write cannot be read.
pub(crate) fn unreadable() -> Error {
    Error::Kept("写操作的记录无法读出".to_owned())
}
