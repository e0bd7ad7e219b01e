//! Journeys with one change.

use std::{collections::BTreeMap, ops::RangeInclusive};

use server_kit::time::Moment;

use super::filters::{Filters, Ride, is_at};
use crate::{
    Rail,
    domain::{
        journey::{Journey, Purpose},
        stations::Place,
        tickets::{Train, lowest_price},
        transfers::{CutShort, Plan},
    },
    error::Error,
};

/// Wishes about the change itself.
pub(crate) struct Change {
    pub(crate) at: Option<Place>,
    pub(crate) minutes: RangeInclusive<u32>,
    pub(crate) same_station_only: bool,
}

/// Plans that fit the wishes.
pub(crate) struct Found {
    pub(crate) plans: Vec<Plan>,
    pub(crate) removed: BTreeMap<&'static str, usize>,
    /// Why the service's own list was not read to its end, if so.
    pub(crate) cut_short: Option<CutShort>,
    pub(crate) as_of: Moment,
}

impl Ride for Plan {
    fn trains(&self) -> &[Train] {
        &self.legs
    }

    fn departs(&self) -> Option<Moment> {
        self.depart_at
    }

    fn arrives(&self) -> Option<Moment> {
        self.arrive_at
    }

    fn minutes(&self) -> Option<u32> {
        self.total_minutes
    }
}

impl Rail {
    /// Finds the journeys with one change.
    pub(crate) async fn find_transfers(
        &self,
        journey: &Journey,
        purpose: Purpose,
        change: &Change,
        filters: &Filters,
    ) -> Result<Found, Error> {
        let catalogue = self.stations.catalogue().await;
        let at = change.at.as_ref().map(|place| *place.ask());
        let answer = self.client.plans(journey, at, purpose, &catalogue).await?;
        let mut sieve = filters.sift(&journey.from, &journey.to, answer.plans.clone());
        if let Some(place) = &change.at {
            sieve.keep(
                "middle_station",
                |Plan {
                     legs: [first, second],
                     ..
                 }| {
                    is_at(place, &first.to_station) || is_at(place, &second.from_station)
                },
            );
        }
        let minutes = &change.minutes;
        if *minutes != (0..=u32::MAX) {
            sieve.keep("change_minutes", |plan| {
                plan.wait_minutes
                    .is_some_and(|wait| minutes.contains(&wait))
            });
        }
        if change.same_station_only {
            sieve.keep("same_station_only", |plan| plan.same_station);
        }
        let mut plans = sieve.kept;
        for plan in &mut plans {
            plan.total_price_yuan_min = lowest_price(&plan.legs, filters.seat_type);
        }
        Ok(Found {
            plans,
            removed: sieve.removed,
            cut_short: answer.cut_short,
            as_of: answer.as_of,
        })
    }
}
