//! Trains between two stations on one day, with what is known of times, seats and prices.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::time::Moment;

use super::{
    seats::{Seat, SeatName},
    stations::Telecode,
    told,
};

/// A train's public number, such as `G1`, `K599` or `5538`; `A/B` where it changes on the way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline, transform = told(&[]))]
pub struct TrainCode(String);

impl TrainCode {
    /// The code in capital letters: letters, digits and slashes, at most 16.
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.trim().to_ascii_uppercase();
        let fits = (1..=16).contains(&code.len())
            && code.starts_with(|c: char| c.is_ascii_alphanumeric())
            && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'/');
        fits.then_some(Self(code))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its first half where it changes on the way, else the whole.
    pub fn first_half(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }

    /// What kind of train carries it.
    pub fn kind(&self) -> TrainKind {
        match self.0.as_bytes().first() {
            Some(b'G') => TrainKind::G,
            Some(b'D') => TrainKind::D,
            Some(b'C') => TrainKind::C,
            Some(b'Z') => TrainKind::Z,
            Some(b'T') => TrainKind::T,
            Some(b'K') => TrainKind::K,
            _ => TrainKind::Other,
        }
    }

    /// Whether both name one train: equal, or equal in a part of the slash form.
    pub fn names(&self, other: &Self) -> bool {
        self == other
            || self
                .0
                .split('/')
                .any(|one| other.0.split('/').any(|another| one == another))
    }
}

/// A train's internal number, such as `24000000G10K`; opaque, it may embed another public code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline, transform = told(&[]))]
pub struct TrainNo(String);

impl TrainNo {
    /// That number; none when the text is empty.
    pub fn parse(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The kind of a train, by the first letter of its public code. Also an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = told(&[]))]
pub enum TrainKind {
    /// 高铁.
    G,
    /// 动车.
    D,
    /// 城际.
    C,
    /// 直达.
    Z,
    /// 特快.
    T,
    /// 快速.
    K,
    /// Any other letter, or none.
    #[serde(rename = "其他")]
    Other,
}

/// A station where a passenger boards or leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[]))]
pub struct NamedStation {
    /// Its name; its code where no source knows a name.
    pub name: String,
    /// Null where the answer gives none.
    pub telecode: Option<Telecode>,
}

/// Whether tickets of a train are on sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = told(&[]))]
pub enum Sale {
    /// On sale; there may be none left.
    OnSale,
    /// Sale has not begun.
    NotYet,
    /// Not at this hour.
    NotNow,
    /// The train does not run.
    Stopped,
    /// The answer does not say, or in words that are not known.
    Unknown,
}

/// What a train offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[]))]
pub enum Feature {
    /// 智能动车组.
    #[serde(rename = "智能动车组")]
    Smart,
    /// 复兴号.
    #[serde(rename = "复兴号")]
    Fuxing,
    /// 静音车厢.
    #[serde(rename = "静音车厢")]
    QuietCoach,
    /// 温馨动卧.
    #[serde(rename = "温馨动卧")]
    CosySleeper,
    /// 动感号.
    #[serde(rename = "动感号")]
    Vibrant,
    /// 支持选铺.
    #[serde(rename = "支持选铺")]
    BerthChoice,
    /// 老年优惠.
    #[serde(rename = "老年优惠")]
    SeniorDiscount,
}

/// One train from one station to another.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("depart_at", "上车时间"),
    ("arrive_at", "到达时间"),
    ("sale_opens_at", "起售时间"),
]))]
pub struct Train {
    /// The public code at the boarding station.
    pub train_code: TrainCode,
    /// Null where the answer gives none.
    pub train_no: Option<TrainNo>,
    /// Where the passenger boards.
    pub from_station: NamedStation,
    /// Where the passenger leaves.
    pub to_station: NamedStation,
    /// Where the train starts.
    pub origin: Option<String>,
    /// Where the train ends.
    pub terminus: Option<String>,
    /// At the boarding station, on the day asked for. Null when not known or the train does not run.
    pub depart_at: Option<Moment>,
    /// At the leaving station. Null when not known, or when clock and duration disagree.
    pub arrive_at: Option<Moment>,
    /// On the way, waiting at stations included.
    pub duration_minutes: Option<u32>,
    /// Whether it can be bought.
    pub sale: Sale,
    /// When sale begins or began at the boarding station.
    pub sale_opens_at: Option<Moment>,
    /// Offered seats, in the upstream's order.
    pub seats: Vec<Seat>,
    /// What is known to be there; a missing one may still be.
    pub features: Vec<Feature>,
}

impl Train {
    /// What kind of train it is.
    pub fn kind(&self) -> TrainKind {
        self.train_code.kind()
    }

    /// What tells trains of one answer apart: one may be listed twice with two boarding stations.
    pub fn key(&self) -> String {
        let Self {
            train_code,
            from_station,
            to_station,
            depart_at,
            ..
        } = self;
        let at = depart_at.map(|at| at.to_string()).unwrap_or_default();
        format!(
            "{} {}-{} {at}",
            train_code.as_str(),
            from_station.name,
            to_station.name
        )
    }

    /// Whether it has seats of that name; any train where no name is asked for.
    pub fn offers(&self, seat: Option<SeatName>) -> bool {
        seat.is_none_or(|name| self.seats.iter().any(|seat| seat.seat.includes(name)))
    }

    /// Whether a ticket can be had now, of that seat or of any: plenty or counted, waitlists do not
    /// count. Standing does, unless another seat is asked for.
    pub fn available(&self, seat: Option<SeatName>) -> bool {
        let wanted = |offered: &Seat| seat.is_none_or(|name| offered.seat.includes(name));
        self.sale != Sale::Stopped
            && self
                .seats
                .iter()
                .any(|seat| wanted(seat) && seat.availability.can_be_had())
    }

    /// The lowest known price in yuan, of that seat or of any; with `only_available`, of those that
    /// can be had now.
    pub fn lowest_price(&self, seat: Option<SeatName>, only_available: bool) -> Option<f64> {
        self.seats
            .iter()
            .filter(|offered| seat.is_none_or(|name| offered.seat.includes(name)))
            .filter(|offered| !only_available || offered.availability.can_be_had())
            .filter_map(|offered| offered.price_yuan)
            .min_by(f64::total_cmp)
    }
}

/// The lowest prices of trains ridden one after the other, added; none when one is not known.
pub fn lowest_price(trains: &[Train], seat: Option<SeatName>, only_available: bool) -> Option<f64> {
    let sum: f64 = trains
        .iter()
        .map(|train| train.lowest_price(seat, only_available))
        .sum::<Option<_>>()?;
    // In whole tenths of a yuan, the unit of the prices.
    Some((sum * 10.0).round() / 10.0)
}
