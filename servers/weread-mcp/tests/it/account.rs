//! Credentials: how each stands, how it is saved and forgotten, in a conversation and in a terminal.

mod audit;
mod commands;
mod saving;
mod status;
