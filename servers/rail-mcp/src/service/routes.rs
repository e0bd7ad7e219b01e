//! The stops of one train.

use jiff::{ToSpan, civil::Date};
use server_kit::time::Moment;

use super::journey::DAYS_UNDER_WAY;
use crate::{
    Rail,
    domain::{
        routes::{NoSection, Stop, TrainHit, mark_section},
        stations::Place,
        tickets::TrainCode,
    },
    error::Error,
};

/// A train on the day it leaves its origin, with all its stops.
pub(crate) struct Route {
    pub(crate) train: TrainHit,
    pub(crate) origin_date: Date,
    pub(crate) stops: Vec<Stop>,
    pub(crate) as_of: Moment,
}

impl Rail {
    /// Finds the stops of a train. `date` is the day it leaves its origin or, with `from`, the day
    /// it leaves there: such a train may have left its origin days before, and not run every day.
    pub(crate) async fn find_route(
        &self,
        train_code: &TrainCode,
        date: Date,
        from: Option<&Place>,
        to: Option<&Place>,
    ) -> Result<Route, Error> {
        let mut route = match from {
            Some(from) => self.route_boarded(train_code, date, from).await?,
            None => self.route_of(train_code, date).await?,
        };
        mark_section(&mut route.stops, from, to).map_err(|missing| {
            let (field, place) = match missing {
                NoSection::From => ("from", from),
                NoSection::To => ("to", to),
            };
            Error::NotAStop {
                field,
                query: place.map(|place| place.query.clone()).unwrap_or_default(),
                train_code: train_code.as_str().to_owned(),
                stops: route
                    .stops
                    .iter()
                    .map(|stop| stop.station.clone())
                    .collect(),
            }
        })?;
        Ok(route)
    }

    /// The train that leaves `from` on `date`, on the day it left its origin. Where the train does
    /// not stop is told by the section, so any day of it does.
    async fn route_boarded(
        &self,
        train_code: &TrainCode,
        date: Date,
        from: &Place,
    ) -> Result<Route, Error> {
        let route = self.latest_route(train_code, date).await?;
        let Some(days) = days_until(&route, from) else {
            return Ok(route);
        };
        let origin_date = date.saturating_sub(i64::from(days).days());
        if origin_date == route.origin_date {
            return Ok(route);
        }
        match self.route_of(train_code, origin_date).await {
            Ok(route) if days_until(&route, from) == Some(days) => Ok(route),
            // It runs, but not so that it leaves there on that day.
            Ok(_) | Err(Error::TrainNotFound { .. }) => Err(Error::TrainNotFound {
                train_code: train_code.as_str().to_owned(),
                date,
                near: Vec::new(),
            }),
            Err(error) => Err(error),
        }
    }

    /// The train as it leaves its origin on `date` or, if it does not, on the latest day before.
    async fn latest_route(&self, train_code: &TrainCode, date: Date) -> Result<Route, Error> {
        let asked = self.route_of(train_code, date).await;
        let Err(Error::TrainNotFound { .. }) = asked else {
            return asked;
        };
        for days in 1..=DAYS_UNDER_WAY {
            let earlier = date.saturating_sub(days.days());
            match self.route_of(train_code, earlier).await {
                Err(Error::TrainNotFound { .. }) => {}
                found => return found,
            }
        }
        asked
    }

    async fn route_of(&self, train_code: &TrainCode, origin_date: Date) -> Result<Route, Error> {
        let train = self.client.train(train_code, origin_date).await?;
        let catalogue = self.stations.catalogue().await;
        let answer = self
            .client
            .stops(&train.train_no, origin_date, &catalogue)
            .await?;
        Ok(Route {
            train,
            origin_date,
            stops: answer.list.clone(),
            as_of: answer.as_of,
        })
    }
}

/// Days from the origin to the departure at a place.
fn days_until(route: &Route, place: &Place) -> Option<i32> {
    let stop = route.stops.iter().find(|stop| stop.is_at(place))?;
    let leaves = stop.depart_at.or(stop.arrive_at)?.day();
    Some(leaves.since(route.origin_date).ok()?.get_days())
}
