//! One polite conversation with one upstream.
//!
//! A [`Session`] reads from one [`Origin`] in the turns of a [`Pace`], repeats reads that met a passing
//! fault, follows redirects by hand and answers with a [`Reply`] or a typed [`Error`]. [`Joined`] lets
//! equal reads share one request. The crate knows no upstream's name.
//!
//! Two features are for upstreams with an account: `forms` reads the forms of sign-in pages, and `sealed`
//! keeps a session encrypted on disk and lets one process at a time renew it.

mod body;
mod client;
pub mod drift;
mod error;
mod exchange;
#[cfg(feature = "forms")]
pub mod form;
mod jar;
mod joined;
mod origin;
mod pace;
mod reply;
mod request;
#[cfg(feature = "sealed")]
pub mod sealed;
mod session;
mod slots;

pub use bytes::Bytes;
pub use reqwest::{Method, header};
pub use url::Url;

pub use crate::error::{Error, Fault, Location, Sent};
pub use crate::jar::{Cookies, Jar};
pub use crate::joined::Joined;
pub use crate::origin::{BadOrigin, Origin};
pub use crate::pace::{Pace, Turn};
pub use crate::reply::{Hop, Reply};
pub use crate::request::Request;
pub use crate::session::{Limits, Session, Settings, Sign};
