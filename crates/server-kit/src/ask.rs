//! Offering a person a page by URL-mode elicitation, in both protocol eras.

use std::{future::pending, time::Duration};

use rmcp::{
    ErrorData, RoleServer,
    handler::server::{common::FromContextPart, tool::ToolCallContext},
    model::{
        ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest,
        InputRequests, InputRequiredResult, InputResponses, ProtocolVersion,
    },
    service::RequestContext,
};
use tokio::time::timeout;

use crate::Call;

/// What a waiting tool may take: hosts cut a silent call at about 60 s.
pub const PATIENCE: Duration = Duration::from_secs(40);

/// The name of our one request among those of an answer that requires input.
const PAGE: &str = "page";

/// A tool's side of asking its caller: a handler takes it like its arguments.
pub struct Asker {
    context: RequestContext<RoleServer>,
    /// What an earlier answer of ours asked the client to hold, given back by it: untrusted.
    state: Option<String>,
    answers: Option<InputResponses>,
}

/// A page that is offered to a person.
pub struct Link<'a> {
    /// Tells offers apart; an identifier that is no secret.
    pub id: &'a str,
    /// Where the page is.
    pub url: &'a str,
    /// What it is for, one sentence.
    pub message: &'a str,
}

/// What became of an offer.
pub enum Offer {
    /// The call has to be answered with this; the client then shows the page and calls again.
    Answer(InputRequiredResult),
    /// The page was used, or can no longer be: see how things stand now.
    Settled,
    /// It was refused, ignored, or nobody came to an end in time.
    Over,
    /// The client has no way to show it.
    Impossible,
}

impl<S> FromContextPart<ToolCallContext<'_, S>> for Asker {
    fn from_context_part(context: &mut ToolCallContext<'_, S>) -> Result<Self, ErrorData> {
        Ok(Self {
            context: context.request_context.clone(),
            state: context.request_state.take(),
            answers: context.input_responses.take(),
        })
    }
}

impl Asker {
    /// The [`Link::id`] of an offer that this call continues, by the client's word.
    pub fn continues(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Whether this call continues an offer that the person took up.
    pub fn accepted(&self) -> bool {
        self.continues().is_some() && self.action() == Some(ElicitationAction::Accept)
    }

    /// Offers a page. In the older era it is waited for what comes of it: `settled` returns when the
    /// page was used or can no longer be. That ends [`PATIENCE`] or `patience` after the call began,
    /// whichever is shorter.
    pub async fn offer(
        &self,
        call: &Call,
        link: &Link<'_>,
        patience: Duration,
        settled: impl Future<Output = ()>,
    ) -> Offer {
        if !call.sees_loopback() || !self.shows_links() {
            return Offer::Impossible;
        }
        if self.is_modern() {
            let request = ElicitRequest::new(Self::request(link, String::new()));
            let requests =
                InputRequests::from([(PAGE.to_owned(), InputRequest::Elicitation(request))]);
            let state = link.id.to_owned();
            return Offer::Answer(InputRequiredResult::new(Some(requests), Some(state)));
        }
        let request = Self::request(link, link.id.to_owned());
        let left = || call.left_of(patience.min(PATIENCE));
        let answered = async {
            let peer = &self.context.peer;
            // A client that is no longer waited for is told so.
            let answer = peer.create_elicitation_with_timeout(request, Some(left()));
            match answer.await {
                // Opened is not finished.
                Ok(result) if result.action == ElicitationAction::Accept => {
                    drop(timeout(left(), pending::<()>()).await);
                }
                Ok(_) => {}
                Err(error) => tracing::info!(%error, "the client did not show the page"),
            }
        };
        tokio::select! {
            () = settled => Offer::Settled,
            () = answered => Offer::Over,
        }
    }

    /// Waits for a page that the person has open, as long as [`Asker::offer`] does.
    pub async fn wait(
        &self,
        call: &Call,
        patience: Duration,
        settled: impl Future<Output = ()>,
    ) -> Offer {
        let left = call.left_of(patience.min(PATIENCE));
        match timeout(left, settled).await {
            Ok(()) => Offer::Settled,
            Err(_elapsed) => Offer::Over,
        }
    }

    fn request(link: &Link<'_>, elicitation_id: String) -> ElicitRequestParams {
        ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: link.message.to_owned(),
            url: link.url.to_owned(),
            elicitation_id,
        }
    }

    fn shows_links(&self) -> bool {
        let abilities = self.context.client_capabilities();
        let elicitation = abilities.and_then(|abilities| abilities.elicitation);
        elicitation.is_some_and(|modes| modes.url.is_some())
    }

    fn is_modern(&self) -> bool {
        let version = self.context.protocol_version();
        version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
    }

    /// What the person did with the offer; `None` when the client brings no answer.
    fn action(&self) -> Option<ElicitationAction> {
        let answer = self.answers.as_ref()?.get(PAGE)?.clone();
        let result: ElicitResult = serde_json::from_value(answer).ok()?;
        Some(result.action)
    }
}
