//! The steps of a sign-in, each as far as the next question for a person.

use std::collections::BTreeMap;

use challenge::{Field, Kind, OpenError, Pending, Question};
use secrecy::{ExposeSecret, SecretString};
use server_kit::question::Stopped;

use super::{Login, Step, signed_in};
use crate::{
    client::{Account, LoginPage, SmsPage},
    error::Error,
    service::readers::User,
};

/// A sign-in that waits for a person.
pub(crate) enum Suspended {
    /// The form is filled but for its captcha, with the account that is known when it is sent.
    Captcha { page: LoginPage },
    /// The person types the account.
    Manual { page: LoginPage },
    /// The person agrees that a code is sent.
    ConfirmSms { page: SmsPage },
    /// The person types the code.
    Sms { page: SmsPage },
}

impl Login {
    /// Fills the form of the sign-in, as far as that goes without a person. `note` tells the person
    /// what went wrong before.
    pub(super) async fn fill(
        &self,
        user: &User,
        page: LoginPage,
        can_show_page: bool,
        note: Option<String>,
    ) -> Result<Step, Error> {
        let Some(account) = self.account(&user.key).await else {
            if !can_show_page || !self.challenges.has_page().await {
                return Err(Error::NoAccount);
            }
            return self.ask_account(user, page, note).await;
        };
        if !page.has_captcha() {
            let second = user.reader.sign_in(&page, &account, None).await?;
            return self.arrive(user, second, account.phone_hint, false).await;
        }
        let question = Question {
            kind: Kind::Captcha,
            prompt: "请输入图形验证码".to_owned(),
            picture: Some(picture(user).await?),
            phone_hint: None,
            fields: vec![field(Field::ANSWER, "图形验证码")],
            note,
        };
        self.ask(user, question, Suspended::Captcha { page }).await
    }

    async fn ask_account(
        &self,
        user: &User,
        page: LoginPage,
        note: Option<String>,
    ) -> Result<Step, Error> {
        let password = Field {
            secret: true,
            ..field(Field::PASSWORD, "统一身份认证密码")
        };
        let mut fields = vec![field(Field::USERNAME, "学号"), password];
        let mut shown = None;
        if page.has_captcha() {
            shown = Some(picture(user).await?);
            fields.push(field(Field::ANSWER, "图形验证码"));
        }
        let question = Question {
            kind: Kind::ManualLogin,
            prompt: "请用学号和统一身份认证密码登录；账号只用于这次登录，不会保存".to_owned(),
            picture: shown,
            phone_hint: None,
            fields,
            note,
        };
        self.ask(user, question, Suspended::Manual { page }).await
    }

    /// Goes on with an answer, whichever way it came.
    pub(super) async fn proceed(
        &self,
        user: &User,
        suspended: &Suspended,
        answers: &BTreeMap<String, SecretString>,
    ) -> Result<Step, Error> {
        let answer = answers.get(Field::ANSWER);
        let (second, phone_hint, is_sent) = match suspended {
            Suspended::Captcha { page } => {
                let account = self.account(&user.key).await.ok_or(Error::NoAccount)?;
                let second = user.reader.sign_in(page, &account, answer).await?;
                (second, account.phone_hint, false)
            }
            Suspended::Manual { page } => {
                let account = typed(answers).ok_or(Error::MissingCredentials)?;
                let second = user.reader.sign_in(page, &account, answer).await?;
                (second, None, false)
            }
            Suspended::ConfirmSms { page } => {
                let second = user.reader.send_sms(page).await?;
                (second, page.phone_hint.clone(), true)
            }
            Suspended::Sms { page } => {
                let code = answer.cloned().unwrap_or_default();
                let second = user.reader.enter_sms(page, &code).await?;
                (second, page.phone_hint.clone(), true)
            }
        };
        self.arrive(user, second, phone_hint, is_sent).await
    }

    /// After a form was sent: signed in, or a second step. `phone_hint` stands in for one that the page
    /// does not show; `is_sent` tells whether a code is under way.
    async fn arrive(
        &self,
        user: &User,
        second: Option<SmsPage>,
        phone_hint: Option<String>,
        is_sent: bool,
    ) -> Result<Step, Error> {
        let Some(mut page) = second else {
            return Ok(signed_in(user.keep().await));
        };
        page.phone_hint = page.phone_hint.or(phone_hint);
        let asks_code = is_sent || !page.sends;
        let (kind, prompt, fields) = match asks_code {
            true => {
                let fields = vec![field(Field::ANSWER, "短信验证码")];
                (Kind::Sms, "请输入收到的短信验证码", fields)
            }
            false => {
                let prompt = "统一身份认证要求短信验证。是否现在发送验证码？";
                (Kind::ConfirmSendSms, prompt, Vec::new())
            }
        };
        let question = Question {
            kind,
            prompt: prompt.to_owned(),
            picture: None,
            phone_hint: page.phone_hint.clone(),
            fields,
            note: page.complaint.clone(),
        };
        let suspended = match asks_code {
            true => Suspended::Sms { page },
            false => Suspended::ConfirmSms { page },
        };
        self.ask(user, question, suspended).await
    }

    async fn ask(
        &self,
        user: &User,
        question: Question,
        suspended: Suspended,
    ) -> Result<Step, Error> {
        let opened = self
            .challenges
            .open(user.key.as_str(), question, suspended)
            .await;
        match opened {
            Ok(open) => {
                self.journal.asked(&self.challenges, &open);
                Ok(Step::Ask(open))
            }
            Err(OpenError::AlreadyOpen(Pending::Ours(open))) => Ok(Step::Ask(open)),
            Err(OpenError::AlreadyOpen(pending)) => Err(Stopped::from(pending).into()),
            Err(OpenError::Failed(error)) => Err(Error::Kept(error.to_string())),
        }
    }
}

/// The account as it was typed on the page.
fn typed(answers: &BTreeMap<String, SecretString>) -> Option<Account> {
    let username = answers.get(Field::USERNAME)?.expose_secret();
    let password = answers.get(Field::PASSWORD)?;
    Some(Account::new(username, password.clone()))
}

async fn picture(user: &User) -> Result<challenge::Picture, Error> {
    let server_kit::Picture { bytes, media_type } = user.reader.captcha().await?;
    Ok(challenge::Picture { bytes, media_type })
}

fn field(name: &'static str, label: &str) -> Field {
    Field {
        name,
        label: label.to_owned(),
        secret: false,
    }
}
