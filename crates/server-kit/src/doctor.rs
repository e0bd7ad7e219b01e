//! Checks of a server's surroundings, each with what was found and what to do.

use serde::Serialize;
use state::Condition;

use crate::{
    Errand, Kit,
    settings::{Refusal, Settings},
};

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// As it should be.
    Ok,
    /// It works, but somebody should know.
    Warning,
    /// It does not work.
    Broken,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub check: String,
    /// How it came out.
    pub health: Health,
    /// What was found.
    pub found: String,
    /// What to do; absent when nothing is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl Finding {
    /// As it should be.
    pub fn ok(check: &str, found: impl Into<String>) -> Self {
        Self {
            check: check.to_owned(),
            health: Health::Ok,
            found: found.into(),
            next: None,
        }
    }

    /// It works, but `next` would be better.
    pub fn warning(check: &str, found: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            health: Health::Warning,
            next: Some(next.into()),
            ..Self::ok(check, found)
        }
    }

    /// It does not work; `next` mends it.
    pub fn broken(check: &str, found: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            health: Health::Broken,
            next: Some(next.into()),
            ..Self::ok(check, found)
        }
    }
}

/// The checks that every server shares; of secrets only where there is an account, whatever else was
/// built along.
#[cfg_attr(
    not(feature = "account"),
    expect(
        clippy::extra_unused_type_parameters,
        reason = "only an account is asked about"
    )
)]
pub(crate) fn common<S: Errand>(kit: &Kit, settings: &Settings) -> Vec<Finding> {
    let mut findings = vec![program(), clock(kit), state_folder(kit)];
    #[cfg(feature = "account")]
    if !S::CREDENTIALS.is_empty() {
        findings.push(crate::secret::examine(kit));
    }
    findings.extend(settings.all().iter().filter_map(|setting| {
        let value = setting.set.as_deref()?;
        let found = format!("{}={value}（{}）", setting.variable, setting.about);
        Some(Finding::ok("设置", found))
    }));
    findings.extend(settings.unknown().into_iter().map(|(name, near)| {
        let next = match near {
            Some(near) => format!("是否想写 {near}；否则删去"),
            None => "删去该变量".to_owned(),
        };
        Finding::warning("设置", format!("不认识的环境变量 {name}，已忽略"), next)
    }));
    findings
}

/// The checks of a server that a setting keeps from starting.
pub(crate) fn unstarted(refusal: &Refusal) -> Vec<Finding> {
    let refused = Finding::broken("设置", refusal.to_string(), "改正或删去这个设置");
    vec![program(), refused]
}

fn program() -> Finding {
    match std::env::current_exe() {
        Ok(path) => Finding::ok(
            "程序",
            format!("{}（客户端配置中请用这个绝对路径）", path.display()),
        ),
        Err(error) => Finding::warning("程序", error.to_string(), "在客户端配置中写程序的绝对路径"),
    }
}

fn clock(kit: &Kit) -> Finding {
    let now = kit.now();
    if kit.clock.is_fixed() {
        let next = format!("删去环境变量 *_CLOCK，当前固定在 {now}");
        return Finding::warning("时钟", "固定时钟，仅供测试", next);
    }
    Finding::ok("时钟", format!("中国时间 {now}"))
}

fn state_folder(kit: &Kit) -> Finding {
    let check = "状态目录";
    let Some(folder) = &kit.state else {
        let next = "用 --data-dir 或 ERRANDS_DATA_DIR 指定一个可写目录";
        return Finding::broken(check, "系统没有给出用户数据目录", next);
    };
    let path = folder.path().display();
    match folder.check() {
        Condition::Fine => Finding::ok(check, format!("{path}（仅本用户可读写）")),
        Condition::Absent => Finding::ok(check, format!("{path} 尚未建立，首次调用工具时建立")),
        Condition::NotAFolder(what) => {
            let found = format!("{} 不是目录", what.display());
            Finding::broken(check, found, "移走该文件，或用 --data-dir 另选目录")
        }
        Condition::NotWritable(place, why) => Finding::broken(
            check,
            format!(
                "{} 不可写（{why}）：查询照常，但不写审计，多个进程之间也不共享节奏",
                place.display()
            ),
            "修正目录权限，或用 --data-dir 另选目录",
        ),
        Condition::OpenToOthers(paths) => {
            let names = paths
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
                .join("、");
            Finding::warning(
                check,
                format!("其他用户可读：{names}"),
                "chmod 700 目录、chmod 600 文件",
            )
        }
    }
}
