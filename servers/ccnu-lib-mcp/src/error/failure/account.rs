//! What is answered when a sign-in, or a question for a person, does not get through.

use server_kit::{Failure, outside, time::Moment};

use super::told;
use crate::error::{Question, SignIn};

pub(super) fn of_question(question: Question) -> Failure {
    match question {
        Question::Pending {
            id,
            expires_at,
            here,
        } => {
            let next = match here {
                true => {
                    "先用 submit_challenge 回答 data.challenge_id，或在登录页完成；忘了题目可再次调用 start_login 取得"
                }
                false => "由提出它的那个会话回答；或等到 data.expires_at 之后再 start_login",
            };
            Failure::new("CHALLENGE_PENDING", "有一个登录验证等待人工完成")
                .next(next)
                .data("challenge_id", id)
                .data("expires_at", Moment::of(expires_at))
                .data("here", here)
        }
        Question::NotFound { id } => Failure::new(
            "CHALLENGE_NOT_FOUND",
            "没有这个 challenge_id（或它属于另一个 user_key）",
        )
        .next("核对 challenge_id 与 user_key；否则重新 start_login")
        .data("challenge_id", id),
        Question::NotPending { id } => Failure::new("CHALLENGE_NOT_PENDING", "这个验证已经回答过")
            .next("用 get_login_status 查看登录态；需要时重新 start_login")
            .data("challenge_id", id),
        Question::Lost { id, reason } => {
            let why = match reason {
                "expired" => "验证已超时",
                "logged_out" => "这个账号已退出登录",
                _ => "服务已重启",
            };
            Failure::new("SESSION_LOST", format!("{why}，挂起的登录不复存在"))
                .next("重新调用 start_login")
                .data("challenge_id", id)
                .data("reason", reason)
        }
        Question::Elsewhere { id } => Failure::new(
            "CHALLENGE_PENDING",
            "这个验证由另一个会话提出，只有那个会话能继续",
        )
        .next("在提出它的会话中回答；或等它超时后再 start_login")
        .data("challenge_id", id)
        .data("here", false),
        Question::StillOpen { id, page_url } => {
            Failure::new("STILL_NOT_LOGGED_IN", "登录页尚未完成")
                .retryable()
                .next("请用户打开 data.page_url 完成登录，然后再次调用")
                .data("challenge_id", id)
                .data("page_url", page_url)
        }
    }
}

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
