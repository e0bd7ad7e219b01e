//! What the sign-in by a scanned code answers.

use secrecy::SecretString;
use serde::Deserialize;
use serde_json::Value;

/// `GET api/auth/getLoginUid`.
#[derive(Deserialize)]
pub(in crate::client) struct LoginUid {
    pub(in crate::client) uid: String,
}

/// `GET api/auth/getLoginInfo`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct LoginInfo {
    #[serde(default)]
    pub(in crate::client) succeed: bool,
    pub(in crate::client) logic_code: Option<String>,
    pub(in crate::client) access_token: Option<SecretString>,
    pub(in crate::client) refresh_token: Option<SecretString>,
    /// A number or a text.
    pub(in crate::client) vid: Option<Value>,
    /// The same under its other name.
    pub(in crate::client) web_login_vid: Option<Value>,
}
