//! What is asked, and what an asked question looks like.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a person has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Read a picture and type what it shows.
    Captcha,
    /// Type the code that was sent to a phone.
    Sms,
    /// Agree that such a code is sent; nothing is typed.
    ConfirmSendSms,
    /// Type user name and password, perhaps a captcha with them.
    ManualLogin,
    /// Scan a picture with a phone; nothing is typed.
    QrCode,
}

/// A picture that belongs to a question.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file as it was received.
    pub bytes: Vec<u8>,
    /// Its type, for example `image/png`.
    pub media_type: String,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}, {} B)", self.media_type, self.bytes.len())
    }
}

/// One thing to type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name among the answers. [`Field::USERNAME`] and [`Field::PASSWORD`] let a browser offer
    /// what it has kept; the picture of a question stands with the first field of another name.
    pub name: &'static str,
    /// What the person reads beside it.
    pub label: String,
    /// Whether what is typed stays hidden.
    pub secret: bool,
}

impl Field {
    /// The account's name at the service.
    pub const USERNAME: &'static str = "username";
    /// The account's password at the service.
    pub const PASSWORD: &'static str = "password";
    /// The captcha, or the code that was sent.
    pub const ANSWER: &'static str = "answer";
}

/// A question, not yet asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What a person has to do.
    pub kind: Kind,
    /// One or two sentences that say so.
    pub prompt: String,
    /// The captcha or the code to scan.
    pub picture: Option<Picture>,
    /// Where a code was or will be sent, as the service shows it: `138****0000`.
    pub phone_hint: Option<String>,
    /// What is to be typed, in this order; all of it is needed.
    pub fields: Vec<Field>,
    /// What went wrong with the last answer.
    pub note: Option<String>,
}

/// A question that waits for its answer in this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// `ch_` and 12 hexadecimal digits.
    pub id: String,
    /// Whose use is suspended.
    pub account: String,
    /// What was asked.
    pub question: Question,
    /// The first moment at which an answer is too late.
    pub expires_at: Timestamp,
    /// Where it can be answered in a browser of this machine; `None` where no page is attached or
    /// none could be served.
    pub page_url: Option<String>,
}

/// By which way a question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A tool call.
    Tool,
    /// The page.
    Page,
    /// Something that the person did on another device, such as scanning a code with a phone.
    Device,
}
