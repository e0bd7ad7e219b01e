//! Plain values of WeRead with their invariants.

pub mod annotations;
pub mod books;
pub mod chapters;
pub mod credentials;
pub mod file_name;
pub mod ids;
pub mod kept;
pub mod link;
pub mod notes;
pub mod periods;
pub mod reviews;
pub mod shelf;
pub mod statistics;
pub mod styles;
