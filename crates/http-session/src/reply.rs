//! A successful answer and its readings.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use url::Url;

use crate::body;
use crate::error::Error;
use crate::origin::plain_path;
#[cfg(doc)]
use crate::request::Request;

/// An answer with a status of success, or any that was asked for by [`Request::taking_failures`], and a whole body.
#[derive(Clone)]
pub struct Reply {
    /// The body.
    pub body: Bytes,
    pub(crate) status: u16,
    pub(crate) url: Url,
    pub(crate) path: String,
    pub(crate) date: Option<Timestamp>,
    pub(crate) content_type: Option<String>,
}

/// What one exchange without redirects gave.
#[derive(Clone)]
pub enum Hop {
    /// A page.
    Page(Reply),
    /// The whole address of another one, which may not be listed. Its query may hold a secret.
    Moved(Url),
}

impl Reply {
    /// Reads the body as JSON, whatever its stated type.
    ///
    /// Fails with [`Error::Html`] for a page, [`Error::Cut`] when the JSON ends early, [`Error::NotJson`] for
    /// other text and [`Error::Shape`] when it is not a `T`; with a failing status always with
    /// [`Error::Status`].
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        body::json(&self.body, &self.path).map_err(|error| match self.status {
            ..400 => error,
            status => Error::Status {
                path: self.path.clone(),
                status,
            },
        })
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The address that answered: after redirects, the last. Its query and path may hold a secret.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The upstream's own time, from its `Date` header, in whole seconds; `None` without a readable one.
    pub fn date(&self) -> Option<Timestamp> {
        self.date
    }

    /// The `Content-Type` header as it came.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// The body as UTF-8; bytes that are none become U+FFFD.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, path, .. } = self;
        f.debug_struct("Reply")
            .field("body", &format_args!("[{} bytes]", body.len()))
            .field("path", path)
            .finish()
    }
}

/// Without the query of the new address.
impl fmt::Debug for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(reply) => f.debug_tuple("Page").field(reply).finish(),
            Self::Moved(to) => {
                let host = to.host_str().unwrap_or_default();
                let to = format!("{host}{}", plain_path(to));
                f.debug_tuple("Moved").field(&to).finish()
            }
        }
    }
}
