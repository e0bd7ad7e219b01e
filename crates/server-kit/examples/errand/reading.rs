//! Tools that only read: arguments of every kind, pages, a time limit, a panic, a failure.

use std::{future::pending, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Counts, Failure, Limits, Page, Parameters,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
};
use tokio::time::timeout;

use crate::Toy;

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
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Deserialize, JsonSchema)]
struct BreakArguments {
    /// 出错时带的文本
    text: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Waited {
    waited_ms: u128,
}

#[derive(Serialize, JsonSchema)]
struct Nothing {}

#[tool_router(router = reading, vis = "pub(crate)")]
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
            counts: page.counts(),
            numbers: page.items,
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
