//! What the page says where nothing is asked: how it went, or why it does not work, and what to do.

use axum::http::StatusCode;

use super::{
    Link, Page,
    html::{self, Notice, Tone},
    sheet::Sheet,
};
use crate::{Challenges, Open, Pending, Refused, TakeError};

const BACK: &str = "可以关闭这个页面，回到对话里继续。";
const ANEW: &str = "请回到对话，让助手重新发起。";
const LINK: &str = "请使用对话里最新的链接。";

impl Page {
    pub(super) fn question(&self, status: StatusCode, open: &Open) -> Sheet {
        Sheet::new(status, html::question(&self.title, open))
    }

    pub(super) fn done(&self, said: &str) -> Sheet {
        self.notice(StatusCode::OK, Tone::Good, "完成了", &[said, BACK])
    }

    pub(super) fn failed(&self, said: &str) -> Sheet {
        self.notice(StatusCode::OK, Tone::Bad, "没有成功", &[said, ANEW])
    }

    /// Why the question behind `link` is not shown. Where the account waits with another one here,
    /// the way there is shown: a form that was sent twice ends up on this.
    pub(super) async fn closed<T: Send + 'static>(
        &self,
        challenges: &Challenges<T>,
        link: &Link,
        error: TakeError,
    ) -> Sheet {
        match error {
            TakeError::Refused(Refused::NotPending { .. }) => {
                let next = match challenges.pending(&link.account).await {
                    Ok(Some(Pending::Ours(open))) => self.path_of(&open.id),
                    _ => None,
                };
                let html = html::notice(&Notice {
                    title: &self.title,
                    tone: Tone::Calm,
                    heading: "已经回答过了",
                    said: &["这个问题已经提交，请回到对话查看结果。"],
                    next: next.as_deref(),
                });
                Sheet::new(StatusCode::GONE, html)
            }
            TakeError::Refused(Refused::Lost(_)) => self.notice(
                StatusCode::GONE,
                Tone::Calm,
                "页面已过期",
                &["为了安全，这个链接只在几分钟内有效。", ANEW],
            ),
            TakeError::Refused(Refused::NotFound | Refused::Elsewhere) => self.unknown(),
            TakeError::Failed(error) => {
                tracing::warn!(%error, "the page cannot show a question");
                self.broken()
            }
        }
    }

    pub(super) fn unknown(&self) -> Sheet {
        let said = ["链接不完整，或者程序已经重新启动。", LINK];
        self.notice(StatusCode::NOT_FOUND, Tone::Calm, "没有这个页面", &said)
    }

    pub(super) fn wrong_method(&self) -> Sheet {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        self.notice(status, Tone::Bad, "不支持这种请求", &[LINK])
            .allowing("GET, POST")
    }

    pub(super) fn foreign(&self) -> Sheet {
        let said = ["内容没有被接收：它不是从这个页面提交的。", LINK];
        self.notice(StatusCode::FORBIDDEN, Tone::Bad, "来源不对", &said)
    }

    pub(super) fn too_long(&self) -> Sheet {
        let said = ["内容没有被接收。请返回上一页，缩短后再提交。"];
        self.notice(StatusCode::PAYLOAD_TOO_LARGE, Tone::Bad, "内容太长", &said)
    }

    pub(super) fn broken(&self) -> Sheet {
        let said = ["程序内部出了问题，这一步没有完成。", ANEW];
        self.notice(
            StatusCode::INTERNAL_SERVER_ERROR,
            Tone::Bad,
            "出错了",
            &said,
        )
    }

    fn notice(&self, status: StatusCode, tone: Tone, heading: &str, said: &[&str]) -> Sheet {
        let html = html::notice(&Notice {
            title: &self.title,
            tone,
            heading,
            said,
            next: None,
        });
        Sheet::new(status, html)
    }
}
