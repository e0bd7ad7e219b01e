//! Transfer answers, as plans.

use http_session::drift::{Drift, read};
use std::{sync::Arc, time::Instant};

use jiff::civil::Date;
use serde_json::Value;
use server_kit::time::Moment;

use super::{
    Client,
    answer::{Rejected, data},
    clock::{day, moment},
    paths::Asked,
    stations::without_spaces,
    tickets::{Context, train},
    wire::transfers as wire,
};
use crate::{
    domain::{
        catalogue::Catalogue,
        journey::{Journey, Purpose},
        stations::Telecode,
        tickets::{NamedStation, lowest_price},
        transfers::{CutShort, Page, Plan, Start},
    },
    error::Error,
};

/// The plans of one answer. No plan at all is an empty page: the answer's data is an empty text then.
///
/// Fails with `Drift` when a plan has not two legs, or a leg has no code or station.
pub fn page(answer: Value, context: Context<'_>) -> Result<Page, Rejected> {
    let answer: wire::Answer = match data(answer)? {
        None => return Err(Drift::new("data", "缺失").into()),
        Some(Value::String(text)) if text.is_empty() => {
            return Ok(Page {
                plans: Vec::new(),
                next: None,
                more: false,
            });
        }
        Some(data) => read("data", data)?,
    };
    let plans = answer.middle_list.iter().enumerate();
    let plans = plans.map(|(number, plan)| {
        self::plan(plan, context).map_err(|inside| {
            let field = format!("data.middleList[{number}].{inside}");
            Drift::new(field, "缺失或格式不同")
        })
    });
    Ok(Page {
        plans: plans.collect::<Result<_, _>>()?,
        next: answer.result_index,
        more: answer.can_query.as_deref() == Some("Y"),
    })
}

/// The plan, or where in it a field is wrong.
fn plan(plan: &wire::Plan, context: Context<'_>) -> Result<Plan, String> {
    let [first, second] = plan.full_list.as_slice() else {
        return Err("fullList".to_owned());
    };
    let date = |text: &Option<String>| day(text.as_deref()?);
    let at = |on: &Option<String>, clock: &Option<String>| moment(date(on)?, clock.as_deref()?);
    let leg = |number: usize, leg: &wire::Leg, boarded| {
        train(&leg.row(), date(boarded), context)
            .map_err(|field| format!("fullList[{number}].{field}"))
    };
    let legs = [
        leg(0, first, &plan.train_date)?,
        leg(1, second, &plan.middle_date)?,
    ];
    let [first, second] = &legs;
    Ok(Plan {
        depart_at: at(&plan.train_date, &plan.start_time),
        arrive_at: at(&plan.arrive_date, &plan.arrive_time),
        total_minutes: plan.all_lishi_minutes,
        wait_minutes: plan.wait_time_minutes,
        transfer_station: transfer_station(plan, &first.to_station, &second.from_station),
        same_station: same_station(plan, &first.to_station, &second.from_station),
        same_train: plan.same_train.as_deref() == Some("Y"),
        total_price_yuan_min: lowest_price(&legs, None, false),
        legs,
    })
}

/// The plan's own words, `衡阳-衡阳东` at a change of station; else the legs'.
fn transfer_station(plan: &wire::Plan, arrive: &NamedStation, leave: &NamedStation) -> Vec<String> {
    let stated = plan.middle_station_name.as_deref().unwrap_or_default();
    let mut names: Vec<String> = stated
        .split('-')
        .map(without_spaces)
        .filter(|name| !name.is_empty())
        .collect();
    if names.is_empty() {
        names = vec![arrive.name.clone(), leave.name.clone()];
        names.dedup();
    }
    names
}

/// By the legs' codes, which are safer than the plan's flag; one station may have two codes.
fn same_station(plan: &wire::Plan, arrive: &NamedStation, leave: &NamedStation) -> bool {
    let same_name = arrive.name == leave.name;
    match (arrive.telecode, leave.telecode, &plan.same_station) {
        (Some(arrive), Some(leave), _) => arrive == leave || same_name,
        (_, _, Some(flag)) => flag == "0",
        _ => same_name,
    }
}

/// Pages read of one list; the service gives about ten plans a page.
const MOST_PAGES: usize = 5;

/// Plans of a journey, in the service's order.
pub(crate) struct Plans {
    pub(crate) plans: Vec<Plan>,
    /// Why the list was not read to its end, if so.
    pub(crate) cut_short: Option<CutShort>,
    pub(crate) as_of: Moment,
}

/// What makes two transfer queries equal.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct TransfersQuery {
    date: Date,
    from: Telecode,
    to: Telecode,
    middle: Option<Telecode>,
    purpose: Purpose,
}

impl Client {
    /// The plans of a journey with one change, page after page. A page that fails after the first
    /// leaves the list cut short; the first one fails the query.
    pub(crate) async fn plans(
        self: &Arc<Self>,
        journey: &Journey,
        middle: Option<Telecode>,
        purpose: Purpose,
        start: Start,
        catalogue: &Arc<Catalogue>,
    ) -> Result<Arc<Plans>, Error> {
        let query = TransfersQuery {
            date: journey.date,
            from: *journey.from.ask(),
            to: *journey.to.ask(),
            middle,
            purpose,
        };
        if start == Start::First {
            // A list that a passing fault cut short is read anew, but not under who pages through it.
            self.transfers.forget_if(&query, |plans| {
                plans.cut_short.is_some_and(CutShort::passes)
            });
        }
        let (client, catalogue) = (Arc::clone(self), Arc::clone(catalogue));
        let read = |query| async move { client.all_pages(&query, &catalogue).await.map(Arc::new) };
        self.transfers.get(query.clone(), || read(query)).await
    }

    async fn all_pages(
        &self,
        query: &TransfersQuery,
        catalogue: &Catalogue,
    ) -> Result<Plans, Error> {
        let until = Instant::now() + self.page_time;
        let mut plans = Vec::new();
        let mut cursors = vec![0];
        let cut_short = loop {
            let cursor = cursors.last().copied().unwrap_or_default();
            let Page {
                plans: mut fresh,
                next,
                more,
            } = match self.page_before(until, query, cursor, catalogue).await {
                Some(Ok(page)) => page,
                Some(Err(error)) if plans.is_empty() => return Err(error),
                Some(Err(error)) => break Some(CutShort::from(&error)),
                None => break Some(CutShort::TimeLimit),
            };
            let empty = fresh.is_empty();
            // A page that was read already may come again under a cursor of its own.
            fresh.retain(|plan| !plans.contains(plan));
            plans.extend(fresh);
            match next {
                _ if !more || empty => break None,
                Some(next) if !cursors.contains(&next) => cursors.push(next),
                _ => break Some(CutShort::RepeatedCursor),
            }
            if cursors.len() > MOST_PAGES {
                break Some(CutShort::PageLimit);
            }
        };
        Ok(Plans {
            plans,
            cut_short,
            as_of: self.now(),
        })
    }

    /// The page, or `None` when it does not come in time: the plans before it must still be answered.
    /// The first page has the whole call.
    async fn page_before(
        &self,
        until: Instant,
        query: &TransfersQuery,
        cursor: u32,
        catalogue: &Catalogue,
    ) -> Option<Result<Page, Error>> {
        let page = self.page(query, cursor, catalogue);
        if cursor == 0 {
            return Some(page.await);
        }
        tokio::time::timeout_at(until.into(), page).await.ok()
    }

    /// `GET /lcquery/query…` (docs/upstreams/rail.md, transfers): the parameters in this order;
    /// `isShowWZ=Y` so that plans with standing tickets only are not left out unseen.
    async fn page(
        &self,
        query: &TransfersQuery,
        cursor: u32,
        catalogue: &Catalogue,
    ) -> Result<Page, Error> {
        let context = Context {
            catalogue,
            now: self.now(),
        };
        let parameters = query.parameters(cursor);
        self.ask(Asked::Transfers, &parameters, |answer| {
            page(answer, context)
        })
        .await
    }
}

impl TransfersQuery {
    fn parameters(&self, cursor: u32) -> [(&'static str, String); 9] {
        let purpose = match self.purpose {
            Purpose::Adult => "00",
            Purpose::Student => "0X",
        };
        let middle = self.middle.map(|middle| middle.to_string());
        [
            ("train_date", self.date.to_string()),
            ("from_station_telecode", self.from.to_string()),
            ("to_station_telecode", self.to.to_string()),
            ("middle_station", middle.unwrap_or_default()),
            ("result_index", cursor.to_string()),
            ("can_query", "Y".to_owned()),
            ("isShowWZ", "Y".to_owned()),
            ("purpose_codes", purpose.to_owned()),
            ("channel", "E".to_owned()),
        ]
    }
}

impl From<&Error> for CutShort {
    fn from(error: &Error) -> Self {
        match error {
            Error::Session(
                http_session::Error::RateLimited { .. } | http_session::Error::Busy { .. },
            ) => Self::RateLimited,
            _ => Self::UpstreamFailed,
        }
    }
}
