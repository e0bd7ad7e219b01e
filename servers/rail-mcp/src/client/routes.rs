//! Train search and stop lists, as a train and its stops.

use http_session::drift::{Drift, read};
use std::sync::Arc;

use jiff::{SignedDuration, civil::Date};
use serde_json::Value;
use server_kit::time::Moment;

use super::{
    Client, Reading,
    answer::{Rejected, data},
    clock::{digits, moment},
    paths::Asked,
    stations::without_spaces,
    wire::routes as wire,
};
use crate::{
    domain::{
        catalogue::Catalogue,
        routes::{Stop, TrainHit, TrainHits},
        tickets::{TrainCode, TrainNo},
    },
    error::Error,
};

/// How many of up to 200 codes that only begin alike are suggested.
const SUGGESTIONS: usize = 10;

/// The hit with that very code, and the others.
///
/// The search finds by prefix: `D228` gives D2281 to D2288, so the first hit is not the train. A code
/// that changes on the way is written `A/B`, and either half is that train. Without hits the data is
/// empty or missing.
pub fn find_train(answer: Value, code: &TrainCode) -> Result<TrainHits, Rejected> {
    let hits: Vec<wire::Hit> = match data(answer)? {
        None => Vec::new(),
        Some(Value::String(text)) if text.is_empty() => Vec::new(),
        Some(data) => read("data", data)?,
    };
    let mut found = TrainHits {
        exact: None,
        near: Vec::new(),
    };
    for (number, hit) in hits.into_iter().enumerate() {
        let hit = self::hit(hit).map_err(|field| {
            let field = format!("data[{number}].{field}");
            Drift::new(field, "缺失或格式不同")
        })?;
        if found.exact.is_none() && hit.train_code.names(code) {
            found.exact = Some(hit);
        } else {
            found.near.push(hit);
        }
    }
    Ok(found)
}

fn hit(hit: wire::Hit) -> Result<TrainHit, &'static str> {
    Ok(TrainHit {
        train_code: TrainCode::parse(&hit.station_train_code).ok_or("station_train_code")?,
        train_no: TrainNo::parse(&hit.train_no).ok_or("train_no")?,
        origin: hit.from_station.as_deref().map(without_spaces),
        terminus: hit.to_station.as_deref().map(without_spaces),
    })
}

/// The stops of a train that leaves its origin on `origin_day`, all of them `in_section`.
///
/// Empty when the service knows no stops. Fails with `Drift` when the day counter is no number.
pub fn stops(
    answer: Value,
    origin_day: Date,
    catalogue: &Catalogue,
) -> Result<Vec<Stop>, Rejected> {
    let data = data(answer)?.ok_or_else(|| Drift::new("data", "缺失"))?;
    let sent: wire::Stops = read("data", data)?;
    let last = sent.data.len().saturating_sub(1);
    let mut stops = Vec::with_capacity(sent.data.len());
    let mut before = Moment::at(origin_day.at(0, 0, 0, 0));
    for (number, stop) in sent.data.into_iter().enumerate() {
        let stated = stop.arrive_day_diff.as_deref().map(|text| {
            let field = || format!("data.data[{number}].arrive_day_diff");
            digits(text).ok_or_else(|| Drift::new(field(), "不是数字"))
        });
        let day = match stated.transpose()? {
            Some(day) => day,
            None => next_day_after(before, &stop.arrive_time, origin_day),
        };
        let arrive_at = moment(plus_days(origin_day, day), &stop.arrive_time);
        let arrive_at = arrive_at.filter(|_| number != 0);
        let depart_at = [day, day + 1]
            .into_iter()
            .filter_map(|day| moment(plus_days(origin_day, day), &stop.start_time))
            .find(|depart_at| arrive_at.is_none_or(|arrive_at| *depart_at >= arrive_at))
            .filter(|_| number != last);
        let dwell = arrive_at.zip(depart_at);
        before = depart_at.or(arrive_at).unwrap_or(before);
        let station = without_spaces(&stop.station_name);
        stops.push(Stop {
            telecode: catalogue.telecode_of(&station),
            station,
            train_code: stop
                .station_train_code
                .as_deref()
                .and_then(TrainCode::parse),
            arrive_at,
            depart_at,
            dwell_minutes: dwell
                .and_then(|(arrive, depart)| u32::try_from(depart.minutes_since(arrive)).ok()),
            day,
            in_section: true,
        });
    }
    Ok(stops)
}

/// The day, counted from the origin's, of the first such clock time that is not before `before`.
fn next_day_after(before: Moment, clock: &str, origin_day: Date) -> u32 {
    let days = before.day().duration_since(origin_day).as_hours() / 24;
    let day = u32::try_from(days).unwrap_or_default();
    let earlier = moment(before.day(), clock).is_some_and(|same_day| same_day < before);
    day + u32::from(earlier)
}

fn plus_days(day: Date, days: u32) -> Date {
    day.saturating_add(SignedDuration::from_hours(24 * i64::from(days)))
}

impl Client {
    /// The train of exactly that code on the day it leaves its origin.
    ///
    /// `GET search/v1/train/search` (docs/upstreams/rail.md, stops): a prefix search, so `G1` also
    /// brings `G10` and `G100`; the date without dashes, with them the list is empty.
    pub(crate) async fn train(
        self: &Arc<Self>,
        code: &TrainCode,
        origin_date: Date,
    ) -> Result<TrainHit, Error> {
        let client = Arc::clone(self);
        let read = |(code, date): (TrainCode, Date)| async move {
            let query = [
                ("keyword", code.first_half().to_owned()),
                ("date", date.strftime("%Y%m%d").to_string()),
            ];
            let map = |answer| find_train(answer, &code);
            client
                .look_up("search/v1/train/search", &query, map)
                .await
                .map(Arc::new)
        };
        let key = (code.clone(), origin_date);
        let found = self.searches.get(key.clone(), || read(key)).await?;
        found.exact.clone().ok_or_else(|| Error::TrainNotFound {
            train_code: code.as_str().to_owned(),
            date: origin_date,
            near: found
                .near
                .iter()
                .take(SUGGESTIONS)
                .map(|hit| hit.train_code.clone())
                .collect(),
        })
    }

    /// The stops of a train by its internal number and the day it leaves its origin.
    ///
    /// `GET otn/queryTrainInfo/query` (docs/upstreams/rail.md, stops), with the session's cookies.
    pub(crate) async fn stops(
        self: &Arc<Self>,
        train_no: &TrainNo,
        origin_date: Date,
        catalogue: &Arc<Catalogue>,
    ) -> Result<Arc<Reading<Stop>>, Error> {
        let (client, catalogue) = (Arc::clone(self), Arc::clone(catalogue));
        let read = |(train_no, date): (TrainNo, Date)| async move {
            let query = [
                ("leftTicketDTO.train_no", train_no.as_str().to_owned()),
                ("leftTicketDTO.train_date", date.to_string()),
                ("rand_code", String::new()),
            ];
            let map = |answer| stops(answer, date, &catalogue);
            let list = client.ask(Asked::Stops, &query, map).await?;
            Ok(Arc::new(Reading {
                list,
                as_of: client.now(),
            }))
        };
        let key = (train_no.clone(), origin_date);
        self.stops.get(key.clone(), || read(key)).await
    }
}
