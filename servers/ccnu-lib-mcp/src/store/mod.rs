//! What this server keeps on disk and in the secret store, with structs of its own.

pub(crate) mod accounts;
pub(crate) mod pages;
