//! One wrapped call, the same for every server: names, arguments, gate, audit, panic, result.

use std::{
    convert::Infallible, future::pending, panic::AssertUnwindSafe, sync::OnceLock, time::Duration,
};

use audit::Subject;
use futures::FutureExt;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    handler::server::{
        router::tool::ToolRouter,
        tool::{IntoCallToolResult, ToolCallContext},
    },
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
        CustomRequest, CustomResult, ErrorCode, Implementation, JsonObject, ListToolsResult,
        PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities,
        ServerConfig, Tool,
    },
    service::{Peer, RequestContext},
};
use serde_json::{Value, json};
use tokio::time::{Instant, interval_at, timeout};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::{
    Errand, Kit, arguments,
    failure::{Failure, internal},
    recorder::{Ending, Recorder},
    schema,
};

/// What one call carries. A handler takes it as `Extension(call): Extension<Call>`.
#[derive(Clone)]
pub struct Call {
    /// Joins the rows of this call in audit, ledger and quota; UUID v7.
    pub id: Uuid,
    /// The tool by its one inner name.
    pub tool: String,
    /// The client's own name, as it gave it.
    pub host: Option<String>,
    /// Most bytes of the result as JSON text.
    pub result_bytes: usize,
    /// Where the caller sits.
    pub caller: Caller,
    pub(crate) began: Instant,
    #[cfg(feature = "account")]
    pub(crate) rows: crate::recorder::Rows,
}

/// Where a caller sits, and with that what it can open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// At this machine, while the process goes on.
    Local,
    /// At another machine, where what is served on loopback here cannot be opened.
    Remote,
    /// A command whose process ends with the answer, and with it whatever waits or is served.
    Command,
}

impl Call {
    /// Whether the caller can open what this process serves on loopback.
    pub fn sees_loopback(&self) -> bool {
        self.caller == Caller::Local
    }

    /// How much of `limit` is left, counted from the beginning of the call.
    pub fn left_of(&self, limit: Duration) -> Duration {
        limit.saturating_sub(self.began.elapsed())
    }

    fn subject<S: Errand>(
        server: &S,
        id: Uuid,
        tool: &str,
        host: Option<String>,
        given: &JsonObject,
    ) -> Subject {
        Subject {
            id: Some(id.to_string()),
            tool: Some(tool.to_owned()),
            account: server.account(given),
            host,
            ..Subject::default()
        }
    }
}

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
            .with_ttl_ms(3_600_000)
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
        let cancelled = context.ct.clone();
        let alive = still_alive(
            context.peer.clone(),
            context.meta.get_progress_token(),
            self.kit.progress,
        );
        let limit = self.kit.call_limit;
        let too_long = async {
            if S::is_write(tool) {
                // What may have been sent is not given up.
                pending().await
            }
            drop(timeout(limit, pending::<()>()).await);
        };
        let call = self
            .tools()
            .call(ToolCallContext::new(&self.server, request, context));
        tokio::select! {
            answer = AssertUnwindSafe(call).catch_unwind() => match answer {
                Ok(Err(ErrorData { data: Some(refusal), .. })) if refusal.get("code").is_some() => {
                    Ok(CallToolResult::structured_error(refusal).into())
                }
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(error)) => {
                    tracing::error!(tool = %tool.name, code = error.code.0, "a tool failed inside the SDK");
                    internal().into_call_tool_result()
                }
                Err(_) => {
                    tracing::error!(tool = %tool.name, "a tool panicked; the call was answered INTERNAL");
                    internal().into_call_tool_result()
                }
            },
            never = alive => match never {},
            () = cancelled.cancelled() => {
                Failure::new("CANCELLED", "调用已取消").into_call_tool_result()
            }
            () = too_long => {
                let why = format!("查询超过了总时限 {} 秒", limit.as_secs_f64());
                let next = "稍后重试，或缩小查询范围";
                Failure::new("TIMEOUT", why).retryable().next(next).into_call_tool_result()
            }
        }
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
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
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
        let host = context.client_info().map(|client| client.name);
        let (id, given) = (Uuid::now_v7(), request.arguments.get_or_insert_default());
        let subject = Call::subject(&self.server, id, &name, host.clone(), given);
        let Some(tool) = self.tools().get(&name) else {
            self.recorder.unknown_tool(subject);
            return Err(ErrorData::invalid_params(
                format!("unknown tool {:?}", request.name),
                None,
            ));
        };
        request.name = name.clone().into();
        let refusal = self.refusal(tool, given);
        let mut told = Value::Object(given.clone());
        if refusal.is_some() {
            // Nobody has said what an undeclared field holds.
            told = arguments::declared_only(&told, &json!(tool.input_schema));
        }
        let rows = self.recorder.rows(subject, told);
        if refusal.is_none() && !S::is_write(tool) {
            rows.open();
        }
        context.extensions.insert(Call {
            id,
            tool: name,
            host,
            result_bytes: self.kit.result_bytes,
            caller: self.kit.caller,
            began: Instant::now(),
            #[cfg(feature = "account")]
            rows: rows.clone(),
        });
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

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A known method whose parameters do not parse lands here; "unknown method" would mislead.
        match request.method.as_str() {
            method @ "tools/call" => Err(ErrorData::invalid_params(
                format!("malformed parameters of {method}"),
                None,
            )),
            method => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                method.to_owned(),
                None,
            )),
        }
    }
}

/// Tells a client that has asked for it that a call is still under way: hosts cut a silent one.
async fn still_alive(
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    every: Duration,
) -> Infallible {
    let Some(token) = token else {
        return pending().await;
    };
    let begun = Instant::now();
    let mut beat = interval_at(begun + every, every);
    loop {
        beat.tick().await;
        let seconds = begun.elapsed().as_secs_f64();
        let told = ProgressNotificationParam::new(token.clone(), seconds);
        // A client that is gone cancels the call by itself.
        let _gone = peer.notify_progress(told).await;
    }
}

/// Gives a result its one form: `ok` first, `isError` to match, the structure again as text.
/// A picture drops the structure, since hosts that are given both show the structure alone. Gives
/// how the call ended, which the structure says, dropped or not.
fn dress(result: &mut CallToolResult, has_schema: bool) -> Option<Ending> {
    let mut structure = result
        .structured_content
        .take_if(|structure| structure.is_object())?;
    let fields = structure.as_object_mut()?;
    let failed = result.is_error == Some(true);
    let asks = fields
        .get("code")
        .is_some_and(|code| code == "NEED_CHALLENGE" || code == "CONFIRM_REQUIRED");
    result.is_error = Some(failed && !asks);
    fields.shift_insert(0, "ok".into(), json!(!failed));
    let ending = Ending::of(&structure);
    let text = ContentBlock::text(structure.to_string());
    let pictures: Vec<_> = result
        .content
        .drain(..)
        .filter(|block| block.as_image().is_some())
        .collect();
    if pictures.is_empty() || has_schema {
        result.structured_content = Some(structure);
    }
    result.content = std::iter::once(text).chain(pictures).collect();
    Some(ending)
}
