//! The way through the university's sign-in: gateway, sign-in page, ticket, token.
//!
//! Redirects are followed by hand and compared with the configured addresses by origin and path
//! (docs/upstreams/ccnu-lib.md, 6).

mod page;

use http_session::{
    Hop, Origin, Reply, Request, Url,
    form::{self, Form},
    header::{HeaderValue, REFERER},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use server_kit::{Picture, outside};

pub(crate) use self::page::LoginPage;
pub(super) use self::page::complaint;
use super::{
    account,
    reader::Reader,
    second_factor::{self, SmsPage},
};
use crate::error::{Error, Place, SignIn};

/// The longest way; one without trouble has four steps.
const MOST_HOPS: usize = 10;

/// The picture's place at the sign-in.
const CAPTCHA: &str = "captcha.jpg";

/// Where the web app begins, as configured.
const HOME: &str = "VUESERVICE";

/// Where the gateway begins, as configured.
const GATEWAY: &str = "CASSSERVICE";

/// An account at the university.
#[derive(Clone)]
pub(crate) struct Account {
    pub(crate) username: String,
    pub(crate) password: SecretString,
    /// The reader's telephone number as they recognise it, if they told.
    pub(crate) phone_hint: Option<String>,
}

impl Account {
    /// What a person has typed.
    pub(crate) fn new(username: &str, password: SecretString) -> Self {
        Self {
            username: username.trim().to_owned(),
            password,
            phone_hint: None,
        }
    }
}

/// Where the redirects end.
enum Landed {
    /// Back at the seat system, with the token for the exchange.
    Home(SecretString),
    /// At a page.
    Page(Reply),
}

impl Reader {
    /// Goes to the seat system as far as the cookies carry: signed in, or at the form that it gives.
    pub(crate) async fn go_in(&self) -> Result<Option<LoginPage>, Error> {
        let configuration = self.client.configuration().await?;
        let gateway = configuration.cas_service.trim_end_matches('/');
        let gateway = Url::parse(&format!("{gateway}/static/sso/login"));
        let mut gateway = gateway.map_err(|_| no_address(GATEWAY))?;
        gateway
            .query_pairs_mut()
            .append_pair("redirectUrl", &configuration.vue_service);
        let request = self.visit(&gateway)?;
        match self.follow(request, Place::Gateway).await? {
            Landed::Home(token) => self.exchange(&token).await.map(|()| None),
            Landed::Page(reply) => {
                let html = self.cas_page(&reply)?;
                let page = LoginPage::read(&html, reply.url());
                let title = || form::title(&html).map(|title| outside(&title));
                let page = page.ok_or_else(|| SignIn::NoForm { title: title() })?;
                Ok(Some(page))
            }
        }
    }

    /// Sends the form with an account, and the captcha's answer if one was asked for: signed in, or at
    /// the second step that it gives.
    pub(crate) async fn sign_in(
        &self,
        page: &LoginPage,
        account: &Account,
        captcha: Option<&SecretString>,
    ) -> Result<Option<SmsPage>, Error> {
        self.set_username(&account.username);
        let form = page.filled(account, captcha);
        let sent = self.submit(&form, &page.address, form.pairs())?;
        self.read_on(sent).await
    }

    /// Presses the button that has the code sent.
    pub(crate) async fn send_sms(&self, page: &SmsPage) -> Result<Option<SmsPage>, Error> {
        let sent = self.submit(&page.form, &page.address, page.form.pairs())?;
        self.read_on(sent).await
    }

    /// Sends the code that came by SMS.
    pub(crate) async fn enter_sms(
        &self,
        page: &SmsPage,
        code: &SecretString,
    ) -> Result<Option<SmsPage>, Error> {
        let page = page.with_code(code);
        let sent = self.submit(&page.form, &page.address, page.without_button())?;
        self.read_on(sent).await
    }

    /// Sends a form of the sign-in and reads what comes.
    async fn read_on(&self, sent: Request) -> Result<Option<SmsPage>, Error> {
        let reply = match self.follow(sent, Place::Submission).await? {
            Landed::Home(token) => return self.exchange(&token).await.map(|()| None),
            Landed::Page(reply) => reply,
        };
        let html = self.cas_page(&reply)?;
        if let Some(page) = second_factor::sms(&html, reply.url()) {
            return Ok(Some(page));
        }
        Err(match LoginPage::read(&html, reply.url()) {
            Some(_again) => SignIn::Refused {
                said: page::refusal(&html),
            },
            None => second_factor::unknown(&html),
        }
        .into())
    }

    /// The picture of the captcha that belongs to the page last read.
    pub(crate) async fn captcha(&self) -> Result<Picture, Error> {
        let at = |error| Error::at(Place::Captcha, error);
        let request = self.visit(&self.client.cas.url(CAPTCHA))?;
        let reply = request.send().await.map_err(at)?;
        let stated = reply.content_type().unwrap_or_default();
        if !stated.starts_with("image/") || reply.body.is_empty() {
            let path = format!("/{CAPTCHA}");
            return Err(at(http_session::Error::Html { path }));
        }
        Ok(Picture {
            media_type: stated
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned(),
            bytes: reply.body.to_vec(),
        })
    }

    /// The text of a page, if it is one of the sign-in.
    fn cas_page(&self, reply: &Reply) -> Result<String, Error> {
        match self.client.cas.contains(reply.url()) {
            true => Ok(reply.text().into_owned()),
            false => Err(unsettled(reply.url())),
        }
    }

    fn visit(&self, url: &Url) -> Result<Request, Error> {
        self.pages.visit(url).map_err(|_not_listed| unsettled(url))
    }

    fn submit(&self, form: &Form, from: &Url, pairs: Vec<(&str, &str)>) -> Result<Request, Error> {
        let unlisted = |_not_listed| unsettled(&form.action);
        let request = self.pages.submit(&form.action).map_err(unlisted)?;
        let request = request.form(pairs);
        Ok(match HeaderValue::from_str(from.as_str()) {
            Ok(from) => request.header(REFERER, from),
            Err(_) => request,
        })
    }

    /// Follows redirects until a page, or until the way is back at the seat system.
    async fn follow(&self, first: Request, mut place: Place) -> Result<Landed, Error> {
        let configuration = self.client.configuration().await?;
        let home = home(&configuration.vue_service).ok_or_else(|| no_address(HOME))?;
        let (mut request, mut last) = (first, None);
        for _ in 0..MOST_HOPS {
            let hop = request
                .hop()
                .await
                .map_err(|error| Error::at(place, error))?;
            let to = match hop {
                Hop::Page(reply) => {
                    self.client.note_time(&reply);
                    return Ok(Landed::Page(reply));
                }
                Hop::Moved(to) => to,
            };
            if home.contains(&to) {
                return page::token(&to)
                    .map(Landed::Home)
                    .ok_or(SignIn::NoToken.into());
            }
            place = match self.client.cas.contains(&to) {
                true => Place::Cas,
                false => Place::Gateway,
            };
            request = self.visit(&to)?;
            last = Some(to);
        }
        Err(last.as_ref().map_or(SignIn::NoToken.into(), unsettled))
    }

    /// Gives the token of the way for one of the seat system, and proves that it is good.
    async fn exchange(&self, token: &SecretString) -> Result<(), Error> {
        let token = token.expose_secret();
        let path = "jsq/static/public/auth/cas/***";
        let request = self
            .api
            .post(&format!("jsq/static/public/auth/cas/{token}"))
            .shown_as(&format!("/{path}"))
            .json(&json!({ "token": token, "loginType": "PC" }));
        let exchanged = self.answer(path, request, account::app_token).await;
        let app = exchanged.map_err(|error| match error {
            Error::Refused(refusal) => SignIn::NotExchanged { said: refusal.said }.into(),
            Error::SignedOut | Error::Unauthorised => SignIn::NotExchanged {
                said: String::new(),
            }
            .into(),
            other => other,
        })?;
        self.set_token(Some(app));
        match self.reader_data().await {
            Ok(_) => Ok(()),
            Err(Error::SignedOut) => {
                self.set_token(None);
                let said = "新令牌未被接受".to_owned();
                Err(SignIn::NotExchanged { said }.into())
            }
            // The token is as fresh as can be, so it is not what was refused.
            Err(Error::Unauthorised) => Err(Error::SignatureRejected {
                skew_seconds: self.skew_seconds(),
            }),
            Err(error) => Err(error),
        }
    }
}

/// The sign-in went astray. Tickets and tokens stand in queries, which are never shown.
fn unsettled(at: &Url) -> Error {
    SignIn::Unsettled {
        host: at.host_str().unwrap_or_default().to_owned(),
        path: at.path().split(';').next().unwrap_or_default().to_owned(),
    }
    .into()
}

fn no_address(field: &str) -> Error {
    let why = format!("{field} 不是可用的地址");
    Error::Unconfigured { why }
}

/// The address that a sign-in comes back to, as origin and path.
fn home(vue_service: &str) -> Option<Origin> {
    let mut url = Url::parse(vue_service).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    url.as_str().parse().ok()
}
