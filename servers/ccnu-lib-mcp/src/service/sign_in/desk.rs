//! What answers the page: the same steps as behind the tool, for a person who can try again at once.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use challenge::{By, Shown};
use futures::future::BoxFuture;
use secrecy::SecretString;
use server_kit::Failure;

use super::{Login, Step, Suspended};
use crate::{
    domain::user_key::UserKey,
    error::{Error, SignIn},
    service::readers::User,
};

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
        account: String,
        id: String,
        answers: BTreeMap<String, SecretString>,
    ) -> BoxFuture<'static, Shown> {
        let login = self.0.upgrade();
        Box::pin(async move {
            match (login, account.parse()) {
                (Some(login), Ok(key)) => login.answer_page(&key, &id, answers).await,
                _ => Shown::Failed("服务正在退出。".to_owned()),
            }
        })
    }
}

impl Login {
    async fn answer_page(
        &self,
        key: &UserKey,
        id: &str,
        answers: BTreeMap<String, SecretString>,
    ) -> Shown {
        let user = self.user(key);
        // Whoever waits for the outcome has no turn before it is known.
        let _turn = user.turn().await;
        match self.take_from_page(&user, id, &answers).await {
            Ok(Step::SignedIn { .. }) => Shown::Done("登录成功。".to_owned()),
            Ok(Step::Ask(open)) => Shown::Ask(open),
            Err(error) => {
                user.note_failure(id, error.clone());
                let failure = Failure::from(error);
                Shown::Failed(format!("{}。", failure.message.trim_end_matches('。')))
            }
        }
    }

    async fn take_from_page(
        &self,
        user: &User,
        id: &str,
        answers: &BTreeMap<String, SecretString>,
    ) -> Result<Step, Error> {
        let suspended = self.take(&user.key, id, By::Page).await?;
        let step = self.proceed(user, &suspended, answers).await;
        match self.noted(&user.key, step) {
            Err(Error::SignIn(SignIn::Refused { said }))
                if is_typed(&suspended, said.as_deref()) =>
            {
                let note = said.unwrap_or_else(|| "登录被拒绝，请核对后重试".to_owned());
                match user.resume().await? {
                    None => Ok(super::signed_in(user.is_kept().await)),
                    Some(page) => {
                        let step = self.fill(user, page, true, Some(note)).await;
                        self.noted(&user.key, step)
                    }
                }
            }
            step => step,
        }
    }
}

/// Whether the person has typed what was refused: a password that is kept is not tried again.
fn is_typed(suspended: &Suspended, said: Option<&str>) -> bool {
    match suspended {
        Suspended::Manual { .. } => true,
        Suspended::Captcha { .. } => said.is_some_and(|said| said.contains("验证码")),
        Suspended::ConfirmSms { .. } | Suspended::Sms { .. } => false,
    }
}
