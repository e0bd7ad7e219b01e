//! What the tools that sign in answer: that it is done, or a question with everything a person needs.

use serde::Serialize;
use server_kit::{Asker, Call, Failure, plain, question::Offered, rmcp::model::CallToolResponse};

use crate::{WeRead, service::sign_in::Step};

/// A success.
#[derive(Serialize)]
struct SignedIn {
    logged_in: bool,
    /// Whether the session is kept for other processes and the next start.
    persisted: bool,
    message: &'static str,
}

impl WeRead {
    /// Signs in, and offers the page where the client can show it and has not shown it before.
    pub(super) async fn sign_in(
        &self,
        call: &Call,
        asker: &Asker,
    ) -> Result<CallToolResponse, Failure> {
        let step = match asker.continues() {
            Some(id) => self.login.outcome(id).await,
            None => self.login.start().await,
        }?;
        let outcome = async |id: String| self.login.outcome(&id).await;
        let (challenges, asking) = (&self.login.challenges, &self.config.asking);
        let offered = asking.offer(call, asker, challenges, step, Step::question, outcome);
        match offered.await? {
            Offered::Answer(ask) => Ok(ask.into()),
            Offered::Step(step) => self.told(call, step),
        }
    }

    /// How a step ended, as the caller is told.
    pub(super) fn told(&self, call: &Call, step: Step) -> Result<CallToolResponse, Failure> {
        match step {
            Step::SignedIn { persisted } => Ok(plain(SignedIn {
                logged_in: true,
                persisted,
                message: "登录成功",
            })),
            Step::Ask(open) => Err(self.config.asking.need(call, open)),
        }
    }
}
