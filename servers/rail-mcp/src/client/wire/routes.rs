//! The train search and the stop list.

use serde::Deserialize;

/// One hit of the train search, which finds by prefix.
#[derive(Deserialize)]
pub(in crate::client) struct Hit {
    pub(in crate::client) station_train_code: String,
    pub(in crate::client) train_no: String,
    /// Name of the origin.
    pub(in crate::client) from_station: Option<String>,
    /// Name of the terminus.
    pub(in crate::client) to_station: Option<String>,
}

/// `data` of a stop list.
#[derive(Deserialize)]
pub(in crate::client) struct Stops {
    pub(in crate::client) data: Vec<Stop>,
}

/// One stop.
#[derive(Deserialize)]
pub(in crate::client) struct Stop {
    pub(in crate::client) station_name: String,
    pub(in crate::client) station_train_code: Option<String>,
    /// `HH:MM`; at the first stop `----` or the departure.
    pub(in crate::client) arrive_time: String,
    /// `HH:MM`; at the last stop the arrival, `--` or `----`.
    pub(in crate::client) start_time: String,
    /// Days since the origin, at arrival. The older endpoint (`czxx/queryByTrainNo`) lacks it.
    pub(in crate::client) arrive_day_diff: Option<String>,
}
