//! The same write twice is one write: ledger, quota, rate, cooldown.
//!
//! A caller names its write by a token. [`Book::claim`] decides in one transaction whether the write
//! may go out now: within the rate, not too soon after the last, its token not used before, a place
//! left in the quota. Who is let in [`note`](Book::note)s what will be needed to settle the write,
//! sends it once, and reports the [`Outcome`]. A writer that vanishes in between leaves a [`Doubt`],
//! which exactly one later caller at a time may settle, by the rules of [`Doubt::next`].
//!
//! What holds, whatever process is killed at whatever point: a token found [`Claim::Fresh`] is fresh
//! to one caller; a lease that ran out never makes it fresh again; nothing is sent without a note on
//! disk, and a note needs a lease that still runs, so that a claim without one surely sent nothing; an
//! outcome that is stored stays.
//!
//! The wall clock is passed in and may be wrong. A lease lasts [`LONGEST_LEASE`] at most; what lies
//! ahead of a clock that went back is taken to be now. The ledger is right under any clock but one
//! that jumps over [`RETENTION`]; rate, cooldown and quota bend with it.
//!
//! Several processes may use one book. All calls block; from asynchronous code they belong in
//! `spawn_blocking`.

mod book;
mod claim;
mod column;
mod cooldown;
mod error;
mod hash;
mod ledger;
mod limits;
mod quota;
mod rate;
mod report;
mod rules;
mod token;

pub use book::Book;
pub use claim::{Claim, Doubt, Hold, Key, Note};
pub use cooldown::Cooldown;
pub use error::Error;
pub use hash::argument_hash;
pub use ledger::{LONGEST_LEASE, RETENTION, Unsettled};
pub use limits::{Limits, Verdict};
pub use quota::{Places, Quota};
pub use rate::Rate;
pub use rules::{Answer, Attempt, Next, Outcome, Upstream};
pub use token::{is_token, new_token};
