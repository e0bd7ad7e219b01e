//! What is answered when the way to the service broke.

use std::time::Duration;

use http_session::Error;
use server_kit::Failure;

use super::changed;

pub(super) fn of(error: Error) -> Failure {
    match error {
        Error::RateLimited {
            retry_after_seconds,
            ..
        } => Failure::new(
            "RATE_LIMITED",
            format!("微信读书要求 {retry_after_seconds} 秒后再来"),
        )
        .after(Duration::from_secs(retry_after_seconds))
        .next("等待 retry_after 秒后重试，不要反复调用"),
        Error::Busy {
            retry_after_seconds,
        } => Failure::new(
            "RATE_LIMITED",
            format!("本机排队较长，请 {retry_after_seconds} 秒后再试"),
        )
        .after(Duration::from_secs(retry_after_seconds))
        .next("等待 retry_after 秒后重试；可减少同时进行的查询"),
        Error::NotJson { path } => changed(&path, ".", "不是 JSON"),
        Error::Shape { path, field, why } => changed(&path, &field, &why),
        Error::TooLarge { path, limit_bytes } => {
            changed(&path, ".", &format!("超过 {limit_bytes} 字节"))
        }
        error => Failure::new(
            "UPSTREAM_UNAVAILABLE",
            format!("请求微信读书失败：{}", cause(&error)),
        )
        .retryable()
        .next("稍后重试；若一直失败，运行 weread-mcp doctor --live"),
    }
}

/// What broke, without address or text from outside.
pub(super) fn cause(error: &Error) -> String {
    match error {
        Error::Unreachable { fault, .. } => fault.told().to_owned(),
        Error::TimedOut { after, .. } => format!("{} 秒内没有答复", after.as_secs_f64()),
        Error::Status { status, .. } => format!("返回状态 {status}"),
        Error::Html { .. } => "返回了网页而不是数据，可能在维护".to_owned(),
        Error::Cut { .. } => "答复不完整".to_owned(),
        Error::NotJson { .. } => "答复不是 JSON".to_owned(),
        Error::Redirected { .. } => "被转到了别处".to_owned(),
        Error::NotListed { .. } => "被指向未列出的主机".to_owned(),
        Error::RateLimited { .. } | Error::Busy { .. } => "请求过于频繁".to_owned(),
        Error::TooLarge { .. } => "答复过大".to_owned(),
        Error::Shape { .. } => "答复的格式不同".to_owned(),
        Error::Unwritable { .. } => "请求无法写成 JSON".to_owned(),
    }
}
