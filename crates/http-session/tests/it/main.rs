//! A session against an upstream that answers raw bytes, as written in each test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod answers;
mod cookies;
mod joined;
mod limits;
mod pacing;
mod redirects;
mod retries;
mod upstream;
