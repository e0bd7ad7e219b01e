//! Tools that need a person: a question with a picture, a page to open, a drawing to look at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use server_kit::{
    Asker, Call, Drawn, Failure, Link, Offer, Parameters, Picture,
    rmcp::{
        self, ErrorData,
        handler::server::{common::Extension, tool::IntoCallToolResult},
        model::{CallToolResponse, InputRequiredResult},
        tool, tool_router,
    },
};

use crate::Toy;

/// Where the page would be, were there one.
const PAGE: &str = "http://127.0.0.1:9/page";

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

#[derive(Deserialize, JsonSchema)]
struct PageArguments {
    /// 页面的编号，默认 page-1；同一编号只请客户端展示一次
    id: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct DrawArguments {
    /// 是否附图，默认 true
    picture: Option<bool>,
}

#[derive(Serialize)]
struct Opened {
    id: String,
    opened: bool,
}

#[derive(Serialize)]
struct Described {
    described: &'static str,
}

#[tool_router(router = asking, vis = "pub(crate)")]
impl Toy {
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
    ) -> Result<CallToolResponse, Failure> {
        if matches!(arguments.way, Way::Question) {
            return Ok(InputRequiredResult::from_request_state("asked").into());
        }
        Err(Failure::new("NEED_CHALLENGE", "请先回答图中的问题")
            .next("看图后再次调用 sign_in")
            .picture(picture()))
    }

    /// 请用户打开一个页面，等其完成；客户端不能展示页面时给出 page_url。
    #[tool(
        name = "open_page",
        title = "打开页面",
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn open_page(
        &self,
        Parameters(arguments): Parameters<PageArguments>,
        Extension(call): Extension<Call>,
        asker: Asker,
    ) -> Result<CallToolResponse, ErrorData> {
        let id = arguments.id.unwrap_or_else(|| "page-1".to_owned());
        let settled = async { drop(self.service.ask(json!({ "do": "page", "id": id })).await) };
        let offer = if asker.continues() == Some(&id) {
            match asker.accepted() {
                true => asker.wait(&call, self.patience, settled).await,
                false => Offer::Over,
            }
        } else if self.offers(&id) {
            let link = Link {
                id: &id,
                url: PAGE,
                message: "请打开页面完成验证",
            };
            asker.offer(&call, &link, self.patience, settled).await
        } else {
            Offer::Impossible
        };
        match offer {
            Offer::Answer(asked) => Ok(asked.into()),
            Offer::Settled => {
                let id = id.clone();
                let (fields, picture) = (Opened { id, opened: true }, None);
                Drawn { fields, picture }.into_call_tool_result()
            }
            Offer::Over | Offer::Impossible => {
                let ask = Failure::new("NEED_CHALLENGE", "请用户打开页面，完成后再次调用")
                    .next("完成后再次调用 open_page")
                    .beside("challenge_id", &id);
                let ask = match !call.sees_loopback() {
                    true => ask,
                    false => ask.beside("page_url", PAGE),
                };
                ask.into_call_tool_result()
            }
        }
    }

    /// 画一个点给用户看。
    #[tool(
        name = "draw",
        title = "画图",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn draw(
        &self,
        Parameters(arguments): Parameters<DrawArguments>,
    ) -> Result<CallToolResponse, ErrorData> {
        let fields = Described {
            described: "一个点",
        };
        let picture = arguments.picture.unwrap_or(true).then(picture);
        Drawn { fields, picture }.into_call_tool_result()
    }

    /// Whether a page is offered now; it never is again.
    fn offers(&self, id: &str) -> bool {
        let Ok(mut offered) = self.offered.lock() else {
            return false;
        };
        let first = !offered.iter().any(|other| other == id);
        if first {
            offered.push(id.to_owned());
        }
        first
    }
}

fn picture() -> Picture {
    Picture {
        bytes: b"hi".to_vec(),
        media_type: "image/png".to_owned(),
    }
}
