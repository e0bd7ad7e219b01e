//! What may be shown of a setting: in a refusal, in `doctor`, in the docs.

use std::fmt::Display;

use serde::Serialize;

/// A setting that stops the start, with the variable and what it must be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable}={value:?} 无效：{why}")]
pub struct Refusal {
    pub(super) variable: String,
    value: String,
    pub(super) why: String,
}

impl Refusal {
    /// Refuses `value`, which is kept as it may be shown: without the login in an address, and not
    /// at all when the variable's name says that it is secret. `why` says what it must be.
    pub fn new(variable: &str, value: &str, why: impl Display) -> Self {
        let shown = shown(variable, value);
        let why = why.to_string();
        Self {
            variable: variable.to_owned(),
            // What reads a value may repeat it in its complaint.
            why: if shown == value {
                why
            } else {
                why.replace(value, &shown)
            },
            value: shown,
        }
    }
}

/// A value as it may be shown.
fn shown(variable: &str, value: &str) -> String {
    if !value.is_empty() && audit::is_secret_name(variable) {
        return "***".to_owned();
    }
    audit::without_secrets(value)
}

/// Whether the value of a setting may be shown.
#[derive(Clone, Copy)]
pub(super) enum Shown {
    /// One of a few words or a number.
    Always,
    /// Unless its name says that it is secret, and without what looks like a secret.
    ByName,
    Never,
}

impl Shown {
    /// A value of `variable` as it may be shown.
    pub(super) fn of(self, variable: &str, value: &str) -> String {
        match self {
            Self::Always => value.to_owned(),
            Self::ByName => shown(variable, value),
            Self::Never => "***".to_owned(),
        }
    }
}

/// One setting as the server read it, for `doctor` and the docs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The variable.
    pub variable: String,
    /// What it does, with its unit.
    pub about: &'static str,
    /// What holds when it is not set.
    pub default: String,
    /// What it was set to, if it was, as it may be shown.
    pub set: Option<String>,
}
