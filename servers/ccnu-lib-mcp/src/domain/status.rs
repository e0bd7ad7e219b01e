//! What has become of a reservation.

use schemars::JsonSchema;
use serde::Serialize;

use super::told;

/// What a reservation is at, in the words of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, transform = told(&[]))]
pub enum Status {
    /// There is no active reservation.
    None,
    /// Booked, not checked in.
    Reserved,
    /// Booked, and the time to check in has come.
    WaitingSignIn,
    /// Checked in.
    InUse,
    /// Checked in and absent for a while.
    Away,
    /// Over, by the user, by time or set right by staff.
    Ended,
    /// Cancelled.
    Cancelled,
    /// A breach that has happened: did not come, stayed away too long, left without signing off.
    Violation,
    /// A breach that is under way.
    ViolationRisk,
    /// A word of the system that is not known.
    Unknown,
}

impl Status {
    /// What the system's own word means; `Reserved` for one that waits for its check-in too.
    ///
    /// Table in docs/upstreams/ccnu-lib.md, 7.4. Words that were only guessed by others are taken as
    /// they took them; anything else is `Unknown`, never the nearest.
    pub fn of_raw(raw: &str) -> Self {
        match raw.trim().to_ascii_uppercase().as_str() {
            "RESERVE" | "WAIT" | "SUCCESS" => Self::Reserved,
            "CHECK_IN" | "USING" | "USE" | "SIGN" | "SIGNED" | "SIGN_IN" | "CHECKIN" => Self::InUse,
            "AWAY" | "LEAVE" => Self::Away,
            "STOP" | "FINISH" | "END" | "OVER" | "COMPLETE" => Self::Ended,
            "CANCEL" => Self::Cancelled,
            "MISS" | "LEAVE_EARLY" | "NO_STOP" | "NOSHOW" | "NO_SHOW" | "LEAVEEARLY"
            | "AWAY_TIMEOUT" => Self::Violation,
            "BREAK" | "VIOLATION" | "ILLEGAL" | "BREACH" => Self::ViolationRisk,
            _ => Self::Unknown,
        }
    }

    /// Whether such a reservation holds a seat. `Unknown` does not by itself: see
    /// `Reservation::is_active`.
    pub fn is_active(self) -> bool {
        match self {
            Self::Reserved
            | Self::WaitingSignIn
            | Self::InUse
            | Self::Away
            | Self::ViolationRisk => true,
            Self::None | Self::Ended | Self::Cancelled | Self::Violation | Self::Unknown => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_word_has_its_status() {
        for (status, shown, active, words) in [
            (Status::Reserved, "reserved", true, "RESERVE WAIT SUCCESS"),
            (
                Status::InUse,
                "in_use",
                true,
                "CHECK_IN USING USE SIGN SIGNED SIGN_IN CHECKIN check_in",
            ),
            (Status::Away, "away", true, "AWAY LEAVE"),
            (
                Status::Ended,
                "ended",
                false,
                "STOP FINISH END OVER COMPLETE",
            ),
            (Status::Cancelled, "cancelled", false, "CANCEL"),
            (
                Status::Violation,
                "violation",
                false,
                "MISS LEAVE_EARLY NO_STOP NOSHOW NO_SHOW LEAVEEARLY AWAY_TIMEOUT",
            ),
            (
                Status::ViolationRisk,
                "violation_risk",
                true,
                "BREAK VIOLATION ILLEGAL BREACH",
            ),
            (
                Status::Unknown,
                "unknown",
                false,
                "3 CANCELLED RESERVED CHECK-IN 预约",
            ),
        ] {
            for word in words.split(' ') {
                assert_eq!(Status::of_raw(word), status, "{word}");
            }
            assert_eq!(serde_json::to_value(status).expect("json"), shown);
            assert_eq!(status.is_active(), active, "{shown}");
        }
        assert_eq!(Status::of_raw(""), Status::Unknown);
        assert!(Status::WaitingSignIn.is_active());
        assert!(!Status::None.is_active());
    }
}
