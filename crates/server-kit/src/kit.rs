//! What every server is given at its start: clock, state folder, limits.

use std::{path::PathBuf, time::Duration};

use jiff::{Timestamp, civil::Date};
use state::{Clock, StateDir};

use crate::{
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
    /// Whether write tools are off the list and refused.
    pub read_only: bool,
    /// Most bytes of one result as JSON text.
    pub result_bytes: usize,
    /// How long a read may take as a whole, from `<PREFIX>_CALL_LIMIT_MS`; a write is never cut.
    /// Hosts give up a silent call at about 60 s.
    pub call_limit: Duration,
}

impl Kit {
    /// Reads the settings that all servers share.
    pub fn read(server: &str, settings: &mut Settings) -> Result<Self, Refusal> {
        settings.readable()?;
        let prefix = settings.prefix();
        let clock = match settings
            .text(&format!("{prefix}_CLOCK"), "固定时钟（RFC 3339），仅供测试")
        {
            None => Clock::system(),
            Some(text) => Clock::fixed(
                text.parse::<Timestamp>()
                    .map_err(|error| Refusal::new(&format!("{prefix}_CLOCK"), &text, error))?,
            ),
        };
        let own = settings.text(DATA_DIR_FLAG, "状态目录（仅本服务，等同 --data-dir）");
        let shared = settings.text(SHARED_FOLDER, "状态目录的上级，各服务一个子目录");
        let folder = match (own, shared) {
            (Some(own), _) => Some(StateDir::at(PathBuf::from(own))),
            (None, Some(shared)) => Some(StateDir::at(PathBuf::from(shared).join(server))),
            (None, None) => StateDir::platform(server).map(StateDir::at),
        };
        let read_only = settings.switch(
            &format!("{prefix}_READ_ONLY"),
            false,
            "1 为只读：不列出也不执行写工具",
        )?;
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
        Ok(Self {
            clock,
            state: folder,
            read_only,
            result_bytes: usize::try_from(kib).unwrap_or(24) * 1024,
            call_limit: Duration::from_millis(call_limit),
        })
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
