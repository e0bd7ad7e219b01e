//! Shapes exactly as the service sends them, on both surfaces: fields have the same names there.
//!
//! Whatever a field is, it may be missing.

pub(super) mod books;
pub(super) mod cloud;
pub(super) mod found;
pub(super) mod notes;
pub(super) mod reviews;
pub(super) mod scalar;
pub(super) mod scan;
pub(super) mod shelf;
pub(super) mod statistics;

use scalar::{Number, Text};
use serde::Deserialize;

/// What every answer may have beside its data; the gateway spells it in lower case.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Envelope {
    pub(super) errcode: Number,
    #[serde(rename = "errCode")]
    pub(super) err_code: Number,
    pub(super) errmsg: Text,
    #[serde(rename = "errMsg")]
    pub(super) err_msg: Text,
}
