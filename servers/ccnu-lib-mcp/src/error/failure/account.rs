//! What is answered when a sign-in does not get through.

use server_kit::{Failure, outside};

use super::told;
use crate::error::SignIn;

pub(super) fn of_sign_in(error: SignIn) -> Failure {
    match error {
        SignIn::NoForm { title } => {
            Failure::new("LOGIN_FORM_NOT_FOUND", "统一身份认证页面上没有登录表单")
                .next("稍后重试；若一直如此，请在浏览器中登录一次看看有什么提示")
                .data("title", title)
                .data("untrusted", true)
        }
        SignIn::Refused { said } => told("LOGIN_FAILED", "登录被拒绝", said.unwrap_or_default())
            .next("核对账号与验证码后重新 start_login；验证码已刷新，密码不会自动重试"),
        SignIn::SecondFactor { title, text } => Failure::new(
            "SECOND_FACTOR_UNSUPPORTED",
            "统一身份认证要求本服务不认识的第二步验证",
        )
        .next("请先在浏览器中登录一次统一身份认证，完成验证后再 start_login")
        .data("title", title)
        .data("text", text)
        .data("untrusted", true),
        SignIn::Unsettled { host, path } => Failure::new(
            "AUTH_UNSETTLED",
            format!("登录跳转停在了意料之外的地方：{}", outside(&host)),
        )
        .next("稍后重试；若一直如此，请反馈 data 中的 host 与 path")
        .data("host", outside(&host))
        .data("path", outside(&path)),
        SignIn::NoToken => Failure::new("NO_CAS_TOKEN", "登录返回的地址中没有令牌")
            .retryable()
            .next("重新 start_login；若一直如此，升级 ccnu-lib-mcp 或反馈"),
        SignIn::NotExchanged { said } => {
            told("AUTH_EXCHANGE_FAILED", "图书馆系统没有接受登录令牌", said)
                .retryable()
                .next("重新 start_login")
        }
    }
}
