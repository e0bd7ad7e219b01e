//! The account of `login` and `logout`, kept in the secret store.

use std::collections::BTreeMap;

use secrecy::SecretString;
use server_kit::{Credential, Failure, Kit};

pub(crate) const CREDENTIALS: &[Credential] = &[
    Credential {
        name: "username",
        label: "用户名",
        hidden: false,
        optional: false,
    },
    Credential {
        name: "password",
        label: "密码",
        hidden: true,
        optional: false,
    },
    Credential {
        name: "nickname",
        label: "昵称",
        hidden: false,
        optional: true,
    },
];

/// The one that is asked for, else "me". A name is part of an entry's name.
pub(crate) fn user(asked: Option<String>) -> Result<String, Failure> {
    let user = asked.unwrap_or_else(|| "me".to_owned());
    match user.contains('/') {
        true => Err(server_kit::bad_argument("user", "不能含有 '/'")),
        false => Ok(user),
    }
}

pub(crate) async fn login(
    kit: &Kit,
    user: String,
    given: BTreeMap<&'static str, SecretString>,
) -> Result<String, Failure> {
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

pub(crate) async fn logout(kit: &Kit, user: Option<String>) -> Result<String, Failure> {
    let all = user.is_none();
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
