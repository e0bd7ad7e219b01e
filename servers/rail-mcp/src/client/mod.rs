//! What 12306 answers, turned into plain values.

mod answer;
mod clock;
mod connection;
mod paths;
mod prices;
pub mod routes;
mod seats;
pub mod stations;
pub mod tickets;
pub mod transfers;
mod wire;

#[cfg(test)]
mod tests;

pub use answer::Rejected;
pub(crate) use connection::{Client, Reading};
