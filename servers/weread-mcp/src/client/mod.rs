//! What the service answers, turned into plain values.

mod account;
pub mod books;
pub mod cloud;
mod connection;
mod envelope;
pub mod found;
mod gateway;
mod html;
pub mod notes;
mod pages;
pub mod reviews;
pub mod scan;
pub mod shelf;
pub mod statistics;
mod web;
mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub(crate) use connection::Client;
pub use envelope::{Reason, Refusal, Rejected, Upgrade};
pub(crate) use gateway::Gateway;
pub(crate) use web::{Web, same};

/// A way of asking the service: both name the same things by the same names, so that one domain serves both.
#[derive(Clone)]
pub(crate) enum Surface {
    /// The official gateway, with a key.
    Gateway(Arc<Gateway>),
    /// What the web reader uses, with a cookie.
    Web(Arc<Web>),
}
