//! Accounts: kept, forgotten, and what is known of a login.

mod audit;
mod commands;
mod saving;
mod status;
mod users;
mod way;
