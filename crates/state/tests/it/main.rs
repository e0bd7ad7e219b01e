//! The secret store in real keyrings, each in a session of its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod keyring;
#[cfg(unix)]
mod killed;
mod session;
