//! Why a write was not done, or what is not known of it.

use std::{fmt::Display, time::Duration};

use idempotency::Places;
use jiff::Timestamp;

use super::TOKEN;
use crate::Failure;

/// The longest that a caller is told to wait for another call's result.
const SOON: Duration = Duration::from_secs(5);

pub(super) fn conflict() -> Failure {
    let message = format!("这个 {TOKEN} 已用于参数不同的另一次调用，没有执行");
    let next = format!("换一个新的 {TOKEN}，或用原来的参数重试");
    Failure::new("IDEMPOTENCY_CONFLICT", message).next(next)
}

/// Another call holds the token until `until`.
pub(super) fn in_progress(now: Timestamp, until: Timestamp) -> Failure {
    let left = Duration::try_from(until.duration_since(now)).unwrap_or_default();
    let message = format!("相同 {TOKEN} 的调用正在进行");
    Failure::new("IDEMPOTENCY_IN_PROGRESS", message)
        .after(left.min(SOON))
        .next("等待 retry_after 秒后以相同参数重试，会得到它的结果")
}

/// The seconds until the rate lets one more through.
pub(super) fn too_often(seconds: u64) -> Failure {
    let message = format!("写操作过于频繁，请 {seconds} 秒后再试");
    later(Failure::new("RATE_LIMITED", message), seconds)
}

/// The seconds until the cooldown is over.
pub(super) fn too_soon(seconds: u64) -> Failure {
    let message = format!("刚做过同样的操作，请 {seconds} 秒后再试");
    later(Failure::new("COOLDOWN", message), seconds)
}

fn later(failure: Failure, seconds: u64) -> Failure {
    let wait = Duration::from_secs(seconds);
    failure.after(wait).next("等待 retry_after 秒后重试")
}

pub(super) fn over_quota(places: &Places) -> Failure {
    let message = format!("配额 {} 次已用完", places.limit);
    let failure = Failure::new("QUOTA_EXCEEDED", message)
        .next("等待名额释放后重试")
        .data("limit", places.limit)
        .data("used", places.used)
        .data("held", places.held);
    match places.retry_after {
        Some(seconds) => failure.after(Duration::from_secs(seconds)),
        None => failure,
    }
}

/// Getting ready took longer than the token is held.
pub(super) fn too_late() -> Failure {
    Failure::new("TIMEOUT", "准备所用的时间超过期限，没有发送")
        .retryable()
        .next("以相同参数重试")
}

pub(super) fn unknown(check_with: &str) -> Failure {
    let next = format!(
        "不要换新 {TOKEN} 重做；先用 {check_with} 核实，或稍后以相同参数和 data.{TOKEN} 再次调用以继续确认"
    );
    let message = "请求已发出或可能已发出，但没有得到可确认的答复，结果未知";
    Failure::new("OUTCOME_UNKNOWN", message).next(next)
}

pub(super) fn unaudited() -> Failure {
    stateless("审计写不下去，因此没有发送".to_owned())
}

pub(super) fn unavailable(why: &dyn Display) -> Failure {
    stateless(format!("写操作记录不可用（{why}），因此没有发送"))
}

fn stateless(message: String) -> Failure {
    Failure::new("STATE_UNAVAILABLE", message).next("运行 doctor 查看状态目录，修正后重试")
}
