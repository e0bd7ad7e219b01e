//! What can go wrong, by what the caller does next. Codes and sentences: `error/failure.rs`.

mod failure;

pub(crate) use failure::{CLOCK_TOLERANCE_SECONDS, is_off_campus};

use http_session::drift::Drift;
use jiff::civil::Date;
use server_kit::question::Stopped;

use crate::{
    client::{Refusal, Rejected, configuration::ConfigurationError},
    domain::{
        ids::ReservationId,
        minute::Minute,
        span::{BadTime, BeginInPast, Closed, TooLong},
        status::Status,
    },
};

/// Which part of the system a request went to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The configuration, asked without a session.
    Configuration,
    /// The gateway that leads to the sign-in and back.
    Gateway,
    /// The university's sign-in.
    Cas,
    /// The picture of its captcha.
    Captcha,
    /// The form being sent there.
    Submission,
    /// Everything that needs a session.
    Api,
}

/// Why a sign-in did not get through, beyond the network.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum SignIn {
    /// The sign-in page shows no form.
    #[error("the sign-in page has no form")]
    NoForm { title: Option<String> },
    /// The sign-in refused. `said` is its own sentence.
    #[error("the sign-in refused")]
    Refused { said: Option<String> },
    /// A second step that is not known.
    #[error("the sign-in asks for a second factor that is not known")]
    SecondFactor {
        title: Option<String>,
        text: Option<String>,
    },
    /// The way ended somewhere else.
    #[error("the sign-in ended at {host}{path}")]
    Unsettled { host: String, path: String },
    /// It came back without the token that the exchange needs.
    #[error("the sign-in came back without a token")]
    NoToken,
    /// The service did not take that token.
    #[error("the token was not taken")]
    NotExchanged { said: String },
}

/// A change of the current reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Cancel,
    Leave,
    Return,
    End,
}

/// What can stop a tool, by what the caller does next.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Error {
    /// An argument that the schema cannot describe is wrong.
    #[error("argument {field}: {why}")]
    Argument { field: &'static str, why: String },
    /// Times that are none, or not in steps, or the wrong way round.
    #[error("the times are wrong")]
    BadTime(BadTime),
    /// A day that cannot be booked now.
    #[error("{date} is not open for booking")]
    DateNotOpen {
        date: Date,
        today: Date,
        open: Vec<Date>,
        /// When the coming days open.
        opens_at: Option<Minute>,
    },
    /// Outside the opening hours.
    #[error("closed then")]
    Closed(Closed),
    /// The begin is over.
    #[error("the begin lies in the past")]
    BeginInPast(BeginInPast),
    /// Longer than one reservation may be.
    #[error("the span is too long")]
    TooLong(TooLong),
    /// No room was named.
    #[error("no location was named")]
    NeedLocation,
    /// No seat was named.
    #[error("no seat was named")]
    NeedSeat,
    /// A strategy that does not exist, or that contradicts the seat.
    #[error("strategy {strategy:?}: {why}")]
    BadStrategy { strategy: String, why: &'static str },
    /// No seat is free over the whole span, as far as was looked: `looked_at` were tried, and
    /// `not_checked` more that a list calls free were not.
    #[error("no seat is free")]
    NoSeat {
        looked_at: usize,
        not_checked: usize,
        seat: Option<String>,
        said: Option<String>,
    },
    /// The reader may not book now.
    #[error("the reader is on the blacklist")]
    Blacklisted {
        until: Option<String>,
        said: Option<String>,
    },
    /// The reader holds a reservation already.
    #[error("there is a reservation already")]
    AlreadyReserved {
        reservation_id: Option<ReservationId>,
        said: Option<String>,
    },
    /// Booking wants a captcha now, which only a person may solve, at the official page.
    #[error("booking wants a captcha")]
    CaptchaRequired {
        page: String,
        known: bool,
        said: Option<String>,
    },
    /// The service refused the booking.
    #[error("the booking was refused")]
    ReserveFailed { said: String },
    /// A booking in doubt was looked up and has surely not been made.
    #[error("the booking was not made")]
    NotBooked,
    /// There is no reservation to act on.
    #[error("there is no active reservation")]
    NoActive,
    /// The current reservation is another one.
    #[error("the current reservation is {current}")]
    Mismatch {
        asked: ReservationId,
        current: ReservationId,
    },
    /// The reservation is in a state in which this cannot be done.
    #[error("cannot {change:?} a reservation that is {status:?}")]
    WrongState {
        change: Change,
        status: Status,
        reservation_id: ReservationId,
        why: Option<&'static str>,
    },
    /// The service refused the change.
    #[error("{change:?} was refused")]
    ChangeFailed { change: Change, said: String },
    /// A change in doubt was looked up and has surely not been made.
    #[error("{0:?} was not done")]
    NotChanged(Change),
    /// No account is known for the user, and no page can be shown for it.
    #[error("no account is known")]
    NoAccount,
    /// User name or password is missing.
    #[error("user name or password is missing")]
    MissingCredentials,
    /// Nobody is signed in; a person has to.
    #[error("nobody is signed in")]
    NeedLogin,
    /// A question for a person stands in the way.
    #[error(transparent)]
    Question(#[from] Stopped),
    /// The sign-in did not get through.
    #[error(transparent)]
    SignIn(#[from] SignIn),
    /// The service says that the session is over.
    #[error("the session is over")]
    SignedOut,
    /// The service took neither signature nor token.
    #[error("the request was not taken as ours")]
    Unauthorised,
    /// The same, when the session was proven good and the key is today's.
    #[error("the signature was not taken")]
    SignatureRejected { skew_seconds: Option<i64> },
    /// The service understood and said no. `said` in it is its own text.
    #[error("the service refused")]
    Refused(Refusal),
    /// Another call for the same user did not end in time.
    #[error("another call for this user is under way")]
    Busy,
    /// A file of ours could not be used.
    #[error("{0}")]
    Kept(String),
    /// The configuration cannot be used.
    #[error("the configuration cannot be used: {why}")]
    Unconfigured { why: String },
    /// The answer has a shape we do not know. Nothing was guessed.
    #[error("{path} changed at {field}")]
    Changed {
        path: String,
        field: String,
        why: String,
    },
    /// The way to the service, or its answer, broke.
    #[error("{error}")]
    Way {
        place: Place,
        error: http_session::Error,
    },
}

impl Error {
    /// The way broke on the way to `place`.
    pub(crate) fn at(place: Place, error: http_session::Error) -> Self {
        Self::Way { place, error }
    }

    /// An answer of `path` whose shape is not known.
    pub(crate) fn changed(path: &str, drift: Drift) -> Self {
        Self::Changed {
            path: format!("/{path}"),
            field: drift.field,
            why: drift.problem.to_owned(),
        }
    }

    /// A configuration that cannot be used.
    pub(crate) fn unconfigured(path: &str, error: ConfigurationError) -> Self {
        match error {
            ConfigurationError::Rejected(Rejected::Drift(drift)) => Self::changed(path, drift),
            ConfigurationError::Rejected(Rejected::Refused(refusal)) => {
                Self::Unconfigured { why: refusal.said }
            }
            ConfigurationError::Key(error) => Self::Unconfigured {
                why: error.to_string(),
            },
        }
    }

    /// Whether the session stands in the way, so that nothing can be asked before it is seen to.
    pub(crate) fn is_of_the_session(&self) -> bool {
        matches!(
            self,
            Self::NoAccount
                | Self::MissingCredentials
                | Self::NeedLogin
                | Self::Question(_)
                | Self::SignIn(_)
                | Self::SignedOut
                | Self::Unauthorised
                | Self::SignatureRejected { .. }
        )
    }

    /// Whether a write that failed so may have been done all the same.
    pub(crate) fn may_have_been_done(&self) -> bool {
        match self {
            Self::Way { error, .. } => crate::client::may_have_left(error),
            // It was answered, and the answer is not understood.
            Self::Changed { .. } => true,
            _ => false,
        }
    }
}
