//! The code, sentence and next step that a tool answers for each error.

mod network;
mod ways;

use std::time::Duration;

use server_kit::{Failure, bad_argument, outside};

use super::Error;
use crate::client::{Reason, Refusal, Upgrade};

pub(crate) use ways::told_of;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Argument { field, why } => bad_argument(field, why),
            Error::NoGroup { groups } => {
                let groups: Vec<_> = groups.iter().map(|name| outside(name)).collect();
                bad_argument("group", "书架上没有这个分组")
                    .next("用 data.groups 中的一个，或不填")
                    .data("groups", groups)
                    .data("untrusted", true)
            }
            Error::NoCredentials => Self::new("NEED_LOGIN", "还没有设置微信读书的凭证").next(
                "用 start_login 扫码登录；或在终端执行 weread-mcp login 保存官方 API Key 或 Cookie",
            ),
            Error::AllClosed(closed) => ways::all_closed(&closed),
            Error::NeedsApiKey(closed) => ways::needs_api_key(&closed),
            Error::NeedsWeb(closed) => ways::needs_web(&closed),
            Error::Closed(closed) => ways::one_closed(&closed),
            Error::SignedOut { said, .. } => told("LOGIN_EXPIRED", "微信读书说登录已失效", &said)
                .next("用 get_login_status 查看各凭证，再用 start_login 登录"),
            Error::TooFast {
                retry_after_seconds,
            } => Self::new(
                "RATE_LIMITED",
                format!("微信读书提示请求过于频繁，{retry_after_seconds} 秒内不再请求"),
            )
            .after(Duration::from_secs(retry_after_seconds))
            .next("等待 retry_after 秒后重试，不要反复调用"),
            Error::Nothing { path } => Self::new(
                "UPSTREAM_EMPTY",
                format!("微信读书对 {path} 什么都没有返回，这不等于没有内容"),
            )
            .retryable()
            .next("稍后重试；若一直如此，换一种凭证（官方 API Key 或 Cookie）")
            .data("path", path),
            Error::Upgrade(upgrade) => outdated(&upgrade),
            Error::NotFound { what, id } => {
                Self::new("NOT_FOUND", format!("没有找到{what} {}", outside(&id)))
                    .next("核对 id；用 search_books、get_bookshelf 或 list_notebooks 取得")
            }
            Error::SignIn { why, said } => told(
                "LOGIN_FAILED",
                &format!("扫码登录没有完成：{why}"),
                said.as_deref().unwrap_or_default(),
            )
            .next("重新调用 start_login"),
            Error::Unconfirmed => Self::new("STILL_NOT_LOGGED_IN", "还没有收到手机上的确认")
                .retryable()
                .next("请用户在手机上确认，然后再次调用；登录已在进行，不必重来"),
            Error::Question(stopped) => stopped.into(),
            Error::Refused(refusal) => refused(&refusal),
            Error::Folder { path, why } => Self::new(
                "EXPORT_REFUSED",
                format!("不能导出到 {path}：{why}"),
            )
            .next(
                "换一个文件名；导出目录由用户用 WEREAD_EXPORT_DIR 指定，也可不填 file 直接取得结果",
            ),
            Error::Busy => Self::new("RATE_LIMITED", "另一个进程正在续登，还没有结束")
                .after(Duration::from_secs(5))
                .next("等待 retry_after 秒后重试"),
            Error::Kept(why) => Self::new("STATE_UNAVAILABLE", format!("本机状态不可用：{why}"))
                .next("运行 weread-mcp doctor 查看状态目录"),
            Error::Changed { path, field, why } => changed(&path, &field, &why),
            Error::Network { error } => network::of(error),
        }
    }
}

/// The gateway's word about a newer skill, as data: it is nothing to act on.
fn outdated(upgrade: &Upgrade) -> Failure {
    let message = "官方网关不再接受本程序所报的 skill 版本";
    Failure::new("SKILL_OUTDATED", message)
        .next("升级 weread-mcp，或用 WEREAD_SKILL_VERSION 设为网关要求的版本；也可改用 Cookie")
        .data("said", upgrade.message.as_deref().map(outside))
        .data("latest", upgrade.latest.as_deref().map(outside))
        .data("untrusted", true)
}

fn refused(refusal: &Refusal) -> Failure {
    let failure = told("UPSTREAM_REFUSED", "微信读书拒绝了请求", &refusal.said);
    let failure = match refusal.reason() {
        Reason::ShelfBroken => failure
            .next("微信读书读不出这个账号的书架；不经书架的查询仍可用，例如按 book_id 取笔记"),
        Reason::BadParameters => failure.next("核对参数；若参数无误，请升级 weread-mcp"),
        _ => failure.next("按微信读书的提示处理后重试"),
    };
    failure.data("code", refusal.code)
}

/// A refusal with the service's own sentence, as data.
fn told(code: &'static str, message: &str, said: &str) -> Failure {
    let said = outside(said);
    if said.is_empty() {
        return Failure::new(code, message);
    }
    Failure::new(code, format!("{message}：{said}"))
        .data("said", said)
        .data("untrusted", true)
}

fn changed(path: &str, field: &str, why: &str) -> Failure {
    // A field may be a key of the service's own choosing.
    let (path, field) = (outside(path), outside(field));
    Failure::new(
        "UPSTREAM_CHANGED",
        format!("微信读书的接口与本程序所知不同：{path} 的 {field}（{why}）"),
    )
    .next("升级 weread-mcp；若已是最新，请反馈 path 与 field")
    .data("path", path)
    .data("field", field)
}
