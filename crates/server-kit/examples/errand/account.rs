//! The account of `login` and `logout`, kept in the secret store.

use std::collections::BTreeMap;

use secrecy::SecretString;
use server_kit::{Credential, Failure, Kit};

pub(crate) const CREDENTIALS: &[Credential] = &[
    Credential {
        name: "username",
        label: "用户名",
        hidden: false,
    },
    Credential {
        name: "password",
        label: "密码",
        hidden: true,
    },
];

pub(crate) async fn login(
    kit: &Kit,
    user: Option<String>,
    given: BTreeMap<&'static str, SecretString>,
) -> Result<String, Failure> {
    let user = user.unwrap_or_else(|| "me".to_owned());
    let secrets = kit.secrets.clone().ok_or_else(nowhere)?;
    let stored = tokio::task::spawn_blocking(move || {
        for (name, value) in &given {
            secrets.set(&format!("{name}.{user}"), value)?;
        }
        let store = secrets.store()?;
        Ok::<_, Failure>(format!("已为 {user} 保存，存放于 {store}"))
    });
    stored.await.map_err(|_| nowhere())?
}

pub(crate) async fn logout(kit: &Kit, user: Option<String>, all: bool) -> Result<String, Failure> {
    let user = user.unwrap_or_else(|| "me".to_owned());
    let secrets = kit.secrets.clone().ok_or_else(nowhere)?;
    let removed = tokio::task::spawn_blocking(move || {
        // A server may have to read what it forgets.
        let mut any = secrets.get(&format!("username.{user}"))?.is_some();
        for credential in CREDENTIALS {
            any |= secrets.remove(&format!("{}.{user}", credential.name))?;
        }
        Ok(match any {
            _ if all => "已全部清除".to_owned(),
            true => format!("已清除 {user} 的账号"),
            false => format!("没有保存过 {user} 的账号"),
        })
    });
    removed.await.map_err(|_| nowhere())?
}

fn nowhere() -> Failure {
    Failure::new("SECRET_STORE_UNAVAILABLE", "没有状态目录")
}
