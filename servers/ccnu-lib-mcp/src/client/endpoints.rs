//! Every question to the API, by its path. All are POST (docs/upstreams/ccnu-lib.md, 7).

use std::sync::atomic::Ordering;

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{account, configuration, presence, reader::Reader, reservations, seats};
use crate::{
    domain::{
        account::{LikedSeat, Reader as ReaderData},
        ids::{BuildingId, LocationId, ReservationId, SeatId},
        layout::Layout,
        minute::Minute,
        presence::DoorLog,
        reservations::{Acted, Records, Reservation, Stage},
        seats::{Favorite, Library, Locations, Seat},
        span::Span,
        times::{EndTimes, StartTimes, TimeLine},
    },
    error::Error,
};

/// Rooms on one page of a building's list.
const ROOMS_A_PAGE: u32 = 50;

/// What stands for the slider's answer when none is asked for.
const NO_CAPTCHA: &str = "capToken";

impl Reader {
    /// The reader's own data: the proof that the session is good. `user/getUserInfo`.
    pub(crate) async fn reader_data(&self) -> Result<ReaderData, Error> {
        let path = "frontApi/user/getUserInfo";
        let reader = self.read(path, &json!({}), account::reader).await?;
        self.step_minute
            .store(reader.step_minute.unwrap_or_default(), Ordering::Relaxed);
        Ok(reader)
    }

    /// The seats the reader takes most often. `user/getUserInfo`.
    pub(crate) async fn liked_seats(&self) -> Result<Vec<LikedSeat>, Error> {
        let path = "frontApi/user/getUserInfo";
        self.read(path, &json!({}), account::liked_seats).await
    }

    /// Whether booking asks for a slider now, where the configuration leaves it to the hour.
    /// `cap/cg/checkHigh`.
    pub(crate) async fn rush_hour(&self) -> Result<bool, Error> {
        let path = "cap/cg/checkHigh";
        self.read(path, &json!({}), configuration::rush_hour).await
    }

    /// Buildings, floors and the days that can be booked. `res/buildingFloorDate`.
    pub(crate) async fn library(&self) -> Result<Library, Error> {
        let path = "frontApi/res/buildingFloorDate";
        self.read(path, &json!({}), seats::library).await
    }

    /// One page, from 1, of a building's rooms with their free seats. `res/findRoomDuration`.
    pub(crate) async fn locations(
        &self,
        building: &BuildingId,
        span: &Span,
        page: u32,
    ) -> Result<Locations, Error> {
        let path = format!("frontApi/res/findRoomDuration/{building}/{}", span.date);
        let mut body = duration(span);
        if let Value::Object(body) = &mut body {
            let more = json!({
                "floorId": 0,
                "currentPage": page,
                "pageSize": ROOMS_A_PAGE,
                "power": false,
                "windows": false,
                "roomType": false,
                "sortField": "",
                "sortType": "",
            });
            body.extend(more.as_object().cloned().unwrap_or_default());
        }
        self.read(&path, &body, seats::locations).await
    }

    /// The seats of a room, free or not, over a span. `res/freeSeatIdsDuration`.
    pub(crate) async fn seats(
        &self,
        location: &LocationId,
        span: &Span,
    ) -> Result<Vec<Seat>, Error> {
        let path = format!("frontApi/res/freeSeatIdsDuration/{location}/{}", span.date);
        let map = |answer| seats::seats(answer, location);
        self.read(&path, &duration(span), map).await
    }

    /// The plan of a room. `res/querySeatLayout`, the whole of it.
    pub(crate) async fn layout(&self, location: &LocationId) -> Result<Option<Layout>, Error> {
        let path = format!("frontApi/res/querySeatLayout/{location}/0");
        self.read(&path, &json!({}), seats::layout).await
    }

    /// When a seat is free on a day. `res/getTimeLine`.
    pub(crate) async fn time_line(&self, seat: &SeatId, date: Date) -> Result<TimeLine, Error> {
        let path = format!("frontApi/res/getTimeLine/{seat}/{date}");
        self.read(&path, &json!({}), seats::time_line).await
    }

    /// When a reservation of a seat can begin. `res/getStartTimes`.
    pub(crate) async fn start_times(&self, seat: &SeatId, date: Date) -> Result<StartTimes, Error> {
        let path = format!("frontApi/res/getStartTimes/{seat}/{date}");
        self.read(&path, &json!({}), seats::start_times).await
    }

    /// When a reservation of a seat that begins then can end. `res/getEndTimes`.
    pub(crate) async fn end_times(
        &self,
        seat: &SeatId,
        date: Date,
        begin: Minute,
    ) -> Result<EndTimes, Error> {
        let path = format!("frontApi/res/getEndTimes/{seat}/{date}/{}", begin.get());
        self.read(&path, &json!({}), seats::end_times).await
    }

    /// The seats the reader keeps as usual ones. `res/findCommonSeat`.
    pub(crate) async fn favorites(&self) -> Result<Vec<Favorite>, Error> {
        let path = "frontApi/res/findCommonSeat";
        self.read(path, &json!({}), seats::favorites).await
    }

    /// The reservation in use or to come. `user/currentUseMake`.
    pub(crate) async fn current(&self) -> Result<Option<Reservation>, Error> {
        let path = "frontApi/user/currentUseMake";
        self.read(path, &json!({}), reservations::current).await
    }

    /// Recent reservations, in an order that means nothing. `user/lastMake`.
    pub(crate) async fn recent(&self) -> Result<Vec<Reservation>, Error> {
        let path = "frontApi/user/lastMake";
        self.read(path, &json!({}), reservations::recent).await
    }

    /// A page of past reservations, by the system's own count. `user/history`.
    pub(crate) async fn history(&self, page: u32, size: u32) -> Result<Records, Error> {
        let path = format!("frontApi/user/history/{page}/{size}");
        self.read(&path, &json!({}), reservations::records).await
    }

    /// A page of breaches, by the system's own count. `user/breach`.
    pub(crate) async fn breaches(&self, page: u32, size: u32) -> Result<Records, Error> {
        let path = format!("frontApi/user/breach/{page}/{size}");
        self.read(&path, &json!({}), reservations::records).await
    }

    /// The steps in the life of a reservation. `user/makeLife`.
    pub(crate) async fn stages(&self, reservation: &ReservationId) -> Result<Vec<Stage>, Error> {
        let path = format!("frontApi/user/makeLife/{reservation}");
        self.read(&path, &json!({}), reservations::stages).await
    }

    /// The passages of gates on a day. `user/doorLog`.
    pub(crate) async fn door_log(&self, date: Date) -> Result<DoorLog, Error> {
        let path = format!("frontApi/user/doorLog/{date}");
        let map = |answer| presence::door_log(answer, date);
        self.read(&path, &json!({}), map).await
    }

    /// Books a seat. Sent once. `make/freeBook`.
    pub(crate) async fn book(
        &self,
        seat: &SeatId,
        span: &Span,
    ) -> Result<Option<ReservationId>, Error> {
        let Span { date, begin, end } = span;
        let (begin, end) = (begin.get(), end.get());
        let path = format!("frontApi/make/freeBook/{seat}/{date}/{begin}/{end}");
        let query = [("capToken", NO_CAPTCHA)];
        self.write(&path, &query, reservations::booked).await
    }

    /// Cancels a reservation. Sent once. `make/cancel`.
    pub(crate) async fn cancel(&self, reservation: &ReservationId) -> Result<Acted, Error> {
        let path = format!("frontApi/make/cancel/{reservation}");
        self.write(&path, &[], reservations::acted).await
    }

    /// Leaves whatever seat is in use for a while. Sent once. `make/leave`.
    pub(crate) async fn leave(&self) -> Result<Acted, Error> {
        self.write("frontApi/make/leave", &[], reservations::acted)
            .await
    }

    /// Comes back to it. From a reservation that is not checked in this would be a sign-in, which is
    /// never asked for from afar. Sent once. `make/checkIn`.
    pub(crate) async fn come_back(&self) -> Result<Acted, Error> {
        let query = [("qrMd5", "PC")];
        self.write("frontApi/make/checkIn", &query, reservations::acted)
            .await
    }

    /// Ends whatever reservation is in use. Sent once. `make/stop`.
    pub(crate) async fn stop(&self) -> Result<Acted, Error> {
        self.write("frontApi/make/stop", &[], reservations::acted)
            .await
    }
}

/// A span as the lists of rooms and seats take it: only seats that are free all along.
fn duration(span: &Span) -> Value {
    json!({
        "beginMinute": span.begin.get(),
        "endMinute": span.end.get(),
        "minMinute": span.minutes(),
    })
}
