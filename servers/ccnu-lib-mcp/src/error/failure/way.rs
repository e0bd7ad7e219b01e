//! What is answered when the way to the service broke, or a request was not taken as ours.

use std::time::Duration;

use http_session::Fault;
use server_kit::Failure;

use super::changed;
use crate::error::Place;

/// Above this many seconds the clock is the likely reason (docs/upstreams/ccnu-lib.md, 3).
pub(crate) const CLOCK_TOLERANCE_SECONDS: i64 = 120;

pub(super) fn signature_rejected(skew_seconds: Option<i64>) -> Failure {
    if let Some(skew) = skew_seconds.filter(|skew| skew.abs() > CLOCK_TOLERANCE_SECONDS) {
        let way = if skew > 0 { "快" } else { "慢" };
        return Failure::new(
            "CLOCK_SKEW",
            format!(
                "本机时钟比图书馆系统{way} {} 秒，请求签名因此无效",
                skew.abs()
            ),
        )
        .next("校准本机时间后重试")
        .data("skew_seconds", skew);
    }
    Failure::new(
        "SIGNATURE_REJECTED",
        "图书馆系统不接受请求签名，密钥已重新读取过",
    )
    .next("升级 ccnu-lib-mcp；若已是最新，运行 ccnu-lib-mcp doctor --live 并反馈")
    .data("skew_seconds", skew_seconds)
}

pub(super) fn of_way(place: Place, error: http_session::Error) -> Failure {
    use http_session::Error as E;
    if is_off_campus(place, &error) {
        return Failure::new("OFF_CAMPUS", "连不上图书馆预约系统：它只在校园网内开放")
            .retryable()
            .next("接入校园网后重试；已在校内则运行 ccnu-lib-mcp doctor --live")
            .data("cause", error.told());
    }
    match error {
        E::RateLimited {
            retry_after_seconds,
            ..
        } => Failure::new(
            "RATE_LIMITED",
            format!("图书馆系统要求 {retry_after_seconds} 秒后再来"),
        )
        .after(Duration::from_secs(retry_after_seconds))
        .next("等待 retry_after 秒后重试"),
        E::Busy {
            retry_after_seconds,
        } => Failure::new(
            "RATE_LIMITED",
            format!("本机排队较长，请 {retry_after_seconds} 秒后再试"),
        )
        .after(Duration::from_secs(retry_after_seconds))
        .next("等待 retry_after 秒后重试；可减少同时进行的查询"),
        E::NotJson { path } if place == Place::Api => changed(&path, ".", "不是 JSON"),
        E::Shape { path, field, why } => changed(&path, &field, &why),
        E::TooLarge { path, limit_bytes } => {
            changed(&path, ".", &format!("超过 {limit_bytes} 字节"))
        }
        error => {
            let (code, what) = match place {
                Place::Configuration => ("SYSCFG_FAILED", "读取图书馆系统的配置"),
                Place::Gateway => ("SSO_FAILED", "经图书馆系统转到统一身份认证"),
                Place::Cas => ("NAV_FAILED", "打开统一身份认证页面"),
                Place::Captcha => ("CAPTCHA_FETCH_FAILED", "取得验证码图片"),
                Place::Submission => ("SUBMIT_FAILED", "提交登录表单"),
                Place::Api => ("UPSTREAM_UNAVAILABLE", "请求图书馆系统"),
            };
            let failure = Failure::new(code, format!("{what}失败：{}", error.told()));
            match place {
                Place::Configuration | Place::Api => failure
                    .retryable()
                    .next("稍后重试；若一直失败，运行 ccnu-lib-mcp doctor --live"),
                Place::Gateway | Place::Cas | Place::Captcha => failure.retryable().next(
                    "稍后重试，登录则重新 start_login；若一直失败，运行 ccnu-lib-mcp doctor --live",
                ),
                // The question behind it is over, and its answer is not sent again.
                Place::Submission => {
                    failure.next("重新 start_login；若一直失败，运行 ccnu-lib-mcp doctor --live")
                }
            }
        }
    }
}

/// The seat system is reached from the campus network only; its gateway answers others with 483.
pub(crate) fn is_off_campus(place: Place, error: &http_session::Error) -> bool {
    use http_session::Error as E;
    let campus_only = matches!(place, Place::Configuration | Place::Gateway | Place::Api);
    let unreached = match error {
        E::Unreachable { fault, .. } => matches!(fault, Fault::Dns | Fault::Connect),
        E::TimedOut { sent, .. } => *sent == http_session::Sent::No,
        E::Status { status, .. } => *status == 483,
        _ => false,
    };
    campus_only && unreached
}
