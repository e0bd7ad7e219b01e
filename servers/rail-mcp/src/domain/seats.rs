//! Seats of a train: names, what is left, prices.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

use super::told;

/// The seats that the ticket system sells, by their Chinese names. Also an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = told(&[]))]
pub enum SeatName {
    /// 商务座.
    #[serde(rename = "商务座")]
    Business,
    /// 特等座.
    #[serde(rename = "特等座")]
    Special,
    /// 优选一等座.
    #[serde(rename = "优选一等座")]
    PreferredFirst,
    /// 一等座.
    #[serde(rename = "一等座")]
    First,
    /// 二等座.
    #[serde(rename = "二等座")]
    Second,
    /// 二等包座.
    #[serde(rename = "二等包座")]
    SecondCompartment,
    /// 高级软卧.
    #[serde(rename = "高级软卧")]
    DeluxeSoftSleeper,
    /// 高级动卧.
    #[serde(rename = "高级动卧")]
    DeluxeExpressSleeper,
    /// 软卧.
    #[serde(rename = "软卧")]
    SoftSleeper,
    /// 一等卧.
    #[serde(rename = "一等卧")]
    FirstSleeper,
    /// 动卧.
    #[serde(rename = "动卧")]
    ExpressSleeper,
    /// 硬卧.
    #[serde(rename = "硬卧")]
    HardSleeper,
    /// 二等卧.
    #[serde(rename = "二等卧")]
    SecondSleeper,
    /// 软座.
    #[serde(rename = "软座")]
    SoftSeat,
    /// 硬座.
    #[serde(rename = "硬座")]
    HardSeat,
    /// 无座, a standing ticket.
    #[serde(rename = "无座")]
    Standing,
    /// 其他.
    #[serde(rename = "其他")]
    Other,
}

impl fmt::Display for SeatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// What a seat is called: one name, or all names of a shared column when the answer does not say
/// which of them is meant, such as `软卧/一等卧/动卧`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatLabel(Vec<SeatName>);

impl SeatLabel {
    /// The label of these names.
    pub(crate) fn of(names: impl IntoIterator<Item = SeatName>) -> Self {
        Self(names.into_iter().collect())
    }

    /// Whether a seat so labelled is, or may be, that one.
    pub fn includes(&self, name: SeatName) -> bool {
        self.0.contains(&name)
    }
}

impl fmt::Display for SeatLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, name) in self.0.iter().enumerate() {
            let slash = if at == 0 { "" } else { "/" };
            write!(f, "{slash}{name}")?;
        }
        Ok(())
    }
}

impl Serialize for SeatLabel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for SeatLabel {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SeatLabel".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// What is left of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = told(&[]))]
pub enum Availability {
    /// More than the upstream counts (21 and up).
    Plenty,
    /// The exact number is in `count`.
    Count,
    /// None left.
    None,
    /// None left; the waitlist is open.
    Waitlist,
    /// None left; the waitlist is full.
    WaitlistFull,
    /// Not on sale yet.
    NotOnSale,
    /// The answer does not say, or in words that are not known.
    Unknown,
}

impl Availability {
    /// Whether a ticket can be had without waiting.
    pub fn can_be_had(self) -> bool {
        matches!(self, Self::Plenty | Self::Count)
    }
}

/// One kind of seat of a train.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("count", "余票张数"),
    ("price_yuan", "今日票价，有铺位时为最低价"),
    ("discount_percent", "为公布票价的百分之几"),
]))]
pub struct Seat {
    /// Its name.
    pub seat: SeatLabel,
    /// The upstream's letter. Null where the answer gives none.
    pub code: Option<char>,
    /// What is left.
    pub availability: Availability,
    /// Tickets left, where known. Standing tickets are counted beyond 20 too.
    pub count: Option<u32>,
    /// Charged today, discounts included; of several berths the cheapest.
    pub price_yuan: Option<f64>,
    /// Percent of the published fare.
    pub discount_percent: Option<u32>,
    /// Prices of the berths, where there are any.
    pub berths: Vec<Berth>,
}

/// The price of one berth of a sleeper.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = told(&[]))]
pub struct Berth {
    /// Which one.
    pub berth: BerthName,
    /// Charged today, discounts included.
    pub price_yuan: Option<f64>,
    /// Percent of the published fare.
    pub discount_percent: Option<u32>,
}

/// The height of a berth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[]))]
pub enum BerthName {
    /// 下铺.
    #[serde(rename = "下铺")]
    Lower,
    /// 中铺.
    #[serde(rename = "中铺")]
    Middle,
    /// 上铺.
    #[serde(rename = "上铺")]
    Upper,
}
