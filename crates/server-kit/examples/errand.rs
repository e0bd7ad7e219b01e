//! The smallest server on the kit; `cargo run -p errands-server-kit --example errand -- tools` lists what it can do.

use std::{future::pending, process::ExitCode, sync::Mutex, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    About, Call, Errand, Failure, Kit, Limits, Page, Parameters,
    rmcp::{
        self,
        handler::server::{
            common::Extension, router::tool::ToolRouter, tool::IntoCallToolResult, wrapper::Json,
        },
        model::{CallToolResponse, ContentBlock, InputRequiredResult, Tool},
        tool, tool_router,
    },
    settings::{Refusal, Settings},
};
use tokio::time::timeout;

fn main() -> ExitCode {
    server_kit::main::<Toy>()
}

/// A server's own state: settings read once, and what its tools share.
struct Toy {
    wait: Duration,
    storing: Duration,
    notes: Mutex<Vec<String>>,
}

impl Errand for Toy {
    const ABOUT: About = About {
        name: "toy-mcp",
        version: env!("CARGO_PKG_VERSION"),
        title: "示例服务",
        prefix: "TOY",
        instructions: "演示用，不联网，笔记只存于内存。",
    };

    fn start(_kit: &Kit, settings: &mut Settings) -> Result<Self, Refusal> {
        Ok(Self {
            wait: settings.millis("TOY_WAIT_MS", 600_000, "wait 等多久（毫秒）")?,
            storing: settings.millis("TOY_STORING_MS", 0, "store_note 要多久（毫秒）")?,
            notes: Mutex::default(),
        })
    }

    fn router() -> ToolRouter<Self> {
        Self::toys()
    }

    fn is_write(tool: &Tool) -> bool {
        tool.name == "store_note"
    }
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// As it is.
    Plain,
    /// In capitals.
    Loud,
}

#[derive(Deserialize, JsonSchema)]
struct EchoArguments {
    /// 要重复的文本
    #[schemars(length(min = 1, max = 200), example = &"你好")]
    text: String,
    /// 重复次数，默认 1
    #[schemars(range(min = 1, max = 9))]
    count: Option<u8>,
    /// 依次用的语气，默认 plain
    #[schemars(length(min = 1, max = 2), example = ["loud"])]
    kinds: Option<Vec<Kind>>,
}

#[derive(Serialize, JsonSchema)]
struct Echo {
    texts: Vec<String>,
    count: u8,
}

#[derive(Deserialize, JsonSchema)]
struct ListArguments {
    /// 列到几为止
    #[schemars(example = 100)]
    total: u16,
    /// 一次最多返回几条，默认 20
    #[schemars(range(min = 1))]
    max_results: Option<u32>,
    /// 上次结果的 next_cursor，total 须相同
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Numbers {
    numbers: Vec<u16>,
    total: usize,
    returned: usize,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct NoteArguments {
    /// 笔记正文
    #[schemars(length(min = 1, max = 2_000))]
    content: String,
    /// 打开笔记的口令；审计中只记 ***
    password: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Stored {
    stored: usize,
    locked: bool,
}

#[derive(Deserialize, JsonSchema)]
struct BreakArguments {
    /// 出错时带的文本
    text: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// A picture to be read by a person.
    Picture,
    /// A question that the client puts to its user.
    Question,
}

#[derive(Deserialize, JsonSchema)]
struct SignInArguments {
    /// 以何种方式提问
    way: Way,
}

#[derive(Serialize, JsonSchema)]
struct Waited {
    waited_ms: u128,
}

#[derive(Serialize, JsonSchema)]
struct Nothing {}

#[tool_router(router = toys)]
impl Toy {
    /// 把文本重复几遍。
    #[tool(
        name = "echo",
        title = "重复文本",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn echo(
        &self,
        Parameters(arguments): Parameters<EchoArguments>,
    ) -> Result<Json<Echo>, Failure> {
        let count = arguments.count.unwrap_or(1);
        let say = |kind| match kind {
            Kind::Plain => arguments.text.repeat(count.into()),
            Kind::Loud => arguments.text.to_uppercase().repeat(count.into()),
        };
        let kinds = arguments.kinds.unwrap_or(vec![Kind::Plain]);
        let texts = kinds.into_iter().map(say).collect();
        Ok(Json(Echo { texts, count }))
    }

    /// 列出 1 到 total，分页返回：truncated 为 true 时用 next_cursor 续取。
    #[tool(
        name = "list_numbers",
        title = "列出数字",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn list_numbers(
        &self,
        Parameters(arguments): Parameters<ListArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Numbers>, Failure> {
        let most = arguments.max_results.map_or(20, |most| most as usize);
        let limits = Limits::new(arguments.cursor.as_deref(), most, call.result_bytes)?;
        let page = Page::cut((1..=arguments.total).collect(), &limits, |number| *number)?;
        Ok(Json(Numbers {
            total: page.total,
            returned: page.returned(),
            truncated: page.truncated(),
            numbers: page.items,
            next_cursor: page.next_cursor,
        }))
    }

    /// 等 TOY_WAIT_MS 毫秒后返回；可随时取消。
    #[tool(
        name = "wait",
        title = "等待",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn wait(&self) -> Result<Json<Waited>, Failure> {
        // A handler watches nothing for cancellation: the kit drops it at its next await.
        let _ = timeout(self.wait, pending::<()>()).await;
        let waited_ms = self.wait.as_millis();
        Ok(Json(Waited { waited_ms }))
    }

    /// 总是出错，演示内部错误的样子。
    #[tool(
        name = "break_it",
        title = "出错",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn break_it(
        &self,
        Parameters(arguments): Parameters<BreakArguments>,
    ) -> Result<Json<Nothing>, Failure> {
        unreachable!("broken on purpose: {:?}", arguments.text)
    }

    /// 登录前总要先回答一个问题；不改变任何数据。
    #[tool(
        name = "sign_in",
        title = "登录",
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn sign_in(
        &self,
        Parameters(arguments): Parameters<SignInArguments>,
    ) -> Result<CallToolResponse, rmcp::ErrorData> {
        if matches!(arguments.way, Way::Question) {
            return Ok(InputRequiredResult::from_request_state("asked").into());
        }
        let asks =
            Failure::new("NEED_CHALLENGE", "请先回答图中的问题").next("看图后再次调用 sign_in");
        let mut response = asks.into_call_tool_result()?;
        if let CallToolResponse::Complete(result) = &mut response {
            result
                .content
                .push(ContentBlock::image("aGk=", "image/png"));
        }
        Ok(response)
    }

    /// 存一条笔记；只存于内存，退出即失。
    #[tool(
        name = "store_note",
        title = "存笔记",
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn store_note(
        &self,
        Parameters(arguments): Parameters<NoteArguments>,
    ) -> Result<Json<Stored>, Failure> {
        let _ = timeout(self.storing, pending::<()>()).await;
        let mut notes = self
            .notes
            .lock()
            .map_err(|_| Failure::new("INTERNAL", "笔记已损坏"))?;
        notes.push(arguments.content);
        Ok(Json(Stored {
            stored: notes.len(),
            locked: arguments.password.is_some(),
        }))
    }

    /// 问一个现在答不了的问题，演示失败结果。
    #[tool(
        name = "ask",
        title = "提问",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn ask(&self) -> Result<Json<Nothing>, Failure> {
        Err(Failure::new("RATE_LIMITED", "问得太频繁")
            .after(Duration::from_millis(1_500))
            .next("2 秒后再次调用 ask")
            .data("said", "slow down"))
    }
}
