//! A reader's rights and breaches.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::time::Moment;

use super::{ids::SeatId, told};

/// What the system says about a reader. None is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// The kind of reader, such as 本科生.
    pub kind: Option<String>,
    /// Longest span of one reservation, in minutes.
    pub max_minute: Option<u32>,
    /// Times of reservations are multiples of this many minutes.
    pub step_minute: Option<u32>,
    /// Breaches of the present cycle.
    pub breaches: Option<u32>,
    /// Points left.
    pub score: Option<u32>,
    /// Whether and until when bookings are closed to the reader.
    pub blacklist: Blacklist,
    /// The system's own sentence about that.
    pub blacklist_message: Option<String>,
    /// Name of the present cycle, such as `2026-06`.
    pub cycle: Option<String>,
}

/// Whether bookings are closed to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blacklist {
    /// Not told, or in a form that is not known.
    Unknown,
    /// Told that they are not.
    Off,
    /// Closed until then.
    Until(Moment),
}

/// A reader's standing, as results show it. Null is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("breaches_left", "再违约几次进入黑名单"),
    ("cycle", "违约计数周期"),
    ("max_minute", "单次预约最长分钟数"),
    ("step_minute", "预约时间步长（分钟）"),
]))]
pub struct Standing {
    /// The kind of reader.
    pub reader_kind: Option<String>,
    /// Breaches of the present cycle.
    pub breaches: Option<u32>,
    /// With so many the reader goes on the blacklist.
    pub breach_max: Option<u32>,
    /// How many more bring that about.
    pub breaches_left: Option<u32>,
    /// Points left.
    pub score: Option<u32>,
    /// Whether bookings are closed to the reader now.
    pub blacklisted: Option<bool>,
    /// Until when; also one that is over.
    pub blacklist_until: Option<Moment>,
    /// The system's own sentence.
    pub blacklist_message: Option<String>,
    /// Name of the present cycle.
    pub cycle: Option<String>,
    /// Longest span of one reservation, in minutes.
    pub max_minute: Option<u32>,
    /// Step of times, in minutes.
    pub step_minute: Option<u32>,
}

impl Standing {
    /// The standing at `now`; `breach_max` comes from the system's settings.
    pub fn of(reader: Reader, breach_max: Option<u32>, now: Moment) -> Self {
        let until = match reader.blacklist {
            Blacklist::Until(until) => Some(until),
            Blacklist::Unknown | Blacklist::Off => None,
        };
        let left = breach_max.zip(reader.breaches);
        Self {
            reader_kind: reader.kind,
            breaches: reader.breaches,
            breach_max,
            breaches_left: left.map(|(most, breaches)| most.saturating_sub(breaches)),
            score: reader.score,
            blacklisted: match reader.blacklist {
                Blacklist::Unknown => None,
                Blacklist::Off => Some(false),
                Blacklist::Until(until) => Some(until > now),
            },
            blacklist_until: until,
            blacklist_message: reader.blacklist_message,
            cycle: reader.cycle,
            max_minute: reader.max_minute,
            step_minute: reader.step_minute,
        }
    }
}

/// A seat the reader often takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LikedSeat {
    /// The seat.
    pub seat_id: SeatId,
    /// How often it was taken.
    pub times: u32,
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_blacklist_ends_by_the_clock_and_unknown_stays_unknown() {
        let at = |hour| Moment::at(date(2026, 7, 2).at(hour, 0, 0, 0));
        for (blacklist, breaches, expected) in [
            (Blacklist::Unknown, None, (None, None, None)),
            (Blacklist::Off, Some(1), (Some(false), None, Some(2))),
            (
                Blacklist::Until(at(9)),
                Some(3),
                (Some(false), Some(at(9)), Some(0)),
            ),
            (
                Blacklist::Until(at(10)),
                Some(5),
                (Some(true), Some(at(10)), Some(0)),
            ),
        ] {
            let reader = Reader {
                kind: None,
                max_minute: None,
                step_minute: None,
                breaches,
                score: None,
                blacklist,
                blacklist_message: None,
                cycle: None,
            };
            let found = Standing::of(reader, Some(3), at(9));
            let found = (
                found.blacklisted,
                found.blacklist_until,
                found.breaches_left,
            );
            assert_eq!(found, expected, "{blacklist:?}");
        }
    }
}
