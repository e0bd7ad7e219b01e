//! What the store finds or suggests.

use fixtures::{mcp::Both, weread::Weread};
use serde_json::{Value, json};

use crate::world::{key, with_cookie, with_key, world_with};

const SEARCH: &str = "search_store";
const RECOMMEND: &str = "recommend_books";
const NOW: &str = "2026-11-20T12:00:00+08:00";

/// The page of the web reader in the first world.
fn page(both: &Both<Weread>, path: &str) -> String {
    format!("{}/web/reader/{path}", both.worlds()[0].fake.web_url())
}

#[test]
fn hits_say_whether_they_stand_on_the_shelf() {
    for both in [with_key(), with_cookie()] {
        let found = |in_shelf: bool| {
            json!({
                "ok": true, "keyword": "三体", "kind": "all", "books": [{
                    "book_id": "695233", "title": "三体全集（全三册）", "author": "刘慈欣", "translator": "", "category": "",
                    "cover_url": "https://cdn.weread.qq.com/weread/cover/80/yuewen_695233/t6_yuewen_6952331740758482.jpg",
                    "rating": 9.3, "rating_count": 293_405, "reading_count": 101, "sold_out": false, "in_shelf": in_shelf,
                    "group": "电子书", "link": page(&both, "ce032b305a9bc1ce0b0dd2a"),
                }],
                "returned": 1, "truncated": false, "complete": true, "untrusted": true, "as_of": NOW,
            })
        };
        let answer = both.call(SEARCH, json!({ "keyword": " 三体 " }));
        assert_eq!(answer.structured, found(true));
    }
}

#[test]
fn every_hit_comes_once_page_by_page() {
    let tight = |_: &Weread| vec![key(), ("WEREAD_RESULT_KIB", "4".to_owned())];
    for (both, size) in [
        (with_key(), json!(null)),
        (with_cookie(), json!(15)),
        (world_with(tight), json!(50)),
    ] {
        let mut arguments = json!({ "keyword": "深海探索", "kind": "ebook", "max_results": size });
        let mut hits = Vec::new();
        loop {
            let told = both.call(SEARCH, arguments.clone()).structured;
            for hit in told["books"].as_array().unwrap() {
                hits.push(json!([
                    hit["title"],
                    hit["sold_out"],
                    hit["in_shelf"],
                    hit["rating"]
                ]));
            }
            if told["truncated"] == json!(false) {
                break;
            }
            arguments["cursor"] = told["next_cursor"].clone();
        }
        let volume = |nth: i32| json!([format!("深海探索 第{nth}册"), nth == 3, false, null]);
        assert_eq!(hits, Vec::from_iter((1..=40).map(volume)), "{size}");
    }
}

#[test]
fn each_kind_is_asked_for_by_its_number() {
    let both = with_key();
    for (kind, scope) in [
        ("all", 0),
        ("ebook", 10),
        ("web_novel", 16),
        ("audio", 14),
        ("author", 6),
        ("full_text", 12),
        ("book_list", 13),
        ("official_account", 2),
        ("article", 4),
    ] {
        let told = both
            .call(SEARCH, json!({ "keyword": "三体", "kind": kind }))
            .structured;
        // The store of the fake has books alone, under a number of its own.
        let has_books = [0, 10, 16].contains(&scope);
        let note = "没有书籍，但这一类可能有本工具不列出的其他结果";
        assert_eq!(
            json!([told["kind"], told["returned"], told.get("note")]),
            json!([kind, i32::from(has_books), (!has_books).then_some(note)])
        );
        both.each(|fake| {
            let asked = fake.journal().all();
            let asked = asked
                .iter()
                .rfind(|seen| seen.route == "/store/search")
                .unwrap();
            let body: Value = serde_json::from_slice(&asked.body).unwrap();
            assert_eq!(body["scope"], json!(scope), "{kind}");
        });
    }
}

#[test]
fn nothing_found_is_an_empty_list() {
    for both in [with_key(), with_cookie()] {
        let answer = both.call(SEARCH, json!({ "keyword": "没有这样的书" }));
        assert_eq!(
            answer.structured,
            json!({
                "ok": true, "keyword": "没有这样的书", "kind": "all", "books": [], "returned": 0, "truncated": false,
                "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
    }
}

#[test]
fn a_broken_shelf_leaves_the_hits() {
    for (both, route) in [(with_key(), "/shelf/sync"), (with_cookie(), "shelf_sync")] {
        both.each(|fake| fake.refuse(route, Some(-202)));
        let told = both.call(SEARCH, json!({ "keyword": "三体" })).structured;
        assert_eq!(
            json!([
                told["returned"],
                told["books"][0]["in_shelf"],
                told["complete"],
                told["problems"][0]["what"],
                told["problems"][0]["code"],
                told["problems"][1],
            ]),
            json!([1, null, false, "in_shelf", "UPSTREAM_REFUSED", null])
        );
    }
}

/// A suggestion of the fake, of which only these differ.
fn suggestion(
    both: &Both<Weread>,
    id: &str,
    [title, author, category, cover, path]: [&str; 5],
) -> Value {
    json!({
        "book_id": id, "title": title, "author": author, "translator": "", "category": category, "cover_url": cover,
        "rating": null, "rating_count": null, "reading_count": null, "sold_out": null, "in_shelf": false,
        "link": page(both, path),
    })
}

#[test]
fn suggestions_are_for_the_reader_or_by_a_book() {
    let both = with_key();
    let strange = suggestion(
        &both,
        "3300164559",
        [
            "奇特的一生（精装典藏2025版）",
            "[俄]格拉宁",
            "个人成长-人生哲学",
            "https://cdn.weread.qq.com/weread/cover/0/sample/s_3300164559.jpg",
            "ea832e30813aba6c7g019153",
        ],
    );
    let change = suggestion(
        &both,
        "3300027206",
        [
            "5%的改变",
            "李松蔚",
            "心理-积极心理学",
            "https://cdn.weread.qq.com/weread/cover/0/sample/s_3300027206.jpg",
            "39e32100813ab7120g01631e",
        ],
    );
    for like in [Value::Null, json!("27416212")] {
        let told = both
            .call(RECOMMEND, json!({ "book_id": like, "max_results": 2 }))
            .structured;
        assert_eq!(
            told,
            json!({
                "ok": true, "similar_to": like, "books": [strange, change], "returned": 2, "truncated": true,
                "next_cursor": told["next_cursor"], "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
    }
}

#[test]
fn suggestions_go_on_to_the_end() {
    let both = with_key();
    for (like, size, pages) in [
        (Value::Null, Value::Null, vec![12, 12, 12, 8]),
        (json!("27416212"), json!(20), vec![20, 20, 4]),
    ] {
        let mut arguments = json!({ "book_id": like, "max_results": size });
        let (mut ids, mut sizes) = (Vec::new(), Vec::new());
        loop {
            let told = both.call(RECOMMEND, arguments.clone()).structured;
            let books = told["books"].as_array().unwrap();
            ids.extend(
                books
                    .iter()
                    .map(|book| book["book_id"].as_str().unwrap().to_owned()),
            );
            sizes.push(books.len());
            match told["truncated"] == json!(true) {
                true => arguments["cursor"] = told["next_cursor"].clone(),
                false => break,
            }
        }
        let series = (1..=40).map(|nth| (31_000_000 + nth).to_string());
        let others = ["3300164559", "3300027206", "44112345", "33638775"].map(str::to_owned);
        assert_eq!(
            ids,
            Vec::from_iter(others.into_iter().chain(series)),
            "{like}"
        );
        assert_eq!(sizes, pages, "{like}");
    }
}

#[test]
fn suggestions_need_a_key() {
    for arguments in [json!({}), json!({ "book_id": "27416212" })] {
        assert_eq!(
            with_cookie().call(RECOMMEND, arguments).structured,
            json!({
                "ok": false, "code": "NEED_API_KEY", "message": "这项内容只有官方网关提供，需要 API Key",
                "retryable": false,
                "next": "在微信读书的 skill 页面生成 API Key（wrk-…），用 weread-mcp login 或 save_credentials 保存",
                "data": { "ways": [] },
            })
        );
    }
}

#[test]
fn wrong_arguments_are_refused_before_anything_is_asked() {
    let both = with_key();
    let first = both.call(SEARCH, json!({ "keyword": "深海", "max_results": 1 }));
    let cursor = first.structured["next_cursor"].clone();
    let asked = || both.worlds()[0].fake.journal().all().len();
    let before = asked();
    for (tool, arguments, field) in [
        (SEARCH, json!({ "keyword": "  " }), "keyword"),
        (SEARCH, json!({ "keyword": "字".repeat(101) }), "keyword"),
        (SEARCH, json!({ "keyword": "三体", "kind": "film" }), "kind"),
        (
            SEARCH,
            json!({ "keyword": "三体", "max_results": 0 }),
            "max_results",
        ),
        (
            SEARCH,
            json!({ "keyword": "三体", "cursor": cursor }),
            "cursor",
        ),
        (
            SEARCH,
            json!({ "keyword": "深海", "kind": "ebook", "cursor": cursor }),
            "cursor",
        ),
        (RECOMMEND, json!({ "cursor": cursor }), "cursor"),
        (RECOMMEND, json!({ "book_id": "a b" }), "book_id"),
    ] {
        let answer = both.call(tool, arguments);
        assert_eq!(answer.code(), Some("INVALID_ARGUMENT"), "{}", answer.text);
        assert_eq!(answer.structured["data"], json!({ "field": field }));
    }
    assert_eq!(asked(), before);
}
