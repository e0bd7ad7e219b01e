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
            format!("请求微信读书失败：{}", error.told()),
        )
        .retryable()
        .next("稍后重试；若一直失败，运行 weread-mcp doctor --live"),
    }
}
