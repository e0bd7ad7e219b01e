//! What a result says of its parts that could not be had.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::{Failure, told};

use crate::error::Error;

/// A part that is missing, and why.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
pub(super) struct Problem {
    what: String,
    code: &'static str,
    message: String,
}

/// The missing parts as results tell them.
pub(super) fn problems(
    missing: impl IntoIterator<Item = (impl Into<String>, Error)>,
) -> Vec<Problem> {
    let problem = |(what, error): (_, Error)| {
        let Failure { code, message, .. } = error.into();
        Problem {
            what: Into::into(what),
            code,
            message,
        }
    };
    missing.into_iter().map(problem).collect()
}
