//! What every server is given at its start: clock, state folder, limits.

use std::{path::PathBuf, time::Duration};

use jiff::{Timestamp, civil::Date};
#[cfg(feature = "account")]
use state::secrets::{Secrets, Store};
use state::{Clock, StateDir};
use tokio_util::task::TaskTracker;

use crate::{
    Caller, Errand, Journal,
    recorder::Recorder,
    settings::{Refusal, SHARED_FOLDER, Settings},
    time::Moment,
};

/// The audit log's file in the state folder.
pub(crate) const AUDIT_FILE: &str = "audit.db";

/// The common settings of one process.
#[derive(Debug, Clone)]
pub struct Kit {
    /// Wall time: the system's, or fixed by `<PREFIX>_CLOCK`.
    pub clock: Clock,
    /// Where state lives; `None` when the platform names no such place.
    pub state: Option<StateDir>,
    /// Where passwords, tokens and keys are kept; `None` without a state folder.
    #[cfg(feature = "account")]
    pub secrets: Option<Secrets>,
    /// Whether write tools are off the list and refused.
    pub read_only: bool,
    /// Most bytes of one result as JSON text.
    pub result_bytes: usize,
    /// Tools that the user has turned off, by their inner names.
    pub denied: Vec<String>,
    /// How long a read may take as a whole, from `<PREFIX>_CALL_LIMIT_MS`; a write is never cut.
    /// Hosts give up a silent call at about 60 s.
    pub call_limit: Duration,
    /// How often a call under way tells that it is, from `<PREFIX>_PROGRESS_MS`.
    pub(crate) progress: Duration,
    /// Writes under way: an exit waits for them for a while, whatever becomes of their calls.
    pub(crate) writes: TaskTracker,
    /// Audit rows beside those of calls.
    pub journal: Journal,
    /// Where callers sit.
    pub(crate) caller: Caller,
}

impl Kit {
    /// Reads the settings that all servers share; `own_folder` is a variable of this one that names
    /// the state folder.
    pub(crate) fn read(
        server: &str,
        own_folder: Option<&str>,
        settings: &mut Settings,
    ) -> Result<Self, Refusal> {
        let prefix = settings.prefix();
        let clock = match settings
            .text(&format!("{prefix}_CLOCK"), "固定时钟（RFC 3339），仅供测试")
        {
            None => Clock::system(),
            Some(text) => Clock::fixed(text.parse::<Timestamp>().map_err(|_| {
                let why = "应为 RFC 3339 时刻，例如 2026-06-25T11:00:00+08:00";
                Refusal::new(&format!("{prefix}_CLOCK"), &text, why)
            })?),
        };
        let own = settings.text(DATA_DIR_FLAG, "状态目录（仅本服务，等同 --data-dir）");
        let shared = settings.text(SHARED_FOLDER, "状态目录的上级，各服务一个子目录");
        let seed = own_folder.and_then(|name| settings.text(name, "状态目录，原样使用"));
        let folder = match (own, shared, seed) {
            (Some(own), _, _) => Some(StateDir::at(PathBuf::from(own))),
            (None, Some(shared), _) => Some(StateDir::at(PathBuf::from(shared).join(server))),
            (None, None, Some(seed)) => Some(StateDir::at(PathBuf::from(seed))),
            (None, None, None) => StateDir::platform(server).map(StateDir::at),
        };
        #[cfg(feature = "account")]
        let secrets = {
            let variable = format!("{prefix}_SECRET_STORE");
            let about =
                "密钥存放处：keyring 系统钥匙串，file 仅本用户可读的文件；不设则按 login 时的选择";
            let wish = match settings.choice(&variable, &["", "keyring", "file"], about)? {
                "keyring" => Some(Store::Keyring),
                "file" => Some(Store::File),
                _ => None,
            };
            folder
                .clone()
                .map(|folder| Secrets::new(server, folder, wish))
        };
        let read_only = settings.switch(
            &format!("{prefix}_READ_ONLY"),
            false,
            "1 为只读：不列出也不执行写工具",
        )?;
        let denied = settings
            .text(
                &format!("{prefix}_TOOLS_DENY"),
                "停用的工具，逗号分隔；不列出也不执行",
            )
            .unwrap_or_default();
        let kib = settings.number(
            &format!("{prefix}_RESULT_KIB"),
            24,
            4..=900,
            "单次结果上限（KiB），超出按条截断并给出 next_cursor",
        )?;
        let call_limit = settings.number(
            &format!("{prefix}_CALL_LIMIT_MS"),
            45_000,
            100..=600_000,
            "一次调用的总时限（毫秒），仅限只读工具",
        )?;
        let progress = settings.number(
            &format!("{prefix}_PROGRESS_MS"),
            5_000,
            10..=600_000,
            "调用进行中每隔多久报告一次进度（毫秒），仅当客户端要求",
        )?;
        Ok(Self {
            clock,
            journal: Journal(Recorder::new(folder.clone(), clock)),
            state: folder,
            #[cfg(feature = "account")]
            secrets,
            read_only,
            denied: denied
                .split(',')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
            result_bytes: usize::try_from(kib).unwrap_or(24) * 1024,
            call_limit: Duration::from_millis(call_limit),
            progress: Duration::from_millis(progress),
            writes: TaskTracker::new(),
            caller: Caller::Local,
        })
    }

    /// Holds the setting of denied tools to tools that exist: a slip would leave one on.
    pub(crate) fn deny_only_tools<S: Errand>(
        &mut self,
        server: &S,
        prefix: &str,
    ) -> Result<(), Refusal> {
        if self.denied.is_empty() {
            return Ok(());
        }
        let tools = S::router().map;
        for name in &mut self.denied {
            let inner = server.canonical(name).into_owned();
            if !tools.contains_key(inner.as_str()) {
                let known = tools.keys().map(|tool| &**tool);
                let near = crate::nearest(&inner, known)
                    .map(|near| format!("；是否想写 {near}"))
                    .unwrap_or_default();
                let why = format!("没有这个工具{near}");
                return Err(Refusal::new(&format!("{prefix}_TOOLS_DENY"), name, why));
            }
            *name = inner;
        }
        Ok(())
    }

    /// Whether the user has turned a tool off.
    pub fn denies(&self, tool: &str) -> bool {
        self.denied.iter().any(|denied| denied == tool)
    }

    /// Now, in China.
    pub fn now(&self) -> Moment {
        Moment::of(self.clock.now())
    }

    /// Today's date in China.
    pub fn today(&self) -> Date {
        self.now().day()
    }
}

/// The name under which `--data-dir` stands among the settings.
pub(crate) const DATA_DIR_FLAG: &str = "--data-dir";
