//! A question only a person can answer, and how it is put to them.
//!
//! A use that meets a captcha, a code sent by SMS or a missing password is suspended in memory and
//! its question gets an id. Whoever answers first goes on with it: a tool call that names the id, or
//! a small [`Page`] on a loopback address, so that a password need not pass through a model.
//!
//! One question is open per account, over all processes that share a state folder. What is written
//! there says only that a question was asked and how it ended: no prompt, no picture, no answer. The
//! suspended use itself lives and dies with its process.

mod challenges;
mod error;
mod ledger;
mod page;
mod question;
mod random;

pub use challenges::Challenges;
pub use error::{Error, Lost, OpenError, Pending, Refused, TakeError};
pub use page::{Desk, Page, Shown};
pub use question::{By, Field, Kind, Open, Picture, Question};
