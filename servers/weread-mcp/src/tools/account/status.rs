//! What `get_login_status` answers.

use schemars::JsonSchema;
use serde::Serialize;
use server_kit::{Failure, time::Moment, told};

use crate::{
    client::Upgrade,
    error::told_of,
    service::access::{Origin, Standing, Told},
};

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("logged_in", "是否有一种凭证可用；check 为 false 或查不出时为 null"),
    ("active", "下一次读取会用的凭证"),
    ("ways", "按尝试顺序：api_key、cookie、cookiecloud、scan；state 为 works、failed、unknown、not_checked、not_set"),
]))]
pub(crate) struct LoginStatus {
    /// Whether any way leads to the service.
    logged_in: Option<bool>,
    /// The first way that does.
    active: Option<&'static str>,
    /// All ways in the order in which they are tried.
    ways: Vec<WayStatus>,
    /// Whether a question waits for a person.
    needs_challenge: bool,
    /// Which.
    #[serde(skip_serializing_if = "Option::is_none")]
    challenge_id: Option<String>,
    /// When the service was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    proven_at: Option<Moment>,
    /// What the gateway says about a newer skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    upgrade_notice: Option<String>,
    untrusted: bool,
    message: String,
}

/// One way.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[("source", "environment 环境变量、saved 已保存、session 扫码登录")]))]
struct WayStatus {
    way: &'static str,
    state: &'static str,
    /// `environment`, `saved`, `session`.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    renewable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl LoginStatus {
    /// Of all ways; `asked` is when they were tried, if they were, `challenge_id` names the question that
    /// waits for a person.
    pub(super) fn of(
        standing: Vec<Standing>,
        asked: Option<Moment>,
        challenge_id: Option<String>,
        upgrade: Option<Upgrade>,
    ) -> Self {
        let works = standing.iter().find(|one| matches!(one.told, Told::Works));
        let unknown = standing
            .iter()
            .any(|one| matches!(one.told, Told::Unknown(_)));
        let logged_in = match works {
            Some(_) => Some(true),
            None if asked.is_none() || unknown => None,
            None => Some(false),
        };
        Self {
            logged_in,
            active: works.map(|works| works.way.name()),
            message: message(&standing, asked.is_some(), challenge_id.is_some()),
            ways: standing.into_iter().map(way).collect(),
            needs_challenge: challenge_id.is_some(),
            challenge_id,
            proven_at: asked,
            upgrade_notice: upgrade.and_then(|upgrade| upgrade.message),
            untrusted: true,
        }
    }
}

fn way(standing: Standing) -> WayStatus {
    let mut status = WayStatus {
        way: standing.way.name(),
        state: "not_set",
        source: standing.from.map(|from| match from {
            Origin::Environment => "environment",
            Origin::Saved => "saved",
            Origin::Session => "session",
        }),
        renewable: standing.renewable,
        reason: None,
        message: None,
        next: None,
    };
    match standing.told {
        Told::NotSet => {}
        Told::NotAsked => status.state = "not_checked",
        Told::Works => status.state = "works",
        Told::Closed(why) => {
            let told = told_of(&why);
            status.state = "failed";
            status.reason = Some(told.reason);
            status.message = Some(told.message);
            status.next = Some(told.next.to_owned());
        }
        Told::Unknown(error) => {
            let failure = Failure::from(error);
            status.state = "unknown";
            status.message = Some(format!("{}：{}", failure.code, failure.message));
            status.next = failure.next;
        }
    }
    status
}

fn message(standing: &[Standing], check: bool, waits: bool) -> String {
    if let Some(works) = standing.iter().find(|one| matches!(one.told, Told::Works)) {
        return format!("{} 可用", works.way.label());
    }
    let none = standing.iter().all(|one| matches!(one.told, Told::NotSet));
    let is_unknown = |one: &Standing| matches!(one.told, Told::Unknown(_));
    let message = match (none, check, waits) {
        (_, _, true) => {
            "有一个扫码登录等待人工完成：用 submit_challenge 收结果，题目可用 start_login 再取"
        }
        _ if standing.iter().any(is_unknown) => "查不出凭证是否可用，原因见 ways",
        (true, ..) => "还没有设置凭证；用 start_login 扫码登录，或在终端执行 weread-mcp login",
        (false, false, _) => "已设置凭证，没有查验",
        (false, true, _) => "设置的凭证没有一种可用，原因见 ways；可用 start_login 扫码登录",
    };
    message.to_owned()
}
