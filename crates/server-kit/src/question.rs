//! A question for a person, as a tool puts it to its caller.

mod journal;
mod stopped;

use std::time::Duration;

use challenge::{Challenges, Kind, Open};
use rmcp::model::InputRequiredResult;

use crate::{
    Asker, Call, Caller, Errand, Failure, Link, Offer, Picture,
    settings::{Refusal, Settings},
    time::Moment,
};

pub use stopped::Stopped;

/// How the questions of one server are put.
#[derive(Debug, Clone)]
pub struct Asking {
    server: &'static str,
    /// Whether a picture stands in the JSON too, for callers that are programs.
    is_inline: bool,
    patience: Duration,
}

/// How far a step came with the page of its question.
pub enum Offered<T> {
    /// As far as this; a question that is still open has to be told.
    Step(T),
    /// The call has to be answered with this; the client then shows the page and calls again.
    Answer(InputRequiredResult),
}

impl Asking {
    /// Reads `<PREFIX>_CHALLENGE_IMAGE` and `<PREFIX>_ASK_WAIT_MS`.
    pub fn read<S: Errand>(settings: &mut Settings) -> Result<Self, Refusal> {
        let prefix = settings.prefix();
        let image = settings.choice(
            &format!("{prefix}_CHALLENGE_IMAGE"),
            &["block", "inline"],
            "验证码图片的给法：block 为 MCP 图片块，inline 另在结果中加 image_base64",
        )?;
        let patience = settings.millis(
            &format!("{prefix}_ASK_WAIT_MS"),
            40_000,
            "客户端打开登录页后，一次调用最多等待多久（毫秒）",
        )?;
        Ok(Self {
            server: S::ABOUT.name,
            is_inline: image == "inline",
            patience,
        })
    }

    /// How long a call waits for a person.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// Offers the page of the question that `step` ended with, where the client can show it and has not
    /// shown it before, and waits for what comes of it. `open` is the question of a step, if any, and
    /// `outcome` how things stand with the question of an id, which may be another question.
    pub async fn offer<Q, T, E, F>(
        &self,
        call: &Call,
        asker: &Asker,
        challenges: &Challenges<Q>,
        mut step: T,
        open: fn(&T) -> Option<&Open>,
        outcome: impl Fn(String) -> F,
    ) -> Result<Offered<T>, E>
    where
        Q: Send + 'static,
        F: Future<Output = Result<T, E>>,
    {
        let mut is_shown = asker.accepted();
        while let Some(asked) = open(&step) {
            let Some(url) = asked.page_url.as_deref().filter(|_| call.sees_loopback()) else {
                break;
            };
            let id = asked.id.clone();
            let settled = challenges.settled(&id);
            let offer = if is_shown {
                // The page leads on to the next question by itself.
                asker.wait(call, self.patience, settled).await
            } else if challenges.offered(&id) {
                let message = &asked.question.prompt;
                let link = Link {
                    id: &id,
                    url,
                    message,
                };
                asker.offer(call, &link, self.patience, settled).await
            } else {
                break;
            };
            match offer {
                Offer::Answer(ask) => return Ok(Offered::Answer(ask)),
                Offer::Settled => {
                    step = outcome(id).await?;
                    is_shown = true;
                }
                Offer::Over | Offer::Impossible => break,
            }
        }
        Ok(Offered::Step(step))
    }

    /// `NEED_CHALLENGE`: the question with everything that a person needs to answer it.
    pub fn need(&self, call: &Call, open: Open) -> Failure {
        let question = open.question;
        let failure = Failure::new("NEED_CHALLENGE", "登录需要人工完成一步验证")
            .beside("challenge_type", question.kind);
        if call.caller == Caller::Command {
            // The page, the question and what waits for it are gone with this process.
            return failure.next(format!(
                "命令行的单次调用等不到回答：在终端执行 {} login 完成登录，或在运行中的服务里调用 start_login",
                self.server
            ));
        }
        let page_url = open.page_url.filter(|_| call.sees_loopback());
        let mut failure = failure
            .next(next(question.kind, page_url.is_some()))
            .beside("challenge_id", open.id)
            .beside("prompt", question.prompt)
            .beside("expires_at", Moment::of(open.expires_at));
        if let Some(url) = page_url {
            failure = failure.beside("page_url", url);
        }
        if question.note.is_some() || question.phone_hint.is_some() {
            failure = failure.beside("untrusted", true);
        }
        if let Some(note) = question.note {
            failure = failure.beside("note", note);
        }
        if let Some(hint) = question.phone_hint {
            failure = failure.beside("phone_hint", hint);
        }
        // The picture of a whole login belongs to its page.
        let shown = matches!(question.kind, Kind::Captcha | Kind::QrCode);
        let Some(picture) = question.picture.filter(|_| shown) else {
            return failure;
        };
        let picture = Picture {
            bytes: picture.bytes,
            media_type: picture.media_type,
        };
        if self.is_inline {
            failure = failure.beside("image_base64", picture.data_url());
        }
        failure.picture(picture)
    }
}

/// What to do about a question.
fn next(kind: Kind, has_page: bool) -> &'static str {
    match (kind, has_page) {
        (Kind::ManualLogin, _) => {
            "请用户打开 page_url 登录（账号密码不经过对话），完成后以任意 answer 调用 submit_challenge 确认"
        }
        (Kind::ConfirmSendSms, true) => {
            "问用户是否发送；同意后以任意 answer 调用 submit_challenge，或请用户在 page_url 自己完成"
        }
        (Kind::ConfirmSendSms, false) => {
            "问用户是否发送；同意后以任意 answer 调用 submit_challenge"
        }
        (Kind::Sms, true) => {
            "向用户要验证码，调用 submit_challenge 提交；或请用户在 page_url 自己填写"
        }
        (Kind::Sms, false) => "向用户要验证码，调用 submit_challenge 提交",
        (Kind::Captcha, true) => {
            "把图片给用户看，收到输入后调用 submit_challenge；或请用户打开 page_url 自己填写"
        }
        (Kind::Captcha, false) => "把图片给用户看，收到输入后调用 submit_challenge",
        (Kind::QrCode, true) => {
            "把图片给用户用手机扫码，或请用户打开 page_url 扫码；确认后以任意 answer 调用 submit_challenge"
        }
        (Kind::QrCode, false) => {
            "把图片给用户用手机扫码，确认后以任意 answer 调用 submit_challenge"
        }
    }
}
