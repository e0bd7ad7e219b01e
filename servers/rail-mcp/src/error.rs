//! What can go wrong, and the code, sentence and next step that a tool answers.

use std::time::Duration;

use jiff::civil::Date;
use server_kit::{Failure, bad_argument, outside};

use crate::{
    client::Rejected,
    domain::{stations::Candidate, tickets::TrainCode},
};

/// What can stop a query, by what the caller does next.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Error {
    /// An argument that the schema cannot describe is wrong.
    #[error("argument {field}: {why}")]
    Argument { field: &'static str, why: String },
    /// Several stations share that pinyin or those initials.
    #[error("{field} {query:?} names several stations")]
    StationAmbiguous {
        field: &'static str,
        query: String,
        candidates: Vec<Candidate>,
    },
    /// Nothing is called so.
    #[error("{field} {query:?} names no station")]
    StationNotFound {
        field: &'static str,
        query: String,
        candidates: Vec<Candidate>,
    },
    /// A day on which no ticket is on sale.
    #[error("{date} is not within {first} and {last}")]
    DateOutOfRange {
        date: Date,
        today: Date,
        first: Date,
        last: Date,
    },
    /// No train has exactly that code on that day; `near` begin with it.
    #[error("no train {train_code} on {date}")]
    TrainNotFound {
        train_code: String,
        date: Date,
        near: Vec<TrainCode>,
    },
    /// The train does not stop there.
    #[error("{train_code} does not stop at {query:?}")]
    NotAStop {
        field: &'static str,
        query: String,
        train_code: String,
        stops: Vec<String>,
    },
    /// The service understood and said no. `said` is its own text.
    #[error("the service refused")]
    Refused { said: String },
    /// The service sent us to an error page, twice, in place of data.
    #[error("the service showed a page instead of data")]
    TurnedAway { path: String },
    /// The answer has a shape we do not know. Nothing was guessed.
    #[error("{path} changed at {field}")]
    Changed {
        path: String,
        field: String,
        why: String,
    },
    /// The way to the service, or its answer, broke.
    #[error(transparent)]
    Session(#[from] http_session::Error),
}

impl Error {
    /// An answer of `path` without data.
    pub(crate) fn rejected(path: &str, rejected: Rejected) -> Self {
        let path = format!("/{path}");
        match rejected {
            Rejected::Moved(_) => Self::TurnedAway { path },
            Rejected::Refused(said) => Self::Refused { said },
            Rejected::Drift(drift) => Self::Changed {
                path,
                field: drift.field,
                why: drift.problem.to_owned(),
            },
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Argument { field, why } => bad_argument(field, why),
            Error::StationAmbiguous {
                field,
                query,
                candidates,
            } => {
                let message = format!("{query:?} 对应多个车站，请从候选中选一个（{field}）");
                Self::new("STATION_AMBIGUOUS", message)
                    .next(format!(
                        "用 data.candidates 中的站名或电报码作为 {field} 重试"
                    ))
                    .data("field", field)
                    .data("candidates", candidates)
            }
            Error::StationNotFound {
                field,
                query,
                candidates,
            } => {
                let message = format!("没有名为 {query:?} 的车站或城市（{field}）");
                Self::new("STATION_NOT_FOUND", message)
                    .next(format!("从 data.candidates 中选，或用 12306_search_stations 查找，再以站名作为 {field} 重试"))
                    .data("field", field)
                    .data("candidates", candidates)
            }
            Error::DateOutOfRange {
                date,
                today,
                first,
                last,
            } => {
                let message =
                    format!("{date} 不在可查日期内：今天是 {today}，可查 {first} 至 {last}");
                Self::new("DATE_OUT_OF_RANGE", message)
                    .next("改用可查范围内的日期重试")
                    .data("field", "date")
                    .data("date", date)
                    .data("today", today)
                    .data("first", first)
                    .data("last", last)
            }
            Error::TrainNotFound {
                train_code,
                date,
                near,
            } => {
                let next = match near.as_slice() {
                    [] => "核对车次与日期；车次可用 12306_query_tickets 查到",
                    _ => "核对车次与日期：data.candidates 是以它开头的车次",
                };
                Self::new("TRAIN_NOT_FOUND", format!("{date} 没有车次 {train_code}"))
                    .next(next)
                    .data("candidates", near)
            }
            Error::NotAStop {
                field,
                query,
                train_code,
                stops,
            } => {
                let after = if field == "to" {
                    "在区间起点之后"
                } else {
                    ""
                };
                bad_argument(field, format!("{train_code} {after}不停靠 {query:?}"))
                    .next(format!(
                        "从 data.stops 中选一站作为 {field}，或去掉它查看全程"
                    ))
                    .data("stops", stops)
            }
            Error::Refused { said } => {
                let said = outside(&said);
                Self::new("UPSTREAM_REFUSED", format!("12306 拒绝了查询：{said}"))
                    .next("按 12306 的提示调整条件；余票与购票以 12306 官网或 App 为准")
                    .data("said", said)
                    .data("untrusted", true)
            }
            Error::TurnedAway { path } => {
                let message = "12306 没有返回数据而是转到了错误页，可能是查询过于频繁，或所在网络（境外、云主机）被限制";
                Self::new("UPSTREAM_UNAVAILABLE", message)
                    .retryable()
                    .next("几分钟后再试，或换用中国内地的家庭或办公网络；无需账号")
                    .data("path", path)
            }
            Error::Changed { path, field, why } => changed(&path, &field, &why),
            Error::Session(error) => of_session(error),
        }
    }
}

fn of_session(error: http_session::Error) -> Failure {
    use http_session::Error as E;
    match error {
        E::RateLimited {
            retry_after_seconds,
            ..
        } => Failure::new(
            "RATE_LIMITED",
            format!("12306 限流，请 {retry_after_seconds} 秒后再查"),
        )
        .after(Duration::from_secs(retry_after_seconds))
        .next("等待 retry_after 秒后重试同一查询；期间不要换条件连续查询"),
        E::Busy {
            retry_after_seconds,
        } => Failure::new(
            "RATE_LIMITED",
            format!("本机排队较长，请 {retry_after_seconds} 秒后再查"),
        )
        .after(Duration::from_secs(retry_after_seconds))
        .next("等待 retry_after 秒后重试；可减少同时进行的查询"),
        E::Unreachable { host, fault } => unavailable(format!("连不上 {host}：{}", fault.told())),
        E::TimedOut { host, after, .. } => {
            unavailable(format!("{host} 在 {} 秒内没有答复", after.as_secs_f64()))
        }
        // An address that is blocked, as in clouds and abroad, or a method not let through.
        E::Status {
            path,
            status: status @ (403 | 405),
        } => {
            let message =
                format!("12306 返回状态 {status}（{path}），可能限制了所在网络（境外、云主机）");
            let next = "换用中国内地的家庭或办公网络后重试；无需账号";
            Failure::new("UPSTREAM_UNAVAILABLE", message)
                .retryable()
                .next(next)
        }
        E::Status { path, status } => unavailable(format!("12306 返回状态 {status}（{path}）")),
        E::Cut { path } => unavailable(format!("12306 的答复不完整（{path}）")),
        E::Html { path } | E::Redirected { path, .. } => Error::TurnedAway { path }.into(),
        E::NotJson { path } => changed(&path, ".", "不是 JSON"),
        E::TooLarge { path, limit_bytes } => {
            changed(&path, ".", &format!("超过 {limit_bytes} 字节"))
        }
        E::Shape { path, field, why } => changed(&path, &field, &why),
        // Only paths below the three bases are asked, and without a body.
        E::NotListed { .. } | E::Unwritable { .. } => {
            Failure::new("INTERNAL", format!("请求未能组成：{error}"))
        }
    }
}

fn unavailable(message: String) -> Failure {
    Failure::new("UPSTREAM_UNAVAILABLE", message)
        .retryable()
        .next("稍后重试；若一直失败，运行 rail-mcp doctor --live 查看网络")
}

fn changed(path: &str, field: &str, why: &str) -> Failure {
    // A field may be a key of the service's own choosing, and a path may come from its page.
    let (path, field) = (outside(path), outside(field));
    Failure::new(
        "UPSTREAM_CHANGED",
        format!("12306 的接口与本程序所知不同：{path} 的 {field}（{why}）"),
    )
    .next("升级 rail-mcp；若已是最新，请反馈 path 与 field")
    .data("path", path)
    .data("field", field)
}
