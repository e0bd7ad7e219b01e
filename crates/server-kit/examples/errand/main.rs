//! The smallest server on the kit; `cargo run -p errands-server-kit --example errand -- tools` lists what it can do.

mod account;
mod asking;
mod beside;
mod notes;
mod reading;
mod service;

use std::{collections::BTreeMap, process::ExitCode, sync::Mutex, time::Duration};

use futures::future::BoxFuture;
use secrecy::SecretString;
use server_kit::{
    About, Credential, Errand, Failure, Kit, Prompt, Resource,
    guard::{Guard, Limits, Rate},
    rmcp::{
        handler::server::router::tool::ToolRouter,
        model::{JsonObject, Tool},
    },
    settings::{Refusal, Settings},
};

use crate::{notes::Habit, service::Service};

fn main() -> ExitCode {
    server_kit::main::<Toy>()
}

/// A server's own state: settings read once, and what its tools share.
struct Toy {
    kit: Kit,
    wait: Duration,
    patience: Duration,
    guard: Guard,
    habit: Habit,
    limits: Limits<'static>,
    service: Service,
    /// Pages that were offered once.
    offered: Mutex<Vec<String>>,
}

impl Errand for Toy {
    const ABOUT: About = About {
        name: "toy-mcp",
        version: env!("CARGO_PKG_VERSION"),
        title: "示例服务",
        prefix: "TOY",
        instructions: "演示用，不联网，笔记只存于内存。",
    };

    const FOLDER_VARIABLE: Option<&'static str> = Some("NOTES_DIR");

    const CREDENTIALS: &'static [Credential] = account::CREDENTIALS;

    fn start(kit: &Kit, settings: &mut Settings) -> Result<Self, Refusal> {
        Ok(Self {
            kit: kit.clone(),
            wait: settings.millis("TOY_WAIT_MS", 600_000, "wait 等多久（毫秒）")?,
            patience: settings.millis("TOY_PATIENCE_MS", 40_000, "等用户看页面多久（毫秒）")?,
            guard: Guard::new(kit),
            habit: Habit::read(settings)?,
            limits: Limits {
                rate: Some(Rate {
                    scope: "notes",
                    per_minute: per_minute(settings)?,
                }),
                cooldown: notes::cooldown(settings)?,
                quota: notes::quota(settings)?,
            },
            service: Service::read(settings)?,
            offered: Mutex::default(),
        })
    }

    fn router() -> ToolRouter<Self> {
        Self::reading() + Self::notes() + Self::asking()
    }

    const PROMPTS: &'static [Prompt] = beside::PROMPTS;

    const RESOURCES: &'static [Resource<Self>] = beside::RESOURCES;

    fn is_write(tool: &Tool) -> bool {
        tool.name == "store_note"
    }

    fn account(&self, arguments: &JsonObject) -> Option<String> {
        arguments.get("user")?.as_str().map(str::to_owned)
    }

    fn user(&self, asked: Option<String>) -> Result<String, Failure> {
        account::user(asked)
    }

    fn login(
        &self,
        user: String,
        given: BTreeMap<&'static str, SecretString>,
    ) -> BoxFuture<'_, Result<String, Failure>> {
        Box::pin(account::login(&self.kit, user, given))
    }

    fn logout(&self, user: Option<String>) -> BoxFuture<'_, Result<String, Failure>> {
        Box::pin(account::logout(&self.kit, user))
    }
}

fn per_minute(settings: &mut Settings) -> Result<u32, Refusal> {
    let number = settings.number("TOY_PER_MINUTE", 30, 0..=1_000, "每分钟最多存几条")?;
    Ok(u32::try_from(number).unwrap_or(30))
}
