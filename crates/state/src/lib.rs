//! What a server keeps on disk, and the clock it reads.
//!
//! Several processes of one server on one folder is the normal case: files are written whole or not
//! at all, locks hold between processes, and databases are opened safely by all at once. Everything
//! made here is private to the user (folders 0700, files 0600 where the platform has modes).
//!
//! All calls that touch the disk block; from asynchronous code they belong in [`blocking`].

mod blocking;
pub mod clock;
mod dir;
mod error;
mod lock;
pub mod platform;
#[cfg(feature = "secrets")]
pub mod secrets;
pub mod sqlite;
mod whole;

pub use blocking::blocking;
pub use clock::Clock;
pub use dir::{Condition, StateDir};
pub use error::Error;
pub use lock::Lock;
pub use whole::replace;
