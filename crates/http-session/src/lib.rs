//! One polite conversation with one upstream.
//!
//! A [`Session`] reads from one [`Origin`] in the turns of a [`Pace`], repeats reads that met a passing
//! fault, follows redirects by hand and answers with a [`Reply`] or a typed [`Error`]. [`Joined`] lets
//! equal reads share one request. The crate knows no upstream's name.

mod body;
mod client;
mod error;
mod exchange;
mod jar;
mod joined;
mod origin;
mod pace;
mod reply;
mod request;
mod session;
mod slots;

pub use bytes::Bytes;
pub use reqwest::header;

pub use crate::error::{Error, Fault, Location, Sent};
pub use crate::joined::Joined;
pub use crate::origin::{BadOrigin, Origin};
pub use crate::pace::{Pace, Turn};
pub use crate::reply::Reply;
pub use crate::request::Request;
pub use crate::session::{Limits, Session, Settings};
