//! What `doctor` finds of credentials and service.

use server_kit::{Failure, doctor::Finding};

use super::access::Told;
use crate::{WeRead, error::told_of};

/// What to do about a service that is down; that of tool calls is to come here.
const LATER: &str = "稍后再检查；若一直如此，在浏览器中打开微信读书看是否也不可用";

/// Each way that is set up, and with `live` whether it leads to the service.
pub(crate) async fn examine(server: &WeRead, live: bool) -> Vec<Finding> {
    let standing = server.access.standing(live).await;
    let mut findings = Vec::new();
    for standing in standing {
        let check = standing.way.label();
        findings.push(match standing.told {
            Told::NotSet => continue,
            Told::NotAsked => Finding::ok(check, "已设置；用 --live 查验是否可用"),
            Told::Works => Finding::ok(check, "可用"),
            Told::Closed(why) => {
                let told = told_of(&why);
                Finding::broken(check, told.message, told.next)
            }
            Told::Unknown(error) => {
                let failure = Failure::from(error);
                let found = format!("{}：{}", failure.code, failure.message);
                let next = match failure.code {
                    "UPSTREAM_UNAVAILABLE" => LATER.to_owned(),
                    _ => failure.next.unwrap_or_default(),
                };
                Finding::broken(check, found, next)
            }
        });
    }
    if findings.is_empty() {
        findings.push(Finding::warning(
            "凭证",
            "没有设置任何凭证",
            "执行 weread-mcp login，或在对话中用 start_login 扫码登录",
        ));
    }
    findings
}
