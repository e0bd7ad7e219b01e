//! What hosts read beside the tools, in the same boundary: prompts and resources.

use futures::future::BoxFuture;
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CacheScope, GetPromptRequestParams, GetPromptResult, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, PromptMessage, ReadResourceRequestParams,
        ReadResourceResult, ResourceContents, Role,
    },
    service::RequestContext,
};
use serde_json::{Map, Value, json};

use super::{LIST_TTL_MS, Served, bounds::Bounds};
use crate::{Call, Errand, Failure, arguments, prompt, recorder::Ending, resource};

impl<S: Errand> Served<S> {
    pub(super) fn prompts(&self) -> ListPromptsResult {
        let listed = S::PROMPTS
            .iter()
            .map(|one| one.listed(|text| self.reword(text)));
        ListPromptsResult::with_all_items(listed.collect())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private)
    }

    pub(super) fn resources(&self) -> ListResourcesResult {
        let fixed = S::RESOURCES.iter().filter(|one| !one.is_template());
        let listed = fixed.map(|one| one.listed(|text| self.reword(text)));
        ListResourcesResult::with_all_items(listed.collect())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private)
    }

    pub(super) fn templates(&self) -> ListResourceTemplatesResult {
        let templates = S::RESOURCES.iter().filter(|one| one.is_template());
        let listed = templates.map(|one| one.listed_template(|text| self.reword(text)));
        ListResourceTemplatesResult::with_all_items(listed.collect())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private)
    }

    pub(super) async fn prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResult, ErrorData> {
        let found = S::PROMPTS.iter().find(|one| one.name == request.name);
        let given = request.arguments.unwrap_or_default();
        let mut about = Map::new();
        let work = match found {
            None => Err(prompt::unknown(&request.name, S::PROMPTS)),
            Some(found) => {
                let told = arguments::declared_only(&json!(given), &json!(found.schema()));
                about.insert("name".to_owned(), json!(found.name));
                about.insert("arguments".to_owned(), told);
                found.filled(given).map(|filled| {
                    let message = async move { Ok((found.message)(&filled)) };
                    |_: Call| -> BoxFuture<'_, _> { Box::pin(message) }
                })
            }
        };
        let message = self.read("prompts/get", about, context, work).await?;
        let message = PromptMessage::new_text(Role::User, self.reword(&message));
        let result = GetPromptResult::new(vec![message]);
        Ok(match found {
            Some(found) => result.with_description(self.reword(found.description)),
            None => result,
        })
    }

    pub(super) async fn resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResult, ErrorData> {
        let asked = request.uri;
        let mut fitting = S::RESOURCES
            .iter()
            .filter_map(|one| Some((one, one.filled(&asked)?)));
        let mut about = Map::new();
        let work = match fitting.next() {
            // Nobody has said what an unknown address holds.
            None => Err(resource::unknown(&asked)),
            Some((found, filled)) => {
                about.insert("uri".to_owned(), json!(asked));
                Ok(move |call: Call| -> BoxFuture<'_, _> {
                    let (bytes, read) =
                        (call.result_bytes, (found.read)(&self.server, call, filled));
                    Box::pin(async move {
                        let text = resource::cut(read.await?, bytes, &self.reword(found.whole));
                        Ok(ResourceContents::text(text, asked).with_mime_type(found.media_type))
                    })
                })
            }
        };
        let contents = self.read("resources/read", about, context, work).await?;
        Ok(ReadResourceResult::new(vec![contents])
            .with_ttl_ms(0)
            .with_cache_scope(CacheScope::Private))
    }

    /// Does the `work` of `method` as a call is done: audit rows, boundary, limit. A failure becomes
    /// the protocol's error, since what is read here has no other way to fail.
    async fn read<'a, T: Send>(
        &'a self,
        method: &str,
        about: Map<String, Value>,
        context: RequestContext<RoleServer>,
        work: Result<impl FnOnce(Call) -> BoxFuture<'a, Result<T, Failure>> + Send, Failure>,
    ) -> Result<T, ErrorData> {
        let _under_way = self.calls.token();
        let (call, rows) = self.begin(method, &about, Value::Object(about.clone()), &context);
        let answer = match work {
            Err(refusal) => Err(refusal),
            Ok(work) => {
                rows.open();
                let work = async move { work(call).await };
                let held = Bounds::new(&context, &self.kit).hold(method, work).await;
                held.flatten()
            }
        };
        let ending = answer.as_ref().err().map(Ending::from);
        rows.close(ending.unwrap_or_default());
        self.server.answered();
        answer.map_err(|mut failure| {
            failure.next = failure.next.map(|next| self.reword(&next));
            failure.into_protocol_error()
        })
    }
}
