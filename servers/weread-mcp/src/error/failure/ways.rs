//! What is said of a way that does not lead to the service, and when none does.

use serde::Serialize;
use server_kit::{Failure, outside};

use crate::error::{Closed, CloudStep, Way};

/// One closed way, as results tell it.
#[derive(Serialize)]
struct ClosedWay {
    way: &'static str,
    reason: &'static str,
    message: String,
    next: &'static str,
}

/// What is said of a closed way.
pub(crate) struct Told {
    /// One word for programs.
    pub(crate) reason: &'static str,
    /// One Chinese sentence.
    pub(crate) message: String,
    /// What to do now.
    pub(crate) next: &'static str,
}

/// Why a way is closed, and what to do about it.
pub(crate) fn told_of(closed: &Closed) -> Told {
    let (reason, message, next) = match closed {
        Closed::Missing { cookies } => (
            "missing_cookie",
            format!("Cookie 不完整，缺少 {}", cookies.join("、")),
            "从浏览器复制完整的 Cookie，至少含 wr_vid 和 wr_skey，带上 wr_rt 才能续登",
        ),
        Closed::Key { said } => (
            "api_key_rejected",
            with("官方网关不接受这个 API Key", said),
            "在微信读书的 skill 页面重新生成 API Key，换掉环境变量 WEREAD_API_KEY，或用 weread-mcp login、save_credentials 保存",
        ),
        Closed::Expired { said } => (
            "expired",
            with("登录已过期，续登没有成功", said),
            "重新取得 Cookie，或用 start_login 扫码登录",
        ),
        Closed::Replaced { said } => (
            "replaced",
            with("账号在别处登录，这个登录态已被顶替", said),
            "重新取得 Cookie，或用 start_login 扫码登录",
        ),
        Closed::Unrenewable => (
            "unrenewable",
            "登录已过期，而 Cookie 中没有 wr_rt，无法续登".to_owned(),
            "重新取得 Cookie（带上 wr_rt），或用 start_login 扫码登录",
        ),
        Closed::Cloud(step) => of_cloud(step),
        Closed::Store { why } => (
            "secret_store",
            format!("读不出已保存的凭证：{why}"),
            "运行 weread-mcp doctor 查看密钥存放处",
        ),
    };
    Told {
        reason,
        message,
        next,
    }
}

fn of_cloud(step: &CloudStep) -> (&'static str, String, &'static str) {
    match step {
        CloudStep::Server { error } => (
            "cookiecloud_server",
            format!("CookieCloud 服务器没有正常答复：{}", error.told()),
            "核对 CC_URL，确认服务器在运行",
        ),
        CloudStep::Busy {
            retry_after_seconds,
        } => (
            "cookiecloud_busy",
            format!("CookieCloud 服务器要求 {retry_after_seconds} 秒后再来"),
            "稍后重试",
        ),
        CloudStep::Id => (
            "cookiecloud_id",
            "CookieCloud 服务器上没有这个用户 KEY".to_owned(),
            "核对 CC_ID，并在浏览器插件里同步一次",
        ),
        CloudStep::Password => (
            "cookiecloud_password",
            "CookieCloud 的密码解不开数据".to_owned(),
            "核对 CC_PASSWORD（端对端加密密码）",
        ),
        CloudStep::Form { why } => (
            "cookiecloud_form",
            format!("CookieCloud 的数据形式不同：{why}"),
            "升级 CookieCloud 服务器与浏览器插件后再同步一次",
        ),
        CloudStep::NoCookie { missing } => (
            "cookiecloud_no_cookie",
            format!(
                "CookieCloud 里没有微信读书的 Cookie（缺少 {}）",
                missing.join("、")
            ),
            "在浏览器登录微信读书网页版，并把 weread.qq.com 加入插件的同步域名",
        ),
    }
}

fn with(message: &str, said: &str) -> String {
    match outside(said).as_str() {
        "" => message.to_owned(),
        said => format!("{message}（{said}）"),
    }
}

/// No way that is set up leads to the service.
pub(super) fn all_closed(closed: &[(Way, Closed)]) -> Failure {
    let code = code(closed);
    let message = match closed {
        [(way, only)] => format!("{}：{}", way.label(), told_of(only).message),
        _ => {
            let each = closed.iter();
            let each = each.map(|(way, why)| format!("{}：{}", way.label(), told_of(why).message));
            format!(
                "设置的凭证都不可用。{}",
                each.collect::<Vec<_>>().join("；")
            )
        }
    };
    let next = match closed {
        [(_, only)] => told_of(only).next,
        _ => "按 data.ways 逐项处理，或用 start_login 扫码登录",
    };
    with_ways(Failure::new(code, message).next(next), closed)
}

/// The code of the fault that a person has to mend first.
fn code(closed: &[(Way, Closed)]) -> &'static str {
    let has = |of: fn(&Closed) -> bool| closed.iter().any(|(_, why)| of(why));
    if has(|why| {
        matches!(
            why,
            Closed::Key { .. }
                | Closed::Expired { .. }
                | Closed::Replaced { .. }
                | Closed::Unrenewable
        )
    }) {
        "LOGIN_EXPIRED"
    } else if has(|why| matches!(why, Closed::Cloud(_))) {
        "COOKIECLOUD_FAILED"
    } else if has(|why| matches!(why, Closed::Missing { .. })) {
        "MISSING_CREDENTIALS"
    } else {
        "SECRET_STORE_UNAVAILABLE"
    }
}

/// Only the gateway tells what was asked for.
pub(super) fn needs_api_key(closed: &[(Way, Closed)]) -> Failure {
    let message = match closed {
        [] => "这项内容只有官方网关提供，需要 API Key".to_owned(),
        [(_, why), ..] => format!("这项内容只有官方网关提供：{}", told_of(why).message),
    };
    let failure = Failure::new("NEED_API_KEY", message)
        .next("在微信读书的 skill 页面生成 API Key（wrk-…），用 weread-mcp login 或 save_credentials 保存");
    with_ways(failure, closed)
}

/// Only the web surface tells what was asked for.
pub(super) fn needs_web(closed: &[(Way, Closed)]) -> Failure {
    let message = match closed {
        [] => "这项内容只有网页版提供，需要 Cookie 或扫码登录".to_owned(),
        [(_, why), ..] => format!("这项内容只有网页版提供：{}", told_of(why).message),
    };
    let failure = Failure::new("NEED_COOKIE", message)
        .next("用 start_login 扫码登录，或用 weread-mcp login 保存 Cookie");
    with_ways(failure, closed)
}

/// Only this way does not lead to the service.
pub(super) fn one_closed(closed: &Closed) -> Failure {
    let Told { message, next, .. } = told_of(closed);
    let failure = Failure::new("LOGIN_EXPIRED", message).next(next);
    marked(failure, closed.quotes())
}

fn with_ways(failure: Failure, closed: &[(Way, Closed)]) -> Failure {
    let quotes = closed.iter().any(|(_, why)| why.quotes());
    marked(failure.data("ways", ways(closed)), quotes)
}

fn marked(failure: Failure, quotes: bool) -> Failure {
    match quotes {
        true => failure.data("untrusted", true),
        false => failure,
    }
}

fn ways(closed: &[(Way, Closed)]) -> Vec<ClosedWay> {
    let ways = closed.iter().map(|(way, why)| {
        let told = told_of(why);
        ClosedWay {
            way: way.name(),
            reason: told.reason,
            message: told.message,
            next: told.next,
        }
    });
    ways.collect()
}

impl Closed {
    /// Whether the service's own words are in what is told of it.
    fn quotes(&self) -> bool {
        match self {
            Self::Key { said } | Self::Expired { said } | Self::Replaced { said } => {
                !outside(said).is_empty()
            }
            Self::Missing { .. } | Self::Unrenewable | Self::Cloud(_) | Self::Store { .. } => false,
        }
    }
}

impl Way {
    /// Its name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ApiKey => "api_key",
            Self::Cookie => "cookie",
            Self::CookieCloud => "cookiecloud",
            Self::Scan => "scan",
        }
    }

    /// Its name in sentences.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::ApiKey => "API Key",
            Self::Cookie => "Cookie",
            Self::CookieCloud => "CookieCloud",
            Self::Scan => "扫码登录",
        }
    }
}
