//! The rows of a period's statistics, in minutes.

use std::collections::BTreeMap;

use jiff::civil::{Date, Weekday};
use schemars::JsonSchema;
use serde::Serialize;

use super::PeriodKind;
use crate::domain::{
    ids::BookId,
    link,
    periods::Habit,
    statistics::{AuthorTime, CategoryTime, Longest},
};

#[derive(Serialize)]
pub(super) struct Duration {
    minutes: u64,
    seconds: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Part {
    date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    weekday: Option<&'static str>,
    minutes: u64,
}

#[derive(Serialize)]
pub(super) struct WeekdayTime {
    weekday: &'static str,
    minutes: u64,
}

#[derive(Serialize)]
pub(super) struct BookTime {
    book_id: Option<BookId>,
    title: String,
    author: Option<String>,
    minutes: Option<u64>,
    tags: Vec<String>,
    link: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Category {
    title: String,
    minutes: Option<u64>,
    books: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Author {
    name: String,
    books: Option<u64>,
    time: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Count {
    name: String,
    value: String,
}

pub(super) fn duration(seconds: u64) -> Duration {
    let minutes = minutes(seconds);
    Duration { minutes, seconds }
}

pub(super) fn minutes(seconds: u64) -> u64 {
    seconds / 60
}

pub(super) fn parts(period: PeriodKind, parts: &[(Date, u64)]) -> Vec<Part> {
    let part = |(begin, seconds): &(Date, u64)| {
        let (date, weekday) = match period {
            PeriodKind::Weekly | PeriodKind::Monthly => (begin.to_string(), Some(begin.weekday())),
            PeriodKind::Annually => (begin.strftime("%Y-%m").to_string(), None),
            PeriodKind::Overall => (begin.strftime("%Y").to_string(), None),
        };
        Part {
            date,
            weekday: weekday.map(weekday_name),
            minutes: minutes(*seconds),
        }
    };
    parts.iter().map(part).collect()
}

/// The days on which anything was read: a year of all days would take half of a result.
pub(super) fn read(days: &[(Date, u64)]) -> BTreeMap<Date, u64> {
    let read = days.iter().filter(|(_, seconds)| *seconds > 0);
    read.map(|(day, seconds)| (*day, minutes(*seconds)))
        .collect()
}

pub(super) fn weekdays(habit: &Habit) -> Vec<WeekdayTime> {
    let days = Weekday::Monday.cycle_forward().zip(habit.weekday_seconds);
    let days = days.map(|(day, seconds)| WeekdayTime {
        weekday: weekday_name(day),
        minutes: minutes(seconds),
    });
    days.collect()
}

fn weekday_name(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "周一",
        Weekday::Tuesday => "周二",
        Weekday::Wednesday => "周三",
        Weekday::Thursday => "周四",
        Weekday::Friday => "周五",
        Weekday::Saturday => "周六",
        Weekday::Sunday => "周日",
    }
}

pub(super) fn longest(book: Longest, web: &str) -> BookTime {
    let id = book.book_id;
    BookTime {
        link: id.as_ref().and_then(|id| link::reader(web, id, None)),
        book_id: id,
        title: book.title,
        author: book.author,
        minutes: book.seconds.map(minutes),
        tags: book.tags,
    }
}

pub(super) fn category(category: CategoryTime) -> Category {
    Category {
        title: category.title,
        minutes: category.seconds.map(minutes),
        books: category.count,
    }
}

pub(super) fn author(author: AuthorTime) -> Author {
    Author {
        name: author.name,
        books: author.count,
        time: author.time,
    }
}

pub(super) fn count((name, value): (String, String)) -> Count {
    Count { name, value }
}
