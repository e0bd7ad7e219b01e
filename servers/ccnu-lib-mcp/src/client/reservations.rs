//! Reservations, past and present, and what the system says when they change.

use http_session::drift::{Drift, read};
use serde::Deserialize;
use serde_json::Value;
use server_kit::outside;

use super::{
    clock,
    envelope::{Rejected, cleaned, data, open, shown},
    wire::{
        reservations as wire,
        scalar::{Count, Scalar, Text},
    },
};
use crate::domain::{
    absence::{AwayRange, AwayRaw},
    ids::{LocationId, ReservationId, SeatId},
    minute::Minute,
    reservations::{Acted, Records, Reservation, Stage},
    status::Status,
};

/// The reservation in use or to come, from `user/currentUseMake`: a record; an empty text, an
/// empty object or null when there is none.
pub fn current(answer: Value) -> Result<Option<Reservation>, Rejected> {
    let record = match open(answer)?.data {
        Value::Null => return Ok(None),
        Value::String(text) if text.is_empty() => return Ok(None),
        Value::Object(record) if record.is_empty() => return Ok(None),
        record => record,
    };
    let make = read("data", record)?;
    let record = reservation(make).map_err(|field| Drift::form("data", field))?;
    Ok(Some(record))
}

/// Recent reservations in the system's order, which means nothing, from `user/lastMake`.
pub fn recent(answer: Value) -> Result<Vec<Reservation>, Rejected> {
    Ok(listed("data", data(answer)?)?)
}

/// A page of past reservations or breaches, from `user/history` or `user/breach`.
pub fn records(answer: Value) -> Result<Records, Rejected> {
    let page: wire::Records = data(answer)?;
    let Count(total) = page.count;
    Ok(Records {
        total,
        records: listed("data.list", page.list.unwrap_or_default())?,
    })
}

fn listed(at: &str, makes: Vec<wire::Make>) -> Result<Vec<Reservation>, Drift> {
    let numbered = makes.into_iter().enumerate();
    let record = |(number, make)| {
        reservation(make).map_err(|field| Drift::form(&format!("{at}[{number}]"), field))
    };
    numbered.map(record).collect()
}

/// A record as a reservation, or the name of the field that is wrong.
fn reservation(make: wire::Make) -> Result<Reservation, &'static str> {
    let Text(raw_status) = make.status;
    let status = Status::of_raw(&raw_status);
    let raw_text = shown(make.message);
    let used = matches!(status, Status::InUse | Status::Away);
    let actual = |field, sent: &Scalar| clock::minute(sent).map_err(|()| field);
    Ok(Reservation {
        reservation_id: ReservationId::parse(&make.id.0).ok_or("id")?,
        status,
        raw_status: outside(&raw_status),
        seat_no: outside(&make.seat_label.0),
        path: path(
            make.location,
            [make.build_name, make.floor_name, make.room_name],
        ),
        date: {
            let text = make.make_date_str.or(make.make_date);
            text.and_then(|Text(day)| clock::day(&day))
                .ok_or("makeDateStr")?
        },
        start_time: edge("makeBegin", &make.make_begin, &make.make_begin_str)?,
        end_time: edge("makeEnd", &make.make_end, &make.make_end_str)?,
        receipt: shown(make.receipt.map(|Text(receipt)| receipt)),
        stated_window: raw_text.as_deref().and_then(stated_window),
        raw_text,
        location_id: id("roomId", make.room_id, LocationId::parse)?,
        seat_id: id("seatId", make.seat_id, SeatId::parse)?,
        actual_begin: actual("actualBegin", &make.actual_begin)?,
        actual_end: actual("actualEnd", &make.actual_end)?,
        sign_in_window: None,
        away_since: None,
        away_deadline: None,
        away_raw: away_raw(&make.away_time_m, make.away_range.clone())
            .map_err(|()| "awayTimeM")?
            .filter(|_| used),
        away_estimated: None,
        away_source: None,
        missing: Vec::new(),
        last_absence: make.away_range.as_deref().and_then(last_absence),
    })
}

fn id<T>(
    field: &'static str,
    sent: Option<Text>,
    parse: fn(&str) -> Option<T>,
) -> Result<Option<T>, &'static str> {
    sent.map(|Text(text)| parse(&text).ok_or(field)).transpose()
}

/// The minute that begins or ends a reservation: the number, else the clock time beside it.
fn edge(field: &'static str, number: &Scalar, text: &Scalar) -> Result<Minute, &'static str> {
    let stated = [number, text].map(|sent| clock::minute(sent).map_err(|()| field));
    let [number, text] = stated;
    number?
        .map_or(text, |minute| Ok(Some(minute)))?
        .ok_or(field)
}

/// The parts of `location`, else the three names, without empty ones.
fn path(location: Option<String>, names: [Option<String>; 3]) -> Vec<String> {
    let parts = location.as_deref().unwrap_or_default().split('|');
    let parts: Vec<String> = parts
        .filter_map(|part| shown(Some(part.to_owned())))
        .collect();
    if parts.is_empty() {
        return names.into_iter().filter_map(shown).collect();
    }
    parts
}

/// The times to check in that a sentence such as `请在 07:30 至 08:30 之间完成签到` names.
fn stated_window(said: &str) -> Option<(Minute, Minute)> {
    said.contains("签到").then(|| clock::between(said))?
}

/// The two fields about absence, unless both say that there was none.
fn away_raw(minutes: &Scalar, range: Option<String>) -> Result<Option<AwayRaw>, ()> {
    let minutes = match minutes {
        Scalar::Absent => None,
        Scalar::Number(minutes) => Some(*minutes),
        Scalar::Text(text) => Some(text.parse().map_err(|_| ())?),
    };
    let raw = AwayRaw {
        minutes: minutes
            .and_then(|minutes| u32::try_from(minutes).ok())
            .filter(|minutes| *minutes > 0),
        range: shown(range),
    };
    Ok((raw.minutes.is_some() || raw.range.is_some()).then_some(raw))
}

/// The last absence that `awayRange` names: of the clock times in its last part that holds any, two
/// by two, the last pair or the last single one. `09:40 _ 10:00` is over, `09:40 _ ` goes on.
fn last_absence(range: &str) -> Option<AwayRange> {
    let parts = range.split([',', ';', '|', '，', '；', '、', '\n']);
    let times = parts.map(clock::times).rfind(|times| !times.is_empty())?;
    let last = times.chunks(2).last()?;
    Some(AwayRange {
        begin: *last.first()?,
        end: last.get(1).copied(),
    })
}

/// The id that `make/freeBook` gives a reservation, which not every school's system tells. It was
/// made whatever the record looks like; the truth is what the system says when asked again.
pub fn booked(answer: Value) -> Result<Option<ReservationId>, Rejected> {
    let record = wire::Booked::deserialize(open(answer)?.data).ok();
    let id = record.and_then(|record| record.id);
    Ok(id.and_then(|Text(id)| ReservationId::parse(&id)))
}

/// What `make/cancel`, `make/leave`, `make/checkIn` or `make/stop` says after it was done: a
/// sentence, an object with one, or a number whose meaning is not settled.
pub fn acted(answer: Value) -> Result<Acted, Rejected> {
    let accepted = open(answer)?;
    let sentence = match &accepted.data {
        Value::Object(data) => data.get("message").and_then(Value::as_str),
        data => data.as_str(),
    };
    Ok(Acted {
        said: shown(sentence.map(str::to_owned)).or(accepted.said),
        raw: cleaned(accepted.data),
    })
}

/// The steps in the life of a reservation, in the system's order, from `user/makeLife/{id}`.
pub fn stages(answer: Value) -> Result<Vec<Stage>, Rejected> {
    let stages: Vec<wire::Stage> = data(answer)?;
    let stages = stages.into_iter().enumerate().map(|(number, stage)| {
        let form = || Drift::form(&format!("data[{number}]"), "createdDate");
        Ok(Stage {
            raw_status: outside(&stage.stage.0),
            at: clock::moment(&stage.created_date).ok_or_else(form)?,
        })
    });
    Ok(stages.collect::<Result<Vec<Stage>, Drift>>()?)
}
