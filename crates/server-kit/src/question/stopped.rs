//! Why a question cannot be answered any more, or not here.

use challenge::{Lost, Pending, Refused};
use jiff::Timestamp;

use crate::{Failure, time::Moment};

/// What stands in the way of a question, or a question in the way of something else.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The account has a question open, which comes first.
    #[error("question {id} is open")]
    Pending {
        /// Its id.
        id: String,
        /// The first moment at which an answer is too late.
        expires_at: Timestamp,
        /// Whether this process asked it and can go on with it.
        here: bool,
    },
    /// No question was ever given that id for that account.
    #[error("question {id} was never asked")]
    NotFound {
        /// The id.
        id: String,
    },
    /// It was answered already.
    #[error("question {id} was answered already")]
    NotPending {
        /// Its id.
        id: String,
    },
    /// What waited for the answer is gone.
    #[error("question {id} is lost: {lost:?}")]
    Lost {
        /// Its id.
        id: String,
        /// How it went.
        lost: Lost,
    },
    /// Another process asked it and alone can go on with it.
    #[error("question {id} belongs to another process")]
    Elsewhere {
        /// Its id.
        id: String,
    },
    /// What the person does elsewhere, on the page or with a phone, is not done yet.
    #[error("question {id} is still to be answered by the person")]
    StillOpen {
        /// Its id.
        id: String,
        /// Where the page is.
        page_url: Option<String>,
    },
}

impl Stopped {
    /// Why the question `id` was not given to who wanted to answer it.
    pub fn of(refused: Refused, id: &str) -> Self {
        let id = id.to_owned();
        match refused {
            Refused::NotFound => Self::NotFound { id },
            Refused::NotPending { .. } => Self::NotPending { id },
            Refused::Lost(lost) => Self::Lost { id, lost },
            Refused::Elsewhere => Self::Elsewhere { id },
        }
    }
}

impl From<Pending> for Stopped {
    fn from(pending: Pending) -> Self {
        let (id, expires_at, here) = match pending {
            Pending::Ours(open) => (open.id, open.expires_at, true),
            Pending::Elsewhere { id, expires_at } => (id, expires_at, false),
        };
        Self::Pending {
            id,
            expires_at,
            here,
        }
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Pending {
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
                Self::new("CHALLENGE_PENDING", "有一个登录验证等待人工完成")
                    .next(next)
                    .data("challenge_id", id)
                    .data("expires_at", Moment::of(expires_at))
                    .data("here", here)
            }
            Stopped::NotFound { id } => Self::new("CHALLENGE_NOT_FOUND", "没有这个 challenge_id")
                .next("核对 challenge_id；否则重新 start_login")
                .data("challenge_id", id),
            Stopped::NotPending { id } => Self::new("CHALLENGE_NOT_PENDING", "这个验证已经回答过")
                .next("用 get_login_status 查看登录态；需要时重新 start_login")
                .data("challenge_id", id),
            Stopped::Lost { id, lost } => {
                let (reason, why) = match lost {
                    Lost::Expired => ("expired", "验证已超时"),
                    Lost::Restarted => ("restarted", "服务已重启"),
                    Lost::Withdrawn => ("logged_out", "这个账号已退出登录"),
                };
                Self::new("SESSION_LOST", format!("{why}，挂起的登录不复存在"))
                    .next("重新调用 start_login")
                    .data("challenge_id", id)
                    .data("reason", reason)
            }
            Stopped::Elsewhere { id } => Self::new(
                "CHALLENGE_PENDING",
                "这个验证由另一个会话提出，只有那个会话能继续",
            )
            .next("在提出它的会话中回答；或等它超时后再 start_login")
            .data("challenge_id", id)
            .data("here", false),
            Stopped::StillOpen { id, page_url } => {
                Self::new("STILL_NOT_LOGGED_IN", "登录页尚未完成")
                    .retryable()
                    .next("请用户打开 data.page_url 完成登录，然后再次调用")
                    .data("challenge_id", id)
                    .data("page_url", page_url)
            }
        }
    }
}
