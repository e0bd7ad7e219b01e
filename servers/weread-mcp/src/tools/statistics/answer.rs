//! What `get_reading_stats` answers.

use std::collections::BTreeMap;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use server_kit::{time::Moment, told};

use super::{
    super::problems::{Problem, problems},
    PeriodKind,
    rows::{
        Author, BookTime, Category, Count, Duration, Part, WeekdayTime, author, category, count,
        duration, longest, minutes, parts, read, weekdays,
    },
};
use crate::{
    domain::periods::{self, Comparison},
    service::statistics::{Period, Report},
};

/// A row whose names say what it is: every word of a schema costs.
type Row = BTreeMap<String, Value>;

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("in_progress", "时段还没有结束，数字只到今天为止"),
    ("day_average", "微信读书给的日均"),
    ("computed_day_average", "总时长除以 calendar_days"),
    ("calendar_days", "时段里已到来的天数"),
    ("read_days", "至少读了一分钟的天数"),
    ("days_without_reading", "包括今天，若今天还没有读"),
    ("parts", "周和月逐日，年逐月（YYYY-MM），全部逐年（YYYY）"),
    ("days", "只有年给出：读过的各天的分钟数"),
    ("hours", "0 到 23 点各小时的分钟数"),
    ("current_streak", "到今天或昨天为止；from_before 为 true 时可能在本时段以前就已开始"),
    ("counts", "微信读书自己的说法"),
    ("service_ratio", "微信读书给的与上一时段之比：0.25 为多四分之一"),
    ("compared", "上一时段，和它相比的变化"),
    ("complete", "false 时上一时段没有取到，见 problems"),
]))]
pub(crate) struct Reading {
    period: PeriodKind,
    #[schemars(with = "String")]
    first_day: Date,
    #[schemars(with = "String")]
    last_day: Date,
    in_progress: bool,
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    total_time: Option<Duration>,
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    day_average: Option<Duration>,
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    computed_day_average: Option<Duration>,
    calendar_days: u64,
    read_days: Option<u64>,
    days_without_reading: Option<u64>,
    longest_streak: Option<Streak>,
    current_streak: Option<Streak>,
    parts: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    days: Option<BTreeMap<Date, u64>>,
    #[schemars(with = "Option<Vec<Row>>")]
    weekdays: Option<Vec<WeekdayTime>>,
    hours: Option<Vec<u64>>,
    #[schemars(with = "Vec<Row>")]
    longest_books: Vec<BookTime>,
    #[schemars(with = "Vec<Row>")]
    categories: Vec<Category>,
    #[schemars(with = "Vec<Row>")]
    authors: Vec<Author>,
    #[schemars(with = "Vec<Row>")]
    counts: Vec<Count>,
    read_minutes: Option<u64>,
    listen_minutes: Option<u64>,
    service_ratio: Option<f64>,
    compared: Option<Compared>,
    registered_at: Option<Moment>,
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
    untrusted: bool,
    as_of: Moment,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Streak {
    #[schemars(with = "String")]
    first_day: Date,
    #[schemars(with = "String")]
    last_day: Date,
    days: u64,
    from_before: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[
    ("ratio", "总时长的变化：0.25 为多四分之一，-1 为一点没有；上一时段为 0 时为 null"),
    ("day_average_ratio", "日均的变化；时段未完时比 ratio 公平"),
    ("same_days", "上一时段同样多的头几天，只在时段未完时给出"),
]))]
struct Compared {
    #[schemars(with = "String")]
    first_day: Date,
    #[schemars(with = "String")]
    last_day: Date,
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    total_time: Option<Duration>,
    read_days: Option<u64>,
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    day_average: Option<Duration>,
    difference_minutes: Option<i64>,
    ratio: Option<f64>,
    day_average_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    same_days: Option<Duration>,
}

impl Reading {
    pub(super) fn of(period: PeriodKind, report: Report, now: Moment, web: &str) -> Self {
        let Report {
            this,
            before,
            missing,
        } = report;
        let today = now.day();
        let in_progress = this.goes_on(today);
        let totals = this.totals();
        let habit = this.habit.as_ref();
        let problems = problems(missing);
        let told = &this.told;
        let read_listen = told.read_listen_seconds;
        Self {
            period,
            first_day: this.span.first,
            last_day: this.span.last,
            in_progress,
            total_time: told.total_seconds.map(duration),
            day_average: told.day_average_seconds.map(duration),
            computed_day_average: totals
                .seconds
                .and_then(|seconds| seconds.checked_div(totals.calendar_days))
                .map(duration),
            calendar_days: totals.calendar_days,
            read_days: totals.reading_days,
            days_without_reading: habit.map(|habit| habit.idle_days),
            longest_streak: habit
                .and_then(|habit| habit.longest_streak)
                .map(|longest| streak(longest, &this)),
            current_streak: habit
                .filter(|_| in_progress)
                .and_then(|habit| habit.current_streak)
                .map(|current| streak(current, &this)),
            parts: parts(period, &told.parts),
            days: matches!(period, PeriodKind::Annually).then(|| read(&told.days)),
            weekdays: habit.map(weekdays),
            hours: (!told.hours.is_empty())
                .then(|| told.hours.iter().copied().map(minutes).collect()),
            service_ratio: told.compared.map(four_decimals),
            compared: before.map(|before| compared(&this, &before, in_progress)),
            registered_at: told.registered,
            read_minutes: read_listen.map(|[read, _]| minutes(read)),
            listen_minutes: read_listen.map(|[_, listened]| minutes(listened)),
            counts: this.told.counts.into_iter().map(count).collect(),
            longest_books: {
                let books = this.told.longest.into_iter();
                books.map(|book| longest(book, web)).collect()
            },
            categories: this.told.categories.into_iter().map(category).collect(),
            authors: this.told.authors.into_iter().map(author).collect(),
            complete: problems.is_empty(),
            problems,
            untrusted: true,
            as_of: now,
        }
    }
}

fn compared(this: &Period, before: &Period, in_progress: bool) -> Compared {
    let Comparison {
        seconds,
        day_average_seconds,
        ..
    } = Comparison::of(this.totals(), before.totals());
    Compared {
        first_day: before.span.first,
        last_day: before.span.last,
        total_time: seconds.other.map(duration),
        read_days: before.reading_days(),
        day_average: day_average_seconds.other.map(duration),
        // Of the minutes that are shown, so that it is their difference.
        difference_minutes: seconds
            .this
            .zip(seconds.other)
            .map(|(this, other)| minutes(this).cast_signed() - minutes(other).cast_signed()),
        ratio: seconds.ratio,
        day_average_ratio: day_average_seconds.ratio,
        same_days: in_progress
            .then(|| before.first_days(this.past.days()))
            .flatten()
            .map(duration),
    }
}

fn four_decimals(ratio: f64) -> f64 {
    (ratio * 10_000.0).round() / 10_000.0
}

fn streak(streak: periods::Streak, period: &Period) -> Streak {
    Streak {
        first_day: streak.first,
        last_day: streak.last,
        days: streak.days,
        from_before: streak.first == period.span.first,
    }
}
