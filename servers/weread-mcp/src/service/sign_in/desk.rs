//! What answers the page: the same steps as behind the tool, for a person who can try again at once.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use challenge::{By, Field, Kind, Refused, Shown, TakeError};
use futures::future::BoxFuture;
use secrecy::SecretString;
use server_kit::Failure;
use tokio::time::timeout;

use super::{ACCOUNT, Login, Step};
use crate::error::Error;

/// How long the page waits for the phone after the person says that it is done.
const PATIENCE: Duration = Duration::from_secs(20);

/// Does not keep the login alive, which holds the questions and with them the page.
pub(super) struct Desk(Weak<Login>);

impl Desk {
    pub(super) fn new(login: &Arc<Login>) -> Self {
        Self(Arc::downgrade(login))
    }
}

impl challenge::Desk for Desk {
    fn answer(
        &self,
        _account: String,
        id: String,
        answers: BTreeMap<String, SecretString>,
    ) -> BoxFuture<'static, Shown> {
        let login = self.0.upgrade();
        Box::pin(async move {
            match login {
                Some(login) => login.answer_page(&id, &answers).await,
                None => Shown::Failed("服务正在退出。".to_owned()),
            }
        })
    }
}

impl Login {
    async fn answer_page(
        self: &Arc<Self>,
        id: &str,
        answers: &BTreeMap<String, SecretString>,
    ) -> Shown {
        match self.take_from_page(id, answers).await {
            Ok(Step::SignedIn { .. }) => Shown::Done("登录成功。".to_owned()),
            Ok(Step::Ask(mut open)) => {
                if open.id == id {
                    let note = "还没有收到手机上的确认，请扫码并在手机上确认后再试。";
                    open.question.note = Some(note.to_owned());
                }
                Shown::Ask(open)
            }
            Err(error) => {
                let failure = Failure::from(error);
                Shown::Failed(format!("{}。", failure.message.trim_end_matches('。')))
            }
        }
    }

    async fn take_from_page(
        self: &Arc<Self>,
        id: &str,
        answers: &BTreeMap<String, SecretString>,
    ) -> Result<Step, Error> {
        match self.challenges.look(ACCOUNT, id).await {
            Ok(open) if open.question.kind == Kind::QrCode => {
                let _ = timeout(PATIENCE, self.challenges.settled(id)).await;
                self.outcome(id).await
            }
            // The phone was faster.
            Err(TakeError::Refused(Refused::NotPending { by: By::Device })) => {
                self.outcome(id).await
            }
            _ => {
                let code = answers.get(Field::ANSWER).cloned().unwrap_or_default();
                self.send_code(id, &code, By::Page).await
            }
        }
    }
}
