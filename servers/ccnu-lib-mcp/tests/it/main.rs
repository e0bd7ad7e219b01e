//! `ccnu-lib-mcp` as hosts start it, against the fake library.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod account;
mod arguments;
mod booking;
mod canary;
mod challenge;
mod changes;
mod doctor;
mod elicitation;
mod expected;
mod find;
mod http;
mod map;
mod page;
mod presence;
mod processes;
mod reservations;
mod schema;
mod seats;
mod sessions;
mod standing;
mod stdio;
mod told;
mod world;
