//! The steps of a use.

pub(crate) mod acting;
pub(crate) mod booking;
pub(crate) mod changes;
pub(crate) mod examination;
pub(crate) mod find;
pub mod map;
pub(crate) mod presence;
pub(crate) mod readers;
pub(crate) mod reservations;
pub(crate) mod seats;
pub(crate) mod sign_in;
pub(crate) mod span;
pub(crate) mod standing;
