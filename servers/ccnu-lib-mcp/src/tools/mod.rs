//! The tools: arguments, results, handlers of a few lines. One file a topic.

mod account;
mod arguments;
mod booking;
mod changes;
mod find;
mod map;
mod presence;
mod reservations;
mod rooms;
mod seats;
mod standing;
mod writes;
