//! The notes of WeRead for an agent, as the reader who signs in.

pub mod client;
mod config;
pub mod domain;
mod error;
mod server;
pub mod service;
pub mod store;
mod tools;

pub use server::WeRead;
