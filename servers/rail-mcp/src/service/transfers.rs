//! Journeys with one change.

use server_kit::time::Moment;

use super::filters::{Filters, Removed, Ride};
use crate::{
    Rail,
    domain::{
        journey::{Journey, Purpose},
        stations::Place,
        tickets::{NamedStation, Train},
        transfers::{CutShort, Plan, Start},
    },
    error::Error,
};

/// Wishes about the change itself.
pub(crate) struct Change {
    pub(crate) at: Option<Place>,
    pub(crate) least_minutes: Option<u32>,
    pub(crate) most_minutes: Option<u32>,
    pub(crate) same_station_only: bool,
}

/// Plans that fit the wishes.
pub(crate) struct Found {
    pub(crate) plans: Vec<Plan>,
    pub(crate) removed: Removed,
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
        start: Start,
    ) -> Result<Found, Error> {
        let catalogue = self.stations.catalogue().await;
        let at = change.at.as_ref().map(|place| *place.ask());
        let answer = self
            .client
            .plans(journey, at, purpose, start, &catalogue)
            .await?;
        let mut sieve = filters.sift(&journey.from, &journey.to, answer.plans.clone());
        if let Some(place) = &change.at {
            // Nothing is known of a widening here, so a city means its stations.
            let here = |station: &NamedStation| {
                station
                    .telecode
                    .is_none_or(|telecode| place.holds(&telecode))
            };
            sieve.keep(
                "middle_station",
                |Plan {
                     legs: [first, second],
                     ..
                 }| { here(&first.to_station) || here(&second.from_station) },
            );
        }
        if let Some(least) = change.least_minutes {
            sieve.keep("min_change_minutes", |plan| {
                plan.wait_minutes.is_some_and(|wait| wait >= least)
            });
        }
        if let Some(most) = change.most_minutes {
            sieve.keep("max_change_minutes", |plan| {
                plan.wait_minutes.is_some_and(|wait| wait <= most)
            });
        }
        if change.same_station_only {
            sieve.keep("same_station_only", |plan| plan.same_station);
        }
        let mut plans = sieve.kept;
        for plan in &mut plans {
            plan.total_price_yuan_min = filters.price(plan);
        }
        Ok(Found {
            plans,
            removed: sieve.removed,
            cut_short: answer.cut_short,
            as_of: answer.as_of,
        })
    }
}
