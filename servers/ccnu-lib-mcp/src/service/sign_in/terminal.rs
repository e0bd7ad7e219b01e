//! Signing in from a terminal: the process waits until the person has done it on the page.

use std::{future::pending, time::Duration};

use server_kit::{Failure, time::Moment};
use tokio::time::timeout;

use super::{Login, Step};
use crate::domain::user_key::UserKey;

/// How long the page may take to show how it ended, before the process is gone.
const FAREWELL: Duration = Duration::from_millis(400);

impl Login {
    /// Signs a user in with the account that is kept. Where a person is needed, tells the address of the
    /// page and waits until it is done or its time is over.
    pub(crate) async fn finish(&self, key: &UserKey) -> Result<(), Failure> {
        let mut step = self.start(key, true).await?;
        while let Step::Ask(open) = step {
            let url = open.page_url.as_deref().ok_or_else(no_page)?;
            let until = Moment::of(open.expires_at);
            server_kit::tell(&format!(
                "请在 {until} 前用本机浏览器打开 {url} 完成登录（Ctrl-C 放弃，账号已保存）"
            ));
            self.challenges.settled(&open.id).await;
            let outcome = self.outcome(key, &open.id).await;
            let _ = timeout(FAREWELL, pending::<()>()).await;
            step = outcome?;
        }
        Ok(())
    }
}

fn no_page() -> Failure {
    Failure::new("NEED_CHALLENGE", "需要人工完成一步验证，而本机开不出登录页")
        .next("在运行中的服务里调用 start_login")
}
