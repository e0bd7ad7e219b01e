//! The sign-in by a code that the reader scans with their phone.

use std::sync::Arc;

use http_session::{Jar, Request, Session, Url, sealed::Saved};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::form_urlencoded::byte_serialize;

use super::{
    connection::Shared,
    envelope,
    wire::scan::{LoginInfo, LoginUid},
};
use crate::{
    domain::credentials::{NEEDED, RENEWAL},
    error::Error,
};

/// Where a sign-in begins (docs/upstreams/weread.md, 3).
const BEGIN: &str = "api/auth/getLoginUid";

/// Where its outcome is waited for, for about 55 s a time.
const WAIT: &str = "api/auth/getLoginInfo";

/// One sign-in.
pub(crate) struct Scanner {
    session: Session,
    jar: Jar,
    shared: Arc<Shared>,
}

/// A sign-in that has begun.
#[derive(Clone)]
pub(crate) struct Ticket {
    uid: String,
    /// What the code to scan says.
    pub(crate) link: Url,
}

/// What has come of it so far.
pub(crate) enum Scanned {
    /// Scanned, and not yet confirmed on the phone.
    Seen,
    /// The phone shows four digits that are wanted here.
    NeedCode,
    /// Those digits were wrong.
    WrongCode,
    /// They were too late.
    CodeExpired,
    /// Nobody has scanned; this sign-in is over.
    TimedOut,
    /// Signed in, with this session.
    SignedIn(Saved),
}

impl Scanner {
    pub(super) fn new(session: Session, jar: Jar, shared: Arc<Shared>) -> Self {
        Self {
            session,
            jar,
            shared,
        }
    }

    /// Begins a sign-in.
    pub(crate) async fn begin(&self) -> Result<Ticket, Error> {
        let LoginUid { uid } = self.ask(BEGIN, self.session.get(BEGIN)).await?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if uid.is_empty() || !uid.bytes().all(is_plain) {
            return Err(failed("登录编号的形式不同"));
        }
        let mut link = self.shared.web.url("web/confirm");
        link.query_pairs_mut().append_pair("uid", &uid);
        Ok(Ticket { uid, link })
    }

    /// Waits for what comes next, or sends the digits that the phone shows.
    pub(crate) async fn wait(
        &self,
        ticket: &Ticket,
        code: Option<&SecretString>,
    ) -> Result<Scanned, Error> {
        let mut url = self.shared.web.url(WAIT);
        // Without digits the service wants the bare name.
        let code = code.map_or_else(String::new, |code| {
            let code = byte_serialize(code.expose_secret().as_bytes());
            format!("={}", code.collect::<String>())
        });
        url.set_query(Some(&format!("uid={}&otp{code}", ticket.uid)));
        let request = self.session.visit(&url)?.shown_as(WAIT);
        let answer: LoginInfo = self.ask(WAIT, request).await?;
        match answer.logic_code.as_deref() {
            _ if answer.succeed => self.signed_in(answer),
            Some("LOGIN_SUCCESS") => self.signed_in(answer),
            Some("SCANNED") => Ok(Scanned::Seen),
            Some("NEED_OTP") => Ok(Scanned::NeedCode),
            Some("OTP_NOT_MATCH") => Ok(Scanned::WrongCode),
            Some("OTP_EXPIRED") => Ok(Scanned::CodeExpired),
            Some("LOGIN_TIMEOUT") => Ok(Scanned::TimedOut),
            _ => Err(failed("登录结果的形式不同")),
        }
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        path: &'static str,
        request: Request,
    ) -> Result<T, Error> {
        let reply = request.taking_failures().send().await?;
        let rejected = match envelope::accepted(reply.status(), reply.json()?) {
            Ok(answer) => {
                return envelope::read(answer).map_err(|drift| Error::changed(path, drift));
            }
            Err(rejected) => self.shared.rejected(path, reply.status(), rejected).await,
        };
        Err(match rejected {
            // A broken request is answered with 401 and a framework's error instead of the envelope.
            Error::SignedOut { said, .. } => Error::SignIn {
                why: "微信读书没有接受这次登录请求",
                said: Some(said),
            },
            rejected => rejected,
        })
    }

    /// The session of a finished sign-in: all cookies that were set, and what is missing made from the tokens
    /// in the answer.
    fn signed_in(&self, answer: LoginInfo) -> Result<Scanned, Error> {
        let vid = answer.vid.or(answer.web_login_vid);
        let vid = vid.map(|vid| match vid {
            Value::String(text) => SecretString::from(text),
            other => SecretString::from(other.to_string()),
        });
        let refresh = answer.refresh_token.map(|token| {
            let token = token.expose_secret();
            let is_encoded = !token.contains('@');
            SecretString::from(match is_encoded {
                true => token.to_owned(),
                false => byte_serialize(token.as_bytes()).collect(),
            })
        });
        let made = [
            ("wr_vid", vid),
            ("wr_skey", answer.access_token),
            (RENEWAL, refresh),
        ];
        for (name, made) in made {
            if let (None, Some(made)) = (self.jar.value(name), made) {
                self.jar.put(&self.shared.web, name, &made);
            }
        }
        if NEEDED.iter().any(|name| self.jar.value(name).is_none()) {
            return Err(failed("登录成功，但没有给出登录态"));
        }
        Ok(Scanned::SignedIn(Saved {
            cookies: self.jar.cookies(),
            ..Saved::default()
        }))
    }
}

fn failed(why: &'static str) -> Error {
    Error::SignIn { why, said: None }
}
