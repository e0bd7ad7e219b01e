//! One wrapped call, the same for every server: names, arguments, gate, audit, panic, result.

use std::sync::OnceLock;

use audit::Subject;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    handler::server::{
        router::tool::ToolRouter,
        tool::{IntoCallToolResult, ToolCallContext},
    },
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ConstString,
        CustomRequest, CustomResult, ErrorCode, GetPromptRequestMethod, GetPromptRequestParams,
        GetPromptResponse, Implementation, JsonObject, ListPromptsRequestMethod, ListPromptsResult,
        ListResourceTemplatesRequestMethod, ListResourceTemplatesResult,
        ListResourcesRequestMethod, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        PromptsCapability, ReadResourceRequestMethod, ReadResourceRequestParams,
        ReadResourceResponse, ResourcesCapability, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use self::{bounds::Bounds, dress::dress};
use crate::{
    Call, Errand, Kit, arguments,
    failure::{Failure, internal},
    recorder::{Ending, Recorder, Rows},
    schema,
};

mod beside;
mod bounds;
mod dress;

/// How long a list of tools, prompts or resources may be taken for fresh, in milliseconds.
const LIST_TTL_MS: u64 = 3_600_000;

/// A server behind the boundary: what the SDK serves.
pub struct Served<S> {
    server: S,
    /// Built when first needed: the answer of a handshake does without.
    tools: OnceLock<ToolRouter<S>>,
    kit: Kit,
    recorder: Recorder,
    calls: TaskTracker,
}

impl<S: Errand> Served<S> {
    /// Wraps `server`.
    pub fn new(server: S, kit: Kit) -> Self {
        let recorder = kit.journal.0.clone();
        Self {
            server,
            tools: OnceLock::new(),
            kit,
            recorder,
            calls: TaskTracker::new(),
        }
    }

    /// The tools; their schemas are made portable here, once.
    fn tools(&self) -> &ToolRouter<S> {
        self.tools.get_or_init(|| {
            let mut tools = S::router();
            for route in tools.map.values_mut() {
                schema::seal(&mut route.attr);
            }
            tools
        })
    }

    /// The tools as `tools/list` gives them, in order of their names.
    pub fn list(&self) -> ListToolsResult {
        let off =
            |tool: &Tool| self.kit.denies(&tool.name) || (self.kit.read_only && S::is_write(tool));
        let mut tools = self.tools().list_all();
        tools.retain(|tool| !off(tool));
        for tool in &mut tools {
            tool.name = self.server.listed(&tool.name).into_owned().into();
            tool.description = tool
                .description
                .take()
                .map(|text| self.reword(&text).into());
        }
        ListToolsResult::with_all_items(tools)
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private)
    }

    /// Our own words with every tool under the name that it is listed under.
    fn reword(&self, text: &str) -> String {
        let mut reworded = text.to_owned();
        if self.server.is_renamed() {
            for inner in self.tools().map.keys() {
                reworded = reworded.replace(&**inner, &self.server.listed(inner));
            }
        }
        reworded
    }

    /// Audit rows beside those of calls.
    #[cfg(feature = "http")]
    pub(crate) fn journal(&self) -> crate::Journal {
        self.kit.journal.clone()
    }

    /// Waits until no call is under way.
    #[cfg(feature = "http")]
    pub(crate) async fn idle(&self) {
        self.calls.close();
        self.calls.wait().await;
    }

    /// Waits until no write is under way.
    pub(crate) async fn written(&self) {
        self.kit.writes.close();
        self.kit.writes.wait().await;
    }

    /// Waits until every audit row so far is on disk.
    pub(crate) async fn settle(&self) {
        self.recorder.settle().await;
    }

    async fn admitted(
        &self,
        tool: &Tool,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let bounds = Bounds::new(&context, &self.kit);
        let bounds = match S::is_write(tool) {
            true => bounds.unlimited(),
            false => bounds,
        };
        let call = self
            .tools()
            .call(ToolCallContext::new(&self.server, request, context));
        match bounds.hold(&tool.name, call).await {
            Ok(Err(ErrorData {
                data: Some(refusal),
                ..
            })) if refusal.get("code").is_some() => {
                Ok(CallToolResult::structured_error(refusal).into())
            }
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                tracing::error!(tool = %tool.name, code = error.code.0, "a tool failed inside the SDK");
                internal().into_call_tool_result()
            }
            Err(failure) => failure.into_call_tool_result(),
        }
    }

    /// A call of `tool` that begins now, and its rows, of which none is written yet. `told` is what the
    /// audit may know of what was `given`.
    fn begin(
        &self,
        tool: &str,
        given: &JsonObject,
        told: Value,
        context: &RequestContext<RoleServer>,
    ) -> (Call, Rows) {
        let host = context.client_info().map(|client| client.name);
        let id = Uuid::now_v7();
        let subject = Subject {
            id: Some(id.to_string()),
            tool: Some(tool.to_owned()),
            account: self.server.account(given),
            host: host.clone(),
            ..Subject::default()
        };
        let rows = self.recorder.rows(subject, told);
        let call = Call {
            id,
            tool: tool.to_owned(),
            host,
            result_bytes: self.kit.result_bytes,
            caller: self.kit.caller,
            began: Instant::now(),
            #[cfg(feature = "account")]
            rows: rows.clone(),
        };
        (call, rows)
    }

    /// `next` names tools, in our own words only; no other field is touched.
    fn reword_next(&self, result: &mut CallToolResult) {
        let structure = result.structured_content.as_mut();
        if let Some(Value::String(next)) = structure.and_then(|fields| fields.get_mut("next")) {
            *next = self.reword(next);
        }
    }

    /// Why the call may not even start, if so.
    fn refusal(&self, tool: &Tool, given: &mut JsonObject) -> Option<Failure> {
        if self.kit.denies(&tool.name) {
            let refusal = Failure::new(
                "READ_ONLY",
                format!("设置 {}_TOOLS_DENY 停用了 {}", S::ABOUT.prefix, tool.name),
            );
            return Some(refusal.next("若确需使用，请从该设置中去掉它后重新启动服务"));
        }
        if self.kit.read_only && S::is_write(tool) {
            let refusal = Failure::new(
                "READ_ONLY",
                format!("本服务以只读方式启动，{} 不可用", tool.name),
            );
            return Some(refusal.next("若确需写入，请去掉 --read-only 后重新启动服务"));
        }
        arguments::admit(given, &tool.input_schema).err()
    }
}

impl<S: Errand> ServerHandler for Served<S> {
    fn get_info(&self) -> ServerConfig {
        let about = S::ABOUT;
        let me = Implementation::new(about.name, about.version).with_title(about.title);
        let mut can = ServerCapabilities::builder().enable_tools().build();
        can.prompts = (!S::PROMPTS.is_empty()).then(PromptsCapability::default);
        can.resources = (!S::RESOURCES.is_empty()).then(ResourcesCapability::default);
        ServerConfig::new(can)
            .with_server_info(me)
            .with_instructions(self.reword(about.instructions))
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(self.list())
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let _under_way = self.calls.token();
        let name = self.server.canonical(&request.name).into_owned();
        let given = request.arguments.get_or_insert_default();
        let Some(tool) = self.tools().get(&name) else {
            self.begin(&name, given, Value::Null, &context)
                .1
                .unknown_tool();
            return Err(ErrorData::invalid_params(
                format!("unknown tool {:?}", request.name),
                None,
            ));
        };
        let refusal = self.refusal(tool, given);
        let mut told = Value::Object(given.clone());
        if refusal.is_some() {
            // Nobody has said what an undeclared field holds.
            told = arguments::declared_only(&told, &json!(tool.input_schema));
        }
        let (call, rows) = self.begin(&name, given, told, &context);
        if refusal.is_none() && !S::is_write(tool) {
            rows.open();
        }
        request.name = name.into();
        context.extensions.insert(call);
        let mut response = match refusal {
            Some(refusal) => refusal.into_call_tool_result(),
            None => self.admitted(tool, request, context).await,
        }?;
        let ending = match &mut response {
            CallToolResponse::Complete(result) => {
                self.reword_next(result);
                dress(result, tool.output_schema.is_some())
            }
            CallToolResponse::InputRequired(_) => {
                Some(Ending::of(&json!({ "code": "INPUT_REQUIRED" })))
            }
            _ => None,
        };
        rows.close(ending.unwrap_or_default());
        self.server.answered();
        Ok(response)
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        offered::<ListPromptsRequestMethod, _>(S::PROMPTS)?;
        Ok(self.prompts())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        offered::<GetPromptRequestMethod, _>(S::PROMPTS)?;
        Ok(self.prompt(request, context).await?.into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        offered::<ListResourcesRequestMethod, _>(S::RESOURCES)?;
        Ok(self.resources())
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        offered::<ListResourceTemplatesRequestMethod, _>(S::RESOURCES)?;
        Ok(self.templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        offered::<ReadResourceRequestMethod, _>(S::RESOURCES)?;
        Ok(self.resource(request, context).await?.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A known method whose parameters do not parse lands here; "unknown method" would mislead.
        match request.method.as_str() {
            method @ ("tools/call" | "prompts/get" | "resources/read") => Err(
                ErrorData::invalid_params(format!("malformed parameters of {method}"), None),
            ),
            method => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                method.to_owned(),
                None,
            )),
        }
    }
}

/// Refuses the method `M` of a server that has nothing of its kind.
fn offered<M: ConstString, T>(all: &[T]) -> Result<(), ErrorData> {
    match all.is_empty() {
        true => Err(ErrorData::method_not_found::<M>()),
        false => Ok(()),
    }
}
