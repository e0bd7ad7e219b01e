//! The signing hook: which requests are signed, and with the key that holds now.

use std::sync::{PoisonError, RwLock};

use http_session::{
    Method, Origin, Sign, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use state::Clock;
use uuid::Uuid;

use super::{connection::API, signature::Signer};

/// Signs what is asked with a session.
pub(super) struct Seal {
    clock: Clock,
    base: Origin,
    signer: RwLock<Option<Signer>>,
}

impl Seal {
    /// Without a key nothing is signed.
    pub(super) fn new(base: &Origin, clock: Clock) -> Self {
        Self {
            clock,
            base: base.clone(),
            signer: RwLock::default(),
        }
    }

    pub(super) fn signer(&self) -> Option<Signer> {
        let signer = self.signer.read().unwrap_or_else(PoisonError::into_inner);
        signer.clone()
    }

    pub(super) fn replace(&self, signer: Option<Signer>) {
        *self.signer.write().unwrap_or_else(PoisonError::into_inner) = signer;
    }

    /// Paths below `public` are not checked, and pages of the gateway are no API.
    fn is_checked(&self, url: &Url) -> bool {
        let below = |part: &str| {
            let place = self.base.url(&format!("{API}/{part}/"));
            url.path().starts_with(place.path())
        };
        below("frontApi") || below("cap")
    }
}

impl Sign for Seal {
    fn headers(&self, method: &Method, url: &Url) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let Some(signer) = self.signer().filter(|_| self.is_checked(url)) else {
            return headers;
        };
        let millis = self.clock.now().as_millisecond();
        for (name, value) in signer.headers(Uuid::new_v4(), millis, method.as_str()) {
            let name = HeaderName::try_from(name.to_ascii_lowercase());
            if let (Ok(name), Ok(value)) = (name, HeaderValue::try_from(value)) {
                headers.insert(name, value);
            }
        }
        headers
    }
}
