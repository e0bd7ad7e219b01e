//! The search in the whole shelf.

use std::thread;

use fixtures::{
    mcp::Both,
    weread::{HoldAt, Weread},
};
use serde_json::{Value, json};

use crate::{
    shelf::{NOW, cover, given, ids},
    world::{with_cookie, with_key},
};

/// The page of the web reader in the first world.
fn page(both: &Both<Weread>, hash: &str) -> String {
    format!("{}/web/reader/{hash}", both.worlds()[0].fake.web_url())
}

/// 《思考，快与慢》 with all that is known of it.
fn thinking(both: &Both<Weread>) -> Value {
    json!({
        "book_id": "30000101", "title": "思考，快与慢", "author": "[美]丹尼尔·卡尼曼", "translator": "胡晓姣、李爱民",
        "cover_url": cover("30000101"), "matched": ["category"], "in_shelf": true, "has_notes": true,
        "category": "心理-认知科学", "categories": ["心理-认知科学", "个人成长-认知思维"],
        "publish_info": "某出版社 2012-07", "finished": false, "author_completed": true, "store_edition": null,
        "link": page(both, "e7d32b1071c9c3e5e7d7ae6"),
        "reading_status": {
            "progress": 75, "reading_time": 48210, "last_read_time": "2025-09-02T16:00:00+08:00", "note_count": 28,
            "bookmark_count": 2, "review_count": 2,
        },
        "book_info": {
            "word_count": 331_000, "rating": 8.68, "rating_count": 5123, "rating_title": "好评如潮",
            "description": "（简介已替换）介绍两种思考方式如何一起作出判断。",
        },
    })
}

/// 《隐藏的自我》 with all that is known of it, found in its second category or in its title.
fn incognito(both: &Both<Weread>, matched: &str) -> Value {
    json!({
        "book_id": "27416212", "title": "隐藏的自我", "author": "大卫·伊格曼", "translator": "钱静",
        "cover_url": cover("27416212"), "matched": [matched], "in_shelf": true, "has_notes": true,
        "category": "科学技术-科学科普", "categories": ["科学技术-科学科普", "心理-认知科学"],
        "publish_info": "浙江教育出版社 2019-12", "finished": false, "author_completed": true, "store_edition": null,
        "link": page(both, "eba3273071a25694eba47a5"),
        "reading_status": {
            "progress": 96, "reading_time": 72917, "last_read_time": "2025-05-01T20:01:38+08:00", "note_count": 42,
            "bookmark_count": 35, "review_count": 14,
        },
        "book_info": {
            "word_count": 140_657, "rating": 8.26, "rating_count": 337, "rating_title": null,
            "description": "（简介已替换）一本讲大脑如何在意识之外工作的书：看、听、判断和选择大多不经过我们自己。",
        },
    })
}

/// The seed's first scenario: the books about cognitive science, of which one has it as its second category.
#[test]
fn books_on_a_subject_are_found_with_their_details() {
    for (both, unknown) in [(with_key(), 6), (with_cookie(), 3)] {
        let answer = given(
            &both,
            "search_books",
            &json!({"keyword": "认知科学", "include_details": true}),
        );
        assert_eq!(
            answer,
            json!({
                "ok": true, "total_matches": 2, "books": [thinking(&both), incognito(&both, "category")], "returned": 2,
                "truncated": false, "without_category": unknown, "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
        // The seed's second scenario begins so.
        let answer = given(
            &both,
            "search_books",
            &json!({"keyword": "隐藏的自我", "exact_match": true}),
        );
        assert_eq!(
            (&answer["total_matches"], &answer["books"]),
            (&json!(1), &json!([incognito(&both, "title")]))
        );
    }
}

#[test]
fn without_details_the_counts_are_flat() {
    let both = with_key();
    assert_eq!(
        given(
            &both,
            "search_books",
            &json!({"keyword": "金钱", "include_details": false})
        ),
        json!({
            "ok": true, "total_matches": 1, "books": [{
                "book_id": "3300189789", "title": "金钱的艺术", "author": "[美]摩根·豪泽尔", "translator": "某译者",
                "cover_url": cover("3300189789"), "matched": ["title"], "in_shelf": false, "has_notes": true,
                "note_count": 3, "bookmark_count": 1, "review_count": 2,
            }],
            "returned": 1, "truncated": false, "without_category": 6, "complete": true, "untrusted": true, "as_of": NOW,
        })
    );
    both.each(|fake| assert_eq!(fake.journal().all().len(), 2));
}

/// notes/reports-weread.md, 3: exact is exact in each category, name and title; case and width make no difference.
#[test]
fn a_keyword_is_found_in_each_field_or_is_exactly_one() {
    let both = with_cookie();
    let check = |keyword: &str, part: &[&str], exact: &[&str]| {
        for (exact_match, expected) in [(false, part), (true, exact)] {
            let arguments =
                json!({"keyword": keyword, "exact_match": exact_match, "include_details": false});
            let answer = given(&both, "search_books", &arguments);
            assert_eq!(ids(&answer["books"], "book_id"), expected, "{arguments}");
        }
    };
    let (harry, thinking, incognito) = ("CB_7YV4cp4egBPA6wW6x6F0K3Kf", "30000101", "27416212");
    check("ＨＡＲＲＹ  potter", &[harry], &[]);
    check("harry potter AND the sorcerer's stone", &[harry], &[harry]);
    check("卡尼曼", &[thinking], &[]);
    check("丹尼尔·卡尼曼", &[thinking], &[thinking]);
    check("[美]丹尼尔·卡尼曼", &[thinking], &[thinking]);
    check("［美］丹尼尔·卡尼曼", &[thinking], &[thinking]);
    check("李爱民", &[thinking], &[thinking]);
    check("胡晓姣　李爱民", &[thinking], &[thinking]);
    check("胡晓姣、李爱民", &[thinking], &[thinking]);
    check("认知科学", &[thinking, incognito], &[]);
    check(
        "心理-认知科学",
        &[thinking, incognito],
        &[thinking, incognito],
    );
    check("思考,快与慢", &[thinking], &[thinking]);
    // Without a note, and in a second category.
    check("个人成长-情绪心灵", &["3300079777"], &["3300079777"]);
    // Off the shelf.
    check("金钱的艺术", &["3300189789"], &["3300189789"]);
    check("没有这本书", &[], &[]);
    // A title comes before an author, an author before a category.
    check("计算机", &["3300144307", "30000666"], &[]);
    let refused = both
        .call("search_books", json!({"keyword": " 　"}))
        .structured;
    assert_eq!(
        (&refused["code"], &refused["data"]),
        (&json!("INVALID_ARGUMENT"), &json!({"field": "keyword"}))
    );
}

/// notes/reports-weread.md, 3: the matches are counted before the cut.
#[test]
fn matches_are_counted_before_the_cut_and_followed() {
    for both in [with_key(), with_cookie()] {
        for details in [true, false] {
            let mut arguments =
                json!({"keyword": "的", "max_results": 1, "include_details": details});
            let mut found = Vec::new();
            loop {
                let part = given(&both, "search_books", &arguments);
                assert_eq!(
                    (&part["total_matches"], &part["returned"]),
                    (&json!(4), &json!(1)),
                    "{arguments}"
                );
                found.extend(ids(&part["books"], "book_id"));
                if part["truncated"] == false {
                    break;
                }
                arguments["cursor"] = part["next_cursor"].clone();
            }
            assert_eq!(found, ["3300189789", "30000666", "29599977", "27416212"]);
        }
    }
}

/// notes/reports-weread.md, 3: details are read for what is shown only, a few side by side, and once.
#[test]
fn details_are_read_side_by_side_and_only_what_is_shown() {
    let both = with_key();
    let held = both
        .worlds()
        .each_ref()
        .map(|world| [0; 3].map(|_| world.fake.hold("/book/info", HoldAt::Arrival)));
    thread::scope(|scope| {
        let asked = scope.spawn(|| given(&both, "search_books", &json!({"keyword": "的"})));
        for (world, held) in both.worlds().iter().zip(&held) {
            // All three wait at once, and the fourth for one of them.
            assert_eq!(
                world.fake.journal().wait_for_route("/book/info", 3).len(),
                3
            );
            held.iter().for_each(|hold| hold.wait_reached(1));
            held.iter().for_each(fixtures::upstream::Hold::release);
        }
        assert_eq!(asked.join().expect("an answer")["returned"], 4);
    });
    both.each(|fake| {
        let count = |route: &str| fake.journal().of(route).len();
        assert_eq!((count("/book/info"), count("/book/getprogress")), (4, 4));
    });
    given(
        &both,
        "search_books",
        &json!({"keyword": "的", "max_results": 2}),
    );
    both.each(|fake| assert_eq!(fake.journal().of("/book/info").len(), 4));

    // The web's shelf tells how far its books were read, so that only the one off the shelf is asked for that.
    let both = with_cookie();
    given(
        &both,
        "search_books",
        &json!({"keyword": "的", "max_results": 2}),
    );
    both.each(|fake| {
        let count = |route: &str| fake.journal().of(route).len();
        assert_eq!((count("book_info"), count("get_progress")), (2, 1));
    });
}

/// The gateway may refuse the progress of a book that was not asked for before.
#[test]
fn a_book_is_asked_for_before_its_progress() {
    let both = with_key();
    both.each(|fake| fake.switch(|switches| switches.progress_needs_info = true));
    let answer = given(&both, "search_books", &json!({"keyword": "的"}));
    assert_eq!(
        (&answer["returned"], &answer["complete"]),
        (&json!(4), &json!(true))
    );
}

#[test]
fn details_that_fail_do_not_lose_the_list() {
    let both = with_key();
    both.each(|fake| fake.refuse("/book/info", Some(-2003)));
    let answer = given(&both, "search_books", &json!({"keyword": "认知科学"}));
    let mut expected = [thinking(&both), incognito(&both, "category")];
    for book in &mut expected {
        book["publish_info"] = json!(book["publish_info"].as_str().unwrap().split(' ').nth(1));
        book["book_info"] = json!({
            "word_count": 0, "rating": 0.0, "rating_count": 0, "rating_title": null, "description": "",
        });
    }
    assert_eq!(answer["books"], json!(expected));
    assert_eq!(
        (&answer["complete"], &answer["problems"]),
        (
            &json!(false),
            &json!([{
                "what": "book: 30000101、27416212", "code": "UPSTREAM_REFUSED",
                "message": "微信读书拒绝了请求：参数格式错误",
            }])
        )
    );
    // The progress of one book only.
    let both = with_key();
    both.each(|fake| fake.refuse("/book/getprogress", Some(-1)));
    let answer = given(&both, "search_books", &json!({"keyword": "隐藏的自我"}));
    assert_eq!(
        answer["books"][0]["reading_status"],
        json!({
            "progress": 96, "reading_time": 0, "last_read_time": "2025-05-01T20:01:38+08:00", "note_count": 42,
            "bookmark_count": 35, "review_count": 14,
        })
    );
    assert_eq!(answer["problems"][0]["what"], "progress: 27416212");
}

/// notes/reports-weread.md, 4.32: a book without introduction, category, rating, or any reading.
#[test]
fn what_the_service_does_not_tell_is_empty_or_zero() {
    let both = with_cookie();
    let answer = given(&both, "search_books", &json!({"keyword": "心流"}));
    assert_eq!(
        answer["books"],
        json!([{
            "book_id": "921826", "title": "心流：最优体验心理学", "author": "米哈里·契克森米哈赖", "translator": "张定绮",
            "cover_url": cover("921826"), "matched": ["title"], "in_shelf": true, "has_notes": false, "category": "",
            "categories": [], "publish_info": "", "finished": false, "author_completed": null, "store_edition": null,
            "link": page(&both, "65e328b05e10e265eb76e03"),
            "reading_status": {
                "progress": 0, "reading_time": 0, "last_read_time": "", "note_count": 0, "bookmark_count": 0, "review_count": 0,
            },
            "book_info": {"word_count": 0, "rating": 0.0, "rating_count": 0, "rating_title": null, "description": ""},
        }])
    );
}
