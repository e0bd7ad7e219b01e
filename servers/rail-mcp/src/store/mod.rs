//! What is kept on disk.

pub(crate) mod stations;
