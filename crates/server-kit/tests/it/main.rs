//! The kit as hosts and shells meet it: the example server as a process, over real standard input and output.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "failing loudly is the purpose of a test"
)]

mod asking;
mod audit;
mod beside;
mod calls;
mod commands;
mod doubts;
mod http;
mod interrupted;
mod login;
mod service;
mod serving;
mod setup;
mod several_processes;
mod toy;
mod writes;
