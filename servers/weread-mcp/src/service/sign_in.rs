//! Signing in by a code that the reader scans, and what is put to them meanwhile.

mod code;
mod desk;
mod steps;
mod terminal;
mod watch;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use challenge::{By, Challenges, Kind, Open, Page, Pending, Refused, TakeError};
use secrecy::SecretString;
use server_kit::{Journal, Kit, question::Stopped};
use tokio::{
    sync::{Mutex as Turn, MutexGuard as TurnGuard},
    time::timeout,
};

pub(crate) use self::{steps::Suspended, terminal::credentials};
use super::access::Access;
use crate::{config::Config, error::Error};

/// The page's title.
const TITLE: &str = "微信读书";

/// How often a code that nobody has scanned is replaced: the service forgets each after about a minute.
const RENEWALS: u8 = 4;

/// There is one account.
pub(crate) const ACCOUNT: &str = "me";

/// How a step of signing in ends.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one per answer of a person"
)]
pub(crate) enum Step {
    /// Signed in; whether the session outlives the process.
    SignedIn { persisted: bool },
    /// A person is asked.
    Ask(Open),
}

impl Step {
    /// The question that a person is asked.
    pub(crate) fn question(&self) -> Option<&Open> {
        match self {
            Self::SignedIn { .. } => None,
            Self::Ask(open) => Some(open),
        }
    }
}

/// All that signing in needs.
pub(crate) struct Login {
    pub(crate) access: Arc<Access>,
    pub(crate) challenges: Challenges<Suspended>,
    journal: Journal,
    /// How long a call waits for a person at the phone.
    patience: Duration,
    /// How long a sign-in waits for one.
    life: Duration,
    /// Before the phone is asked about again after a fault that may pass.
    pause: Duration,
    /// One step at a time.
    turn: Turn<()>,
    /// How the last sign-in has failed, for whoever holds the id of one of its questions.
    failure: Mutex<Option<Error>>,
}

impl Login {
    pub(crate) fn new(config: &Config, kit: &Kit, access: &Arc<Access>) -> Arc<Self> {
        let challenges = Challenges::new(kit.state.clone(), kit.clock, config.challenge_life);
        let login = Arc::new(Self {
            access: Arc::clone(access),
            challenges,
            journal: kit.journal.clone(),
            patience: config.asking.patience(),
            life: config.challenge_life,
            pause: config.retry_pause.saturating_mul(5),
            turn: Turn::default(),
            failure: Mutex::default(),
        });
        let desk = desk::Desk::new(&login);
        login.challenges.attach(Page::new(TITLE, Arc::new(desk)));
        login
    }

    /// Begins a sign-in, or gives the question again that is open.
    pub(crate) async fn start(self: &Arc<Self>) -> Result<Step, Error> {
        let _turn = self.turn().await?;
        match self.open_question().await? {
            Some(open) => Ok(Step::Ask(open)),
            None => self.show_code(None, RENEWALS).await,
        }
    }

    /// Goes on with a question that a tool call answers. A code that is to be scanned is waited for.
    pub(crate) async fn submit(
        self: &Arc<Self>,
        id: &str,
        answer: SecretString,
    ) -> Result<Step, Error> {
        match self.challenges.look(ACCOUNT, id).await {
            Ok(open) if open.question.kind == Kind::QrCode => {
                let settled = self.challenges.settled(id);
                let _ = timeout(self.patience, settled).await;
                self.outcome(id).await
            }
            Ok(_) => {
                let sent = timeout(self.patience, self.send_code(id, &answer, By::Tool)).await;
                sent.unwrap_or(Err(Error::Unconfirmed))
            }
            // The person has done it meanwhile, and the caller is told how that ended.
            Err(TakeError::Refused(Refused::NotPending { .. })) => self.outcome(id).await,
            Err(error) => Err(refused(error, id)),
        }
    }

    /// How things stand with a question.
    pub(crate) async fn outcome(&self, id: &str) -> Result<Step, Error> {
        let _turn = self.turn().await?;
        match self.challenges.look(ACCOUNT, id).await {
            Ok(open) => return Ok(Step::Ask(open)),
            Err(TakeError::Refused(Refused::NotPending { .. })) => {}
            Err(error) => return Err(refused(error, id)),
        }
        if let Some(open) = self.open_question().await? {
            return Ok(Step::Ask(open));
        }
        if let Some(error) = self.failure().clone() {
            return Err(error);
        }
        match self.access.scan().is_kept().await {
            Some(persisted) => Ok(Step::SignedIn { persisted }),
            None => Err(Stopped::NotPending { id: id.to_owned() }.into()),
        }
    }

    /// The question that waits, of whichever process.
    pub(crate) async fn pending(&self) -> Result<Option<Pending>, Error> {
        let pending = self.challenges.pending(ACCOUNT).await;
        pending.map_err(|error| Error::Kept(error.to_string()))
    }

    /// The open question. Fails when another process has it.
    async fn open_question(&self) -> Result<Option<Open>, Error> {
        match self.pending().await? {
            None => Ok(None),
            Some(Pending::Ours(open)) => Ok(Some(open)),
            Some(pending) => Err(Stopped::from(pending).into()),
        }
    }

    /// Forgets credentials and sessions with the question that waits, and tells whether there was anything.
    pub(crate) async fn forget(&self) -> Result<bool, Error> {
        let _turn = self.turn().await?;
        let ended = self.challenges.withdraw(None).await;
        ended.map_err(|error| Error::Kept(error.to_string()))?;
        self.access.forget().await
    }

    /// The next step. Fails with [`Error::Unconfirmed`] when the one under way waits for the phone.
    async fn turn(&self) -> Result<TurnGuard<'_, ()>, Error> {
        let turn = timeout(self.patience, self.turn.lock()).await;
        turn.map_err(|_| Error::Unconfirmed)
    }

    fn failure(&self) -> MutexGuard<'_, Option<Error>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(error: TakeError, id: &str) -> Error {
    match error {
        TakeError::Refused(refused) => Stopped::of(refused, id).into(),
        TakeError::Failed(error) => Error::Kept(error.to_string()),
    }
}
