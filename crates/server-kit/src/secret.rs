//! The secret store as commands and checks speak of it.

use state::secrets::{Error, Store};

use crate::{Failure, Kit, doctor::Finding};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (message, next) = sentence(&error);
        Self::new("SECRET_STORE_UNAVAILABLE", message).next(next)
    }
}

/// What is wrong with the store, and what to do.
fn sentence(error: &Error) -> (String, String) {
    match error {
        Error::NoKeyring { why } => (
            format!("没有可用的系统钥匙串（{why}）"),
            "启动系统钥匙串，或用 login --store file 改存于仅本用户可读的文件".to_owned(),
        ),
        Error::Denied { why } => (
            format!("系统钥匙串拒绝了访问（{why}）"),
            "解锁系统钥匙串后重试；没有桌面环境时可用 login --store file".to_owned(),
        ),
        Error::Conflict { recorded, wished } => (
            format!("密钥已存于 {recorded}，而设置要求 {wished}"),
            "先用 logout --all 清除，再用新的存放处登录；或改回原设置".to_owned(),
        ),
        Error::TooLong { name, limit } => (
            format!("{name} 对系统钥匙串过长（上限 {limit}）"),
            "先用 logout --all 清除，再用 login --store file".to_owned(),
        ),
        Error::Damaged { name } => (
            format!("密钥存放处的 {name} 已损坏"),
            "先用 logout --all 清除，再重新登录".to_owned(),
        ),
        Error::NoRandomness(error) => (
            format!("系统没有给出随机数（{error}）"),
            "稍后重试".to_owned(),
        ),
        Error::State(error) => (
            format!("状态目录不可用（{error}）"),
            "修正目录权限，或用 --data-dir 另选目录".to_owned(),
        ),
    }
}

/// The check of the secret store.
pub(crate) fn examine(kit: &Kit) -> Finding {
    let check = "密钥存放处";
    let Some(secrets) = &kit.secrets else {
        let next = "用 --data-dir 或 ERRANDS_DATA_DIR 指定一个可写目录";
        return Finding::broken(check, "没有状态目录，密钥只留在内存", next);
    };
    match secrets.try_store() {
        Ok(Store::Keyring) => Finding::ok(check, "系统钥匙串可用"),
        Ok(Store::File) => Finding::warning(
            check,
            "仅本用户可读的文件 secrets.json，未加密（按您的选择）",
            "若要改用系统钥匙串：logout --all 后以 --store keyring 重新登录",
        ),
        Err(error) => {
            let (found, next) = sentence(&error);
            Finding::warning(check, format!("{found}；登录只在内存中有效"), next)
        }
    }
}
