//! What is known of each way, for the one who asks how things stand.

use super::{Access, Door};
use crate::{
    client::Surface,
    error::{Closed, Error, Way},
};

/// How one way stands.
pub(crate) struct Standing {
    pub(crate) way: Way,
    /// Where its credential comes from; `None` when it is not set up.
    pub(crate) from: Option<Origin>,
    pub(crate) told: Told,
    /// Whether its session can be renewed without a person; `None` where there is no session.
    pub(crate) renewable: Option<bool>,
}

/// Where a credential comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The environment of this process.
    Environment,
    /// The secret store, or the memory of this process.
    Saved,
    /// A session file.
    Session,
}

/// Whether a way leads to the service.
pub(crate) enum Told {
    /// It is not set up.
    NotSet,
    /// Nobody has asked.
    NotAsked,
    /// The service has answered by it just now.
    Works,
    /// It does not.
    Closed(Closed),
    /// It could not be told, because of this.
    Unknown(Error),
}

impl Access {
    /// How all ways stand, in the order in which they are tried. With `live` each that is set up is proven by
    /// one small question.
    pub(crate) async fn standing(&self, live: bool) -> Vec<Standing> {
        let mut all = Vec::new();
        for way in Way::ALL {
            let (door, told) = match self.door(way).await {
                Ok(None) => (None, Told::NotSet),
                Ok(Some(door)) => {
                    let told = match live {
                        true => self.tell(&door).await,
                        false => Told::NotAsked,
                    };
                    (Some(door), told)
                }
                Err(why) => (None, Told::Closed(why)),
            };
            all.push(Standing {
                way,
                from: door.as_ref().map(|_| self.from(way)),
                told,
                renewable: match &door {
                    Some(Door::Line(line)) => line.is_renewable(),
                    Some(Door::Key(_)) | None => None,
                },
            });
        }
        all
    }

    async fn tell(&self, door: &Door) -> Told {
        let ask = |surface: Surface| async move { surface.check().await };
        match self.ask_through(door, &ask).await {
            Ok(()) => Told::Works,
            Err(Error::Closed(why)) => Told::Closed(why),
            Err(error) => Told::Unknown(error),
        }
    }

    fn from(&self, way: Way) -> Origin {
        let given = &self.config.given;
        let is_given = match way {
            Way::ApiKey => given.api_key.is_some(),
            Way::Cookie => given.cookie.is_some(),
            Way::CookieCloud => given.cloud.is_some(),
            Way::Scan => return Origin::Session,
        };
        match is_given {
            true => Origin::Environment,
            false => Origin::Saved,
        }
    }
}
