//! How long was read, in a period.

use std::collections::BTreeMap;

use http_session::drift::Drift;
use jiff::{Timestamp, civil::Date};
use serde_json::{Value, json};
use server_kit::time::Moment;

use super::{
    Surface,
    envelope::read,
    wire::{scalar::Number, statistics as wire},
};
use crate::{
    domain::statistics::{AuthorTime, CategoryTime, Longest, Mode, Statistics},
    error::Error,
};

/// One period, from `/readdata/detail`.
///
/// Whole blocks may be null or missing; `Drift` when nothing at all is told.
pub fn statistics(answer: Value) -> Result<Statistics, Drift> {
    let sent: wire::Statistics = read(answer)?;
    let total_seconds = sent.total_read_time.count();
    if total_seconds.is_none() && sent.read_times.is_none() {
        return Err(Drift::form("", "totalReadTime"));
    }
    let counts = sent.read_stat.unwrap_or_default().into_iter();
    let longest = sent.read_longest.unwrap_or_default().into_iter();
    let categories = sent.prefer_category.unwrap_or_default().into_iter();
    let authors = sent.prefer_author.unwrap_or_default().into_iter();
    let read_listen = (sent.wr_read_time.count(), sent.wr_listen_time.count());
    Ok(Statistics {
        begin: sent.base_time.moment().map(Moment::day),
        total_seconds,
        day_average_seconds: sent.day_average_read_time.count(),
        read_days: sent.read_days.count(),
        compared: sent.compare.get(),
        parts: by_day("readTimes", sent.read_times)?,
        days: by_day("dailyReadTimes", sent.daily_read_times)?,
        counts: counts
            .filter_map(|count| Some((count.stat.line()?, count.counts.line()?)))
            .collect(),
        longest: longest.map(longest_read).collect(),
        categories: categories
            .filter_map(|category| {
                Some(CategoryTime {
                    title: category.category_title.line()?,
                    seconds: category.reading_time.count(),
                    count: category.reading_count.count(),
                })
            })
            .collect(),
        hours: hours(sent.prefer_time.unwrap_or_default())?,
        authors: authors
            .filter_map(|author| {
                Some(AuthorTime {
                    name: author.name.line()?,
                    count: author.count.count(),
                    time: author.read_time.line(),
                })
            })
            .collect(),
        read_listen_seconds: match read_listen {
            (Some(read), Some(listened)) => Some([read, listened]),
            _ => None,
        },
        registered: sent.regist_time.moment(),
    })
}

/// Seconds by the day of China on which each part begins, in order. A part of which nothing is told is
/// none.
fn by_day(
    field: &'static str,
    sent: Option<BTreeMap<String, Number>>,
) -> Result<Vec<(Date, u64)>, Drift> {
    let parts = sent
        .unwrap_or_default()
        .into_iter()
        .filter_map(|(begin, seconds)| Some((begin, seconds.count()?)))
        .map(|(begin, seconds)| {
            let begin = begin.parse().ok();
            let begin = begin.and_then(|seconds| Timestamp::from_second(seconds).ok());
            let begin = begin.ok_or_else(|| Drift::form("", field))?;
            Ok((Moment::of(begin).day(), seconds))
        });
    let mut parts = parts.collect::<Result<Vec<(Date, u64)>, Drift>>()?;
    parts.sort_unstable();
    Ok(parts)
}

/// The service begins its 24 hours at 06:00.
fn hours(sent: Vec<Number>) -> Result<Vec<u64>, Drift> {
    let seconds = sent
        .into_iter()
        .map(|hour| hour.count().unwrap_or_default());
    let mut hours: Vec<u64> = seconds.collect();
    match hours.len() {
        0 => {}
        24 => hours.rotate_right(6),
        _ => return Err(Drift::new("preferTime", "不是 24 个数")),
    }
    Ok(hours)
}

fn longest_read(sent: wire::Longest) -> Longest {
    let (book, album) = (
        sent.book.unwrap_or_default(),
        sent.album_info.unwrap_or_default(),
    );
    Longest {
        book_id: book.book_id.book_id(),
        title: book.title.or(album.name).line().unwrap_or_default(),
        author: book.author.or(album.author_name).line(),
        seconds: sent.read_time.count(),
        tags: sent
            .tags
            .into_iter()
            .flatten()
            .filter_map(|text| text.line())
            .collect(),
    }
}

impl Surface {
    /// The period in which `base` lies, or the one that is now; only the gateway tells.
    pub(crate) async fn statistics(
        &self,
        mode: Mode,
        base: Option<Timestamp>,
    ) -> Result<Statistics, Error> {
        const PATH: &str = "/readdata/detail";
        let Self::Gateway(gateway) = self else {
            return Err(Error::NeedsApiKey(Vec::new()));
        };
        let mode = match mode {
            Mode::Weekly => "weekly",
            Mode::Monthly => "monthly",
            Mode::Annually => "annually",
            Mode::Overall => "overall",
        };
        let base = base.map_or(0, Timestamp::as_second);
        let answer = gateway
            .ask(PATH, json!({ "mode": mode, "baseTime": base }))
            .await?;
        statistics(answer).map_err(|drift| Error::changed(PATH, drift))
    }
}
