//! From where, to where, on which day, for whom.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{stations::Place, told};

/// A day and two places.
#[derive(Debug, Clone)]
pub struct Journey {
    /// The day of boarding.
    pub date: Date,
    /// Where to board.
    pub from: Place,
    /// Where to leave.
    pub to: Place,
}

/// Who travels: the ticket system keeps numbers of its own for each. Also an argument.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = told(&[]))]
pub enum Purpose {
    /// With an ordinary ticket.
    #[default]
    Adult,
    /// With a student ticket.
    Student,
}
