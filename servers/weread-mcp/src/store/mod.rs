//! What lies on disk.

pub(crate) mod credentials;
pub(crate) mod exports;
pub mod notes;
