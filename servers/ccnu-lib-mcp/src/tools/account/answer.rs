//! What the tools that sign in answer: that it is done, or a question with everything a person needs.

use challenge::{Kind, Open};
use serde::Serialize;
use server_kit::{
    Asker, Call, Caller, Drawn, Failure, Link, Offer, Picture,
    rmcp::{handler::server::tool::IntoCallToolResult, model::CallToolResponse},
    time::Moment,
};

use crate::{Library, config::ChallengeImage, domain::user_key::UserKey, service::sign_in::Step};

/// A success.
#[derive(Serialize)]
struct SignedIn {
    user_key: String,
    status: &'static str,
    logged_in: bool,
    /// Whether the session is kept for other processes and the next start.
    persisted: bool,
    message: &'static str,
}

impl Library {
    /// Signs in, and offers the page where the client can show it and has not shown it before.
    pub(super) async fn sign_in(
        &self,
        call: &Call,
        asker: &Asker,
        key: &UserKey,
    ) -> Result<CallToolResponse, Failure> {
        let mut step = match asker.continues() {
            Some(id) => self.login.outcome(key, id).await,
            None => self.login.start(key, call.sees_loopback()).await,
        }?;
        let patience = self.config.ask_patience;
        let mut is_open = asker.accepted();
        while let Step::Ask(open) = &step {
            let Some(url) = open.page_url.as_deref().filter(|_| call.sees_loopback()) else {
                break;
            };
            let settled = self.login.challenges.settled(&open.id);
            let offer = if is_open {
                // The page leads on to the next question by itself.
                asker.wait(call, patience, settled).await
            } else if self.login.challenges.offered(&open.id) {
                let (id, message) = (open.id.as_str(), open.question.prompt.as_str());
                asker
                    .offer(call, &Link { id, url, message }, patience, settled)
                    .await
            } else {
                break;
            };
            match offer {
                Offer::Answer(ask) => return Ok(ask.into()),
                Offer::Settled => {
                    let id = open.id.clone();
                    step = self.login.outcome(key, &id).await?;
                    is_open = true;
                }
                Offer::Over | Offer::Impossible => break,
            }
        }
        self.told(call, key, step)
    }

    /// How a step ended, as the caller is told.
    pub(super) fn told(
        &self,
        call: &Call,
        key: &UserKey,
        step: Step,
    ) -> Result<CallToolResponse, Failure> {
        match step {
            Step::SignedIn { persisted } => plain(SignedIn {
                user_key: key.as_str().to_owned(),
                status: "logged_in",
                logged_in: true,
                persisted,
                message: "登录成功",
            }),
            Step::Ask(open) => Err(self.question(call, key, open)),
        }
    }

    /// `NEED_CHALLENGE`.
    fn question(&self, call: &Call, key: &UserKey, open: Open) -> Failure {
        let question = open.question;
        if call.caller == Caller::Command {
            // The page, the question and what waits for it are gone with this process.
            return Failure::new("NEED_CHALLENGE", "登录需要人工完成一步验证")
                .next("命令行的单次调用等不到回答：在终端执行 ccnu-lib-mcp login 完成登录，或在运行中的服务里调用 start_login")
                .beside("user_key", key.as_str())
                .beside("challenge_type", question.kind);
        }
        let page_url = open.page_url.filter(|_| call.sees_loopback());
        let mut failure = Failure::new("NEED_CHALLENGE", "登录需要人工完成一步验证")
            .next(next(question.kind, page_url.is_some()))
            .beside("user_key", key.as_str())
            .beside("challenge_id", open.id)
            .beside("challenge_type", question.kind)
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
        let picture = question.picture.filter(|_| question.kind == Kind::Captcha);
        let Some(picture) = picture else {
            return failure;
        };
        let picture = Picture {
            bytes: picture.bytes,
            media_type: picture.media_type,
        };
        match self.config.challenge_image {
            ChallengeImage::Block => failure.picture(picture),
            ChallengeImage::Inline => failure
                .beside("image_base64", picture.data_url())
                .picture(picture),
        }
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
            "向用户要收到的短信验证码，调用 submit_challenge 提交；或请用户在 page_url 自己填写"
        }
        (Kind::Sms, false) => "向用户要收到的短信验证码，调用 submit_challenge 提交",
        (Kind::Captcha | Kind::QrCode, true) => {
            "把图片给用户看，收到输入后调用 submit_challenge；或请用户打开 page_url 自己填写"
        }
        (Kind::Captcha | Kind::QrCode, false) => "把图片给用户看，收到输入后调用 submit_challenge",
    }
}

/// A success without a picture.
pub(super) fn plain(fields: impl Serialize) -> Result<CallToolResponse, Failure> {
    let picture = None;
    let answered = Drawn { fields, picture }.into_call_tool_result();
    answered.map_err(|_never| Failure::new("INTERNAL", "结果无法写成 JSON"))
}
