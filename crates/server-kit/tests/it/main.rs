//! The kit as hosts and shells meet it: the example server as a process, over real standard input and output.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "failing loudly is the purpose of a test"
)]

mod audit;
mod calls;
mod commands;
mod serving;
mod setup;
mod several_processes;
mod toy;
