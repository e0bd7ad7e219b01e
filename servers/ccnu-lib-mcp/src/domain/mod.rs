//! Plain values: readers, rooms, seats, reservations and gates, as results show them.

pub mod absence;
pub mod account;
pub mod changes;
pub mod ids;
pub mod labels;
pub mod layout;
pub mod map;
pub mod minute;
pub mod presence;
pub mod record;
pub mod reservations;
pub mod seats;
pub mod span;
pub mod status;
pub mod times;
pub mod user_key;

use server_kit::told;
