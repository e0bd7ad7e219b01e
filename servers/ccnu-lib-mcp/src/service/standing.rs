//! A reader's rights and breaches.

use super::readers::User;
use crate::{Library, domain::account::Standing, error::Error};

impl Library {
    /// What the reader may do, and how near the blacklist is.
    pub(crate) async fn standing(&self, user: &User) -> Result<Standing, Error> {
        let reader = user.read(|| user.reader.reader_data()).await?;
        let configuration = self.client.configuration().await?;
        Ok(Standing::of(
            reader,
            configuration.breach_max,
            self.kit.now(),
        ))
    }
}
