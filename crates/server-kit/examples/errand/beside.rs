//! What hosts read beside the tools: a prompt, and texts by their addresses.

use std::{future::pending, time::Duration};

use server_kit::{Call, Failure, Filled, Prompt, PromptArgument, Resource};
use tokio::time::timeout;

use crate::Toy;

pub(crate) const PROMPTS: &[Prompt] = &[
    Prompt {
        name: "count_up",
        title: "数数",
        description: "请助手用 list_numbers 数到某个数。",
        arguments: &[
            PromptArgument {
                name: "last",
                description: "数到几，例如 100",
                required: true,
            },
            PromptArgument {
                name: "manner",
                description: "怎么数，例如 慢慢地；broken 演示出错",
                required: false,
            },
        ],
        message: |filled| {
            let text = |name| filled.get(name).map(String::as_str).unwrap_or_default();
            assert_ne!(text("manner"), "broken", "broken on purpose");
            format!(
                "请{}用 list_numbers 数到 {}。",
                text("manner"),
                text("last")
            )
        },
    },
    Prompt {
        name: "greet",
        title: "问候",
        description: "请助手问候一句。",
        arguments: &[],
        message: |_| "你好".to_owned(),
    },
];

pub(crate) const RESOURCES: &[Resource<Toy>] = &[
    Resource {
        address: "toy://about",
        name: "about",
        title: "关于",
        description: "这个示例是什么。",
        media_type: "text/markdown",
        whole: "",
        read: |_, _, _| Box::pin(async { Ok("# 示例\n".to_owned()) }),
    },
    Resource {
        address: "toy://numbers/{last}",
        name: "numbers",
        title: "数字",
        description: "1 到 last，一行一个；同 list_numbers。",
        media_type: "text/plain",
        whole: "用 list_numbers 分页取全部。",
        read: |_, _, filled| Box::pin(async move { numbers(&filled) }),
    },
    Resource {
        address: "toy://trouble/{kind}",
        name: "trouble",
        title: "麻烦",
        description: "wait 等待，break 出错，busy 现在答不了。",
        media_type: "text/plain",
        whole: "",
        read: |toy, call, filled| Box::pin(toy.trouble(call, filled)),
    },
];

fn numbers(filled: &Filled) -> Result<String, Failure> {
    let last = filled.get("last").and_then(|last| last.parse::<u16>().ok());
    let last = last.ok_or_else(|| Failure::new("NOT_FOUND", "last 应为 0–65535 的整数"))?;
    Ok((1..=last).map(|number| format!("{number}\n")).collect())
}

impl Toy {
    async fn trouble(&self, call: Call, filled: Filled) -> Result<String, Failure> {
        match filled.get("kind").map(String::as_str) {
            Some("wait") => {
                let _ = timeout(self.wait, pending::<()>()).await;
                Ok(format!("{} 等到了", call.tool))
            }
            Some("break") => unreachable!("broken on purpose"),
            Some("busy") => Err(Failure::new("RATE_LIMITED", "问得太频繁")
                .after(Duration::from_secs(2))
                .next("2 秒后再读")),
            _ => Err(Failure::new("NOT_FOUND", "没有这种麻烦")),
        }
    }
}
