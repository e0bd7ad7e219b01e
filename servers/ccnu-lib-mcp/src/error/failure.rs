//! The code, sentence and next step that a tool answers for each error.

mod account;
mod way;

use std::time::Duration;

use server_kit::{Failure, bad_argument, outside, question::Stopped, time::NotADay};

use super::{Change, Error};
use crate::domain::{
    span::{BadTime, Edge},
    status::Status,
};

pub(crate) use way::{CLOCK_TOLERANCE_SECONDS, is_off_campus};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Argument { field, why } => bad_argument(field, why),
            Error::BadTime(why) => bad_time(why),
            Error::DateNotOpen {
                date,
                today,
                open,
                opens_at,
            } => {
                let opening = opens_at.map(|at| format!("，之后的日期每天 {at} 开放")).unwrap_or_default();
                let message = format!("{date} 现在不能预约：今天是 {today}{opening}");
                Self::new("DATE_NOT_OPEN", message)
                    .next("从 data.open_dates 中选一天，或到开放时刻后重试；不会改约别的日期")
                    .data("field", "date")
                    .data("date", date)
                    .data("today", today)
                    .data("open_dates", open)
                    .data("opens_at", opens_at)
            }
            Error::Closed(closed) => {
                let (opens, closes) = (closed.0.opens, closed.0.closes);
                Self::new("CLOSED", format!("该时段不全在开放时间 {opens}–{closes} 之内"))
                    .next("把时段改到开放时间内后重试")
                    .data("opens", opens)
                    .data("closes", closes)
            }
            Error::BeginInPast(past) => {
                Self::new("BEGIN_IN_PAST", format!("开始时间已过：现在是 {}", past.now))
                    .next("改用之后的开始时间重试")
                    .data("field", "start_time")
                    .data("now", past.now)
            }
            Error::TooLong(long) => Self::new(
                "SPAN_TOO_LONG",
                format!("时段长 {} 分钟，单次最长 {} 分钟", long.minutes, long.max_minute),
            )
            .next("缩短时段后重试")
            .data("max_minute", long.max_minute),
            Error::NeedLocation => Self::new("NEED_LOCATION", "缺少 location_id")
                .next("用 get_availability_distribution 取得 location_id 后重试")
                .data("field", "location_id"),
            Error::NeedSeat => Self::new("NEED_SEAT", "exact_seat 需要 seat_id")
                .next("用 list_available_seats 取得 seat_id，或改用 first_available")
                .data("field", "seat_id"),
            Error::BadStrategy { strategy, why } => {
                Self::new("BAD_STRATEGY", format!("strategy {strategy:?} 不可用：{why}"))
                    .next("用 exact_seat（配 seat_id）、first_available、random_available 或 favorite_first（配 location_id）")
                    .data("field", "strategy")
            }
            Error::NoSeat {
                looked_at,
                not_checked,
                seat,
                said,
            } => beside(no_seat(looked_at, not_checked, seat), said),
            Error::Blacklisted { until, said } => {
                let failure = Self::new("BLACKLISTED", "账号在预约黑名单中，暂不能预约")
                    .next("用 get_account_standing 查看期限，到期后重试")
                    .data("until", until);
                beside(failure, said)
            }
            Error::AlreadyReserved {
                reservation_id,
                said,
            } => {
                let failure = Self::new("ALREADY_RESERVED", "已有一个有效预约，不能再约")
                    .next("用 get_current_reservation 查看；需要换座先 cancel_reservation 或 end_reservation_early")
                    .data("reservation_id", reservation_id);
                beside(failure, said)
            }
            Error::CaptchaRequired { page, known, said } => {
                let message = match known {
                    true => "预约现在需要滑块验证码，本服务不代做",
                    false => "看不出预约是否需要滑块验证码，为稳妥没有提交",
                };
                let failure = Self::new("CAPTCHA_REQUIRED", message)
                    .next("请在官方页面（data.official_page）自行预约")
                    .data("official_page", outside(&page));
                beside(failure, said)
            }
            Error::ReserveFailed { said } => {
                told("RESERVE_FAILED", "图书馆系统拒绝了预约", said)
                    .next("按系统提示调整；用 list_available_seats 另选座位")
            }
            Error::NotBooked => Self::new("RESERVE_FAILED", "核实过：这次预约没有提交成功")
                .retryable()
                .next("可用相同参数重新调用"),
            Error::NoActive => Self::new("NO_ACTIVE", "当前没有有效预约")
                .next("用 get_current_reservation 确认"),
            Error::Mismatch { asked, current } => Self::new(
                "RESERVATION_MISMATCH",
                format!("{asked} 不是当前预约，没有执行"),
            )
            .next("核对 get_current_reservation 的 reservation_id，或不传 reservation_id")
            .data("reservation_id", asked)
            .data("current_reservation_id", current),
            Error::WrongState {
                change,
                status,
                reservation_id,
                why,
            } => wrong_state(change, status, why).data("reservation_id", reservation_id),
            Error::ChangeFailed { change, said } => {
                let (code, doing) = failed(change);
                told(code, &format!("图书馆系统没有完成{doing}"), said)
                    .next("用 get_current_reservation 查看现状")
            }
            Error::NotChanged(change) => {
                let (code, doing) = failed(change);
                Self::new(code, format!("核实过：这次{doing}没有完成"))
                    .retryable()
                    .next("可用相同参数重新调用")
            }
            Error::NoAccount => Self::new("NO_ACCOUNT", "没有保存账号，也无法提供登录页")
                .next("在运行本服务的机器上执行 ccnu-lib-mcp login，或用 save_account"),
            Error::MissingCredentials => {
                Self::new("MISSING_CREDENTIALS", "缺少学号或密码，且没有可用的默认账号")
                    .next("同时给出 username 与 password，或在终端执行 ccnu-lib-mcp login")
            }
            Error::NeedLogin => Self::new("NEED_LOGIN", "未登录，或登录态已失效且无法静默续登")
                .next("调用 start_login 登录后重试"),
            Error::Question(stopped @ Stopped::NotFound { .. }) => Self {
                message: "没有这个 challenge_id（或它属于另一个 user_key）".to_owned(),
                ..Self::from(stopped).next("核对 challenge_id 与 user_key；否则重新 start_login")
            },
            Error::Question(stopped) => stopped.into(),
            Error::SignIn(error) => account::of_sign_in(error),
            Error::SignedOut => Self::new("LOGIN_EXPIRED", "登录态刚刚失效")
                .retryable()
                .next("重试一次；若仍失败，调用 start_login"),
            Error::Unauthorised => Self::new("NEED_LOGIN", "图书馆系统不认可本次请求的身份")
                .next("调用 start_login 登录后重试"),
            Error::SignatureRejected { skew_seconds } => way::signature_rejected(skew_seconds),
            Error::Refused(refusal) => told("UPSTREAM_REFUSED", "图书馆系统拒绝了请求", refusal.said)
                .next("按系统提示调整后重试"),
            Error::Busy => Self::new("RATE_LIMITED", "同一用户的另一个操作还没有结束")
                .after(Duration::from_secs(5))
                .next("等待 retry_after 秒后重试"),
            Error::Kept(why) => Self::new("STATE_UNAVAILABLE", format!("本机文件不可用：{why}"))
                .next("运行 ccnu-lib-mcp doctor 查看状态目录与密钥存放处"),
            Error::Unconfigured { why } => Self::new(
                "SYSCFG_FAILED",
                format!("图书馆系统的配置无法使用：{}", outside(&why)),
            )
            .next("稍后重试；若一直失败，升级 ccnu-lib-mcp 或反馈"),
            Error::Changed { path, field, why } => changed(&path, &field, &why),
            Error::Way { place, error } => way::of_way(place, error),
        }
    }
}

fn no_seat(looked_at: usize, not_checked: usize, seat: Option<String>) -> Failure {
    let message = match seat {
        Some(seat) => format!("座位 {seat} 在该时段不空闲"),
        None if not_checked > 0 => format!(
            "列表中有 {} 个空闲座位，逐个核实了 {looked_at} 个，都不是整段空闲；其余 {not_checked} 个没有核实",
            looked_at + not_checked
        ),
        None => "没有符合条件且在该时段整段空闲的座位".to_owned(),
    };
    let failure = Failure::new("NO_SEAT", message)
        .retryable()
        .data("seats_checked", looked_at);
    match not_checked {
        0 => failure.next(
            "换时段或区域：get_availability_distribution 看分布，find_seats 找整段空闲的座位",
        ),
        more => failure
            .next("用 find_seats 查其余座位，再以 exact_seat 预约；或换时段或区域")
            .data("not_checked", more),
    }
}

fn bad_time(why: BadTime) -> Failure {
    let name = |edge| match edge {
        Edge::Begin => "start_time",
        Edge::End => "end_time",
    };
    let (field, message) = match why {
        BadTime::Day { text } if text.is_empty() => {
            ("date", "缺少 date，例如 2026-06-25、今天、明天".to_owned())
        }
        BadTime::Day { text } => ("date", format!("date {}", NotADay(outside(&text)))),
        BadTime::Format { edge, text } if text.is_empty() => {
            let field = name(edge);
            (field, format!("缺少 {field}，例如 08:00"))
        }
        BadTime::Format { edge, text } => {
            let (field, text) = (name(edge), outside(&text));
            (field, format!("{field} {text:?} 不是 HH:MM，例如 08:00"))
        }
        BadTime::Step { edge, step_minute } => {
            let field = name(edge);
            (
                field,
                format!("{field} 须是 {step_minute} 分钟的整数倍，例如 08:30"),
            )
        }
        BadTime::Order => ("end_time", "start_time 须早于 end_time".to_owned()),
    };
    Failure::new("BAD_TIME", message)
        .next("改正时间后重试")
        .data("field", field)
}

fn failed(change: Change) -> (&'static str, &'static str) {
    match change {
        Change::Cancel => ("CANCEL_FAILED", "取消"),
        Change::Leave => ("LEAVE_FAILED", "暂离"),
        Change::Return => ("RETURN_FAILED", "回座"),
        Change::End => ("END_FAILED", "退座"),
    }
}

fn wrong_state(change: Change, status: Status, why: Option<&'static str>) -> Failure {
    let (_, doing) = failed(change);
    let message = why.map_or_else(
        || format!("当前预约的状态不能{doing}"),
        |why| format!("不能{doing}：{why}"),
    );
    let next = match (change, status) {
        (Change::Cancel, Status::InUse | Status::Away) => {
            "使用中的座位请用 end_reservation_early 退座"
        }
        (Change::End, Status::Reserved | Status::WaitingSignIn) => {
            "尚未签到的预约请用 cancel_reservation 取消"
        }
        (Change::Return, _) => "回座由闸机自动完成；先过闸机进馆，再用 get_presence 查看",
        _ => "用 get_current_reservation 查看现状",
    };
    Failure::new("WRONG_STATE", message)
        .next(next)
        .data("status", status)
}

/// A refusal with the service's own sentence, as data.
fn told(code: &'static str, message: &str, said: String) -> Failure {
    let said = outside(&said);
    if said.is_empty() {
        return Failure::new(code, message);
    }
    Failure::new(code, format!("{message}：{said}"))
        .data("said", said)
        .data("untrusted", true)
}

/// The service's own sentence, if it said one, as data.
fn beside(failure: Failure, said: Option<String>) -> Failure {
    match said {
        Some(said) => failure.data("said", outside(&said)).data("untrusted", true),
        None => failure,
    }
}

fn changed(path: &str, field: &str, why: &str) -> Failure {
    // A field may be a key of the service's own choosing.
    let (path, field) = (outside(path), outside(field));
    Failure::new(
        "UPSTREAM_CHANGED",
        format!("图书馆系统的接口与本程序所知不同：{path} 的 {field}（{why}）"),
    )
    .next("升级 ccnu-lib-mcp；若已是最新，请反馈 path 与 field")
    .data("path", path)
    .data("field", field)
}
