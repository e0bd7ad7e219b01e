//! Arguments and result fields that several tools share.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{Failure, Limits};

use crate::{
    domain::{journey::Purpose, seats::SeatName, tickets::TrainKind, transfers::Start},
    error::Error,
    service::{
        filters::{Filters, Removed, SortBy},
        window::Window,
    },
};

/// Where and when.
#[derive(Deserialize, JsonSchema)]
pub(super) struct JourneyArguments {
    /// 乘车日期（中国时间）：YYYY-MM-DD、今天、明天、后天 或 +N；可查今天起 15 天
    #[schemars(length(min = 1, max = 20), example = &"明天")]
    pub(super) date: String,
    /// 出发地：城市（北京，含全市各站）、车站（北京南、北京站）或三字电报码；拼音、首字母只指一个车站
    #[schemars(length(min = 1, max = 40), example = &"北京")]
    pub(super) from: String,
    /// 目的地，写法同 from
    #[schemars(length(min = 1, max = 40), example = &"上海虹桥")]
    pub(super) to: String,
}

/// Wishes; none by default.
#[derive(Deserialize, JsonSchema)]
pub(super) struct FilterArguments {
    /// 只要这些车型（首字母）；G 高铁、C 城际、D 动车彼此不同；中转时两程都须符合
    #[schemars(length(min = 1, max = 7), example = ["G", "D"])]
    train_types: Option<Vec<TrainKind>>,
    /// 出发不早于（HH:MM，含）；24 点以后为次日，如 24:30
    #[schemars(length(min = 1, max = 8), example = &"08:00")]
    depart_after: Option<String>,
    /// 出发不晚于（HH:MM，含）
    #[schemars(length(min = 1, max = 8), example = &"12:00")]
    depart_before: Option<String>,
    /// 到达不早于（HH:MM，含），按完整日期时间比较；次日 06:00 写 30:00
    #[schemars(length(min = 1, max = 8), example = &"18:00")]
    arrive_after: Option<String>,
    /// 到达不晚于（HH:MM，含），按完整日期时间比较；次日 07:30 写 31:30
    #[schemars(length(min = 1, max = 8), example = &"22:00")]
    arrive_before: Option<String>,
    /// 只要有票的（有票或有余票数；候补不算有票，无座算有票，除非 seat_type 指定了别的）
    only_available: Option<bool>,
    /// 只要提供该席别的；与 only_available 同用则该席别须有票
    #[schemars(example = &"二等座")]
    seat_type: Option<SeatName>,
    /// adult 成人（默认）或 student 学生票
    purpose: Option<Purpose>,
    /// 排序：depart 出发时间（默认）、arrive 到达时间、duration 历时、price 最低票价（only_available 时只看有票的席别，否则含售罄席别）；未知的排在最后
    sort_by: Option<SortBy>,
}

/// How many items a list has when nothing is said.
pub(super) const USUAL: usize = 20;

/// How much at once.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PageArguments {
    /// 一次最多返回几条；不填时经停返回全部，其余返回 20 条
    #[schemars(range(min = 1, max = 100))]
    max_results: Option<usize>,
    /// 上次结果的 next_cursor，其余参数须相同，接着往后取
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

impl FilterArguments {
    /// The wishes, with times read as of `date`.
    pub(super) fn read(&self, date: Date) -> Result<Filters, Error> {
        let depart = (self.depart_after.as_deref(), self.depart_before.as_deref());
        let arrive = (self.arrive_after.as_deref(), self.arrive_before.as_deref());
        Ok(Filters {
            train_types: self.train_types.clone().unwrap_or_default(),
            depart: Window::read(
                date,
                ("depart_after", depart.0),
                ("depart_before", depart.1),
            )?,
            arrive: Window::read(
                date,
                ("arrive_after", arrive.0),
                ("arrive_before", arrive.1),
            )?,
            only_available: self.only_available.unwrap_or_default(),
            seat_type: self.seat_type,
            sort_by: self.sort_by.unwrap_or_default(),
        })
    }

    pub(super) fn purpose(&self) -> Purpose {
        self.purpose.unwrap_or_default()
    }

    /// The wishes that were given, to be shown again: a model often adds some of its own.
    pub(super) fn echo(&self) -> Echo {
        Echo {
            train_types: self.train_types.clone(),
            depart_after: self.depart_after.clone(),
            depart_before: self.depart_before.clone(),
            arrive_after: self.arrive_after.clone(),
            arrive_before: self.arrive_before.clone(),
            only_available: self.only_available,
            seat_type: self.seat_type,
            purpose: self.purpose,
            sort_by: self.sort_by,
            ..Echo::default()
        }
    }
}

impl PageArguments {
    pub(super) fn start(&self) -> Start {
        match self.cursor {
            None => Start::First,
            Some(_) => Start::Cursor,
        }
    }

    pub(super) fn limits(&self, bytes: usize, usual: usize) -> Result<Limits, Failure> {
        let items = self.max_results.unwrap_or(usual);
        Limits::new(self.cursor.as_deref(), items, bytes)
    }
}

/// The wishes of a call, only those that were given.
#[derive(Default, Serialize, JsonSchema)]
#[schemars(transform = terse)]
pub(super) struct Echo {
    #[serde(skip_serializing_if = "Option::is_none")]
    train_types: Option<Vec<TrainKind>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depart_after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depart_before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arrive_after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arrive_before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    only_available: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat_type: Option<SeatName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<Purpose>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sort_by: Option<SortBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) middle_station: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_change_minutes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_change_minutes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) same_station_only: Option<bool>,
}

/// The caller knows its own wishes: the schema of their echo is an object and no more.
fn terse(schema: &mut schemars::Schema) {
    schema.remove("properties");
    schema.remove("description");
}

/// A sentence for a list that the wishes emptied.
pub(super) fn emptied(total: usize, removed: &Removed) -> Option<String> {
    if total > 0 || removed.is_empty() {
        return None;
    }
    let part = |(wish, count): (&&str, &usize)| match *wish {
        end @ ("from" | "to") => format!("{end} 的同城其他车站另有 {count}（写城市名可查）"),
        wish => format!("{wish} 去掉 {count}（可放宽）"),
    };
    let parts = removed.iter().map(part).collect::<Vec<_>>().join("，");
    Some(format!("没有符合全部条件的结果：{parts}"))
}
