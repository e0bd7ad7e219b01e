//! Reading time of a period.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    books::Book,
    scalar::{Decimal, Number, Text},
    shelf::AlbumInfo,
};

/// One period. Whole blocks are null when the service has nothing to say.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Statistics {
    pub(in crate::client) base_time: Number,
    pub(in crate::client) total_read_time: Number,
    pub(in crate::client) day_average_read_time: Number,
    pub(in crate::client) read_days: Number,
    pub(in crate::client) compare: Decimal,
    /// Seconds by the moment at which the part begins.
    pub(in crate::client) read_times: Option<BTreeMap<String, Number>>,
    pub(in crate::client) daily_read_times: Option<BTreeMap<String, Number>>,
    pub(in crate::client) read_stat: Option<Vec<Count>>,
    pub(in crate::client) read_longest: Option<Vec<Longest>>,
    pub(in crate::client) prefer_category: Option<Vec<Category>>,
    /// Seconds by hour, beginning at 06:00.
    pub(in crate::client) prefer_time: Option<Vec<Number>>,
    pub(in crate::client) prefer_author: Option<Vec<Author>>,
    pub(in crate::client) wr_read_time: Number,
    pub(in crate::client) wr_listen_time: Number,
    pub(in crate::client) regist_time: Number,
}

/// A count in ready words.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct Count {
    pub(in crate::client) stat: Text,
    pub(in crate::client) counts: Text,
}

/// A book or an album among those read longest.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Longest {
    pub(in crate::client) book: Option<Book>,
    pub(in crate::client) album_info: Option<AlbumInfo>,
    pub(in crate::client) read_time: Number,
    pub(in crate::client) tags: Option<Vec<Text>>,
}

/// A category by time.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Category {
    pub(in crate::client) category_title: Text,
    pub(in crate::client) reading_time: Number,
    pub(in crate::client) reading_count: Number,
}

/// An author by time.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Author {
    pub(in crate::client) name: Text,
    pub(in crate::client) count: Number,
    /// In words.
    pub(in crate::client) read_time: Text,
}
