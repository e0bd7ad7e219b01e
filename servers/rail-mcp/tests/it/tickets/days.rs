//! Days as arguments: words for them, and what is not on sale.

use serde_json::{Value, json};

use crate::{
    expected::{DAY, journey, refused, tickets},
    world::world,
};

#[test]
fn a_day_is_counted_in_china_and_named_in_the_answer() {
    let world = world();
    for (words, date) in [
        ("今天", "2026-11-30"),
        ("today", "2026-11-30"),
        ("明天", "2026-12-01"),
        ("后天", DAY),
        ("+2", DAY),
        (" 2026-12-02 ", DAY),
        ("+14", "2026-12-14"),
        ("2026-12-14", "2026-12-14"),
    ] {
        let answer = tickets(&world, "上海", "常州", &json!({"date": words}));
        let departs = [0, 1].map(|at| answer["trains"][at]["depart_at"].clone());
        let expected = ["14:42", "14:44"].map(|time| json!(format!("{date}T{time}:00+08:00")));
        assert_eq!(
            (&answer["date"], departs),
            (&json!(date), expected),
            "{words}"
        );
    }
}

#[test]
fn what_is_no_day_on_sale_is_refused_before_anything_is_asked() {
    let world = world();
    let span = "今天是 2026-11-30，可查 2026-11-30 至 2026-12-14";
    for tool in ["12306_query_tickets", "12306_query_transfer"] {
        let check = |date: &str, code: &str, data: Value, message: String| {
            let arguments = journey("北京", "上海", &json!({"date": date}));
            let answer = refused(&world, tool, &arguments, (code, &data));
            assert_eq!(answer["message"], message, "{tool} {date}");
        };
        for date in [
            "2026-13-99",
            "2026-12-1",
            "2026-02-30",
            "2026/12/02",
            "20261202",
            "12月2日",
            "-1",
            "+-1",
            " ",
        ] {
            let why = format!(
                "{:?} 不是有效日期，例如 2026-12-02、今天、明天、后天 或 +3",
                date
            );
            let message = format!("参数 date 有误：{why}；{span}");
            check(date, "INVALID_ARGUMENT", json!({"field": "date"}), message);
        }
        let empty = "参数 date 有误：应为 1–20 个字符，收到 \"\"，例如 \"明天\"";
        check(
            "",
            "INVALID_ARGUMENT",
            json!({"field": "date"}),
            empty.to_owned(),
        );
        for (date, day) in [
            ("+15", "2026-12-15"),
            ("2026-12-15", "2026-12-15"),
            ("2026-11-29", "2026-11-29"),
            ("2025-12-02", "2025-12-02"),
        ] {
            let data = json!({
                "field": "date", "date": day, "today": "2026-11-30", "first": "2026-11-30", "last": "2026-12-14",
            });
            check(
                date,
                "DATE_OUT_OF_RANGE",
                data,
                format!("{day} 不在可查日期内：{span}"),
            );
        }
    }
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}
