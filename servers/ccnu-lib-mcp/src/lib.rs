//! Library seats of Central China Normal University for an agent, as the reader who signs in.

pub mod client;
mod config;
pub mod domain;
mod error;
mod server;
pub mod service;
mod store;
mod tools;

pub use server::Library;
