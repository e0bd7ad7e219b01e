//! Signing in from a terminal: what was typed is kept and proven, or a code is shown until it is scanned.

use std::{collections::BTreeMap, future::pending, sync::Arc, time::Duration};

use secrecy::{ExposeSecret, SecretString};
use server_kit::{Failure, bad_argument, time::Moment};
use tokio::time::timeout;

use super::{Login, Step};
use crate::{
    domain::credentials::{Cloud, Credentials, NotACloud},
    error::{Error, Way},
    service::access::{Standing, Told},
    store::credentials::Kept,
};

/// How long the page may take to show how it ended, before the process is gone.
const FAREWELL: Duration = Duration::from_millis(400);

impl Login {
    /// Keeps what was typed and proves it; signs in by a scanned code when nothing was.
    pub(crate) async fn from_terminal(
        self: &Arc<Self>,
        given: BTreeMap<&'static str, SecretString>,
    ) -> Result<String, Failure> {
        let credentials = credentials(
            given.get("api_key").cloned(),
            given.get("cookie").cloned(),
            given.get("cc_url").map(|url| url.expose_secret()),
            given.get("cc_id").map(|id| id.expose_secret()),
            given.get("cc_password").cloned(),
        )?;
        let Some(credentials) = credentials else {
            return self.scan_in_terminal().await;
        };
        let typed = [
            (Way::ApiKey, credentials.api_key.is_some()),
            (Way::Cookie, credentials.cookie.is_some()),
            (Way::CookieCloud, credentials.cloud.is_some()),
        ];
        if let Kept::InMemory(why) = self.access.save(credentials).await {
            return Err(Failure::new("SECRET_STORE_UNAVAILABLE", why)
                .next("启动系统钥匙串，或加 --store file 改存于仅本用户可读的文件"));
        }
        let (mut works, mut closed, mut unknown) = (Vec::new(), Vec::new(), None);
        for Standing { way, told, .. } in self.access.standing(true).await {
            match told {
                _ if !typed.contains(&(way, true)) => {}
                Told::Works => works.push(way.label()),
                Told::Closed(why) => closed.push((way, why)),
                Told::Unknown(error) => unknown = Some(error),
                Told::NotSet | Told::NotAsked => {}
            }
        }
        let error = match unknown {
            _ if !closed.is_empty() => Error::AllClosed(closed),
            Some(error) => error,
            None => return Ok(format!("已保存，{} 可用", works.join("、"))),
        };
        let mut failure = Failure::from(error);
        failure.message = format!("凭证已保存，但没有通过查验。{}", failure.message);
        Err(failure)
    }

    async fn scan_in_terminal(self: &Arc<Self>) -> Result<String, Failure> {
        let mut step = self.start().await?;
        loop {
            let open = match step {
                Step::SignedIn { persisted: true } => return Ok("已扫码登录".to_owned()),
                Step::SignedIn { persisted: false } => {
                    return Err(Failure::new(
                        "SECRET_STORE_UNAVAILABLE",
                        "已扫码登录，但登录态无处保存，进程结束即失效",
                    )
                    .next("启动系统钥匙串，或加 --store file 改存于仅本用户可读的文件"));
                }
                Step::Ask(open) => open,
            };
            let url = open.page_url.as_deref().ok_or_else(no_page)?;
            let until = Moment::of(open.expires_at);
            tracing::info!("请在 {until} 前用本机浏览器打开 {url}，用手机微信扫码（Ctrl-C 放弃）");
            self.challenges.settled(&open.id).await;
            let outcome = loop {
                match self.outcome(&open.id).await {
                    Err(Error::Unconfirmed) => {}
                    outcome => break outcome,
                }
            };
            let _ = timeout(FAREWELL, pending::<()>()).await;
            step = outcome?;
        }
    }
}

/// The credentials in what was given; `None` when nothing was. Fails when a part has a form that cannot be
/// right, or CookieCloud's three are not together.
pub(crate) fn credentials(
    api_key: Option<SecretString>,
    cookie: Option<SecretString>,
    cc_url: Option<&str>,
    cc_id: Option<&str>,
    cc_password: Option<SecretString>,
) -> Result<Option<Credentials>, Failure> {
    let given = |secret: Option<SecretString>| {
        let trimmed = secret.map(|secret| SecretString::from(secret.expose_secret().trim()));
        trimmed.filter(|secret| !secret.expose_secret().is_empty())
    };
    let api_key = given(api_key);
    if api_key
        .as_ref()
        .is_some_and(|key| !is_printable(key.expose_secret()))
    {
        return Err(bad_argument("api_key", "应为一行可见字符，例如 wrk-…"));
    }
    let cookie = given(cookie);
    if let Some(text) = &cookie
        && crate::domain::credentials::pairs(text).is_empty()
    {
        let why = "应为浏览器里的 Cookie 文本，例如 wr_vid=…; wr_skey=…; wr_rt=…";
        return Err(bad_argument("cookie", why));
    }
    let cloud = match (cc_url, cc_id, given(cc_password)) {
        (None, None, None) => None,
        (Some(url), Some(id), Some(password)) => {
            Some(Cloud::new(url, id, password).map_err(|why| match why {
                NotACloud::Address => bad_argument("cc_url", why.to_string()),
                NotACloud::Id => bad_argument("cc_id", why.to_string()),
            })?)
        }
        (url, id, _) => {
            let missing = match (url, id) {
                (None, _) => "cc_url",
                (_, None) => "cc_id",
                _ => "cc_password",
            };
            return Err(bad_argument(
                missing,
                "CookieCloud 的地址、用户 KEY、密码须一起给出",
            ));
        }
    };
    if api_key.is_none() && cookie.is_none() && cloud.is_none() {
        return Ok(None);
    }
    Ok(Some(Credentials {
        api_key,
        cookie,
        cloud,
    }))
}

fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn no_page() -> Failure {
    Failure::new("NEED_CHALLENGE", "需要扫码，而本机开不出登录页")
        .next("在运行中的服务里调用 start_login")
}
