//! What the seat system answers, turned into plain values.

pub mod account;
mod clock;
pub mod configuration;
mod connection;
mod endpoints;
mod envelope;
pub mod presence;
mod reader;
pub mod reservations;
mod seal;
pub mod seats;
mod second_factor;
mod sign_in;
pub mod signature;
mod wire;

#[cfg(test)]
mod tests;

pub(crate) use connection::Client;
pub use envelope::{Code, Reason, Refusal, Rejected, accepted};
pub(crate) use reader::{Reader, may_have_left};
pub(crate) use second_factor::SmsPage;
pub(crate) use sign_in::{Account, LoginPage};
