//! The servers, one entry each: what the commands need to know of them beyond what they say themselves.

/// One server of the workspace.
pub(crate) struct Server {
    /// Its package, its binary and its page in `docs/tools/`.
    pub(crate) name: &'static str,
    /// What its environment variables begin with.
    pub(crate) prefix: &'static str,
    /// How large the stripped release binary may be, in MB of 10⁶ bytes.
    pub(crate) binary_mb: f64,
    /// What its fake is told, such as the time where the hour of the day matters.
    pub(crate) fake: &'static [&'static str],
    /// What the fake is told besides where nobody is there to be asked.
    pub(crate) alone: &'static [&'static str],
    /// What is called first in `bench`, so that the measured tool can answer: tool and arguments.
    pub(crate) opening: Option<(&'static str, &'static str)>,
    /// Settings that keep background work and caches out of what `bench` measures.
    pub(crate) still: &'static [(&'static str, &'static str)],
    /// The tool that `bench` calls, with the arguments of the first call and of the warm ones.
    pub(crate) measured: (&'static str, &'static str, &'static str),
    /// Limits for its benchmarks of `cargo bench`, by name, in milliseconds.
    pub(crate) micro_ms: &'static [(&'static str, f64)],
}

/// All servers, in the order in which the commands go through them.
pub(crate) const SERVERS: &[Server] = &[
    Server {
        name: "rail-mcp",
        prefix: "RAIL",
        binary_mb: 6.0,
        fake: &[],
        alone: &[],
        opening: None,
        still: &[("RAIL_STATIONS_REFRESH_DAYS", "0"), ("RAIL_CACHE_MS", "0")],
        measured: (
            "12306_query_tickets",
            r#"{"date":"+1","from":"北京","to":"上海"}"#,
            r#"{"date":"+2","from":"北京","to":"上海"}"#,
        ),
        micro_ms: &[("station_script", 5.0), ("thousand_ticket_rows", 10.0)],
    },
    Server {
        name: "ccnu-lib-mcp",
        prefix: "CCNU",
        binary_mb: 11.0,
        // Seats of the next day are given from 18:00 on.
        fake: &["--clock", "2026-06-25T19:00:00+08:00"],
        alone: &["--without-captcha"],
        opening: Some((
            "start_login",
            r#"{"username":"2026000001","password":"pw-right"}"#,
        )),
        still: &[("CCNU_SECRET_STORE", "file")],
        measured: ("get_current_reservation", "{}", "{}"),
        micro_ms: &[],
    },
    Server {
        name: "weread-mcp",
        prefix: "WEREAD",
        binary_mb: 11.0,
        fake: &[],
        alone: &[],
        opening: Some((
            "save_credentials",
            r#"{"api_key":"wrk-CANARY0001abcdefghijklmnop"}"#,
        )),
        still: &[("WEREAD_SECRET_STORE", "file"), ("WEREAD_CACHE_MS", "0")],
        measured: (
            "get_reading_progress",
            r#"{"book_id":"27416212"}"#,
            r#"{"book_id":"29599977"}"#,
        ),
        micro_ms: &[("thousand_highlights", 10.0), ("fifty_thousand_notes", 5.0)],
    },
];

impl Server {
    /// The name without `-mcp`: its fake upstream, its interop plan and its page in `docs/upstreams/`.
    pub(crate) fn topic(&self) -> &'static str {
        topic(self.name)
    }
}

/// The topic of a server that is called `name`.
pub(crate) fn topic(name: &str) -> &str {
    name.strip_suffix("-mcp").unwrap_or(name)
}
