//! Books without notes, ids that lead nowhere, and parts that cannot be had.

use fixtures::upstream::Fault;
use serde_json::{Value, json};

use super::{TOOL, groups, notes};
use crate::world::{with_cookie, with_key};

/// What a result of an empty book says.
fn emptiness(told: &Value) -> Value {
    let names = [
        "book_title",
        "total_highlights",
        "total_notes",
        "last_updated",
        "chapters",
        "returned_highlights",
        "returned_notes",
        "skipped",
        "truncated",
        "complete",
        "hint",
    ];
    json!(names.map(|name| told.get(name).cloned()))
}

/// Reports §4, 31: of a PDF the service gives no notes, which is said.
#[test]
fn a_book_without_notes_is_an_empty_list() {
    for world in [with_key(), with_cookie()] {
        for (book, title) in [
            ("3300079777", "佛陀之心"),
            ("921826", "心流：最优体验心理学"),
        ] {
            let told = notes(&world, json!({ "book_id": book }));
            assert_eq!(
                emptiness(&told),
                json!([title, 0, 0, "", [], 0, 0, [], false, true, null])
            );
        }
        let told = notes(&world, json!({ "book_id": "CB_PDF0000000000000000000001" }));
        let hint = "这是 PDF：微信读书没有给出它的任何划线与想法，在 App 里做的笔记可能取不到";
        assert_eq!(
            json!([told["chapters"], told["total_highlights"], told["hint"]]),
            json!([[], 0, hint])
        );
    }
}

#[test]
fn a_book_that_the_service_does_not_know_is_not_found() {
    for world in [with_key(), with_cookie()] {
        let refused = world.call(TOOL, json!({ "book_id": "99999999" }));
        assert_eq!(
            refused.structured,
            json!({
                "ok": false,
                "code": "NOT_FOUND",
                "message": "没有找到书 99999999",
                "retryable": false,
                "next": "核对 id；用 search_books、get_bookshelf 或 list_notebooks 取得",
            })
        );
    }
}

/// Nothing is not an empty list, and half the notes are not all of them.
#[test]
fn what_all_depends_on_cannot_be_missing() {
    for (cookie, routes) in [
        (true, ["bookmarklist", "review_list"]),
        (false, ["/book/bookmarklist", "/review/list/mine"]),
    ] {
        for route in routes {
            let world = if cookie { with_cookie() } else { with_key() };
            world.each(|fake| {
                fake.switch(|switches| {
                    switches.empty.insert(route.to_owned());
                })
            });
            let refused = world.call(TOOL, json!({ "book_id": "3300189789" }));
            assert_eq!(refused.code(), Some("UPSTREAM_EMPTY"), "{route}");
            world.each(|fake| {
                fake.switch(|switches| switches.empty.clear());
                fake.refuse(route, Some(-1));
            });
            let refused = world.call(TOOL, json!({ "book_id": "3300189789" }));
            assert_eq!(refused.code(), Some("UPSTREAM_REFUSED"), "{route}");
        }
    }
}

/// Reports §4, 16: what is only beside the notes does not stop them.
#[test]
fn contents_and_description_may_be_missing() {
    for (cookie, contents, info) in [
        (true, "chapter_infos", "book_info"),
        (false, "/book/chapterinfo", "/book/info"),
    ] {
        let world = if cookie { with_cookie() } else { with_key() };
        world.each(|fake| {
            fake.refuse(contents, Some(-1));
            fake.refuse(info, Some(-1));
        });
        let told = notes(&world, json!({ "book_id": "3300189789" }));
        assert_eq!(
            json!([told["book_title"], told["complete"], told["problems"]]),
            json!(["金钱的艺术", false, [
                { "what": "chapters", "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：-1" },
                { "what": "book", "code": "NOT_FOUND", "message": "没有找到书 3300189789" },
            ]])
        );
        // Chapters come with the highlights.
        let chapter = |uid: i64, title: &str, highlights: &[&str], notes: &[&str]| {
            json!(["chapter", uid, uid, title, highlights, notes])
        };
        assert_eq!(
            groups(&told),
            json!([
                chapter(
                    6,
                    "第五章 够用就好",
                    &["3300189789_6_70-99", "3300189789_6_1200-1222"],
                    &[]
                ),
                chapter(
                    7,
                    "第六章 慢慢来",
                    &["3300189789_7_20-41"],
                    &["10000001_Vh6gr2kR2"]
                ),
                ["book", null, 0, "全书点评", [], ["10000001_TWQWq6838"]],
            ])
        );
    }
}

/// A book is asked for once in a while, not with every page.
#[test]
fn pages_of_one_book_are_read_once() {
    let world = with_cookie();
    let first = notes(&world, json!({ "book_id": "30001000", "max_results": 2 }));
    notes(
        &world,
        json!({ "book_id": "30001000", "max_results": 2, "cursor": first["next_cursor"] }),
    );
    world.each(|fake| assert_eq!(fake.journal().all().len(), 4));
}

/// The answer with the highlights may lack the book, and then even its name is missing; the notes are there.
#[test]
fn a_book_that_nothing_describes_keeps_its_notes() {
    let world = with_cookie();
    world.each(|fake| {
        fake.refuse("book_info", Some(-1));
        let page = json!({ "synckey": 1, "updated": [{
            "bookmarkId": "26278269_3_88-101", "chapterUid": 3, "range": "88-101", "markText": "此心安处。",
            "createTime": 1_775_900_001, "type": 1, "style": 1, "colorStyle": 3,
        }] });
        fake.fault("bookmarklist", 1, Fault::Body(page.to_string()));
    });
    let told = notes(&world, json!({ "book_id": "26278269" }));
    assert_eq!(
        json!([
            told["book_title"],
            groups(&told),
            told["problems"][0]["what"]
        ]),
        json!([
            "",
            [["chapter", 3, 3, "第一章 眉山", ["26278269_3_88-101"], []]],
            "book"
        ])
    );
}
