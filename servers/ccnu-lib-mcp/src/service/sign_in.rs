//! Signing in: what a program may do of it, and what is put to a person.

mod desk;
mod journal;
mod steps;
mod terminal;

use std::collections::BTreeMap;
use std::sync::Arc;

use challenge::{By, Challenges, Field, Kind, Open, Page, Pending, Refused, TakeError};
use secrecy::SecretString;
use server_kit::{Journal, Kit, question::Stopped};

pub(crate) use self::steps::Suspended;
use super::readers::{Readers, User};
use crate::{
    client::{Account, Client},
    config::Config,
    domain::user_key::UserKey,
    error::Error,
    store::accounts::{Accounts, Kept},
};

/// The page's title.
const TITLE: &str = "华中师大图书馆座位";

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
    /// The question with which it ended.
    pub(crate) fn question(&self) -> Option<&Open> {
        match self {
            Self::Ask(open) => Some(open),
            Self::SignedIn { .. } => None,
        }
    }
}

/// What is known of a session.
pub(crate) enum Standing {
    SignedIn,
    SignedOut,
    NoAccount,
}

/// All that signing in needs.
pub(crate) struct Login {
    pub(crate) readers: Readers,
    accounts: Accounts,
    pub(crate) challenges: Challenges<Suspended>,
    default_user: UserKey,
    default_account: Option<Account>,
    journal: Journal,
}

impl Login {
    pub(crate) fn new(config: &Config, kit: &Kit, client: &Arc<Client>) -> Arc<Self> {
        let challenges = Challenges::new(kit.state.clone(), kit.clock, config.challenge_life);
        let default_account = config.username.clone().zip(config.password.clone());
        let login = Arc::new(Self {
            readers: Readers::new(Arc::clone(client), kit, challenges.clone(), config.call()),
            accounts: Accounts::new(kit),
            challenges,
            default_user: config.default_user.clone(),
            default_account: default_account
                .map(|(username, password)| Account::new(&username, password)),
            journal: kit.journal.clone(),
        });
        let desk = desk::Desk::new(&login);
        login.challenges.attach(Page::new(TITLE, Arc::new(desk)));
        login
    }

    /// The user of that key.
    pub(crate) fn user(&self, key: &UserKey) -> Arc<User> {
        self.readers.user(key)
    }

    /// The account to keep when a call names none: that of the environment.
    pub(crate) fn default_account(&self) -> Option<Account> {
        self.default_account.clone()
    }

    /// The account of a user: what was saved, else for the default user that of the environment.
    async fn account(&self, key: &UserKey) -> Option<Account> {
        if let Some(account) = self.accounts.get(key).await {
            return Some(account);
        }
        let default = self.default_account.clone();
        default.filter(|_| *key == self.default_user)
    }

    /// Keeps an account for a user, and forgets a session that is somebody else's.
    pub(crate) async fn save(&self, key: &UserKey, account: Account) -> Result<Kept, Error> {
        let user = self.user(key);
        let _turn = user.turn().await;
        user.adopt().await;
        // A question that is open goes on with the new account: nobody is signed in behind it.
        if user.reader.is_of_another(&account.username) && self.pending(key).await?.is_none() {
            user.forget().await?;
        }
        Ok(self.accounts.set(key, account).await)
    }

    /// Signs a user in, as far as that goes without a person. An open question is given again, unless
    /// it asks for an account that is known by now.
    pub(crate) async fn start(&self, key: &UserKey, can_show_page: bool) -> Result<Step, Error> {
        let user = self.user(key);
        let _turn = user.turn().await;
        if let Some(open) = self.open_question(key).await? {
            let asks_account = open.question.kind == Kind::ManualLogin;
            if !asks_account || self.account(key).await.is_none() {
                return Ok(Step::Ask(open));
            }
            self.take(key, &open.id, By::Tool).await?;
        }
        match user.resume().await? {
            None => Ok(signed_in(user.is_kept().await)),
            Some(page) => {
                let step = self.fill(&user, page, can_show_page, None).await;
                self.noted(key, step)
            }
        }
    }

    /// Goes on with a question that a tool call answers.
    pub(crate) async fn submit(
        &self,
        key: &UserKey,
        id: &str,
        answer: SecretString,
    ) -> Result<Step, Error> {
        let user = self.user(key);
        let _turn = user.turn().await;
        let account = key.as_str();
        let open = match self.challenges.look(account, id).await {
            Ok(open) => open,
            // The person has done it on the page, and the caller is told how that ended.
            Err(TakeError::Refused(Refused::NotPending { by: By::Page })) => {
                return self.afterwards(&user, id).await;
            }
            Err(error) => return Err(refused(error, id)),
        };
        if open.question.kind == Kind::ManualLogin {
            let (id, page_url) = (id.to_owned(), open.page_url);
            return Err(Stopped::StillOpen { id, page_url }.into());
        }
        let suspended = self.take(key, id, By::Tool).await?;
        let answers = BTreeMap::from([(Field::ANSWER.to_owned(), answer)]);
        let step = self.proceed(&user, &suspended, &answers).await;
        let step = self.noted(key, step);
        step.inspect_err(|error| user.note_failure(id, error.clone()))
    }

    /// The sign-in that waits for the answer to a question, for whoever goes on with it.
    async fn take(&self, key: &UserKey, id: &str, by: By) -> Result<Suspended, Error> {
        let taken = self.challenges.take(key.as_str(), id, by).await;
        let (open, suspended) = taken.map_err(|error| refused(error, id))?;
        self.journal.answered(&open, by);
        Ok(suspended)
    }

    /// How things stand with a question that was offered on the page.
    pub(crate) async fn outcome(&self, key: &UserKey, id: &str) -> Result<Step, Error> {
        let user = self.user(key);
        let _turn = user.turn().await;
        match self.challenges.look(key.as_str(), id).await {
            Ok(open) => Ok(Step::Ask(open)),
            Err(TakeError::Refused(Refused::NotPending { .. })) => self.afterwards(&user, id).await,
            Err(error) => Err(refused(error, id)),
        }
    }

    /// What came of a question that was answered: another one, a failure, or a session.
    async fn afterwards(&self, user: &User, id: &str) -> Result<Step, Error> {
        if let Some(open) = self.open_question(&user.key).await? {
            return Ok(Step::Ask(open));
        }
        if let Some(error) = user.failure(id) {
            return Err(error);
        }
        match user.reader.has_token() && user.reader.reader_data().await.is_ok() {
            true => Ok(signed_in(user.is_kept().await)),
            false => Err(Stopped::NotPending { id: id.to_owned() }.into()),
        }
    }

    /// The open question of a user. Fails when another process has it.
    async fn open_question(&self, key: &UserKey) -> Result<Option<Open>, Error> {
        match self.pending(key).await? {
            None => Ok(None),
            Some(Pending::Ours(open)) => Ok(Some(open)),
            Some(pending) => Err(Stopped::from(pending).into()),
        }
    }

    /// The question that a user waits with, of whichever process.
    pub(crate) async fn pending(&self, key: &UserKey) -> Result<Option<Pending>, Error> {
        let pending = self.challenges.pending(key.as_str()).await;
        pending.map_err(|error| Error::Kept(error.to_string()))
    }

    /// Whether a user is signed in, proven by the service, and renewed without a person if need be.
    pub(crate) async fn standing(&self, key: &UserKey) -> Result<Standing, Error> {
        let user = self.user(key);
        match user.read(|| user.reader.reader_data()).await {
            Ok(_) => Ok(Standing::SignedIn),
            Err(Error::NeedLogin | Error::Question(_)) => match self.account(key).await {
                Some(_) => Ok(Standing::SignedOut),
                None => Ok(Standing::NoAccount),
            },
            Err(error) => Err(error),
        }
    }

    /// Forgets session and account of a user with the question that waits, and tells whether there was
    /// session or account.
    pub(crate) async fn forget(&self, key: &UserKey) -> Result<bool, Error> {
        let user = self.user(key);
        let _turn = user.turn().await;
        self.withdraw(Some(key)).await?;
        let session = user.forget().await?;
        let account = self.accounts.remove(key).await;
        Ok(account.map_err(|error| Error::Kept(error.to_string()))? || session)
    }

    /// Forgets the sessions of all users with the questions that wait, and gives of how many.
    pub(crate) async fn forget_all(&self) -> Result<usize, Error> {
        self.withdraw(None).await?;
        self.readers.forget_all().await
    }

    async fn withdraw(&self, key: Option<&UserKey>) -> Result<(), Error> {
        let ended = self.challenges.withdraw(key.map(UserKey::as_str)).await;
        ended.map_err(|error| Error::Kept(error.to_string()))?;
        Ok(())
    }
}

fn signed_in(persisted: bool) -> Step {
    Step::SignedIn { persisted }
}

fn refused(error: TakeError, id: &str) -> Error {
    match error {
        TakeError::Refused(refused) => Stopped::of(refused, id).into(),
        TakeError::Failed(error) => Error::Kept(error.to_string()),
    }
}
