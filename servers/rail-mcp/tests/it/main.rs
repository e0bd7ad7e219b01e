//! `rail-mcp` as hosts start it, against the fake 12306.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod arguments;
mod commands;
mod expected;
mod faults;
mod processes;
mod refresh;
mod routes;
mod schema;
mod shell;
mod stations;
mod stdio;
mod tickets;
mod transfers;
mod world;
