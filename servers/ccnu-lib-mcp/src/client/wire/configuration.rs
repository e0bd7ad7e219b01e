//! The school's settings.

use serde::Deserialize;

use super::scalar::{Count, Scalar, Text, optional};

/// `data` of `public/cg/getSysSet/PC`, as far as it is used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Settings {
    pub(in crate::client) hmac: Switch,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) hmac_key: Option<Text>,
    /// AES key of `hmac_key`, where a school does not use the usual one.
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) make_prefix: Option<Text>,
    /// AES vector of `hmac_key`, likewise.
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) make_suffix: Option<Text>,
    pub(in crate::client) vue_config: Addresses,
    #[serde(default)]
    pub(in crate::client) mack_captcha: Scalar,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) sign_start_minute: Option<Count>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) sign_end_minute: Option<Count>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) supervise_away: Option<Count>,
    #[serde(default)]
    pub(in crate::client) today_time: Scalar,
    #[serde(default)]
    pub(in crate::client) future_cond: Scalar,
    #[serde(default)]
    pub(in crate::client) future_cond_time: Scalar,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) future_make_day: Option<Count>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) breach_max: Option<Count>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) black_day: Option<Count>,
    #[serde(default, deserialize_with = "optional")]
    pub(in crate::client) cycle_day: Option<Count>,
}

/// A switch in any of the forms seen.
#[derive(Deserialize)]
#[serde(untagged)]
pub(in crate::client) enum Switch {
    Bool(bool),
    Scalar(Scalar),
}

/// The member `vueConfig`, in which everything is text.
#[derive(Deserialize)]
pub(in crate::client) struct Addresses {
    #[serde(rename = "CASSSERVICE")]
    pub(in crate::client) cas_service: String,
    #[serde(rename = "VUESERVICE")]
    pub(in crate::client) vue_service: String,
}
