//! What is written and what is read: subject, outcome, row and filter.

use std::time::Duration;

use jiff::{Timestamp, tz::Offset};
use rusqlite::{Connection, named_params};
use serde::{Serialize, Serializer};

use crate::{Error, Event, Phase, Status, chain::COLUMNS};

/// Who asked for what. Fields that are not known stay `None`; texts are redacted when written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// The call's id, a UUID as text, shared by its rows here and elsewhere.
    pub id: Option<String>,
    /// The tool's canonical name, or the unknown one that was asked for.
    pub tool: Option<String>,
    /// The account at the upstream for which it was done.
    pub account: Option<String>,
    /// The id, never the value, of the token that let the caller in.
    pub token_id: Option<String>,
    /// The rights of that token.
    pub scope: Option<String>,
    /// The client's name, as it introduced itself.
    pub host: Option<String>,
}

/// How a call or event ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Done or not.
    pub status: Status,
    /// The tool code of a failure, such as `RATE_LIMITED`.
    pub code: Option<String>,
    /// Seconds after which the caller was told to try again.
    pub retry_after: Option<u64>,
    /// From the first step to the answer; kept in milliseconds.
    pub duration: Duration,
}

/// One row of the log. As JSON: times in China's time, RFC 3339, absent values `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The row's number, from 1 and without gaps.
    pub seq: i64,
    /// When it was written, to the millisecond.
    #[serde(serialize_with = "in_china")]
    pub at: Timestamp,
    /// What the row is about.
    pub event: Event,
    /// Start, finish, or the only row.
    pub phase: Phase,
    /// The call's id.
    pub id: Option<String>,
    /// The tool's name.
    pub tool: Option<String>,
    /// How it ended; `None` in a start row.
    pub status: Option<Status>,
    /// The tool code of a failure.
    pub code: Option<String>,
    /// Seconds after which the caller was told to try again.
    pub retry_after: Option<i64>,
    /// Milliseconds it took; `None` in a start row.
    pub duration_ms: Option<i64>,
    /// The account at the upstream.
    pub account: Option<String>,
    /// The id of the caller's token.
    pub token_id: Option<String>,
    /// The rights of that token.
    pub scope: Option<String>,
    /// The client's name.
    pub host: Option<String>,
    /// The redacted arguments as compact JSON.
    pub arguments: Option<String>,
}

/// Which rows to read: those that have every value given here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Written at this time or later.
    pub since: Option<Timestamp>,
    /// Written before this time.
    pub until: Option<Timestamp>,
    /// About this.
    pub event: Option<Event>,
    /// Of this call.
    pub id: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// Ended so. Start rows have not ended and are left out.
    pub status: Option<Status>,
    /// Failed with this code.
    pub code: Option<String>,
    /// For this account.
    pub account: Option<String>,
    /// By this token.
    pub token_id: Option<String>,
    /// With these rights.
    pub scope: Option<String>,
    /// From this client.
    pub host: Option<String>,
    /// At most so many, the newest of them.
    pub limit: Option<u32>,
}

impl Filter {
    /// The rows, oldest first.
    pub(crate) fn read(&self, connection: &Connection) -> Result<Vec<Row>, Error> {
        let mut statement = connection.prepare(&format!(
            "SELECT {COLUMNS} FROM log
             WHERE (:since IS NULL OR at_ms >= :since) AND (:until IS NULL OR at_ms < :until)
               AND (:event IS NULL OR event = :event) AND (:id IS NULL OR id = :id)
               AND (:tool IS NULL OR tool = :tool) AND (:status IS NULL OR status = :status)
               AND (:code IS NULL OR code = :code) AND (:account IS NULL OR account = :account)
               AND (:token_id IS NULL OR token_id = :token_id)
               AND (:scope IS NULL OR scope = :scope) AND (:host IS NULL OR host = :host)
             ORDER BY seq DESC LIMIT :limit"
        ))?;
        let parameters = named_params! {
            ":since": self.since.map(Timestamp::as_millisecond),
            ":until": self.until.map(Timestamp::as_millisecond),
            ":event": self.event.map(Event::as_str),
            ":id": self.id,
            ":tool": self.tool,
            ":status": self.status.map(Status::as_str),
            ":code": self.code,
            ":account": self.account,
            ":token_id": self.token_id,
            ":scope": self.scope,
            ":host": self.host,
            ":limit": self.limit.map_or(-1, i64::from),
        };
        let mut rows = statement
            .query_map(parameters, Row::read)?
            .collect::<Result<Vec<_>, _>>()?;
        rows.reverse();
        Ok(rows)
    }
}

impl Row {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get("seq")?,
            at: Timestamp::from_millisecond(row.get("at_ms")?).unwrap_or_default(),
            event: row.get("event")?,
            phase: row.get("phase")?,
            id: row.get("id")?,
            tool: row.get("tool")?,
            status: row.get("status")?,
            code: row.get("code")?,
            retry_after: row.get("retry_after")?,
            duration_ms: row.get("duration_ms")?,
            account: row.get("account")?,
            token_id: row.get("token_id")?,
            scope: row.get("scope")?,
            host: row.get("host")?,
            arguments: row.get("arguments")?,
        })
    }
}

fn in_china<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&at.display_with_offset(Offset::constant(8)))
}
