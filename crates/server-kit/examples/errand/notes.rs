//! A write through the guard, and the read with which it is checked.

use std::{marker::PhantomData, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use server_kit::{
    Call, Failure, Parameters,
    guard::{Cooldown, Quota, Sent, Steps, Upstream, Write, Written},
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
    settings::{Refusal, Settings},
};

use crate::{
    Toy,
    service::{Service, Silence},
};

/// What the service lets one find out about a note whose answer was lost.
#[derive(Clone, Copy)]
pub(crate) enum Habit {
    ReadsBack,
    Remembers,
    Neither,
}

impl Habit {
    pub(crate) fn read(settings: &mut Settings) -> Result<Self, Refusal> {
        let names = ["reads_back", "remembers", "neither"];
        let about = "答复丢失后如何查证：回读、按编号去重、都不行";
        Ok(match settings.choice("TOY_HABIT", &names, about)? {
            "remembers" => Self::Remembers,
            "neither" => Self::Neither,
            _ => Self::ReadsBack,
        })
    }
}

pub(crate) fn cooldown(settings: &mut Settings) -> Result<Option<Cooldown<'static>>, Refusal> {
    let length = settings.millis("TOY_COOLDOWN_MS", 0, "存两条之间至少隔多久（毫秒）")?;
    Ok((!length.is_zero()).then_some(Cooldown {
        scope: "store_note",
        length,
    }))
}

pub(crate) fn quota(settings: &mut Settings) -> Result<Option<Quota>, Refusal> {
    let limit = settings.number("TOY_QUOTA", 0, 0..=1_000, "24 小时最多存几条，0 为不限")?;
    let limit = u32::try_from(limit).unwrap_or(0);
    Ok((limit > 0).then_some(Quota {
        limit,
        window: Duration::from_secs(24 * 3_600),
    }))
}

#[derive(Deserialize, JsonSchema)]
struct NoteArguments {
    /// 笔记正文
    #[schemars(length(min = 1, max = 2_000))]
    content: String,
    /// 打开笔记的口令；审计中只记 ***
    password: Option<String>,
    /// 为谁存，默认 me
    user: Option<String>,
    /// 本次写操作的名字，8–128 个字符的 A-Z a-z 0-9 . _ : -；重试时原样给出
    client_token: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Stored {
    stored: u64,
    locked: bool,
}

#[derive(Serialize, JsonSchema)]
struct Counted {
    stored: u64,
}

#[tool_router(router = notes, vis = "pub(crate)")]
impl Toy {
    /// 存一条笔记；没有设 TOY_SERVICE 时只存于内存，退出即失。
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
        Extension(call): Extension<Call>,
    ) -> Result<Json<Written<Stored>>, Failure> {
        let written = match self.habit {
            Habit::ReadsBack => self.store::<ReadsBack>(&call, &arguments).await,
            Habit::Remembers => self.store::<Remembers>(&call, &arguments).await,
            Habit::Neither => self.store::<Neither>(&call, &arguments).await,
        };
        written.map(Json)
    }

    /// 现有几条笔记。
    #[tool(
        name = "count_notes",
        title = "数笔记",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn count_notes(&self) -> Result<Json<Counted>, Failure> {
        let stored = count(&self.service).await?;
        Ok(Json(Counted { stored }))
    }
}

impl Toy {
    async fn store<H: Known>(
        &self,
        call: &Call,
        arguments: &NoteArguments,
    ) -> Result<Written<Stored>, Failure> {
        let user = arguments.user.as_deref().unwrap_or("me");
        let write = Write {
            account: user,
            space: "store_note",
            token: arguments.client_token.as_deref(),
            what: json!({ "content": arguments.content, "password": arguments.password }),
            limits: self.limits,
        };
        let allowed = async {
            match user {
                "stranger" => Err(Failure::new("NEED_LOGIN", "没有这个用户")),
                _ => Ok(()),
            }
        };
        let steps = Storing::<H> {
            service: self.service.clone(),
            note: arguments.content.clone(),
            locked: arguments.password.is_some(),
            habit: PhantomData,
        };
        self.guard.write(call, write, allowed, steps).await
    }
}

/// A [`Habit`] as a type.
trait Known: Send + 'static {
    const UPSTREAM: Upstream;
}

struct ReadsBack;
struct Remembers;
struct Neither;

impl Known for ReadsBack {
    const UPSTREAM: Upstream = Upstream {
        remembers: None,
        reads_back: true,
    };
}

impl Known for Remembers {
    const UPSTREAM: Upstream = Upstream {
        remembers: Some(Duration::from_secs(3_600)),
        reads_back: false,
    };
}

impl Known for Neither {
    const UPSTREAM: Upstream = Upstream {
        remembers: None,
        reads_back: false,
    };
}

/// One note on its way.
struct Storing<H> {
    service: Service,
    note: String,
    locked: bool,
    habit: PhantomData<H>,
}

impl<H: Known> Steps for Storing<H> {
    const UPSTREAM: Upstream = H::UPSTREAM;
    const CHECK_WITH: &'static str = "count_notes";

    async fn prepare(&mut self) -> Result<Value, Failure> {
        // Counted only to be asked something before: the name is what settling needs.
        count(&self.service).await?;
        Ok(json!({ "id": uuid::Uuid::now_v7() }))
    }

    async fn send(&mut self, memo: &Value) -> Sent {
        let question = json!({ "do": "store", "id": memo["id"], "note": self.note });
        match self.service.ask(question).await {
            Err(Silence::Unsent) => Sent::Nothing(unreachable()),
            Err(Silence::Lost) => Sent::Lost,
            Ok(answer) if answer.get("breaks").is_some() => unreachable!("broken on purpose"),
            Ok(answer) => match (self.stored(&answer), answer.get("refused")) {
                (Some(stored), _) => Sent::Done(stored),
                (None, Some(said)) => {
                    let refused = Failure::new("UPSTREAM_REFUSED", "服务拒绝了这条笔记");
                    Sent::Nothing(refused.data("said", said))
                }
                (None, None) => Sent::Lost,
            },
        }
    }

    async fn look_up(&mut self, memo: &Value) -> Result<Option<Value>, Failure> {
        let question = json!({ "do": "find", "id": memo["id"] });
        match self.service.ask(question).await {
            Ok(answer) => Ok(self.stored(&answer)),
            Err(_) => Err(unreachable()),
        }
    }

    fn nothing(&self) -> Failure {
        let failure = Failure::new("UPSTREAM_UNAVAILABLE", "服务没有存下这条笔记");
        failure.retryable().next("以相同参数再次调用 store_note")
    }
}

impl<H> Storing<H> {
    fn stored(&self, answer: &Value) -> Option<Value> {
        let stored = answer.get("stored").and_then(Value::as_u64)?;
        let locked = self.locked;
        Some(json!(Stored { stored, locked }))
    }
}

async fn count(service: &Service) -> Result<u64, Failure> {
    let answer = service.ask(json!({ "do": "count" })).await;
    let stored = answer
        .ok()
        .and_then(|answer| answer.get("stored")?.as_u64());
    stored.ok_or_else(unreachable)
}

fn unreachable() -> Failure {
    let failure = Failure::new("UPSTREAM_UNAVAILABLE", "连不上存笔记的服务");
    failure.retryable().next("稍后重试")
}
