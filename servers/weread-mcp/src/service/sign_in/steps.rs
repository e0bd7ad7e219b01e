//! The steps of a sign-in, each as far as the next question for a person.

use std::sync::Arc;

use challenge::{By, Field, Kind, Open, OpenError, Pending, Question};
use futures::future::BoxFuture;
use http_session::sealed::Saved;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use server_kit::{Event, Failure, question::Stopped};
use tokio::time::timeout;

use super::{ACCOUNT, Login, Step, code, refused, watch};
use crate::{
    client::scan::{Scanned, Scanner, Ticket},
    error::Error,
    service::to_the_end,
};

/// A sign-in that waits for a person.
pub(crate) struct Suspended {
    scanner: Arc<Scanner>,
    ticket: Ticket,
}

impl Login {
    /// Shows a new code to scan, and watches what comes of it. `note` tells the person why; `renewals` is how
    /// often the code is replaced when its time is over.
    pub(super) fn show_code(
        self: &Arc<Self>,
        note: Option<String>,
        renewals: u8,
    ) -> BoxFuture<'_, Result<Step, Error>> {
        // Boxed, since a watched code leads back here.
        Box::pin(self.show(note, renewals))
    }

    async fn show(self: &Arc<Self>, note: Option<String>, renewals: u8) -> Result<Step, Error> {
        let scanner = Arc::new(self.access.client.scanner());
        let ticket = scanner.begin().await?;
        let picture = code::picture(ticket.link.as_str());
        let question = Question {
            kind: Kind::QrCode,
            prompt: "请用手机微信扫描二维码，并在手机上确认登录微信读书".to_owned(),
            picture: Some(picture.ok_or(Error::SignIn {
                why: "二维码画不出来",
                said: None,
            })?),
            phone_hint: None,
            fields: Vec::new(),
            note,
        };
        let suspended = Suspended {
            scanner: Arc::clone(&scanner),
            ticket: ticket.clone(),
        };
        let open = self.ask(question, suspended).await?;
        watch::watch(self, &open, scanner, ticket, renewals);
        Ok(Step::Ask(open))
    }

    /// Asks for the digits that the phone shows.
    pub(super) async fn ask_code(
        &self,
        scanner: Arc<Scanner>,
        ticket: Ticket,
        note: Option<String>,
    ) -> Result<Step, Error> {
        let question = Question {
            kind: Kind::Sms,
            prompt: "请输入手机微信上显示的 4 位验证码".to_owned(),
            picture: None,
            phone_hint: None,
            fields: vec![Field {
                name: Field::ANSWER,
                label: "4 位验证码".to_owned(),
                secret: false,
            }],
            note,
        };
        let open = self.ask(question, Suspended { scanner, ticket }).await?;
        Ok(Step::Ask(open))
    }

    /// Sends the digits, and goes on with what the service says, also when the caller has gone away: the
    /// person may still confirm on the phone.
    pub(super) async fn send_code(
        self: &Arc<Self>,
        id: &str,
        code: &SecretString,
        by: By,
    ) -> Result<Step, Error> {
        let (login, id) = (Arc::clone(self), id.to_owned());
        let code = SecretString::from(code.expose_secret().trim());
        to_the_end(async move { login.send(&id, &code, by).await }).await
    }

    async fn send(&self, id: &str, code: &SecretString, by: By) -> Result<Step, Error> {
        let _turn = self.turn.lock().await;
        let taken = self.challenges.take(ACCOUNT, id, by).await;
        let (open, Suspended { scanner, ticket }) = taken.map_err(|error| refused(error, id))?;
        self.journal.answered(&open, by);
        let news = watch::news(&scanner, &ticket, Some(code), self.pause);
        let step = match timeout(self.life, news).await {
            Ok(Ok(Scanned::SignedIn(session))) => Ok(self.arrive(session).await),
            Ok(Ok(Scanned::NeedCode | Scanned::Seen)) => self.ask_code(scanner, ticket, None).await,
            Ok(Ok(Scanned::WrongCode)) => {
                let note = "验证码不对，请再看一次手机".to_owned();
                self.ask_code(scanner, ticket, Some(note)).await
            }
            Ok(Ok(Scanned::CodeExpired)) => Err(failed("验证码已过期")),
            Ok(Ok(Scanned::TimedOut)) | Err(_) => Err(failed("登录已超时")),
            Ok(Err(error)) => Err(error),
        };
        self.noted(step)
    }

    /// Takes the session of a finished sign-in.
    pub(super) async fn arrive(&self, session: Saved) -> Step {
        let persisted = self.access.sign_in(session).await;
        Step::SignedIn { persisted }
    }

    /// Notes, in the audit log too, that a sign-in went through, or how it failed; one that waits for a person
    /// has not ended.
    pub(super) fn noted(&self, step: Result<Step, Error>) -> Result<Step, Error> {
        let failed = match &step {
            Ok(Step::Ask(_)) => return step,
            Ok(Step::SignedIn { .. }) => None,
            Err(error) => Some(error.clone()),
        };
        self.failure().clone_from(&failed);
        let failed = failed.map(Failure::from);
        self.journal
            .note(Event::Login, Some(ACCOUNT), json!({}), failed.as_ref());
        step
    }

    async fn ask(&self, question: Question, suspended: Suspended) -> Result<Open, Error> {
        match self.challenges.open(ACCOUNT, question, suspended).await {
            Ok(open) => {
                self.journal.asked(&self.challenges, &open);
                Ok(open)
            }
            Err(OpenError::AlreadyOpen(Pending::Ours(open))) => Ok(open),
            Err(OpenError::AlreadyOpen(pending)) => Err(Stopped::from(pending).into()),
            Err(OpenError::Failed(error)) => Err(Error::Kept(error.to_string())),
        }
    }
}

pub(super) fn failed(why: &'static str) -> Error {
    Error::SignIn { why, said: None }
}
