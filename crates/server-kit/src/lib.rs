//! What servers would otherwise repeat and that joins crates, SDK or terminal.
//!
//! A server implements [`Errand`] and calls [`main`]; the kit gives it the command line, serving on
//! standard input and output, and one wrapped call: arguments checked against the tool's own
//! schema, the read-only gate, audit rows, a panic boundary and one form of result. This is the only
//! shared crate that names the SDK, which servers reach as `server_kit::rmcp`.

mod arguments;
#[cfg(feature = "account")]
mod ask;
mod call;
mod clean;
mod command;
mod dialogue;
pub mod doctor;
mod errand;
mod failure;
#[cfg(feature = "account")]
pub mod guard;
mod host;
mod input;
mod journal;
mod kit;
mod log;
mod page;
#[cfg(feature = "account")]
mod picture;
mod prompt;
#[cfg(feature = "account")]
pub mod question;
mod recorder;
mod resource;
mod schema;
#[cfg(feature = "account")]
mod secret;
mod serve;
mod served;
pub mod settings;
pub mod time;
mod told;

pub use arguments::Parameters;
#[cfg(feature = "account")]
pub use ask::{Asker, Link, Offer, PATIENCE};
pub use audit::Event;
pub use call::{Call, Caller};
pub use clean::{is_hiding, outside, passage};
pub use command::main;
#[cfg(feature = "account")]
pub use command::tell;
#[cfg(feature = "account")]
pub use errand::Credential;
pub use errand::{About, Errand};
pub use failure::{Failure, bad_argument};
pub use journal::Journal;
pub use kit::Kit;
pub use page::{Counts, Limits, Page};
#[cfg(feature = "account")]
pub use picture::{Drawn, Picture, plain};
pub use prompt::{Prompt, PromptArgument};
pub use resource::{Filled, Read, Resource};
pub use rmcp;
pub use served::Served;
pub use told::told;

/// The known name that `word` most likely means, if any is near.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| (strsim::jaro_winkler(word, name), name))
        .filter(|(likeness, _)| *likeness > 0.85)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
