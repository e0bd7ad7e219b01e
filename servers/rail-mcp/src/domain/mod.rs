//! Plain values: stations, trains, plans and routes, as results show them.

pub mod catalogue;
pub mod journey;
pub mod routes;
mod search;
pub mod seats;
pub mod stations;
pub mod tickets;
pub mod transfers;

use server_kit::told;
