//! What the tools that sign in answer: that it is done, or a question with everything a person needs.

use serde::Serialize;
use server_kit::{Asker, Call, Failure, plain, question::Offered, rmcp::model::CallToolResponse};

use crate::{Library, domain::user_key::UserKey, service::sign_in::Step};

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
        let step = match asker.continues() {
            Some(id) => self.login.outcome(key, id).await,
            None => self.login.start(key, call.sees_loopback()).await,
        }?;
        let outcome = async |id: String| self.login.outcome(key, &id).await;
        let challenges = &self.login.challenges;
        let asking = &self.config.asking;
        let offered = asking.offer(call, asker, challenges, step, Step::question, outcome);
        match offered.await? {
            Offered::Answer(ask) => Ok(ask.into()),
            Offered::Step(step) => self.told(call, key, step),
        }
    }

    /// How a step ended, as the caller is told.
    pub(super) fn told(
        &self,
        call: &Call,
        key: &UserKey,
        step: Step,
    ) -> Result<CallToolResponse, Failure> {
        match step {
            Step::SignedIn { persisted } => Ok(plain(SignedIn {
                user_key: key.as_str().to_owned(),
                status: "logged_in",
                logged_in: true,
                persisted,
                message: "登录成功",
            })),
            Step::Ask(open) => {
                let question = self.config.asking.need(call, open);
                Err(question.beside("user_key", key.as_str()))
            }
        }
    }
}
