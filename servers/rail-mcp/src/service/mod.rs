//! The steps of a use: what was meant, what is asked, what is kept.

pub(crate) mod examination;
pub(crate) mod filters;
pub(crate) mod journey;
pub(crate) mod routes;
pub(crate) mod stations;
pub(crate) mod tickets;
pub(crate) mod transfers;
pub(crate) mod window;
