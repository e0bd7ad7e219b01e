//! Ticket rows, as trains.

use http_session::drift::{Drift, read};
use std::sync::Arc;

use jiff::civil::Date;
use serde_json::Value;
use server_kit::time::Moment;

use super::{
    Client, Reading,
    answer::{Rejected, data},
    clock::{compact, minutes, moment},
    paths::Asked,
    seats::seats,
    stations::without_spaces,
    wire::tickets::{Answer, Row},
};
use crate::{
    domain::{
        catalogue::Catalogue,
        journey::{Journey, Purpose},
        stations::Telecode,
        tickets::{Feature, NamedStation, Sale, Train, TrainCode, TrainNo},
    },
    error::Error,
};

/// How long before departure the page closes the waitlist, in minutes (its script of 2019/20).
const WAITLIST_CLOSES: i64 = 180;

/// What an answer is read with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// For names that the answer does not tell.
    pub catalogue: &'a Catalogue,
    /// For the waitlist, which closes before departure.
    pub now: Moment,
}

/// The trains of an answer about `day`, the day of boarding, in the answer's order.
///
/// Fails with `Drift` when a row lacks one of the 34 fields that every row has, or has no code or
/// telecode; what else cannot be read is null or unknown.
pub fn trains(answer: Value, day: Date, context: Context<'_>) -> Result<Vec<Train>, Rejected> {
    let data = data(answer)?.ok_or_else(|| Drift::new("data", "缺失"))?;
    let answer: Answer = read("data", data)?;
    let name = |telecode: &str| answer.map.get(telecode).map_or("", String::as_str);
    let mut trains = Vec::with_capacity(answer.result.len());
    for (number, text) in answer.result.iter().enumerate() {
        let drift = |field: &str| {
            let field = format!("data.result[{number}].{field}");
            Drift::new(field, "缺失或格式不同")
        };
        let row = Row::split(text).map_err(drift)?;
        let row = Row {
            start_station_name: name(row.start_station_telecode),
            end_station_name: name(row.end_station_telecode),
            from_station_name: name(row.from_station_telecode),
            to_station_name: name(row.to_station_telecode),
            ..row
        };
        trains.push(train(&row, Some(day), context).map_err(drift)?);
    }
    Ok(trains)
}

/// The train of a row boarded on `day`, or the name of the field that is wrong. The row's own date
/// (index 13) is the day the train leaves its origin, which may be an earlier one.
pub(super) fn train(
    row: &Row<'_>,
    day: Option<Date>,
    context: Context<'_>,
) -> Result<Train, &'static str> {
    let stopped = row.button_text_info.contains("停运") || row.lishi == "99:59";
    let runs_on = day.filter(|_| !stopped);
    let depart_at = runs_on.and_then(|day| moment(day, row.start_time));
    let duration_minutes = minutes(row.lishi).filter(|_| !stopped);
    let from = (row.from_station_name, row.from_station_telecode);
    let to = (row.to_station_name, row.to_station_telecode);
    let origin = name(row.start_station_name, row.start_station_telecode, context);
    let terminus = name(row.end_station_name, row.end_station_telecode, context);
    Ok(Train {
        train_code: TrainCode::parse(row.station_train_code).ok_or("station_train_code")?,
        train_no: TrainNo::parse(row.train_no),
        from_station: station(from, context).ok_or("from_station_telecode")?,
        to_station: station(to, context).ok_or("to_station_telecode")?,
        origin: Some(origin).filter(|name| !name.is_empty()),
        terminus: Some(terminus).filter(|name| !name.is_empty()),
        depart_at,
        arrive_at: arrival(depart_at, duration_minutes, row.arrive_time),
        duration_minutes,
        sale: sale(row, stopped),
        sale_opens_at: compact(row.sale_time),
        seats: seats(row, waitlist_open(row, depart_at, day, context.now)),
        features: features(row.dw_flag),
    })
}

/// Departure plus duration, if that is the clock time which the row states as well.
fn arrival(depart_at: Option<Moment>, duration: Option<u32>, clock: &str) -> Option<Moment> {
    let arrive_at = depart_at?.plus_minutes(duration?.into());
    let stated = minutes(clock)? % (24 * 60);
    let local = arrive_at.local();
    let agreed = i64::from(local.hour()) * 60 + i64::from(local.minute()) == i64::from(stated);
    agreed.then_some(arrive_at)
}

fn sale(row: &Row<'_>, stopped: bool) -> Sale {
    match (row.can_web_buy, row.button_text_info) {
        _ if stopped => Sale::Stopped,
        ("Y", _) | ("N", "预订") => Sale::OnSale,
        ("IS_TIME_NOT_BUY", text) if text.contains("起售") => Sale::NotYet,
        ("IS_TIME_NOT_BUY", _) => Sale::NotNow,
        _ => Sale::Unknown,
    }
}

fn waitlist_open(row: &Row<'_>, depart_at: Option<Moment>, day: Option<Date>, now: Moment) -> bool {
    row.houbu_train_flag == "1"
        && row.sellable
        && day.is_some_and(|day| day != now.day())
        && depart_at.is_some_and(|depart_at| depart_at.minutes_since(now) > WAITLIST_CLOSES)
}

/// The answer's name, else the catalogue's, else the code itself.
fn name(given: &str, telecode: &str, context: Context<'_>) -> String {
    let given = without_spaces(given);
    if !given.is_empty() {
        return given;
    }
    let telecode_known = Telecode::parse(telecode);
    let known = telecode_known.and_then(|telecode| context.catalogue.name_of(&telecode));
    known.unwrap_or(telecode).to_owned()
}

fn station((given, telecode): (&str, &str), context: Context<'_>) -> Option<NamedStation> {
    let name = name(given, telecode, context);
    (!name.is_empty()).then(|| NamedStation {
        name,
        telecode: Telecode::parse(telecode),
    })
}

/// The parts of index 46, joined by `#`: five in 2022, eight since 2024. A part that is missing,
/// empty or not known says nothing.
fn features(dw_flag: &str) -> Vec<Feature> {
    let parts = dw_flag.split('#').enumerate();
    let feature = |(place, part): (usize, &str)| match (place, part) {
        (_, "") => None,
        (0, "5") => Some(Feature::Smart),
        (1, "1") => Some(Feature::Fuxing),
        (2, part) if part.starts_with('Q') => Some(Feature::QuietCoach),
        (2, part) if part.starts_with('R') => Some(Feature::CosySleeper),
        (5, "D") => Some(Feature::Vibrant),
        (6, part) if part != "z" => Some(Feature::BerthChoice),
        (7, part) if part != "z" => Some(Feature::SeniorDiscount),
        _ => None,
    };
    parts.filter_map(feature).collect()
}

/// What makes two ticket queries equal.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct TicketsQuery {
    date: Date,
    from: Telecode,
    to: Telecode,
    purpose: Purpose,
}

impl Client {
    /// The direct trains of a journey and when the service said so. Equal queries under way are
    /// joined, and an answer serves them for a while.
    ///
    /// `GET leftTicket/query…` (docs/upstreams/rail.md, tickets): the parameters in this order, both
    /// ends widened to their cities by the service.
    pub(crate) async fn trains(
        self: &Arc<Self>,
        journey: &Journey,
        purpose: Purpose,
        catalogue: &Arc<Catalogue>,
    ) -> Result<Arc<Reading<Train>>, Error> {
        let query = TicketsQuery {
            date: journey.date,
            from: *journey.from.ask(),
            to: *journey.to.ask(),
            purpose,
        };
        let (client, catalogue) = (Arc::clone(self), Arc::clone(catalogue));
        let read = |query: TicketsQuery| async move {
            let map = |answer| {
                let context = Context {
                    catalogue: &catalogue,
                    now: client.now(),
                };
                trains(answer, query.date, context)
            };
            let list = client.ask(Asked::Tickets, &query.parameters(), map).await?;
            let as_of = client.now();
            Ok(Arc::new(Reading { list, as_of }))
        };
        self.tickets.get(query.clone(), || read(query)).await
    }
}

impl TicketsQuery {
    fn parameters(&self) -> [(&'static str, String); 4] {
        let purpose = match self.purpose {
            Purpose::Adult => "ADULT",
            Purpose::Student => "0X00",
        };
        [
            ("leftTicketDTO.train_date", self.date.to_string()),
            ("leftTicketDTO.from_station", self.from.to_string()),
            ("leftTicketDTO.to_station", self.to.to_string()),
            ("purpose_codes", purpose.to_owned()),
        ]
    }
}

#[cfg(test)]
pub(super) mod tests;
