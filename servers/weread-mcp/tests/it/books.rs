//! One book: what it is, its table of contents, how far it was read.

use fixtures::{mcp::Both, weread::Weread};
use serde_json::{Value, json};

use crate::{
    shelf::{NOW, cover, given, ids},
    world::{with_cookie, with_key},
};

const HARRY: &str = "CB_7YV4cp4egBPA6wW6x6F0K3Kf";
const PDF: &str = "CB_PDF0000000000000000000001";
const ACCOUNT: &str = "MP_WXS_3000000001";

fn of(id: &str) -> Value {
    json!({ "book_id": id })
}

/// An address at the first world's web surface.
fn page(both: &Both<Weread>, path: &str) -> String {
    format!("{}{path}", both.worlds()[0].fake.web_url())
}

#[test]
fn a_book_is_described() {
    for (both, gateway) in [(with_key(), true), (with_cookie(), false)] {
        // The gateway prunes its answer to core fields.
        let only_web = |value: Value| if gateway { Value::Null } else { value };
        let categories = match gateway {
            true => json!(["科学技术-科学科普"]),
            false => json!(["科学技术-科学科普", "心理-认知科学"]),
        };
        assert_eq!(
            given(&both, "get_book_info", &of("27416212")),
            json!({
                "ok": true, "book_id": "27416212", "kind": "store", "title": "隐藏的自我", "author": "大卫·伊格曼",
                "translator": "钱静", "category": "科学技术-科学科普", "categories": categories,
                "cover_url": cover("27416212"), "publisher": "浙江教育出版社", "published": "2019-12-19",
                "isbn": "9787553690957", "word_count": 140_657, "price_fen": only_web(json!(3990)),
                "format": only_web(json!("epub")),
                "description": "（简介已替换）一本讲大脑如何在意识之外工作的书：看、听、判断和选择大多不经过我们自己。",
                "author_completed": only_web(json!(true)), "finished": only_web(json!(false)),
                "sold_out": only_web(json!(false)), "private": only_web(json!(false)), "store_edition": null,
                "rating": {
                    "score": 8.26, "count": 337, "title": null, "good": 278, "fair": 52, "poor": 7, "mine": null,
                },
                "link": page(&both, "/web/reader/eba3273071a25694eba47a5"), "app_link": "weread://reading?bId=27416212",
                "untrusted": true, "as_of": NOW,
            })
        );
    }
}

/// notes/reports-weread.md, 4.32 and 4.37: missing fields, and the store's edition of an imported book.
#[test]
fn what_is_not_told_is_null_and_an_import_names_its_store_edition() {
    for (both, edition) in [
        (with_key(), Value::Null),
        (with_cookie(), json!("30000401")),
    ] {
        let book = given(&both, "get_book_info", &of(HARRY));
        let told = [
            "kind",
            "store_edition",
            "rating",
            "isbn",
            "description",
            "published",
            "word_count",
        ];
        assert_eq!(
            told.map(|name| book[name].clone()),
            [
                json!("imported"),
                edition,
                Value::Null,
                Value::Null,
                Value::Null,
                Value::Null,
                Value::Null
            ]
        );
        // A book that nobody has rated has no rating, not one of 0.
        assert_eq!(
            given(&both, "get_book_info", &of("30000201"))["rating"],
            Value::Null
        );
        let mine = given(&both, "get_book_info", &of("29599977"))["rating"].clone();
        assert_eq!(
            mine,
            json!({"score": 9.14, "count": 20110, "title": "神作", "good": 18380, "fair": 1154, "poor": 576, "mine": "good"})
        );
        // In the store only.
        let found = given(&both, "get_book_info", &of("33638775"));
        assert_eq!(
            (&found["book_id"], &found["kind"]),
            (&json!("33638775"), &json!("store"))
        );
    }
}

#[test]
fn an_id_that_is_not_known_or_none_is_refused() {
    for both in [with_key(), with_cookie()] {
        for tool in ["get_book_info", "get_chapters", "get_reading_progress"] {
            let refused = both.call(tool, of("99999999")).structured;
            assert_eq!(
                (&refused["code"], &refused["message"]),
                (&json!("NOT_FOUND"), &json!("没有找到书 99999999")),
                "{tool}"
            );
        }
        let asked = both
            .worlds()
            .each_ref()
            .map(|world| world.fake.journal().all().len());
        for tool in ["get_book_info", "get_chapters", "get_reading_progress"] {
            for id in ["隐藏的自我", "1 2", "../1"] {
                let refused = both.call(tool, of(id)).structured;
                assert_eq!(
                    (&refused["code"], &refused["data"]),
                    (&json!("INVALID_ARGUMENT"), &json!({"field": "book_id"})),
                    "{tool} {id}"
                );
            }
        }
        assert_eq!(
            both.worlds()
                .each_ref()
                .map(|world| world.fake.journal().all().len()),
            asked
        );
    }
}

#[test]
fn chapters_come_in_reading_order_with_their_headings() {
    for both in [with_key(), with_cookie()] {
        let answer = given(&both, "get_chapters", &of("3300144307"));
        let chapter = |at: usize,
                       (uid, idx): (i64, i64),
                       title: &str,
                       (level, words, paid): (u8, u64, bool)| {
            // The rule of the address has check values of its own; here it must be that book's, and a chapter's.
            let link = answer["chapters"][at]["link"].as_str().unwrap();
            assert!(
                link.starts_with(&page(&both, "/web/reader/")) && link.contains('k'),
                "{link}"
            );
            json!({
                "chapter_id": uid, "chapter_idx": idx, "title": title, "level": level, "word_count": words,
                "paid_only": paid, "link": link,
            })
        };
        let mut attention = chapter(
            3,
            (66, 29),
            "3.3 通过自注意力机制关注输入的不同部分",
            (2, 6289, true),
        );
        attention["anchors"] = json!([
            {"title": "3.3.1 没有可训练权重的简单自注意力机制", "level": 3},
            {"title": "3.3.2 计算所有输入词元的注意力权重", "level": 3},
        ]);
        assert_eq!(
            answer,
            json!({
                "ok": true, "book_id": "3300144307", "title": "从零构建大模型",
                "chapters": [
                    chapter(0, (1, 1), "封面", (1, 1, false)),
                    chapter(1, (44, 7), "第1章 理解大语言模型", (1, 1043, false)),
                    chapter(2, (63, 26), "第3章 编码注意力机制", (1, 900, true)),
                    attention,
                    chapter(4, (68, 31), "3.5 利用因果注意力隐藏未来词汇", (2, 5200, true)),
                ],
                "total": 5, "returned": 5, "truncated": false, "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
        let all = both.follow(
            "get_chapters",
            json!({"book_id": "27416212", "max_results": 25}),
            "chapters",
        );
        let places: Vec<_> = all
            .iter()
            .map(|chapter| chapter["chapter_idx"].as_i64())
            .collect();
        assert_eq!(places, (1..=58).map(Some).collect::<Vec<_>>());
        let refused = both.call(
            "get_chapters",
            json!({"book_id": "27416212", "cursor": "x"}),
        );
        assert_eq!(refused.code(), Some("INVALID_ARGUMENT"));
    }
}

/// notes/reports-weread.md, 4.22 and 4.31 in kind: files without a table of contents, and accounts, say why.
#[test]
fn a_missing_table_of_contents_is_said_and_hides_nothing() {
    let both = with_cookie();
    for (id, title) in [
        (HARRY, "Harry Potter and the Sorcerer's Stone"),
        (PDF, "论文合集.pdf"),
    ] {
        assert_eq!(
            given(&both, "get_chapters", &of(id)),
            json!({
                "ok": true, "book_id": id, "title": title, "chapters": [], "total": 0, "returned": 0, "truncated": false,
                "complete": false,
                "problems": [{"what": "chapters", "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：-1"}],
                "untrusted": true, "as_of": NOW,
            })
        );
    }
    let both = with_key();
    let answer = given(&both, "get_chapters", &of(HARRY));
    let levels: Vec<_> = answer["chapters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|chapter| &chapter["level"])
        .collect();
    assert_eq!(
        (levels, &answer["complete"]),
        (vec![&json!(1), &json!(6)], &json!(true))
    );
    for both in [both, with_cookie()] {
        assert_eq!(
            given(&both, "get_chapters", &of(ACCOUNT)),
            json!({
                "ok": true, "book_id": ACCOUNT, "title": "某公众号", "chapters": [], "total": 0, "returned": 0,
                "truncated": false, "hint": "公众号与文章收藏没有章节", "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
    }
    // Of a book of the store it is a failure.
    let both = with_cookie();
    both.each(|fake| fake.refuse("chapter_infos", Some(-1)));
    assert_eq!(
        both.call("get_chapters", of("27416212")).code(),
        Some("UPSTREAM_REFUSED")
    );
}

#[test]
fn progress_names_the_chapter_and_the_times() {
    for both in [with_key(), with_cookie()] {
        let answer = given(&both, "get_reading_progress", &of("27416212"));
        let link = answer["link"].clone();
        assert!(
            link.as_str()
                .unwrap()
                .starts_with(&page(&both, "/web/reader/eba3273071a25694eba47a5k")),
            "{link}"
        );
        assert_eq!(
            answer,
            json!({
                "ok": true, "book_id": "27416212", "title": "隐藏的自我", "opened": true, "progress": 96,
                "reading_seconds": 72917, "reading_minutes": 1215,
                "chapter": {"chapter_id": 57, "chapter_idx": 57, "title": "基因与环境"},
                "summary": "就的模式。世界各地的实验室正在努力弄清楚",
                "started_at": "2025-03-01T15:54:02+08:00", "updated_at": "2025-05-01T20:01:38+08:00", "finished": false,
                "finished_at": null, "link": link, "app_link": "weread://reading?bId=27416212&chapterUid=57",
                "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
    }
}

/// Finished is who has finished, by mark or time: a serial read to 100 % is not.
#[test]
fn finished_is_not_a_hundred_per_cent() {
    // The gateway's shelf has no mark, not even one that says no, for the book that was never opened.
    for (both, unopened) in [(with_key(), Value::Null), (with_cookie(), json!(false))] {
        for (id, percent, finished, at) in [
            (
                "29599977",
                json!(100),
                json!(true),
                json!("2021-12-31T12:29:48+08:00"),
            ),
            ("30000201", json!(100), json!(false), Value::Null),
            (
                "3300079777",
                json!(100),
                json!(true),
                json!("2025-03-09T15:40:00+08:00"),
            ),
            ("921826", Value::Null, unopened, Value::Null),
        ] {
            let answer = given(&both, "get_reading_progress", &of(id));
            assert_eq!(
                ["progress", "finished", "finished_at"].map(|name| answer[name].clone()),
                [percent, finished, at],
                "{id}"
            );
        }
    }
}

#[test]
fn a_book_that_was_never_opened_has_nothing_to_tell() {
    let both = with_cookie();
    let answer = given(&both, "get_reading_progress", &of("921826"));
    assert_eq!(
        answer,
        json!({
            "ok": true, "book_id": "921826", "title": "心流：最优体验心理学", "opened": false, "progress": null,
            "reading_seconds": null, "reading_minutes": null, "chapter": null, "summary": null, "started_at": null,
            "updated_at": null, "finished": false, "finished_at": null, "link": answer["link"],
            "app_link": "weread://reading?bId=921826", "complete": true, "untrusted": true, "as_of": NOW,
        })
    );
}

#[test]
fn titles_that_fail_do_not_lose_the_progress() {
    let both = with_cookie();
    both.each(|fake| {
        fake.refuse("chapter_infos", Some(-1));
        fake.refuse("shelf_sync", Some(-202));
    });
    let answer = given(&both, "get_reading_progress", &of("27416212"));
    assert_eq!(
        (&answer["progress"], &answer["chapter"], &answer["complete"]),
        (
            &json!(96),
            &json!({"chapter_id": 57, "chapter_idx": 57, "title": null}),
            &json!(false)
        )
    );
    assert_eq!(ids(&answer["problems"], "what"), ["chapters", "shelf"]);
}
