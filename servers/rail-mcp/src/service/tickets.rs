//! Direct trains of a journey.

use server_kit::time::Moment;

use super::filters::{Filters, Removed};
use crate::{
    Rail,
    domain::{
        journey::{Journey, Purpose},
        tickets::Train,
    },
    error::Error,
};

/// Trains that fit the wishes, what each wish removed, and when the service said so.
pub(crate) struct Found {
    pub(crate) trains: Vec<Train>,
    pub(crate) removed: Removed,
    pub(crate) as_of: Moment,
}

impl Rail {
    /// Finds the direct trains of a journey.
    pub(crate) async fn find_tickets(
        &self,
        journey: &Journey,
        purpose: Purpose,
        filters: &Filters,
    ) -> Result<Found, Error> {
        let catalogue = self.stations.catalogue().await;
        let answer = self.client.trains(journey, purpose, &catalogue).await?;
        let sieve = filters.sift(&journey.from, &journey.to, answer.list.clone());
        Ok(Found {
            trains: sieve.kept,
            removed: sieve.removed,
            as_of: answer.as_of,
        })
    }
}
