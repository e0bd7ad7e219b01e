//! A user's session: proven, renewed, kept, forgotten, in step with other processes.

use std::sync::{MutexGuard, PoisonError};

use http_session::sealed::{self, Generation, Renewal, Saved};
use server_kit::question::Stopped;

use super::User;
use crate::{client::LoginPage, error::Error};

impl User {
    /// Takes over what another process has done since: the session it has written, or that it has
    /// forgotten it.
    pub(crate) async fn adopt(&self) {
        let Some(file) = &self.file else { return };
        let found = match file.generation().await {
            Ok(found) => found,
            Err(error) => return tell(&error),
        };
        if found == *self.generation() {
            return;
        }
        match file.load().await {
            Ok(Some((saved, generation))) => self.hold(saved, generation),
            Ok(None) if self.generation().take().is_some() => self.reader.forget(),
            Ok(None) => {}
            Err(error) => tell(&error),
        }
    }

    /// Proves the session, or renews it: signed in, or at the form of the sign-in, which is given. Only
    /// while no question is pending: to ask for the form spoils one.
    pub(crate) async fn resume(&self) -> Result<Option<LoginPage>, Error> {
        self.adopt().await;
        if self.reader.has_token() {
            match self.reader.reader_data().await {
                Ok(_) => return Ok(None),
                Err(Error::SignedOut | Error::Unauthorised) => {}
                Err(error) => return Err(error),
            }
        }
        self.renew().await
    }

    /// Renews the session without a person, or tells what a person has to do.
    pub(super) async fn renew_alone(&self) -> Result<(), Error> {
        let pending = self.challenges.pending(self.key.as_str()).await;
        if let Some(pending) = pending.ok().flatten() {
            return Err(Stopped::from(pending).into());
        }
        if self.reader.is_stranger() {
            return Err(Error::NeedLogin);
        }
        match self.renew().await? {
            None => Ok(()),
            Some(_form) => Err(Error::NeedLogin),
        }
    }

    /// Renews the session by what the sign-in remembers, once over all processes.
    async fn renew(&self) -> Result<Option<LoginPage>, Error> {
        let Some(file) = &self.file else {
            return self.reader.go_in().await;
        };
        let used = self.generation().clone();
        let mut is_in = false;
        let renewed = file.renew(used.as_ref(), async |saved| {
            if let Some(saved) = saved {
                self.reader.restore(saved);
            }
            match self.reader.go_in().await {
                Ok(None) => {}
                Ok(Some(form)) => return Err(Stop::Form(form)),
                Err(error) => return Err(Stop::Failed(error)),
            }
            is_in = true;
            Ok(self.reader.saved())
        });
        match renewed.await {
            Ok((saved, generation)) => {
                self.hold(saved, generation);
                Ok(None)
            }
            Err(Renewal::Failed(Stop::Form(form))) => Ok(Some(form)),
            Err(Renewal::Failed(Stop::Failed(error))) => Err(error),
            Err(Renewal::File(sealed::Error::Busy)) => Err(Error::Busy),
            // Without a place to keep it, the session lives in this process only.
            Err(Renewal::File(error)) => {
                tell(&error);
                if is_in {
                    return Ok(None);
                }
                self.reader.go_in().await
            }
        }
    }

    /// Whether the session outlives this process; it is kept now if it was not.
    pub(crate) async fn is_kept(&self) -> bool {
        self.generation().is_some() || self.keep().await
    }

    /// Keeps the session as it is now. Gives whether it outlives this process.
    pub(crate) async fn keep(&self) -> bool {
        let Some(file) = &self.file else { return false };
        match file.save(&self.reader.saved()).await {
            Ok(generation) => {
                *self.generation() = Some(generation);
                true
            }
            Err(error) => {
                tell(&error);
                false
            }
        }
    }

    /// Forgets the session, here and on disk. Gives whether there was one.
    pub(crate) async fn forget(&self) -> Result<bool, Error> {
        let had = self.reader.has_token();
        self.reader.forget();
        *self.generation() = None;
        let Some(file) = &self.file else {
            return Ok(had);
        };
        let removed = file.remove().await;
        Ok(removed.map_err(|error| Error::Kept(error.to_string()))? || had)
    }

    fn hold(&self, saved: Saved, generation: Generation) {
        self.reader.restore(saved);
        *self.generation() = Some(generation);
    }

    fn generation(&self) -> MutexGuard<'_, Option<Generation>> {
        self.generation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a renewal went no further.
enum Stop {
    /// A person has to sign in.
    Form(LoginPage),
    Failed(Error),
}

fn tell(error: &sealed::Error) {
    tracing::warn!(%error, "the session is kept in memory only");
}
