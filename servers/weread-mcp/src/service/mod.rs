//! The steps of each use.

pub(crate) mod access;
pub(crate) mod books;
pub(crate) mod examination;
pub mod export;
pub(crate) mod index;
pub(crate) mod library;
pub(crate) mod notes;
pub(crate) mod reviews;
pub(crate) mod shelf;
pub(crate) mod sign_in;
pub(crate) mod statistics;
pub(crate) mod store;
