//! Results that a person looks at.

use std::fmt;

use data_encoding::BASE64;
use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, ContentBlock},
};
use serde::Serialize;
use serde_json::json;

/// A picture as a client can show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its type, `image/png`.
    pub media_type: String,
}

impl Picture {
    /// The picture as a `data:` address, for callers that are programs.
    pub fn data_url(&self) -> String {
        format!(
            "data:{};base64,{}",
            self.media_type,
            BASE64.encode(&self.bytes)
        )
    }

    pub(crate) fn block(self) -> ContentBlock {
        ContentBlock::image(BASE64.encode(&self.bytes), self.media_type)
    }
}

/// By hand: what a picture shows may be private.
impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, media_type } = self;
        write!(f, "Picture([{} bytes], {media_type})", bytes.len())
    }
}

/// A success that may come with a picture. Tools that answer it declare no output schema: hosts that
/// are given structured content do not show pictures.
#[derive(Debug)]
pub struct Drawn<T> {
    /// The fields of the result.
    pub fields: T,
    /// What goes with them.
    pub picture: Option<Picture>,
}

/// A success without a picture, of a tool that answers one at other times.
pub fn plain(fields: impl Serialize) -> CallToolResponse {
    CallToolResult::structured(json!(fields)).into()
}

impl<T: Serialize> IntoCallToolResult for Drawn<T> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let mut result = CallToolResult::structured(json!(self.fields));
        result.content.extend(self.picture.map(Picture::block));
        Ok(result.into())
    }
}
