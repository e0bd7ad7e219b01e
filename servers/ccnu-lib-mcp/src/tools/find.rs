//! `find_seats`.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Failure, Parameters,
    rmcp::{self, handler::server::wrapper::Json, tool, tool_router},
    time::Moment,
};

use super::{
    arguments::{LocationArguments, SpanArguments, UserArguments},
    rooms::RoomArguments,
};
use crate::{
    Library,
    domain::{
        ids::{LocationId, SeatId},
        minute::Minute,
    },
    error::Error,
    service::find::{Counts, Match, Near, SeatWishes},
};

/// How many seats are looked for when nothing is said.
const USUAL: usize = 5;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct FindArguments {
    #[serde(flatten)]
    span: SpanArguments,
    #[serde(flatten)]
    location: LocationArguments,
    #[serde(flatten)]
    rooms: RoomArguments,
    /// true 只要有电源的；false 或不填不限
    power: Option<bool>,
    /// 只要这个朝向的，写法同 get_seat_layout 的 direction，如 top
    #[schemars(length(min = 1, max = 20), example = &"top")]
    direction: Option<String>,
    /// 离这个座位（编号或 seat_id）近的在前；须同时给 location_id
    #[schemars(length(min = 1, max = 64), example = &"N1167")]
    near_seat: Option<String>,
    /// true 离网站常用座位近的在前；与 near_seat 同用则靠近哪个都行
    near_favorites: Option<bool>,
    /// 找到几个为止
    #[schemars(range(min = 1, max = 20), default = "usual")]
    limit: Option<usize>,
    #[serde(flatten)]
    user: UserArguments,
}

fn usual() -> Option<usize> {
    Some(USUAL)
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct FoundSeats {
    #[schemars(with = "String")]
    date: Date,
    start_time: Minute,
    end_time: Minute,
    seats: Vec<FoundSeat>,
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    untrusted: bool,
    as_of: Moment,
}

// A seat that is free all along, and why it was chosen.
#[derive(Serialize, JsonSchema)]
struct FoundSeat {
    seat_id: SeatId,
    seat_no: String,
    name: String,
    location_id: LocationId,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<[String; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    power: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    /// 到 near 座位的距离，布局图单位
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    matched: Vec<String>,
}

#[tool_router(router = find_router, vis = "pub(crate)")]
impl Library {
    /// 找整段空闲的座位：按区域、电源、朝向、靠近某座位或常用座位挑选，逐个用时间线证实后给出，并说明符合哪些条件。一次最多查 6 个区域、证实 20 个座位，没查到的计入 counts。不预约、不占座、不循环；预约用 reserve_seat。须已登录。
    #[tool(
        name = "find_seats",
        title = "找整段空闲的座位",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn find_seats_as_wished(
        &self,
        Parameters(arguments): Parameters<FindArguments>,
    ) -> Result<Json<FoundSeats>, Failure> {
        let user = self.login.user(&arguments.user.user(self)?);
        let span = arguments.span.read(self.kit.now().day())?;
        let location = arguments.location.optional()?;
        // A number is one seat in one room only.
        if arguments.near_seat.is_some() && location.is_none() {
            return Err(Error::NeedLocation.into());
        }
        let wishes = SeatWishes {
            location,
            rooms: arguments.rooms.read(),
            power: arguments.power == Some(true),
            direction: arguments.direction,
            near: Near {
                seat: arguments.near_seat,
                favorites: arguments.near_favorites == Some(true),
            },
            limit: arguments.limit.unwrap_or(USUAL),
        };
        let search = self.find_seats(&user, &span, &wishes).await?;
        let none = search.seats.is_empty();
        if none && search.counts.is_all() {
            let failure = Failure::from(Error::NoSeat {
                looked_at: search.counts.checked,
                not_checked: 0,
                seat: None,
                said: None,
            });
            return Err(failure.data("counts", search.counts));
        }
        let seats = search.seats.into_iter();
        Ok(Json(FoundSeats {
            date: span.date,
            start_time: span.begin,
            end_time: span.end,
            seats: seats.map(|found| FoundSeat::of(found, &wishes)).collect(),
            counts: search.counts,
            note: none.then_some("查到上限仍没有整段空闲的；用 location_id 或条件缩小范围后再找"),
            untrusted: true,
            as_of: self.kit.now(),
        }))
    }
}

impl FoundSeat {
    fn of(found: Match, wishes: &SeatWishes) -> Self {
        let Match {
            seat,
            path,
            place,
            nearest,
        } = found;
        let (power, direction) = place.map_or((None, None), |place| (place.power, place.direction));
        let mut matched = vec!["整段空闲".to_owned()];
        if wishes.power {
            matched.push("有电源".to_owned());
        }
        if let (Some(_), Some(direction)) = (&wishes.direction, &direction) {
            matched.push(format!("朝向 {direction}"));
        }
        let distance = nearest.map(|near| {
            let kind = if near.often { "常用座位 " } else { "" };
            let seat_no = near.seat_no;
            matched.push(match near.distance > 0.0 {
                true => format!("靠近{kind}{seat_no}"),
                false => format!("就是{kind}{seat_no}"),
            });
            (near.distance * 10.0).round() / 10.0
        });
        Self {
            seat_id: seat.seat_id,
            seat_no: seat.seat_no,
            name: seat.name,
            location_id: seat.location_id,
            path,
            power,
            direction,
            distance,
            matched,
        }
    }
}
