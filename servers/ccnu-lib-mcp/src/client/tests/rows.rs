//! Rows written by hand, a topic each, and answers that are not as they should be.

mod account;
mod configuration;
mod plans;
mod presence;
mod records;
mod reservations;
mod seats;
