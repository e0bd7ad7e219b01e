//! Buildings, rooms and seats, and when they are free.

use http_session::drift::{Drift, read};
use jiff::civil::Date;
use serde_json::{Map, Value};
use server_kit::outside;

use super::{
    clock,
    envelope::{Rejected, cleaned, data, shown},
    wire::{
        scalar::{Count, Scalar, Text},
        seats as wire,
    },
};
use crate::domain::{
    ids::{BuildingId, FloorId, LocationId, SeatId},
    layout::{Layout, LayoutSeat},
    minute::Minute,
    seats::{Building, Favorite, Floor, Library, Location, Locations, Seat, SeatStatus, by_number},
    span::OpeningHours,
    times::{EndTimes, FreeRange, StartTime, StartTimes, TimeLine},
};

/// What stands between a plan and the number of its version.
const VERSION_MARK: &str = "_updVersion_";

/// The buildings and the days that can be booked, from `res/buildingFloorDate`.
///
/// Opening hours in a form that is not known are none. Fails with `Drift` when a date is no day.
pub fn library(answer: Value) -> Result<Library, Rejected> {
    let sent: wire::Library = data(answer)?;
    let buildings = sent
        .buildings
        .into_iter()
        .enumerate()
        .map(|(number, building)| {
            let at = format!("data.buildings[{number}]");
            self::building(&at, building)
        });
    let days = sent.dates.iter().enumerate().map(|(number, text)| {
        let day: Option<Date> = clock::day(text);
        day.ok_or_else(|| Drift::new(format!("data.dates[{number}]"), "不是日期"))
    });
    Ok(Library {
        buildings: buildings.collect::<Result<_, Drift>>()?,
        dates: days.collect::<Result<_, Drift>>()?,
    })
}

fn building(at: &str, sent: wire::Building) -> Result<Building, Drift> {
    let floors = sent.floors.into_iter().enumerate().map(|(number, floor)| {
        let id = FloorId::parse(&floor.id.0);
        Ok(Floor {
            floor_id: id.ok_or_else(|| Drift::form(&format!("{at}.floors[{number}]"), "id"))?,
            name: outside(&floor.name),
        })
    });
    let hours = sent.se_time.as_deref().and_then(clock::between);
    Ok(Building {
        building_id: BuildingId::parse(&sent.id.0).ok_or_else(|| Drift::form(at, "id"))?,
        name: outside(&sent.name),
        hours: hours.map(|(opens, closes)| OpeningHours { opens, closes }),
        floors: floors.collect::<Result<_, Drift>>()?,
    })
}

/// One page of a building's rooms, in the system's order, from `res/findRoomDuration`.
pub fn locations(answer: Value) -> Result<Locations, Rejected> {
    let sent: wire::Rooms = data(answer)?;
    let rooms = sent
        .page_list
        .into_iter()
        .enumerate()
        .map(|(number, room)| {
            location(room).map_err(|field| Drift::form(&format!("data.pageList[{number}]"), field))
        });
    Ok(Locations {
        locations: rooms.collect::<Result<_, Drift>>()?,
        total: sent.total_count.map(|Count(total)| total),
        next: sent.next,
    })
}

fn location(room: wire::Room) -> Result<Location, &'static str> {
    let building_id = room
        .building_id
        .map(|Text(id)| BuildingId::parse(&id).ok_or("buildingId"));
    Ok(Location {
        location_id: LocationId::parse(&room.id.0).ok_or("id")?,
        path: [&room.building_name, &room.floor_name, &room.name].map(|name| outside(name)),
        total: room.seat_total.0,
        available: room.seat_free.0,
        locked: room.seat_lock.map(|Count(locked)| locked),
        max_minute: room.max_minute.map(|Count(minutes)| minutes),
        building_id: building_id.transpose()?,
    })
}

/// The seats of a room, free or not, by number, from `res/freeSeatIdsDuration`: an object by seat
/// id, or a list; empty when there is none.
pub fn seats(answer: Value, location_id: &LocationId) -> Result<Vec<Seat>, Rejected> {
    let sent: Vec<(String, Option<String>, Value)> = match data(answer)? {
        Value::Object(seats) => {
            let keyed = seats.into_iter();
            keyed
                .map(|(key, seat)| (format!("data.{key}"), Some(key), seat))
                .collect()
        }
        Value::Array(seats) => {
            let numbered = seats.into_iter().enumerate();
            numbered
                .map(|(number, seat)| (format!("data[{number}]"), None, seat))
                .collect()
        }
        _ => return Err(Drift::new("data", "缺失或类型不同").into()),
    };
    let seats = sent.into_iter().map(|(at, key, seat)| {
        let seat: wire::Seat = read(&at, seat)?;
        let id = seat.id.map(|Text(id)| id).or(key).unwrap_or_default();
        let Text(raw_status) = seat.status;
        let status = SeatStatus::of_raw(&raw_status);
        Ok(Seat {
            seat_id: SeatId::parse(&id).ok_or_else(|| Drift::form(&at, "id"))?,
            seat_no: outside(&seat.label.0),
            name: shown(seat.name).unwrap_or_default(),
            location_id: location_id.clone(),
            available: status == SeatStatus::Free,
            status,
            raw_status: outside(&raw_status),
        })
    });
    let mut seats = seats.collect::<Result<Vec<Seat>, Drift>>()?;
    by_number(&mut seats);
    Ok(seats)
}

/// The plan of a room, from `res/querySeatLayout/{room}/{version}`: a canvas in JSON inside a text
/// that ends with the number of its version. None when the version asked for is the present one.
///
/// Fails with `Drift` when there is no canvas, or no seat in it.
pub fn layout(answer: Value) -> Result<Option<Layout>, Rejected> {
    let text: String = data(answer)?;
    if text.is_empty() {
        return Ok(None);
    }
    let (canvas, version) = match text.rsplit_once(VERSION_MARK) {
        Some((canvas, version)) => (canvas, shown(Some(version.to_owned()))),
        None => (text.as_str(), None),
    };
    let canvas: Map<String, Value> =
        serde_json::from_str(canvas).map_err(|_| Drift::new("data", "不是画布"))?;
    let objects = canvas.get("objects").and_then(Value::as_array);
    let objects = objects.ok_or_else(|| Drift::form("data", "objects"))?;
    let seats = objects.iter().enumerate();
    let seats = seats.filter(|(_, object)| object.get("seat").is_some_and(Value::is_object));
    let seats = seats.map(|(number, object)| plan_seat(number, object));
    let seats = seats.collect::<Result<Vec<LayoutSeat>, Drift>>()?;
    if seats.is_empty() {
        return Err(Drift::new("data.objects", "没有座位").into());
    }
    Ok(Some(Layout {
        layout_version: version,
        seat_count: seats.len(),
        seats,
        layout: canvas,
    }))
}

fn plan_seat(number: usize, object: &Value) -> Result<LayoutSeat, Drift> {
    let at = format!("data.objects[{number}]");
    let object: wire::Object = read(&at, object.clone())?;
    let id = SeatId::parse(&object.seat.id.0);
    Ok(LayoutSeat {
        seat_id: id.ok_or_else(|| Drift::form(&at, "seat.id"))?,
        seat_no: outside(&object.seat.label.0),
        name: shown(object.seat.name).unwrap_or_default(),
        direction: shown(object.seat.direction),
        power: object.seat.power,
        x: object.left,
        y: object.top,
    })
}

/// When a seat is free on a day, from `res/getTimeLine/{seat}/{date}`.
pub fn time_line(answer: Value) -> Result<TimeLine, Rejected> {
    let sent: wire::TimeLine = data(answer)?;
    let ranges = sent.free_list.iter().enumerate().map(|(number, range)| {
        let form = || Drift::form(&format!("data.freeList[{number}]"), "label");
        let (start_time, end_time) = clock::between(&range.label).ok_or_else(form)?;
        Ok(FreeRange {
            start_time,
            end_time,
        })
    });
    Ok(TimeLine(ranges.collect::<Result<_, Drift>>()?))
}

/// The times at which a reservation of a seat can begin, from `res/getStartTimes/{seat}/{date}`.
pub fn start_times(answer: Value) -> Result<StartTimes, Rejected> {
    let start = |sent: &Scalar| match sent {
        Scalar::Text(text) if text == "now" => Some(StartTime::Now),
        sent => minute(sent).map(StartTime::At),
    };
    Ok(StartTimes(choices(answer, start)?))
}

/// The times at which such a reservation can end, from `res/getEndTimes/{seat}/{date}/{begin}`.
pub fn end_times(answer: Value) -> Result<EndTimes, Rejected> {
    Ok(EndTimes(choices(answer, minute)?))
}

fn minute(sent: &Scalar) -> Option<Minute> {
    clock::minute(sent).ok().flatten()
}

fn choices<T>(answer: Value, read: impl Fn(&Scalar) -> Option<T>) -> Result<Vec<T>, Rejected> {
    let choices: Vec<wire::Choice> = data(answer)?;
    let values = choices
        .iter()
        .enumerate()
        .map(|(number, wire::Choice(value, _))| {
            read(value).ok_or_else(|| Drift::new(format!("data[{number}][0]"), "不是时间"))
        });
    Ok(values.collect::<Result<_, Drift>>()?)
}

/// The places the reader uses often, in the system's order, from `res/findCommonSeat`.
///
/// No answer is recorded anywhere, so that the entries are passed on as they are; an id that
/// cannot be read is none.
pub fn favorites(answer: Value) -> Result<Vec<Favorite>, Rejected> {
    let entries: Vec<Map<String, Value>> = data(answer)?;
    let favorite = |raw: Map<String, Value>| {
        let text = |member: &str| {
            let sent = raw.get(member).cloned().unwrap_or_default();
            serde_json::from_value(sent).ok().map(|Text(text)| text)
        };
        Favorite {
            seat_id: text("seatId").and_then(|id| SeatId::parse(&id)),
            location_id: text("roomId").and_then(|id| LocationId::parse(&id)),
            seat_no: shown(text("label")),
            raw: raw
                .into_iter()
                .map(|(member, sent)| (outside(&member), cleaned(sent)))
                .collect(),
        }
    };
    Ok(entries.into_iter().map(favorite).collect())
}
