//! A successful answer and its readings.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use serde::de::DeserializeOwned;
use url::Url;

use crate::body;
use crate::error::Error;

/// An answer with a status of success and a whole body.
#[derive(Clone)]
pub struct Reply {
    /// The HTTP status, 200–299.
    pub status: u16,
    /// The `Content-Type` as sent.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Bytes,
    /// The address that answered: the one asked, or the last of the redirects followed.
    pub url: Url,
    pub(crate) path: String,
}

impl Reply {
    /// Reads the body as JSON, whatever its stated type.
    ///
    /// Fails with [`Error::Html`] for a page, [`Error::Cut`] when the JSON ends early, [`Error::NotJson`] for
    /// other text and [`Error::Shape`] when it is not a `T`.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        body::json(&self.body, &self.path)
    }

    /// The body as UTF-8; bytes that are none become U+FFFD.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            status,
            content_type,
            body,
            path,
            ..
        } = self;
        f.debug_struct("Reply")
            .field("status", status)
            .field("content_type", content_type)
            .field("body", &format_args!("[{} bytes]", body.len()))
            .field("path", path)
            .finish_non_exhaustive()
    }
}
