//! What can go wrong, by what the caller does next. Codes and sentences: `error/failure.rs`.

mod failure;

pub(crate) use failure::told_of;

use http_session::drift::Drift;
use server_kit::question::Stopped;

use crate::client::{Reason, Refusal, Upgrade};

/// A way to be known to the service, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Way {
    /// The official key, for the gateway.
    ApiKey,
    /// A cookie that the user gave.
    Cookie,
    /// A cookie from the user's CookieCloud.
    CookieCloud,
    /// A session that began with a scanned QR code.
    Scan,
}

impl Way {
    /// All of them, in the order in which they are tried.
    pub(crate) const ALL: [Self; 4] = [Self::ApiKey, Self::Cookie, Self::CookieCloud, Self::Scan];
}

/// Where CookieCloud failed to give a cookie.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CloudStep {
    /// The server did not answer as one.
    #[error("the CookieCloud server does not answer")]
    Server { error: http_session::Error },
    /// It asks to wait.
    #[error("the CookieCloud server asks to wait")]
    Busy { retry_after_seconds: u64 },
    /// It knows no such id.
    #[error("the CookieCloud server does not know the id")]
    Id,
    /// The password does not open what it gave.
    #[error("the CookieCloud password is wrong")]
    Password,
    /// What it gave has a form that is not known.
    #[error("the CookieCloud answer is not understood")]
    Form { why: &'static str },
    /// There is no cookie of the service in it.
    #[error("no cookie of WeRead in CookieCloud")]
    NoCookie { missing: Vec<&'static str> },
}

/// Why one way does not lead to the service.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Closed {
    /// Cookies that are needed are missing.
    #[error("cookies are missing")]
    Missing { cookies: Vec<&'static str> },
    /// The service does not take the key.
    #[error("the key was not taken")]
    Key { said: String },
    /// The session has ended and could not be renewed.
    #[error("the session has ended")]
    Expired { said: String },
    /// Somebody has signed in elsewhere, which ended this session.
    #[error("the session was replaced elsewhere")]
    Replaced { said: String },
    /// The session cannot be renewed without the renewal cookie.
    #[error("the session has ended and there is nothing to renew it with")]
    Unrenewable,
    /// CookieCloud gave nothing.
    #[error(transparent)]
    Cloud(#[from] CloudStep),
    /// The secret store could not be read.
    #[error("the secret store cannot be read: {why}")]
    Store { why: String },
}

/// What can stop a tool, by what the caller does next.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Error {
    /// An argument that the schema cannot describe is wrong.
    #[error("argument {field}: {why}")]
    Argument { field: &'static str, why: String },
    /// The reader has no such group on the shelf, but these.
    #[error("there is no such group")]
    NoGroup { groups: Vec<String> },
    /// No way to the service is set up.
    #[error("no way to the service is set up")]
    NoCredentials,
    /// None of the ways that are set up leads to the service, each for its own reason.
    #[error("no way leads to the service")]
    AllClosed(Vec<(Way, Closed)>),
    /// Only the gateway tells this, and no key leads there.
    #[error("an API key is needed")]
    NeedsApiKey(Vec<(Way, Closed)>),
    /// Only the web surface tells this, and no cookie leads there.
    #[error("a cookie is needed")]
    NeedsWeb(Vec<(Way, Closed)>),
    /// The service does not know us by what was sent. `said` is its own text.
    #[error("the service does not know us")]
    SignedOut { reason: Reason, said: String },
    /// This way does not lead to the service now.
    #[error("{0}")]
    Closed(Closed),
    /// The service asks to wait.
    #[error("too many requests")]
    TooFast { retry_after_seconds: u64 },
    /// The service answered nothing at all, which is no empty list.
    #[error("{path} answered nothing")]
    Nothing { path: &'static str },
    /// The service wants a newer skill instead of answering.
    #[error("the gateway wants a newer skill version")]
    Upgrade(Upgrade),
    /// A book that the service does not know, or in which nothing of that kind is.
    #[error("{what} {id} was not found")]
    NotFound { what: &'static str, id: String },
    /// A scanned sign-in did not get through.
    #[error("the sign-in failed: {why}")]
    SignIn {
        why: &'static str,
        said: Option<String>,
    },
    /// A sign-in goes on, and the phone has not confirmed it yet.
    #[error("the phone has not confirmed the sign-in yet")]
    Unconfirmed,
    /// A question for a person stands in the way.
    #[error(transparent)]
    Question(#[from] Stopped),
    /// The service understood and said no. `said` in it is its own text.
    #[error("the service refused")]
    Refused(Refusal),
    /// An export may not go there.
    #[error("the export may not go there: {why}")]
    Folder { path: String, why: String },
    /// Another process is renewing the session, for longer than one waits.
    #[error("another process is renewing the session")]
    Busy,
    /// A file of ours could not be used.
    #[error("{0}")]
    Kept(String),
    /// The answer has a shape we do not know. Nothing was guessed.
    #[error("{path} changed at {field}")]
    Changed {
        path: String,
        field: String,
        why: String,
    },
    /// The way to the service, or its answer, broke.
    #[error("{error}")]
    Network { error: http_session::Error },
}

impl Error {
    /// Whether it concerns one answer alone, so that others may come; not so with logins and limits.
    pub(crate) fn is_of_one_answer(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Nothing { .. } | Self::Changed { .. } => true,
            Self::Network { error } => !matches!(
                error,
                http_session::Error::RateLimited { .. } | http_session::Error::Busy { .. }
            ),
            _ => false,
        }
    }

    /// An answer of `path` whose shape is not known.
    pub(crate) fn changed(path: &str, drift: Drift) -> Self {
        Self::Changed {
            path: path.to_owned(),
            field: drift.field,
            why: drift.problem.to_owned(),
        }
    }
}

impl From<Closed> for Error {
    fn from(why: Closed) -> Self {
        Self::Closed(why)
    }
}

impl From<http_session::Error> for Error {
    fn from(error: http_session::Error) -> Self {
        Self::Network { error }
    }
}
