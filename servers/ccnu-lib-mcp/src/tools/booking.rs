//! `reserve_seat`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use server_kit::{
    Call, Failure, Parameters,
    guard::Write,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
};

use super::{
    arguments::{SpanArguments, UserArguments, id},
    writes::{Answer, What, Would, WriteArguments},
};
use crate::{
    Library,
    domain::{
        changes::Reserved,
        ids::{LocationId, SeatId},
        span::Span,
        status::Status,
        user_key::UserKey,
    },
    error::Error,
    service::{
        acting::BOOKING,
        booking::{Choice, Chosen, Order, Wish},
        span::{check_alone, check_step},
    },
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ReserveArguments {
    #[serde(flatten)]
    span: SpanArguments,
    /// 座位 id，取自 list_available_seats 或 find_seats；exact_seat 必填，其他策略不可填
    #[schemars(length(max = 64), example = &"2003722571020177408")]
    seat_id: Option<String>,
    /// 区域 id，取自 get_availability_distribution；除 exact_seat 外必填
    #[schemars(length(max = 64), example = &"1995338594917990400")]
    location_id: Option<String>,
    /// exact_seat 指定座位、first_available 编号最小的、random_available 随机、favorite_first 常用座位优先；缺省：有 seat_id 为 exact_seat，否则 first_available
    #[schemars(length(max = 64), example = &"exact_seat")]
    strategy: Option<String>,
    #[serde(flatten)]
    write: WriteArguments,
    #[serde(flatten)]
    user: UserArguments,
}

#[tool_router(router = booking_router, vis = "pub(crate)")]
impl Library {
    /// 以登录者本人提交座位预约，只提交一次，并读回记录证实后才算成功。先取得用户明确同意；时段与座位用 get_availability_distribution、list_available_seats 或 find_seats 选定。提交前检查日期、步长、开放时间、时长、黑名单、已有预约、验证码要求和整段空闲；要滑块验证码时停下（CAPTCHA_REQUIRED），不代做。签到须本人到馆过闸机。结果不明返回 OUTCOME_UNKNOWN：用相同参数和 client_token 再调用以核实，不会重复预约。
    #[tool(
        name = "reserve_seat",
        title = "预约座位",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = false,
            open_world_hint = true
        )
    )]
    async fn reserve_seat(
        &self,
        Parameters(arguments): Parameters<ReserveArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Answer<Reserved>>, Failure> {
        let key = arguments.user.user(self)?;
        let write = &arguments.write;
        let wish = arguments.wish(self, &key)?;
        let (span, what) = (wish.span, json!(wish));
        let allowed = async { Ok(self.may_book(&key).await?) };
        let mut booking = self.booking(&key, wish);
        if write.dry_run == Some(true) {
            allowed.await?;
            let (chosen, _) = booking.ready().await?;
            return Ok(Json(Answer::Would(would_book(span, chosen))));
        }
        let write = Write {
            account: key.as_str(),
            space: &call.tool,
            token: write.client_token.as_deref(),
            what,
            limits: BOOKING,
        };
        let done = self.guard.write(&call, write, allowed, booking).await?;
        Ok(Json(Answer::Done(done)))
    }
}

fn would_book(span: Span, chosen: Chosen) -> Would {
    Would::new(
        Status::Reserved,
        What::Seat {
            date: span.date,
            start_time: span.begin,
            end_time: span.end,
            seat_id: chosen.seat_id,
            seat_no: chosen.seat_no,
        },
    )
}

impl ReserveArguments {
    /// What is wanted, as far as it can be told without asking anybody.
    fn wish(&self, library: &Library, key: &UserKey) -> Result<Wish, Error> {
        let now = library.kit.now();
        let span = self.span.read(now.day())?;
        let choice = self.choice()?;
        let step = library.login.user(key).reader.step_minute();
        // Under a token this may ask for the outcome of a booking whose begin is over by now.
        match self.write.client_token.is_some() && self.write.dry_run != Some(true) {
            true => check_step(&span, step)?,
            false => check_alone(&span, step, now)?,
        }
        Ok(Wish { span, choice })
    }

    fn choice(&self) -> Result<Choice, Error> {
        let seat = id("seat_id", self.seat_id.as_deref(), SeatId::parse)?;
        let location = id(
            "location_id",
            self.location_id.as_deref(),
            LocationId::parse,
        )?;
        let usual = match seat {
            Some(_) => "exact_seat",
            None => "first_available",
        };
        let strategy = self.strategy.as_deref().map(str::trim);
        let strategy = strategy
            .filter(|strategy| !strategy.is_empty())
            .unwrap_or(usual);
        let refuse = |why| Error::BadStrategy {
            strategy: strategy.to_owned(),
            why,
        };
        let order = match strategy {
            "exact_seat" => None,
            "first_available" => Some(Order::First),
            "random_available" => Some(Order::Random),
            "favorite_first" => Some(Order::Favorite),
            _ => return Err(refuse("没有这种策略")),
        };
        match (order, seat, location) {
            (None, Some(seat), location) => Ok(Choice::Exact { seat, location }),
            (None, None, _) => Err(Error::NeedSeat),
            (Some(_), Some(_), _) => Err(refuse("只有 exact_seat 可以给 seat_id")),
            (Some(order), None, Some(location)) => Ok(Choice::Any { location, order }),
            (Some(_), None, None) => Err(Error::NeedLocation),
        }
    }
}
