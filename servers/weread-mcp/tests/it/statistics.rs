//! How long was read, in each kind of period.

use fixtures::{mcp::Both, upstream::Fault, weread::Weread};
use serde_json::{Value, json};

use crate::world::{with_cookie, with_key};

const STATS: &str = "get_reading_stats";
const NOW: &str = "2026-11-20T12:00:00+08:00";

fn stats(both: &Both<Weread>, arguments: Value) -> Value {
    both.call(STATS, arguments).structured
}

fn time(seconds: u64) -> Value {
    json!({ "minutes": seconds / 60, "seconds": seconds })
}

/// The books that the fake lets be read, with minutes, the longest first.
fn books(both: &Both<Weread>, minutes: &[(&str, u64)]) -> Value {
    let web = both.worlds()[0].fake.web_url();
    let book = |(nth, (id, minutes)): (usize, &(&str, u64))| {
        let (title, author, path) = match *id {
            "27416212" => ("隐藏的自我", "大卫·伊格曼", "eba3273071a25694eba47a5"),
            "30000101" => (
                "思考，快与慢",
                "[美]丹尼尔·卡尼曼",
                "e7d32b1071c9c3e5e7d7ae6",
            ),
            "695233" => ("三体全集（全三册）", "刘慈欣", "ce032b305a9bc1ce0b0dd2a"),
            "3300144307" => (
                "从零构建大模型",
                "[美]塞巴斯蒂安·拉施卡",
                "52e320c0813ab9edeg01750f",
            ),
            _ => ("苏轼传", "王水照 崔铭", "ec332f707190f97dec3e09f"),
        };
        let tags = if nth == 0 {
            json!(["单日阅读最久"])
        } else {
            json!([])
        };
        json!({
            "book_id": id, "title": title, "author": author, "minutes": minutes, "tags": tags,
            "link": format!("{web}/web/reader/{path}"),
        })
    };
    minutes.iter().enumerate().map(book).collect()
}

/// Minutes by weekday, Monday first.
fn weekdays(minutes: [u64; 7]) -> Value {
    let names = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"];
    let days = names.into_iter().zip(minutes);
    days.map(|(weekday, minutes)| json!({ "weekday": weekday, "minutes": minutes }))
        .collect()
}

/// The fake lets a fifth be read at eight, the rest at nine in the evening.
fn hours(morning: u64, evening: u64) -> Value {
    let mut hours = vec![0; 24];
    (hours[8], hours[21]) = (morning, evening);
    json!(hours)
}

fn november_day((day, weekday, minutes): (u8, &str, u64)) -> Value {
    json!({ "date": format!("2026-11-{day:02}"), "weekday": weekday, "minutes": minutes })
}

fn named(names: &[(&str, &str)]) -> Value {
    let counts = names.iter();
    counts
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect()
}

#[test]
fn a_month_under_way_is_told_day_by_day_and_compared() {
    let both = with_key();
    let parts = [
        (1, "周日", 43),
        (2, "周一", 86),
        (3, "周二", 40),
        (4, "周三", 0),
        (5, "周四", 37),
        (6, "周五", 80),
        (7, "周六", 34),
        (8, "周日", 77),
        (9, "周一", 31),
        (10, "周二", 0),
        (11, "周三", 0),
        (12, "周四", 71),
        (13, "周五", 25),
        (14, "周六", 68),
        (15, "周日", 22),
        (16, "周一", 0),
        (17, "周二", 18),
        (18, "周三", 61),
        (19, "周四", 15),
        (20, "周五", 58),
    ];
    let expected = json!({
        "ok": true, "period": "monthly", "first_day": "2026-11-01", "last_day": "2026-11-30", "in_progress": true,
        "total_time": time(46_301), "day_average": time(2_315), "computed_day_average": time(2_315), "calendar_days": 20,
        "read_days": 16, "days_without_reading": 4,
        "longest_streak": { "first_day": "2026-11-05", "last_day": "2026-11-09", "days": 5, "from_before": false },
        "current_streak": { "first_day": "2026-11-17", "last_day": "2026-11-20", "days": 4, "from_before": false },
        "parts": parts.map(november_day), "weekdays": weekdays([117, 59, 62, 124, 164, 102, 142]), "hours": hours(154, 617),
        "longest_books": books(&both, &[
            ("27416212", 250), ("30000101", 192), ("695233", 142), ("26278269", 115), ("3300144307", 71),
        ]),
        "categories": [
            { "title": "科学技术", "minutes": 250, "books": 1 }, { "title": "心理", "minutes": 192, "books": 1 },
            { "title": "精品小说", "minutes": 142, "books": 1 }, { "title": "人物传记", "minutes": 115, "books": 1 },
            { "title": "计算机", "minutes": 71, "books": 1 },
        ],
        "authors": [],
        "counts": named(&[("读过", "5本"), ("读完", "0本"), ("阅读", "16天"), ("笔记", "0条")]),
        "read_minutes": 0, "listen_minutes": 0, "service_ratio": -0.3456,
        "compared": {
            "first_day": "2026-10-01", "last_day": "2026-10-31", "total_time": time(70_757), "read_days": 23,
            "day_average": time(2_282), "difference_minutes": -408, "ratio": -0.3456, "day_average_ratio": 0.0145,
            "same_days": time(53_162),
        },
        "registered_at": "2017-06-25T18:06:00+08:00", "complete": true, "untrusted": true, "as_of": NOW,
    });
    for arguments in [
        json!({}),
        json!({ "period": "monthly", "date": "今天" }),
        json!({ "date": "2026-11-01", "compare": true }),
        json!({ "date": " 2026-11 " }),
    ] {
        assert_eq!(stats(&both, arguments.clone()), expected, "{arguments}");
    }
}

#[test]
fn a_week_begins_on_monday() {
    let both = with_key();
    let parts = [
        (16, "周一", 0),
        (17, "周二", 18),
        (18, "周三", 61),
        (19, "周四", 15),
        (20, "周五", 58),
    ];
    let streak = json!({ "first_day": "2026-11-17", "last_day": "2026-11-20", "days": 4, "from_before": false });
    let expected = json!({
        "ok": true, "period": "weekly", "first_day": "2026-11-16", "last_day": "2026-11-22", "in_progress": true,
        "total_time": time(9_346), "day_average": time(1_869), "computed_day_average": time(1_869), "calendar_days": 5,
        "read_days": 4, "days_without_reading": 1, "longest_streak": streak, "current_streak": streak,
        "parts": parts.map(november_day),
        "weekdays": weekdays([0, 18, 61, 15, 58, 0, 0]), "hours": hours(31, 124),
        "longest_books": books(&both, &[("27416212", 80), ("30000101", 74)]),
        "categories": [
            { "title": "科学技术", "minutes": 80, "books": 1 }, { "title": "心理", "minutes": 74, "books": 1 },
        ],
        "authors": [],
        "counts": named(&[("读过", "2本"), ("读完", "0本"), ("阅读", "4天"), ("笔记", "0条")]),
        "read_minutes": 0, "listen_minutes": 0, "service_ratio": -0.2845, "compared": null,
        "registered_at": "2017-06-25T18:06:00+08:00", "complete": true, "untrusted": true, "as_of": NOW,
    });
    for date in ["2026-11-16", "2026-11-20"] {
        let arguments = json!({ "period": "weekly", "date": date, "compare": false });
        assert_eq!(stats(&both, arguments), expected);
    }
    let told = stats(
        &both,
        json!({ "period": "weekly", "date": "2026-11-15", "compare": false }),
    );
    assert_eq!(
        json!([
            told["first_day"],
            told["last_day"],
            told["in_progress"],
            told["total_time"],
            told["current_streak"]
        ]),
        json!(["2026-11-09", "2026-11-15", false, time(13_062), null])
    );
}

#[test]
fn a_month_that_is_over_is_whole() {
    let both = with_key();
    let told = stats(&both, json!({ "date": "2026-10" }));
    assert_eq!(
        json!([
            told["in_progress"],
            told["calendar_days"],
            told["total_time"],
            told["read_days"],
            told["days_without_reading"],
            told["longest_streak"],
            told["current_streak"],
            told["parts"].as_array().unwrap().len(),
            told["compared"],
        ]),
        json!([
            false, 31, time(70_757), 23, 8,
            { "first_day": "2026-10-24", "last_day": "2026-10-28", "days": 5, "from_before": false }, null, 31,
            {
                "first_day": "2026-09-01", "last_day": "2026-09-30", "total_time": time(56_542), "read_days": 23,
                "day_average": time(1_884), "difference_minutes": 237, "ratio": 0.2514, "day_average_ratio": 0.2113,
            },
        ])
    );
}

#[test]
fn a_year_has_months_and_the_days_that_were_read() {
    let both = with_key();
    let minutes = [
        969, 974, 1_047, 1_058, 1_015, 1_135, 926, 1_111, 942, 1_179, 771,
    ];
    let month = |(month, minutes): (u8, u64)| json!({ "date": format!("2026-{month:02}"), "minutes": minutes });
    let months = Vec::from_iter((1..).zip(minutes).map(month));
    for date in [
        json!(null),
        json!("2026"),
        json!("2026-02"),
        json!("2026-01-01"),
    ] {
        let mut told = stats(&both, json!({ "period": "annually", "date": date }));
        let days = told.as_object_mut().unwrap().remove("days").unwrap();
        let days = days.as_object().unwrap();
        assert_eq!(
            json!([
                days.len(),
                days["2026-01-01"],
                days["2026-11-20"],
                days.get("2026-11-16")
            ]),
            json!([270, 59, 58, null])
        );
        assert_eq!(
            told,
            json!({
                "ok": true, "period": "annually", "first_day": "2026-01-01", "last_day": "2026-12-31",
                "in_progress": true, "total_time": time(667_954), "day_average": time(2_061),
                "computed_day_average": time(2_061), "calendar_days": 324, "read_days": 245,
                "days_without_reading": 79,
                "longest_streak": { "first_day": "2026-11-05", "last_day": "2026-11-09", "days": 5, "from_before": false },
                "current_streak": { "first_day": "2026-11-17", "last_day": "2026-11-20", "days": 4, "from_before": false },
                "parts": months,
                "weekdays": weekdays([1_640, 1_475, 1_494, 1_727, 1_695, 1_560, 1_538]), "hours": hours(2_226, 8_906),
                "longest_books": books(&both, &[
                    ("695233", 2_463), ("30000101", 2_335), ("27416212", 2_170), ("3300144307", 2_114), ("26278269", 2_048),
                ]),
                "categories": [
                    { "title": "精品小说", "minutes": 2_463, "books": 1 }, { "title": "心理", "minutes": 2_335, "books": 1 },
                    { "title": "科学技术", "minutes": 2_170, "books": 1 }, { "title": "计算机", "minutes": 2_114, "books": 1 },
                    { "title": "人物传记", "minutes": 2_048, "books": 1 },
                ],
                "authors": [
                    { "name": "刘慈欣", "books": 1, "time": "41小时3分钟" },
                    { "name": "[美]丹尼尔·卡尼曼", "books": 1, "time": "38小时55分钟" },
                    { "name": "大卫·伊格曼", "books": 1, "time": "36小时10分钟" },
                    { "name": "[美]塞巴斯蒂安·拉施卡", "books": 1, "time": "35小时14分钟" },
                    { "name": "王水照 崔铭", "books": 1, "time": "34小时8分钟" },
                ],
                "counts": named(&[("读过", "5本"), ("读完", "1本"), ("阅读", "245天"), ("笔记", "11条")]), "read_minutes": 0, "listen_minutes": 0, "service_ratio": -0.1177,
                "compared": {
                    "first_day": "2025-01-01", "last_day": "2025-12-31", "total_time": time(757_033), "read_days": 277,
                    "day_average": time(2_074), "difference_minutes": -1_485, "ratio": -0.1177,
                    "day_average_ratio": -0.0063, "same_days": time(673_086),
                },
                "registered_at": "2017-06-25T18:06:00+08:00", "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
    }
}

#[test]
fn all_time_has_years_and_nothing_to_compare_with() {
    let both = with_key();
    let year = |(date, minutes): (&str, u64)| json!({ "date": date, "minutes": minutes });
    let years = [("2024", 12_546), ("2025", 12_617), ("2026", 11_132)].map(year);
    assert_eq!(
        stats(&both, json!({ "period": "overall" })),
        json!({
            "ok": true, "period": "overall", "first_day": "2017-06-25", "last_day": "2026-11-20", "in_progress": true,
            "total_time": time(2_177_806), "day_average": time(2_064), "computed_day_average": time(633),
            "calendar_days": 3_436, "read_days": 799, "days_without_reading": null, "longest_streak": null,
            "current_streak": null, "parts": years, "weekdays": null, "hours": hours(7_259, 29_037),
            "longest_books": books(&both, &[
                ("30000101", 7_435), ("695233", 7_398), ("27416212", 7_235), ("3300144307", 7_231), ("26278269", 6_995),
            ]),
            "categories": [
                { "title": "心理", "minutes": 7_435, "books": 1 }, { "title": "精品小说", "minutes": 7_398, "books": 1 },
                { "title": "科学技术", "minutes": 7_235, "books": 1 }, { "title": "计算机", "minutes": 7_231, "books": 1 },
                { "title": "人物传记", "minutes": 6_995, "books": 1 },
            ],
            "authors": [
                { "name": "[美]丹尼尔·卡尼曼", "books": 1, "time": "123小时55分钟" },
                { "name": "刘慈欣", "books": 1, "time": "123小时18分钟" },
                { "name": "大卫·伊格曼", "books": 1, "time": "120小时35分钟" },
                { "name": "[美]塞巴斯蒂安·拉施卡", "books": 1, "time": "120小时31分钟" },
                { "name": "王水照 崔铭", "books": 1, "time": "116小时35分钟" },
            ],
            "counts": named(&[("读过", "5本"), ("读完", "2本"), ("阅读", "799天"), ("笔记", "1426条")]),
            "read_minutes": 0, "listen_minutes": 0, "service_ratio": null, "compared": null,
            "registered_at": "2017-06-25T18:06:00+08:00", "complete": true, "untrusted": true, "as_of": NOW,
        })
    );
}

#[test]
fn days_that_are_none_or_to_come_are_refused_with_todays() {
    let both = with_key();
    let before = both.worlds()[0].fake.journal().all().len();
    for (period, date, why) in [
        ("monthly", "2026-11-21", "2026-11-21 还没有到"),
        ("monthly", "明天", "2026-11-21 还没有到"),
        ("weekly", "+3", "2026-11-23 还没有到"),
        ("monthly", "2026-12", "2026-12-01 还没有到"),
        ("annually", "2027", "2027-01-01 还没有到"),
        ("annually", "2014", "2015 年以前没有微信读书"),
        ("monthly", "0001-01-01", "2015 年以前没有微信读书"),
        (
            "monthly",
            "2026-13",
            "\"2026-13\" 不是有效日期，例如 2026-10-01 或 2026-10",
        ),
        (
            "monthly",
            "2026",
            "\"2026\" 不是有效日期，例如 2026-10-01 或 2026-10",
        ),
        (
            "weekly",
            "2026-10",
            "\"2026-10\" 不是有效日期，例如 2026-10-01",
        ),
        (
            "annually",
            "去年",
            "\"去年\" 不是有效日期，例如 2026-10-01、2026-10 或 2026",
        ),
        ("overall", "2026-10-01", "overall 是全部时间，不填 date"),
    ] {
        assert_eq!(
            stats(&both, json!({ "period": period, "date": date })),
            json!({
                "ok": false, "code": "INVALID_ARGUMENT",
                "message": format!("参数 date 有误：{why}；今天是 2026-11-20"),
                "retryable": false, "next": "改正该参数后重试", "data": { "field": "date" },
            })
        );
    }
    assert_eq!(both.worlds()[0].fake.journal().all().len(), before);
}

#[test]
fn statistics_need_a_key() {
    assert_eq!(
        stats(&with_cookie(), json!({})),
        json!({
            "ok": false, "code": "NEED_API_KEY", "message": "这项内容只有官方网关提供，需要 API Key",
            "retryable": false,
            "next": "在微信读书的 skill 页面生成 API Key（wrk-…），用 weread-mcp login 或 save_credentials 保存",
            "data": { "ways": [] },
        })
    );
}

/// An answer of the service for November 2026, with more beside.
fn november(more: &Value) -> String {
    let mut answer = json!({ "baseTime": 1_793_462_400, "totalReadTime": 3_600, "readTimes": { "1793462400": 3_600 } });
    let fields = answer.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    answer.to_string()
}

#[test]
fn blocks_that_are_null_or_missing_are_not_told() {
    let both = with_key();
    let nulls = json!({
        "rank": null, "medals": null, "preferAuthor": null, "preferTime": null, "readLongest": null, "readStat": null,
        "preferCategory": null, "dailyReadTimes": null, "compare": null,
    });
    let streak = json!({ "first_day": "2026-11-01", "last_day": "2026-11-01", "days": 1, "from_before": true });
    for more in [json!({}), nulls] {
        both.each(|fake| {
            fake.fault("/readdata/detail", 1, Fault::Body(november(&more)));
        });
        assert_eq!(
            stats(&both, json!({ "compare": false })),
            json!({
                "ok": true, "period": "monthly", "first_day": "2026-11-01", "last_day": "2026-11-30",
                "in_progress": true, "total_time": time(3_600), "day_average": null, "computed_day_average": time(180),
                "calendar_days": 20, "read_days": 1, "days_without_reading": 19, "longest_streak": streak,
                "current_streak": null, "parts": [{ "date": "2026-11-01", "weekday": "周日", "minutes": 60 }],
                "weekdays": weekdays([0, 0, 0, 0, 0, 0, 60]), "hours": null, "longest_books": [], "categories": [],
                "authors": [], "counts": [], "read_minutes": null, "listen_minutes": null, "service_ratio": null,
                "compared": null, "registered_at": null, "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
    }
}

#[test]
fn a_period_before_that_cannot_be_had_leaves_the_asked_one() {
    let both = with_key();
    both.each(|fake| {
        fake.fault("/readdata/detail", 1, Fault::Body(november(&json!({}))));
        fake.fault("/readdata/detail", 1, Fault::Body("{}".to_owned()));
    });
    let told = stats(&both, json!({}));
    assert_eq!(
        json!([
            told["total_time"],
            told["compared"],
            told["complete"],
            told["problems"]
        ]),
        json!([time(3_600), null, false, [{
            "what": "compared", "code": "UPSTREAM_EMPTY",
            "message": "微信读书对 /readdata/detail 什么都没有返回，这不等于没有内容",
        }]])
    );
}

#[test]
fn another_period_than_the_asked_one_is_not_passed_on() {
    let both = with_key();
    both.each(|fake| {
        fake.fault("/readdata/detail", 1, Fault::Body(november(&json!({}))));
    });
    assert_eq!(
        stats(&both, json!({ "date": "2026-10" })),
        json!({
            "ok": false, "code": "UPSTREAM_CHANGED",
            "message": "微信读书的接口与本程序所知不同：/readdata/detail 的 baseTime（给出的是 2026-11-01 起的时段，所问的从 2026-10-01 起）",
            "retryable": false, "next": "升级 weread-mcp；若已是最新，请反馈 path 与 field",
            "data": { "path": "/readdata/detail", "field": "baseTime" },
        })
    );
}
