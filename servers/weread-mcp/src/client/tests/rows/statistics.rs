//! Reading time of a period.

use http_session::drift::Drift;
use jiff::civil::date;
use serde_json::{Value, json};

use super::books::moment;
use crate::{
    client::{statistics::statistics, tests::recorded},
    domain::statistics::{AuthorTime, CategoryTime, Longest, Statistics},
};

fn untold() -> Statistics {
    Statistics {
        begin: None,
        total_seconds: Some(0),
        day_average_seconds: None,
        read_days: None,
        compared: None,
        parts: Vec::new(),
        days: Vec::new(),
        counts: Vec::new(),
        longest: Vec::new(),
        categories: Vec::new(),
        hours: Vec::new(),
        authors: Vec::new(),
        read_listen_seconds: None,
        registered: None,
    }
}

#[test]
fn whole_blocks_may_be_null_or_missing() {
    let nulls = json!({
        "totalReadTime": 0, "readTimes": null, "dailyReadTimes": null, "readStat": null, "readLongest": null,
        "preferCategory": null, "preferTime": null, "preferAuthor": null, "compare": null, "baseTime": 0,
        "registTime": 0, "rank": null, "medals": null, "preferPublisher": null, "preferBooks": null,
    });
    let empty = json!({
        "totalReadTime": "0", "readTimes": {}, "readStat": [{}], "preferTime": [], "preferAuthor": [{}],
        "preferCategory": [{ "readingTime": 1 }],
    });
    for answer in [json!({ "totalReadTime": 0 }), nulls, empty] {
        assert_eq!(statistics(answer.clone()), Ok(untold()), "{answer}");
    }
    let none = Statistics {
        total_seconds: None,
        ..untold()
    };
    assert_eq!(statistics(json!({ "readTimes": {} })), Ok(none));
    for answer in [
        json!({ "baseTime": 1 }),
        json!({ "totalReadTime": null, "readTimes": null }),
    ] {
        assert_eq!(
            statistics(answer.clone()),
            Err(Drift::form("", "totalReadTime")),
            "{answer}"
        );
    }
}

/// Invented by docs/upstreams/weread.md, 6.4: no recorded answer is known.
#[test]
fn a_year_has_months_and_days() {
    let answer = json!({
        "baseTime": 1767196800, "totalReadTime": 7200, "dayAverageReadTime": 19, "readDays": 2,
        "compare": "-0.5",
        "readTimes": { "1769875200": 3600, "1767196800": "3600" },
        "dailyReadTimes": { "1769961600": 3600, "1767283200": 3600, "1767369600": 0 },
        "readLongest": [
            { "albumInfo": { "albumId": "3", "name": "听", "authorName": "甲" }, "readTime": 60 },
            { "book": {}, "tags": null },
        ],
        "preferCategory": [{ "categoryTitle": "历史", "readingTime": "60", "readingCount": 2 }],
        "preferAuthor": [
            { "name": "乙", "count": 2, "readTime": "5小时30分钟" },
            { "name": "丙" },
        ],
        "wrReadTime": 7000, "wrListenTime": 200, "registTime": 1498385160,
    });
    let longest = |title: &str, author: Option<&str>, seconds| Longest {
        book_id: None,
        title: title.to_owned(),
        author: author.map(str::to_owned),
        seconds,
        tags: Vec::new(),
    };
    let author = |name: &str, count, time: Option<&str>| AuthorTime {
        name: name.to_owned(),
        count,
        time: time.map(str::to_owned),
    };
    let expected = Statistics {
        begin: Some(date(2026, 1, 1)),
        total_seconds: Some(7200),
        day_average_seconds: Some(19),
        read_days: Some(2),
        compared: Some(-0.5),
        parts: vec![(date(2026, 1, 1), 3600), (date(2026, 2, 1), 3600)],
        days: vec![
            (date(2026, 1, 2), 3600),
            (date(2026, 1, 3), 0),
            (date(2026, 2, 2), 3600),
        ],
        longest: vec![longest("听", Some("甲"), Some(60)), longest("", None, None)],
        categories: vec![CategoryTime {
            title: "历史".to_owned(),
            seconds: Some(60),
            count: Some(2),
        }],
        authors: vec![
            author("乙", Some(2), Some("5小时30分钟")),
            author("丙", None, None),
        ],
        read_listen_seconds: Some([7000, 200]),
        registered: moment(date(2017, 6, 25), 18, 6, 0),
        ..untold()
    };
    assert_eq!(statistics(answer), Ok(expected));
}

/// Invented by docs/upstreams/weread.md, 6.4: no recorded answer is known.
#[test]
fn all_time_has_years_and_no_begin() {
    let answer = json!({
        "baseTime": 0, "totalReadTime": 90,
        // Of what is not told nothing is made, least of all 0.
        "readTimes": { "1735660800": 30, "1767196800": 60, "1704038400": null },
    });
    let expected = Statistics {
        total_seconds: Some(90),
        parts: vec![(date(2025, 1, 1), 30), (date(2026, 1, 1), 60)],
        ..untold()
    };
    assert_eq!(statistics(answer), Ok(expected));
}

#[test]
fn days_begin_at_midnight_in_china() {
    let month = statistics(recorded("statistics_month_nulls_gateway")).expect("a month");
    assert_eq!(month.begin, Some(date(2026, 6, 1)));
    let expected = [33, 241, 1, 1110, 0, 4];
    let expected: Vec<_> = (1..)
        .zip(expected)
        .map(|(day, s)| (date(2026, 6, day), s))
        .collect();
    assert_eq!(month.parts, expected);
}

#[test]
fn hours_are_turned_to_begin_at_midnight() {
    // 06:00 comes first, and as many seconds as the hour's number.
    let sent: Vec<u64> = (6..24).chain(0..6).collect();
    let found = statistics(json!({ "totalReadTime": 0, "preferTime": sent })).expect("hours");
    assert_eq!(found.hours, (0..24).collect::<Vec<u64>>());
    let mut sent: Vec<Value> = vec![json!(null); 24];
    sent[0] = json!("60");
    let found = statistics(json!({ "totalReadTime": 0, "preferTime": sent })).expect("hours");
    let mut expected = [0; 24];
    expected[6] = 60;
    assert_eq!(found.hours, expected);
    let found = statistics(json!({ "totalReadTime": 0, "preferTime": [1, 2] }));
    assert_eq!(found, Err(Drift::new("preferTime", "不是 24 个数")));
}

#[test]
fn drift_names_its_field() {
    const TYPE: &str = "缺失或类型不同";
    for (answer, expected) in [
        (
            json!({ "readTimes": { "May": 1 } }),
            Drift::form("", "readTimes"),
        ),
        (
            json!({ "readTimes": {}, "dailyReadTimes": { "99999999999999999": 1 } }),
            Drift::form("", "dailyReadTimes"),
        ),
        (
            json!({ "readTimes": { "1777564800": [] } }),
            Drift::new("readTimes.1777564800", TYPE),
        ),
        (json!({ "readTimes": [] }), Drift::new("readTimes", TYPE)),
        (
            json!({ "readLongest": [{ "book": { "title": {} } }] }),
            Drift::new("readLongest[0].book.title", TYPE),
        ),
    ] {
        assert_eq!(statistics(answer.clone()), Err(expected), "{answer}");
    }
}
