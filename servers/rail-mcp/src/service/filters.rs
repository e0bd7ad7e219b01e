//! What a caller wants left out, and how much each wish left out.

use std::{cmp::Ordering, collections::BTreeMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::time::Moment;

use super::window::Window;
use crate::domain::{
    seats::SeatName,
    stations::{Place, PlaceKind},
    tickets::{NamedStation, Train, TrainKind, lowest_price},
};

/// How a list is ordered. Also an argument.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SortBy {
    #[default]
    Depart,
    Arrive,
    Duration,
    Price,
}

/// Wishes that act on trains and, leg by leg, on transfer plans.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filters {
    /// Empty for all.
    pub(crate) train_types: Vec<TrainKind>,
    pub(crate) depart: Window,
    pub(crate) arrive: Window,
    pub(crate) only_available: bool,
    pub(crate) seat_type: Option<SeatName>,
    pub(crate) sort_by: SortBy,
}

/// What each wish removed, by its name.
pub(crate) type Removed = BTreeMap<&'static str, usize>;

/// A list on its way through the wishes.
pub(crate) struct Sieve<T> {
    pub(crate) kept: Vec<T>,
    pub(crate) removed: Removed,
}

impl<T> Sieve<T> {
    pub(crate) fn new(all: Vec<T>) -> Self {
        Self {
            kept: all,
            removed: BTreeMap::new(),
        }
    }

    /// Keeps what the wish wants and counts the rest under its name.
    pub(crate) fn keep(&mut self, wish: &'static str, wanted: impl Fn(&T) -> bool) {
        let before = self.kept.len();
        self.kept.retain(wanted);
        let gone = before - self.kept.len();
        if gone > 0 {
            *self.removed.entry(wish).or_default() += gone;
        }
    }
}

/// What the wishes look at: a train, or the trains of a plan.
pub(crate) trait Ride {
    /// The trains ridden, in order.
    fn trains(&self) -> &[Train];
    /// Leaving the first station.
    fn departs(&self) -> Option<Moment>;
    /// Reaching the last station.
    fn arrives(&self) -> Option<Moment>;
    /// On the way, changes included.
    fn minutes(&self) -> Option<u32>;
}

impl Ride for Train {
    fn trains(&self) -> &[Train] {
        std::slice::from_ref(self)
    }

    fn departs(&self) -> Option<Moment> {
        self.depart_at
    }

    fn arrives(&self) -> Option<Moment> {
        self.arrive_at
    }

    fn minutes(&self) -> Option<u32> {
        self.duration_minutes
    }
}

impl Filters {
    /// Applies every wish, both places first, and sorts what is left.
    pub(crate) fn sift<T: Ride>(&self, from: &Place, to: &Place, rides: Vec<T>) -> Sieve<T> {
        let mut sieve = Sieve::new(rides);
        // Both ends were widened to their cities; who named a station wants that one.
        sieve.keep("from", |ride| {
            ride.trains()
                .first()
                .is_some_and(|train| is_at(from, &train.from_station))
        });
        sieve.keep("to", |ride| {
            ride.trains()
                .last()
                .is_some_and(|train| is_at(to, &train.to_station))
        });
        if !self.train_types.is_empty() {
            sieve.keep("train_types", |ride| {
                ride.trains()
                    .iter()
                    .all(|train| self.train_types.contains(&train.kind()))
            });
        }
        sieve.keep("depart_after", |ride| self.depart.begun(ride.departs()));
        sieve.keep("depart_before", |ride| self.depart.open(ride.departs()));
        sieve.keep("arrive_after", |ride| self.arrive.begun(ride.arrives()));
        sieve.keep("arrive_before", |ride| self.arrive.open(ride.arrives()));
        if self.seat_type.is_some() {
            sieve.keep("seat_type", |ride| {
                ride.trains()
                    .iter()
                    .all(|train| train.offers(self.seat_type))
            });
        }
        if self.only_available {
            sieve.keep("only_available", |ride| {
                ride.trains()
                    .iter()
                    .all(|train| train.available(self.seat_type))
            });
        }
        sieve.kept.sort_by(|a, b| self.order(a, b));
        sieve
    }

    /// The lowest price for which the wishes can be met, over all trains ridden.
    pub(crate) fn price<T: Ride>(&self, ride: &T) -> Option<f64> {
        lowest_price(ride.trains(), self.seat_type, self.only_available)
    }

    /// Unknown values come last; equal ones in order of departure, then of train code.
    fn order<T: Ride>(&self, a: &T, b: &T) -> Ordering {
        let price = |ride: &T| self.price(ride);
        let first = match self.sort_by {
            SortBy::Depart => Ordering::Equal,
            SortBy::Arrive => known_first(a.arrives(), b.arrives(), Ord::cmp),
            SortBy::Duration => known_first(a.minutes(), b.minutes(), Ord::cmp),
            SortBy::Price => known_first(price(a), price(b), f64::total_cmp),
        };
        let codes = |ride: &T| {
            Vec::from_iter(
                ride.trains()
                    .iter()
                    .map(|train| train.train_code.as_str().to_owned()),
            )
        };
        first
            .then_with(|| known_first(a.departs(), b.departs(), Ord::cmp))
            .then_with(|| codes(a).cmp(&codes(b)))
    }
}

fn known_first<V>(a: Option<V>, b: Option<V>, compare: impl Fn(&V, &V) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(&a, &b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// Whether a row's station belongs to the place. A city takes every row: the service widens both
/// ends to the city by itself, its own list of stations included.
fn is_at(place: &Place, station: &NamedStation) -> bool {
    place.kind == PlaceKind::City
        || match &station.telecode {
            Some(telecode) => place.holds(telecode),
            None => place.name == station.name,
        }
}
