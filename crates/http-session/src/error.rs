//! What can stop a request, where it stopped, and whether the upstream may have got it.

use std::fmt;
use std::time::Duration;

/// Whether the upstream may have got a request that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// It never left: no turn, no address, no connection.
    No,
    /// It may have left, and its answer was lost.
    Maybe,
    /// An answer came.
    Yes,
}

/// Where the way to an upstream broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The host's name has no address.
    Dns,
    /// No connection: refused, unreachable, or turned away by a proxy.
    Connect,
    /// No safe connection: the certificate or the handshake was not accepted.
    Tls,
    /// The connection was closed before an answer.
    Reset,
    /// Anything else, such as an answer that is not HTTP.
    Other,
}

impl Fault {
    /// The same in Chinese, as a part of a sentence for the user.
    pub fn told(self) -> &'static str {
        match self {
            Self::Dns => "域名解析失败",
            Self::Connect => "无法建立连接",
            Self::Tls => "证书或安全握手未通过",
            Self::Reset => "连接被中断",
            Self::Other => "通信异常",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dns => "its name has no address",
            Self::Connect => "no connection",
            Self::Tls => "no safe connection",
            Self::Reset => "the connection was closed",
            Self::Other => "the exchange broke",
        })
    }
}

/// Where a redirect points, without its query string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A path on the session's own origin, in the form in which paths are asked (`/otn/passport`).
    Path(String),
    /// The host of another origin.
    Host(String),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Path(place) | Self::Host(place)) = self;
        f.write_str(place)
    }
}

/// What can stop a request, by what the caller does next.
///
/// `host` is a host name; `path` is the path below the base origin (`/otn/leftTicket/query`), or host and
/// path on another origin. No variant holds a body, a query string or a cookie.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No answer, because the way there broke.
    #[error("{host} cannot be reached: {fault}")]
    Unreachable {
        /// The host asked for.
        host: String,
        /// Where the way broke.
        fault: Fault,
    },
    /// No answer, or no end of it, within the limit `after`.
    #[error("no answer from {host} within {after:?}")]
    TimedOut {
        /// The host asked for.
        host: String,
        /// The limit that was met: that of connecting, of one attempt, or of the whole call.
        after: Duration,
        /// No while waiting for a turn or a connection, yes once an answer had begun.
        sent: Sent,
    },
    /// An answer with a status other than success, one that asks to wait, or a redirect.
    #[error("{path} answered with status {status}")]
    Status {
        /// The path asked for.
        path: String,
        /// The HTTP status, mostly 4xx or 5xx.
        status: u16,
    },
    /// The upstream asked to wait: 429, 503 with `Retry-After`, or the pause after one of them.
    #[error("asked to wait {retry_after_seconds} s")]
    RateLimited {
        /// Whole seconds until the next try, at least 1. No pause is longer than an hour.
        retry_after_seconds: u64,
        /// Yes after such an answer; no when the turn was refused here, in the pause.
        sent: Sent,
    },
    /// No turn: so many requests of our own come first. The upstream asked for nothing.
    #[error("the local queue is longer than a caller waits: {retry_after_seconds} s")]
    Busy {
        /// Whole seconds until the turn would have come, at least 1.
        retry_after_seconds: u64,
    },
    /// A redirect that is not followed: none was to be, too many came, or its origin is not listed.
    #[error("{path} redirects to {to}")]
    Redirected {
        /// The path that redirected.
        path: String,
        /// Where to.
        to: Location,
    },
    /// An address that may not be asked: it is no `https`, has a user in it, or lies on an origin that is
    /// neither the base nor listed. Nothing was sent.
    #[error("{host}{path} is not a listed address")]
    NotListed {
        /// The host, empty where the address has none.
        host: String,
        /// The path, without query and parameters.
        path: String,
    },
    /// The body could not be written as JSON. Nothing was sent.
    #[error("the body for {path} cannot be written as JSON")]
    Unwritable {
        /// The path asked for.
        path: String,
    },
    /// The body is larger than the session takes.
    #[error("{path} answered more than {limit_bytes} bytes")]
    TooLarge {
        /// The path asked for.
        path: String,
        /// The limit of the session.
        limit_bytes: u64,
    },
    /// A page where JSON was expected, as gateways and lost sessions answer.
    #[error("{path} answered a page instead of JSON")]
    Html {
        /// The path asked for.
        path: String,
    },
    /// The body or the JSON in it ends early.
    #[error("the answer of {path} is cut off")]
    Cut {
        /// The path asked for.
        path: String,
    },
    /// The body is neither JSON nor a page.
    #[error("{path} did not answer JSON")]
    NotJson {
        /// The path asked for.
        path: String,
    },
    /// The JSON has a shape that is not known.
    #[error("{path} answered an unexpected shape at {field}: {why}")]
    Shape {
        /// The path asked for.
        path: String,
        /// The place in the answer (`data.result[3].train_no`), `.` for the whole.
        field: String,
        /// What was expected and which kind was found, without the value.
        why: String,
    },
}

impl Error {
    pub(crate) fn rate_limited(wait: Duration, sent: Sent) -> Self {
        Self::RateLimited {
            retry_after_seconds: whole_seconds(wait),
            sent,
        }
    }

    pub(crate) fn busy(wait: Duration) -> Self {
        Self::Busy {
            retry_after_seconds: whole_seconds(wait),
        }
    }

    /// What broke, in Chinese, as a part of a sentence for the user: without address or text from outside.
    pub fn told(&self) -> String {
        match self {
            Self::Unreachable { fault, .. } => fault.told().to_owned(),
            Self::TimedOut { after, .. } => format!("{} 秒内没有答复", after.as_secs_f64()),
            Self::Status { status, .. } => format!("返回状态 {status}"),
            Self::Html { .. } => "返回了网页而不是数据，可能在维护".to_owned(),
            Self::Cut { .. } => "答复不完整".to_owned(),
            Self::NotJson { .. } => "答复不是 JSON".to_owned(),
            Self::Redirected { .. } => "被转到了别处".to_owned(),
            Self::NotListed { .. } => "被指向未列出的主机".to_owned(),
            Self::RateLimited { .. } | Self::Busy { .. } => "请求过于频繁".to_owned(),
            Self::TooLarge { .. } => "答复过大".to_owned(),
            Self::Shape { .. } => "答复的格式不同".to_owned(),
            Self::Unwritable { .. } => "请求无法写成 JSON".to_owned(),
        }
    }

    /// Whether the upstream may have got the request.
    pub fn sent(&self) -> Sent {
        match self {
            Self::Unreachable { fault, .. } => match fault {
                Fault::Dns | Fault::Connect | Fault::Tls => Sent::No,
                Fault::Reset | Fault::Other => Sent::Maybe,
            },
            Self::TimedOut { sent, .. } | Self::RateLimited { sent, .. } => *sent,
            Self::Busy { .. } | Self::NotListed { .. } | Self::Unwritable { .. } => Sent::No,
            Self::Status { .. }
            | Self::Redirected { .. }
            | Self::TooLarge { .. }
            | Self::Html { .. }
            | Self::Cut { .. }
            | Self::NotJson { .. }
            | Self::Shape { .. } => Sent::Yes,
        }
    }

    /// Whether a read is worth repeating: network faults, time-outs, 408, 5xx without `Retry-After`, and where
    /// that is allowed 429.
    pub fn is_passing(&self, also_rate_limited: bool) -> bool {
        match self {
            Self::Unreachable { fault, .. } => match fault {
                Fault::Dns | Fault::Connect | Fault::Reset | Fault::Other => true,
                Fault::Tls => false,
            },
            Self::TimedOut { .. } => true,
            Self::Status { status, .. } => may_pass(*status),
            Self::RateLimited { sent, .. } => also_rate_limited && *sent == Sent::Yes,
            Self::Busy { .. }
            | Self::Redirected { .. }
            | Self::NotListed { .. }
            | Self::Unwritable { .. }
            | Self::TooLarge { .. }
            | Self::Html { .. }
            | Self::Cut { .. }
            | Self::NotJson { .. }
            | Self::Shape { .. } => false,
        }
    }
}

/// Whether an answer with that status may come otherwise the next time.
pub(crate) fn may_pass(status: u16) -> bool {
    status == 408 || status >= 500
}

/// Rounded up, and at least one, so that who waits so long is not too early.
fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}
