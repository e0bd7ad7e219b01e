//! A session against an upstream that answers raw bytes, as written in each test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod answers;
mod cookies;
#[cfg(feature = "forms")]
mod forms;
mod joined;
mod limits;
mod logs;
mod pacing;
mod redirects;
mod retries;
#[cfg(feature = "sealed")]
mod sealed;
mod signing;
mod upstream;
mod visits;
