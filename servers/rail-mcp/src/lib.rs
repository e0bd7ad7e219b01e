//! Trains in China for an agent: tickets, transfers, routes and stations, read anonymously from 12306.

pub mod client;
mod config;
pub mod domain;
mod error;
mod server;
mod service;
mod store;
mod tools;

pub use server::Rail;
