//! A successful answer and its readings.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::body;
use crate::error::Error;

/// An answer with a status of success and a whole body.
#[derive(Clone)]
pub struct Reply {
    /// The body.
    pub body: Bytes,
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
        let Self { body, path } = self;
        f.debug_struct("Reply")
            .field("body", &format_args!("[{} bytes]", body.len()))
            .field("path", path)
            .finish()
    }
}
