//! Popular highlights and public reviews.

use fixtures::{mcp::Both, upstream::Fault, weread::Weread};
use serde_json::{Value, json};

use crate::world::{key, with_cookie, with_key, world_with};

const POPULAR: &str = "get_popular_highlights";
const REVIEWS: &str = "get_book_reviews";
const NOW: &str = "2026-11-20T12:00:00+08:00";

/// The page of the web reader in the first world.
fn page(both: &Both<Weread>, path: &str) -> String {
    format!("{}/web/reader/{path}", both.worlds()[0].fake.web_url())
}

/// The three popular highlights of 27416212; `mine` as the reader has them.
fn three(both: &Both<Weread>, mine: [Value; 3]) -> Value {
    let [first, second, third] = mine;
    json!([
        {
            "text": "基因组的作用只有在与环境相互作用的情况下才能真正被理解。", "people": 812, "chapter_id": 57,
            "chapter_title": "基因与环境", "range": "1227-1255", "mine": first,
            "link": page(both, "eba3273071a25694eba47a5k72b327f023972b32a1f7e2d"),
        },
        {
            "text": "大脑在我们毫无知觉的时候处理了绝大部分事情，意识像一份报纸，只登出结论。", "people": 640,
            "chapter_id": 5, "chapter_title": "01 大脑通常是以隐藏模式运行的", "range": "123-456", "mine": second,
            "link": page(both, "eba3273071a25694eba47a5ke4d32d5015e4da3b7fbb1fa"),
        },
        {
            "text": "两党制：大脑是理性的还是情绪化的，这两方总是在争论，而争论本身就是决策。", "people": 377,
            "chapter_id": 38, "chapter_title": "两党制：大脑是理性的还是情绪化的", "range": "90-140", "mine": third,
            "link": page(both, "eba3273071a25694eba47a5ka5732aa0226a5771bce9dc4"),
        },
    ])
}

fn popular(book: &str, highlights: Value, service_total: Value) -> Value {
    let count = highlights.as_array().unwrap().len();
    json!({
        "ok": true, "book_id": book, "chapter_id": null, "highlights": highlights, "service_total": service_total,
        "total": count, "returned": count, "truncated": false, "complete": true, "untrusted": true, "as_of": NOW,
    })
}

#[test]
fn popular_highlights_say_whether_the_reader_has_them_too() {
    for both in [with_key(), with_cookie()] {
        both.each(|fake| fake.remove_note("27416212_5_123-456"));
        let answer = both.call(POPULAR, json!({ "book_id": "27416212" }));
        let items = three(&both, [true, false, true].map(Value::from));
        assert_eq!(answer.structured, popular("27416212", items, json!(3)));
    }
}

#[test]
fn titles_that_do_not_come_along_are_looked_up() {
    for (both, route) in [
        (with_key(), "/book/chapterinfo"),
        (with_cookie(), "chapter_infos"),
    ] {
        let item = |text: &str, people: u32, chapter: (u32, &str), range: &str, path: &str| {
            json!({
                "text": text, "people": people, "chapter_id": chapter.0, "chapter_title": chapter.1, "range": range,
                "mine": false, "link": page(&both, &format!("ce032b305a9bc1ce0b0dd2a{path}")),
            })
        };
        let items = json!([
            item(
                "太阳快落下去了，你们的孩子居然不害怕？ ”当然不害怕，她知道明天太阳还会升起来的。”",
                58_136,
                (145, "下部 黑暗森林"),
                "15118-15195",
                "k2b232c802912b24d4950e29",
            ),
            item(
                "在中国，任何超脱飞扬的思想都会砰然坠地的，现实的引力太沉重了。",
                56_955,
                (100, "7 疯狂年代"),
                "4603-4634",
                "kf8932dd0264f899139df0ae",
            ),
            item(
                "四个人的组合很奇怪。",
                30_600,
                (94, "1 科学边界"),
                "389-528",
                "kf4b32ef025ef4b9ec30acd6"
            ),
        ]);
        both.each(|fake| fake.refuse(route, Some(-1)));
        let answer = both.call(POPULAR, json!({ "book_id": "695233" }));
        let mut expected = popular("695233", items.clone(), json!(973));
        for untitled in [0, 1] {
            expected["highlights"][untitled]["chapter_title"] = Value::Null;
        }
        expected["complete"] = json!(false);
        expected["problems"] = json!([
            { "what": "chapters", "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：-1" },
        ]);
        assert_eq!(answer.structured, expected);

        both.each(|fake| fake.refuse(route, None));
        let answer = both.call(POPULAR, json!({ "book_id": "695233" }));
        assert_eq!(answer.structured, popular("695233", items, json!(973)));
    }
}

#[test]
fn a_chapter_has_its_own() {
    let of_the_top = "网页版只给出全书前 20 条，这里是其中属于该章的；用 API Key 可取该章自己的";
    for (both, note) in [(with_key(), None), (with_cookie(), Some(of_the_top))] {
        let answer = both.call(POPULAR, json!({ "book_id": "27416212", "chapter_id": 5 }));
        let items = three(&both, [true, true, true].map(Value::from));
        let mut expected = popular("27416212", json!([items[1]]), json!(3));
        expected["chapter_id"] = json!(5);
        if let Some(note) = note {
            expected["note"] = json!(note);
        }
        assert_eq!(answer.structured, expected);
    }
}

#[test]
fn a_book_that_nobody_highlights_has_none() {
    for both in [with_key(), with_cookie()] {
        for book in ["30000201", "CB_PDF0000000000000000000001"] {
            let answer = both.call(POPULAR, json!({ "book_id": book }));
            assert_eq!(answer.structured, popular(book, json!([]), Value::Null));
        }
    }
}

#[test]
fn what_the_reader_has_is_unknown_when_it_cannot_be_read() {
    for (both, route) in [
        (with_key(), "/book/bookmarklist"),
        (with_cookie(), "bookmarklist"),
    ] {
        both.each(|fake| fake.refuse(route, Some(-1)));
        let answer = both.call(POPULAR, json!({ "book_id": "27416212" }));
        let items = three(&both, [Value::Null, Value::Null, Value::Null]);
        let mut expected = popular("27416212", items, json!(3));
        expected["complete"] = json!(false);
        expected["problems"] = json!([
            { "what": "mine", "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：-1" },
        ]);
        assert_eq!(answer.structured, expected);
    }
}

/// The nth public review of 27416212 as the fake makes it.
fn review(nth: i64) -> Value {
    let name = ["读者乙", "读者丙", "读者丁", "读者戊"][usize::try_from(nth % 4).unwrap()];
    let star = [100, 80, 60, 20, 100][usize::try_from(nth % 5).unwrap()];
    let is_bare = nth % 4 == 0;
    let created =
        jiff::Timestamp::from_second(1_700_000_000 + nth * 7_777_777 % 60_000_000).unwrap();
    let china = jiff::tz::TimeZone::fixed(jiff::tz::Offset::constant(8)).to_datetime(created);
    json!({
        "review_id": format!("{}_pub{nth:03}x8", 10_000_002 + nth % 4), "author": name,
        "star": (!is_bare).then_some(star), "finished": nth % 2 == 1,
        "content": format!("公开点评第{nth}条。\n第二行写得长一些，好让人看见换行。"), "content_truncated": false,
        "chapter_title": null, "likes": (!is_bare).then_some(1_000 - nth * 20),
        "comments": (!is_bare).then_some(nth % 7),
        "create_time": format!("{}+08:00", china.strftime("%Y-%m-%dT%H:%M:%S")),
    })
}

#[test]
fn reviews_come_page_by_page_in_the_services_order() {
    for both in [with_key(), with_cookie()] {
        let answer = both.call(REVIEWS, json!({ "book_id": "27416212", "max_results": 2 }));
        let cursor = answer.structured["next_cursor"].clone();
        assert_eq!(
            answer.structured,
            json!({
                "ok": true, "book_id": "27416212", "kind": "all", "recommend_percent": 93.5,
                "reviews": [review(1), review(2)], "total": 45, "returned": 2, "truncated": true,
                "next_cursor": cursor, "untrusted": true, "as_of": NOW,
            })
        );
    }
}

#[test]
fn no_review_is_lost_or_repeated_whatever_fits() {
    let tight = |_: &Weread| vec![key(), ("WEREAD_RESULT_KIB", "4".to_owned())];
    let all = Vec::from_iter((1..=45).map(review));
    for (both, size) in [
        (with_key(), 7),
        (with_cookie(), 7),
        (world_with(tight), 50),
        (world_with(tight), 13),
    ] {
        let arguments = json!({ "book_id": "27416212", "max_results": size });
        assert_eq!(both.follow(REVIEWS, arguments, "reviews"), all, "{size}");
    }
}

#[test]
fn kinds_beside_all_need_a_key_and_the_refusal_says_so() {
    let (key, cookie) = (with_key(), with_cookie());
    let newest: Vec<i64> = {
        let mut all = Vec::from_iter(1..=45);
        all.sort_by_key(|nth| -(nth * 7_777_777 % 60_000_000));
        all
    };
    let of = |wanted: [i64; 2]| Vec::from_iter((1..=45).filter(|nth| wanted.contains(&(nth % 5))));
    let recommended = Vec::from_iter((1..=45).filter(|nth| [0, 1, 4].contains(&(nth % 5))));
    for (kind, expected) in [
        ("recommended", recommended),
        ("fair", of([2, 2])),
        ("poor", of([3, 3])),
        ("newest", newest),
    ] {
        let arguments = json!({ "book_id": "27416212", "kind": kind, "max_results": 50 });
        let answer = key.call(REVIEWS, arguments.clone());
        let reviews = Vec::from_iter(expected.iter().map(|nth| review(*nth)));
        assert_eq!(
            answer.structured,
            json!({
                "ok": true, "book_id": "27416212", "kind": kind, "recommend_percent": 93.5,
                "returned": reviews.len(), "reviews": reviews, "truncated": false, "untrusted": true, "as_of": NOW,
            })
        );
        assert_eq!(
            cookie.call(REVIEWS, arguments).structured,
            json!({
                "ok": false, "code": "NEED_API_KEY", "message": "这项内容只有官方网关提供，需要 API Key",
                "retryable": false,
                "next": "在微信读书的 skill 页面生成 API Key（wrk-…），用 weread-mcp login 或 save_credentials 保存；\
                         或改用 kind=all，它不需要 API Key",
                "data": { "ways": [] },
            }),
            "{kind}"
        );
    }
}

#[test]
fn a_long_review_is_cut_and_says_so() {
    let both = with_key();
    let long = "长".repeat(501);
    let content = move |content: &str| json!({ "idx": 1, "review": { "reviewId": "1_a", "review": { "content": content } } });
    let answer =
        json!({ "reviews": [content(&long), content(&"长".repeat(500))], "reviewsHasMore": 0 });
    both.each(|fake| {
        fake.fault("/review/list", 1, Fault::Body(answer.to_string()));
    });
    let told = both
        .call(REVIEWS, json!({ "book_id": "27416212" }))
        .structured;
    let cut = |review: &Value| {
        let length = review["content"].as_str().unwrap().chars().count();
        (length, review["content_truncated"].clone())
    };
    let reviews = told["reviews"].as_array().unwrap();
    assert_eq!(
        Vec::from_iter(reviews.iter().map(cut)),
        [(500, json!(true)), (500, json!(false))]
    );
}

#[test]
fn wrong_arguments_are_refused_before_anything_is_asked() {
    let both = with_key();
    let first = both.call(REVIEWS, json!({ "book_id": "27416212", "max_results": 1 }));
    let cursor = first.structured["next_cursor"].clone();
    let asked = || both.worlds()[0].fake.journal().all().len();
    let before = asked();
    for (tool, arguments, field) in [
        (POPULAR, json!({ "book_id": "书" }), "book_id"),
        (
            POPULAR,
            json!({ "book_id": "1", "chapter_id": 0 }),
            "chapter_id",
        ),
        (POPULAR, json!({ "book_id": "1", "cursor": "x" }), "cursor"),
        (REVIEWS, json!({ "book_id": "../1" }), "book_id"),
        (REVIEWS, json!({ "book_id": "1", "kind": "bad" }), "kind"),
        (
            REVIEWS,
            json!({ "book_id": "1", "max_results": 51 }),
            "max_results",
        ),
        (
            REVIEWS,
            json!({ "book_id": "27416212", "cursor": "10-0" }),
            "cursor",
        ),
        (
            REVIEWS,
            json!({ "book_id": "695233", "cursor": cursor }),
            "cursor",
        ),
        (
            REVIEWS,
            json!({ "book_id": "27416212", "kind": "poor", "cursor": cursor }),
            "cursor",
        ),
    ] {
        let answer = both.call(tool, arguments);
        assert_eq!(answer.code(), Some("INVALID_ARGUMENT"), "{}", answer.text);
        assert_eq!(answer.structured["data"], json!({ "field": field }));
    }
    assert_eq!(asked(), before);
}

#[test]
fn a_book_that_the_service_does_not_know_is_its_refusal() {
    for both in [with_key(), with_cookie()] {
        let answer = both.call(REVIEWS, json!({ "book_id": "99999999" }));
        assert_eq!(
            answer.structured,
            json!({
                "ok": false, "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：书籍不存在", "retryable": false,
                "next": "按微信读书的提示处理后重试",
                "data": { "said": "书籍不存在", "untrusted": true, "code": -1 },
            })
        );
    }
}
