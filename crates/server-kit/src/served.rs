//! One wrapped call, the same for every server: names, arguments, gate, audit, panic, result.

use std::sync::OnceLock;

use audit::Subject;
use rmcp::{
    ErrorData, RoleServer,
    handler::server::{
        router::tool::ToolRouter,
        tool::{IntoCallToolResult, ToolCallContext},
    },
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, JsonObject,
        ListToolsResult, Tool,
    },
    service::RequestContext,
};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use self::bounds::Bounds;
use crate::{
    Call, Errand, Kit, arguments,
    failure::{Failure, internal},
    recorder::{Recorder, Rows},
    schema,
};

mod beside;
mod bounds;
mod dress;
mod handler;

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
            if let Some(listed) = self.server.listed() {
                tool.name = listed(&tool.name).into();
            }
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
        if let Some(listed) = self.server.listed() {
            for inner in self.tools().map.keys() {
                reworded = reworded.replace(&**inner, &listed(inner));
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
