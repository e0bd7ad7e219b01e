//! Whether the service takes a key or a cookie.

use serde_json::json;

use super::Surface;
use crate::error::Error;

impl Surface {
    /// Asks the least that needs an account; an error tells why it was not answered.
    pub(crate) async fn check(&self) -> Result<(), Error> {
        match self {
            Self::Gateway(gateway) => gateway.ask("/user/notebooks", json!({ "count": 1 })).await,
            Self::Web(web) => web.get("/web/shelf/sync", &[("onlyBookid", "1")]).await,
        }
        .map(drop)
    }
}
