//! The one place that reads the wall clock.

use jiff::Timestamp;

/// Tells the time: the system's, or one fixed moment for tests and demonstrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock(Option<Timestamp>);

impl Clock {
    /// The wall clock of the machine.
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock that stands still at `moment`.
    pub fn fixed(moment: Timestamp) -> Self {
        Self(Some(moment))
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        self.0.unwrap_or_else(wall)
    }

    /// Whether this clock stands still.
    pub fn is_fixed(&self) -> bool {
        self.0.is_some()
    }
}

/// Milliseconds since 1970 by the machine's wall clock, whatever any [`Clock`] says.
///
/// For spacing requests between processes, which a fixed clock must not freeze.
pub fn unix_millis() -> i64 {
    wall().as_millisecond()
}

#[expect(
    clippy::disallowed_methods,
    reason = "every other module is given a Clock"
)]
fn wall() -> Timestamp {
    Timestamp::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_stands_still_and_says_so() {
        let moment = Timestamp::UNIX_EPOCH;
        let clock = Clock::fixed(moment);
        assert_eq!((clock.now(), clock.is_fixed()), (moment, true));
    }

    #[test]
    fn the_system_clock_and_the_milliseconds_agree() {
        let clock = Clock::system();
        let (before, between, after) = (clock.now(), unix_millis(), clock.now());
        assert!(!clock.is_fixed());
        assert!((before.as_millisecond()..=after.as_millisecond()).contains(&between));
    }
}
