//! `weread-mcp` as hosts start it, against the fake WeRead.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod account;
mod arguments;
mod books;
mod canary;
mod doctor;
mod elicitation;
mod export;
mod http;
mod notes;
mod page;
mod prompts;
mod reviews;
mod scan;
mod schema;
mod search;
mod search_notes;
mod shelf;
mod standing;
mod statistics;
mod stdio;
mod store;
mod told;
mod ways;
mod world;
