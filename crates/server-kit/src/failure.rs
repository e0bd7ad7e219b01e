//! A refusal or fault as a tool answers it: code, sentence, what to do next.

use std::{fmt, time::Duration};

use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, ErrorCode},
};
use serde::Serialize;
use serde_json::{Map, Value, json};

#[cfg(feature = "account")]
use crate::Picture;

/// What a tool answers instead of a result. The boundary adds `ok: false` and the text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    /// One word in upper snake case out of the table in the docs.
    pub code: &'static str,
    /// One Chinese sentence: what failed and for which input.
    pub message: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// Seconds to wait before the same call makes sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// What to do now, naming the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The particulars: field, candidates, the service's sentence.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub data: Map<String, Value>,
    /// What stands beside `code` by a name of its own, as in a question for a person. Only for tools
    /// without an output schema.
    #[serde(flatten)]
    pub beside: Map<String, Value>,
    /// What goes with it for a person to look at.
    #[cfg(feature = "account")]
    #[serde(skip)]
    pub picture: Option<Box<Picture>>,
}

impl Failure {
    /// A failure that will not go away by itself.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: false,
            retry_after: None,
            next: None,
            data: Map::new(),
            beside: Map::new(),
            #[cfg(feature = "account")]
            picture: None,
        }
    }

    /// The same call may succeed later.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// The same call may succeed after `wait`, told in whole seconds, never zero.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        self.retry_after = Some(seconds.max(1));
        self.retryable()
    }

    /// What to do now.
    #[must_use]
    pub fn next(mut self, step: impl Into<String>) -> Self {
        self.next = Some(step.into());
        self
    }

    /// One more particular.
    #[must_use]
    pub fn data(mut self, name: &str, value: impl Serialize) -> Self {
        self.data.insert(name.to_owned(), json!(value));
        self
    }

    /// One more field beside `code`.
    #[must_use]
    pub fn beside(mut self, name: &str, value: impl Serialize) -> Self {
        self.beside.insert(name.to_owned(), json!(value));
        self
    }

    /// A picture to go with it.
    #[cfg(feature = "account")]
    #[must_use]
    pub fn picture(mut self, picture: impl Into<Option<Picture>>) -> Self {
        self.picture = picture.into().map(Box::new);
        self
    }
}

impl Failure {
    /// As the protocol's error, where there is no result to tell it in: our code in `data`, and all in
    /// the message too, since many hosts show nothing else.
    pub(crate) fn into_protocol_error(self) -> ErrorData {
        let code = match self.code {
            "INVALID_ARGUMENT" => ErrorCode::INVALID_PARAMS,
            // The SDK turns it into the newer era's code where that is spoken.
            "NOT_FOUND" => ErrorCode::RESOURCE_NOT_FOUND,
            // The codes kept for servers are taken by clients for faults of their own connection.
            _ => ErrorCode::INTERNAL_ERROR,
        };
        ErrorData::new(code, self.to_string(), Some(json!(self)))
    }
}

/// Code, sentence and next step in one line.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = self.next.as_deref().unwrap_or_default();
        write!(f, "{}：{}。{next}", self.code, self.message)
    }
}

/// `INVALID_ARGUMENT` for one field; `why` holds the problem and an example.
pub fn bad_argument(field: &str, why: impl Into<String>) -> Failure {
    Failure::new(
        "INVALID_ARGUMENT",
        format!("参数 {field} 有误：{}", why.into()),
    )
    .next("改正该参数后重试")
    .data("field", field)
}

/// The answer when our own code failed; the cause stands in the log.
pub(crate) fn internal() -> Failure {
    Failure::new("INTERNAL", "工具内部出错，这是本程序的缺陷")
        .next("换个参数重试；若仍出现，请附上 stderr 日志反馈")
}

impl IntoCallToolResult for Failure {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        #[cfg_attr(
            not(feature = "account"),
            expect(unused_mut, reason = "there is no picture")
        )]
        let mut result = CallToolResult::structured_error(json!(&self));
        #[cfg(feature = "account")]
        result
            .content
            .extend(self.picture.map(|picture| picture.block()));
        Ok(result.into())
    }
}
