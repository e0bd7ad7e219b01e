//! The school's settings: where to sign in, how to sign requests, and the rules of use.

use http_session::drift::Drift;
use serde_json::Value;

use super::{
    clock,
    envelope::{Rejected, data},
    signature::{KeyError, Signer, USUAL_PREFIX, USUAL_SUFFIX},
    wire::{
        configuration::{self as wire, Switch},
        scalar::{Count, Scalar, Text},
    },
};
use crate::domain::{minute::Minute, reservations::SignInRule};

/// Where the settings are asked, without a session.
pub(super) const PATH: &str = "public/cg/getSysSet/PC";

/// What a school sets, as far as it is used. None is unknown.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// Address of the gateway that leads to the sign-in page (`CASSSERVICE`), as sent.
    pub cas_service: String,
    /// Address of the web page that a sign-in comes back to (`VUESERVICE`), as sent.
    pub vue_service: String,
    /// Signs requests; none where the school wants no signatures.
    pub signer: Option<Signer>,
    /// Whether a slider is asked for when booking.
    pub captcha: CaptchaMode,
    /// Minutes around the begin within which one checks in.
    pub sign_in: SignInRule,
    /// Minutes of absence allowed; 0 for no limit.
    pub supervise_away: Option<u32>,
    /// When bookings of today open.
    pub today_time: Option<Minute>,
    /// When bookings of the coming days open.
    pub future_cond: Option<Minute>,
    /// How many days ahead can be booked.
    pub future_make_day: Option<u32>,
    /// With so many breaches in a cycle a reader goes on the blacklist.
    pub breach_max: Option<u32>,
    /// Days on the blacklist.
    pub black_day: Option<u32>,
    /// Days of a cycle.
    pub cycle_day: Option<u32>,
}

/// When a slider is asked for at booking (`mackCaptcha`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptchaMode {
    /// Never: 0.
    None,
    /// While `cap/cg/checkHigh` says so: 1.
    RushHours,
    /// Always: 2.
    Always,
    /// Not told, or another value.
    Unknown,
}

/// Why there are no settings to go by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationError {
    /// No settings came.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The signing key cannot be read.
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// The settings, from `public/cg/getSysSet/PC`.
///
/// Fails with `Drift` without `hmac`, either address, or when a number is none; with `Key` when
/// signatures are wanted and their key cannot be read.
pub fn configuration(answer: Value) -> Result<Configuration, ConfigurationError> {
    let sent: wire::Settings = data(answer)?;
    let count = |count: Option<Count>| count.map(|Count(count)| count);
    let minute = |field: &'static str, sent: &Scalar| {
        clock::minute(sent).map_err(|()| Rejected::from(Drift::form("data", field)))
    };
    let future_cond = minute("futureCond", &sent.future_cond)?;
    let future_cond_time = minute("futureCondTime", &sent.future_cond_time)?;
    Ok(Configuration {
        signer: signer(&sent)?,
        captcha: captcha(&sent.mack_captcha),
        sign_in: SignInRule {
            before: count(sent.sign_start_minute),
            after: count(sent.sign_end_minute),
        },
        supervise_away: count(sent.supervise_away),
        today_time: minute("todayTime", &sent.today_time)?,
        future_cond: future_cond.or(future_cond_time),
        future_make_day: count(sent.future_make_day),
        breach_max: count(sent.breach_max),
        black_day: count(sent.black_day),
        cycle_day: count(sent.cycle_day),
        cas_service: sent.vue_config.cas_service,
        vue_service: sent.vue_config.vue_service,
    })
}

fn signer(sent: &wire::Settings) -> Result<Option<Signer>, ConfigurationError> {
    let wanted = match &sent.hmac {
        Switch::Bool(wanted) => *wanted,
        Switch::Scalar(Scalar::Number(1)) => true,
        Switch::Scalar(Scalar::Number(0)) => false,
        Switch::Scalar(Scalar::Text(text)) if matches!(text.as_str(), "1" | "true") => true,
        Switch::Scalar(Scalar::Text(text)) if matches!(text.as_str(), "0" | "false") => false,
        Switch::Scalar(_) => return Err(Rejected::from(Drift::form("data", "hmac")).into()),
    };
    if !wanted {
        return Ok(None);
    }
    let Some(Text(key)) = &sent.hmac_key else {
        return Err(KeyError::Missing.into());
    };
    let (prefix, suffix) = match (&sent.make_prefix, &sent.make_suffix) {
        (Some(Text(prefix)), Some(Text(suffix))) => (prefix.as_str(), suffix.as_str()),
        _ => (USUAL_PREFIX, USUAL_SUFFIX),
    };
    Ok(Some(Signer::unseal(key, prefix, suffix)?))
}

fn captcha(sent: &Scalar) -> CaptchaMode {
    match sent {
        Scalar::Number(0) => CaptchaMode::None,
        Scalar::Number(1) => CaptchaMode::RushHours,
        Scalar::Number(2) => CaptchaMode::Always,
        Scalar::Text(text) => match text.as_str() {
            "0" => CaptchaMode::None,
            "1" => CaptchaMode::RushHours,
            "2" => CaptchaMode::Always,
            _ => CaptchaMode::Unknown,
        },
        Scalar::Number(_) | Scalar::Absent => CaptchaMode::Unknown,
    }
}

/// Whether it is rush hour now, so that `CaptchaMode::RushHours` asks for a slider; from
/// `cap/cg/checkHigh`.
pub fn rush_hour(answer: Value) -> Result<bool, Rejected> {
    data(answer)
}
