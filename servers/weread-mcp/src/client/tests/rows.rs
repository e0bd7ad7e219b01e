//! Facts of the service, one test for each.

mod books;
mod chapters;
mod found;
mod notes;
mod reviews;
mod shelf;
mod statistics;
mod thoughts;
