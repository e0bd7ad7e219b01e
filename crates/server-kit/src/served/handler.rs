//! What the SDK asks of a server, method by method.

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    handler::server::tool::IntoCallToolResult,
    model::{
        CallToolRequestParams, CallToolResponse, ConstString, CustomRequest, CustomResult,
        ErrorCode, GetPromptRequestMethod, GetPromptRequestParams, GetPromptResponse,
        Implementation, ListPromptsRequestMethod, ListPromptsResult,
        ListResourceTemplatesRequestMethod, ListResourceTemplatesResult,
        ListResourcesRequestMethod, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        PromptsCapability, ReadResourceRequestMethod, ReadResourceRequestParams,
        ReadResourceResponse, ResourcesCapability, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use super::{Served, dress::dress};
use crate::{Errand, arguments, recorder::Ending};

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
