//! `get_door_log`, `get_presence`.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Failure, Page, Parameters,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
    time::Moment,
    told,
};

use super::arguments::{UserArguments, day};
use crate::{
    Library,
    domain::{
        absence::AwaySource,
        ids::ReservationId,
        minute::Minute,
        presence::DoorEvent,
        reservations::{Reservation, SignInWindow},
        status::Status,
    },
    error::Error,
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct DoorArguments {
    /// 北京时间，今天或以前：YYYY-MM-DD、今天 或 today
    #[schemars(length(min = 1, max = 40), example = &"2026-06-25")]
    date: String,
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct PresenceArguments {
    #[serde(flatten)]
    user: UserArguments,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Doors {
    #[schemars(with = "String")]
    date: Date,
    count: usize,
    /// 仅查今天时有：由最近一条的方向推断；不明、或不是今天为 null
    in_building: Option<bool>,
    events: Vec<DoorEvent>,
    truncated: bool,
    untrusted: bool,
    as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct PresenceNow {
    in_building: Option<bool>,
    /// in_building 的依据：door_log 为今天最近一次过闸
    in_building_source: Option<&'static str>,
    last_event: Option<DoorEvent>,
    status: Status,
    reservation: Option<Held>,
    /// 不在暂离为 null
    absence: Option<Absence>,
    /// 仅待签到时有
    #[serde(skip_serializing_if = "Option::is_none")]
    sign_in_window: Option<SignInWindow>,
    /// 没能读到、因而未计入的依据：stages 预约流水、door_log 闸机记录
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<AwaySource>,
    /// 接下来做什么
    next: String,
    untrusted: bool,
    as_of: Moment,
}

/// The reservation that holds a seat, in short.
#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[]))]
struct Held {
    reservation_id: ReservationId,
    raw_status: String,
    seat_no: String,
    path: Vec<String>,
    #[schemars(with = "String")]
    date: Date,
    start_time: Minute,
    end_time: Minute,
    raw_text: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Absence {
    since: Moment,
    /// 须在此前返回；时限不明或没有为 null
    deadline: Option<Moment>,
    /// record 预约记录、stages 预约流水、door_log 闸机记录
    source: AwaySource,
    /// 由闸机记录推断，系统尚未记录
    estimated: bool,
}

#[tool_router(router = presence_router, vis = "pub(crate)")]
impl Library {
    /// 查询某天的闸机进出记录，最近的在前；查今天时推断是否在馆。物理暂离不会马上改变预约状态，判断在不在馆以此为准；连同预约状态一起看用 get_presence。只查询。须已登录。
    #[tool(
        name = "get_door_log",
        title = "查询闸机记录",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_door_log(
        &self,
        Parameters(arguments): Parameters<DoorArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Doors>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let today = self.kit.now().day();
        let date = day(&arguments.date, today)?;
        if date > today {
            return Err(Error::Argument {
                field: "date",
                why: format!("{date} 还没有到，今天是 {today}"),
            }
            .into());
        }
        let log = self.door_log(&user, date).await?;
        let page = Page::beginning(log.events, call.result_bytes);
        Ok(Json(Doors {
            date: log.date,
            count: page.total,
            in_building: log.in_building,
            truncated: page.truncated,
            events: page.items,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }

    /// 一次看清：现在在不在馆（依据今天的闸机记录）、当前预约状态、是否暂离及返回时限、签到时段、接下来做什么。只查询，不签到、不改状态。须已登录。
    #[tool(
        name = "get_presence",
        title = "查询在馆与暂离",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn get_presence(
        &self,
        Parameters(arguments): Parameters<PresenceArguments>,
    ) -> Result<Json<PresenceNow>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let found = self.presence(&user).await?;
        let (doors, held) = (found.doors, found.reservation);
        let inside = doors.as_ref().and_then(|doors| doors.in_building);
        Ok(Json(PresenceNow {
            in_building: inside,
            in_building_source: inside.map(|_| "door_log"),
            last_event: doors.and_then(|doors| doors.events.into_iter().next()),
            status: held.as_ref().map_or(Status::None, |held| held.status),
            absence: held.as_ref().and_then(absence),
            sign_in_window: held.as_ref().and_then(|held| held.sign_in_window),
            next: held
                .as_ref()
                .map_or_else(nothing_held, |held| next(held, inside)),
            reservation: held.map(Held::of),
            missing: found.missing,
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}

impl Held {
    fn of(held: Reservation) -> Self {
        Self {
            reservation_id: held.reservation_id,
            raw_status: held.raw_status,
            seat_no: held.seat_no,
            path: held.path,
            date: held.date,
            start_time: held.start_time,
            end_time: held.end_time,
            raw_text: held.raw_text,
        }
    }
}

fn absence(held: &Reservation) -> Option<Absence> {
    Some(Absence {
        since: held.away_since?,
        deadline: held.away_deadline,
        source: held.away_source?,
        estimated: held.away_estimated?,
    })
}

fn nothing_held() -> String {
    "没有有效预约；需要座位时用 get_availability_distribution 选区域".to_owned()
}

/// What the reader does next with a reservation.
fn next(held: &Reservation, inside: Option<bool>) -> String {
    let by = |moment: Moment| moment.local().strftime("%m-%d %H:%M").to_string();
    let window = held.sign_in_window;
    let window = window.map(|window| (by(window.begin), by(window.end)));
    let deadline = held.away_deadline.map_or_else(
        || "尽快".to_owned(),
        |deadline| format!("在 {} 前", by(deadline)),
    );
    match (held.status, window) {
        (Status::Reserved, Some((begin, end))) => format!(
            "在 {begin} 至 {end} 之间过闸机进馆即签到；不去就用 cancel_reservation 取消，否则记违约"
        ),
        (Status::WaitingSignIn, Some((_, end))) if inside == Some(true) => {
            format!("已在馆内但系统尚未签到：{end} 前须再过一次闸机或到服务台确认，否则记违约")
        }
        (Status::WaitingSignIn, Some((_, end))) => {
            format!("{end} 前过闸机进馆即签到；不去就用 cancel_reservation 取消，否则记违约")
        }
        (Status::Away, _) if inside == Some(true) => {
            "闸机显示已回馆，系统仍为暂离：可用 return_from_temporary_leave 回座".to_owned()
        }
        (Status::InUse | Status::Away, _) if held.away_since.is_some() => {
            format!(
                "已离开座位：{deadline}过闸机回馆；不回来就用 end_reservation_early 退座，否则记违约"
            )
        }
        (Status::Away, _) => {
            format!("系统记为暂离：{deadline}过闸机回馆；不回来就用 end_reservation_early 退座")
        }
        (Status::InUse, _) => {
            format!(
                "使用中，至 {}；提前离开用 end_reservation_early 退座",
                held.end_time
            )
        }
        _ => "系统状态不明或有违约风险：看 reservation.raw_text，并到服务台确认".to_owned(),
    }
}
