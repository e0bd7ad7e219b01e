//! What a model can call: arguments, results and handlers of a few lines.

mod account;
mod arguments;
mod books;
mod export;
mod notes;
mod onward;
mod problems;
pub(crate) mod prompts;
pub(crate) mod resources;
mod reviews;
mod search;
mod shelf;
mod statistics;
mod store;
