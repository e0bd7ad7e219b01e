//! The whole shelf, the list of books with notes, and what is told when a part cannot be had.

mod broken;

use std::collections::HashMap;

use fixtures::{mcp::Both, weread::Weread};
use serde_json::{Value, json};

use crate::world::{with_cookie, with_key};

/// The books of the fake, read here without the code under test.
const BOOKS: &str = include_str!("../../../../fixtures/data/weread/books_world.json");
pub(crate) const NOW: &str = "2026-11-20T12:00:00+08:00";
const GROUPS: [&str; 2] = ["分组甲", "分组乙"];

/// Calls a tool that must succeed.
#[track_caller]
pub(crate) fn given(both: &Both<Weread>, tool: &str, arguments: &Value) -> Value {
    let answer = both.call(tool, arguments.clone()).structured;
    assert_eq!(answer["ok"], true, "{tool} {arguments}: {answer}");
    answer
}

/// The address of a book's cover.
pub(crate) fn cover(id: &str) -> Value {
    let books: Value = serde_json::from_str(BOOKS).unwrap();
    let book = books
        .as_array()
        .unwrap()
        .iter()
        .find(|book| book["info"]["bookId"] == id);
    book.expect(id)["info"]["cover"].clone()
}

/// The ids of a list, in order.
pub(crate) fn ids(list: &Value, name: &str) -> Vec<String> {
    let rows = list.as_array().expect("a list").iter();
    rows.map(|row| row[name].as_str().expect("an id").to_owned())
        .collect()
}

/// A shelf's row: id, title, author; then translator, category and what the author has completed; then
/// whether it is finished and the time; then highlights, thoughts, bookmarks; then per cent and privacy.
type Row = (
    [&'static str; 3],
    (&'static str, &'static str, Value),
    (bool, &'static str),
    [u64; 3],
    (Value, Value),
);

/// The books of the fake by the web surface, or as far as the gateway tells them.
fn rows(gateway: bool) -> Vec<Row> {
    // The gateway's shelf names neither translator nor category, and tells no progress: all that comes from the notes.
    let noteless = |translator, category, completed: Value, percent: Value| match gateway {
        true => (("", "", Value::Null), Value::Null),
        false => ((translator, category, completed), percent),
    };
    let yes = || json!(true);
    let no = || json!(false);
    let (pdf, pdf_percent) = noteless("", "", yes(), json!(12));
    let (finished, finished_percent) = noteless("方怡蓉", "哲学宗教-宗教", yes(), json!(100));
    let (unopened, unopened_percent) = noteless("张定绮", "", Value::Null, Value::Null);
    let (serial, serial_percent) = noteless("", "男生小说-都市", no(), json!(100));
    // An account has no progress; the gateway's list of notes says 0.
    let account_percent = if gateway { json!(0) } else { Value::Null };
    // Of a book that has left the shelf only the gateway's list of notes knows how far it was read.
    let left_percent = if gateway { json!(24) } else { Value::Null };
    vec![
        (
            ["3300144307", "从零构建大模型", "[美]塞巴斯蒂安·拉施卡"],
            ("覃立波、冯骁骋、刘乾", "计算机-人工智能", yes()),
            (false, "2026-06-05T09:45:26+08:00"),
            [1, 4, 0],
            (json!(79), no()),
        ),
        (
            ["3300189789", "金钱的艺术", "[美]摩根·豪泽尔"],
            ("某译者", "经济理财-理财", yes()),
            (false, "2026-05-18T09:26:54+08:00"),
            [3, 2, 1],
            (left_percent, Value::Null),
        ),
        (
            ["26278269", "苏轼传", "王水照 崔铭"],
            ("", "人物传记-文学家", yes()),
            (true, "2026-04-12T21:20:00+08:00"),
            [1, 0, 0],
            (json!(100), no()),
        ),
        (
            ["30001000", "千条划线", "某编者"],
            ("", "历史-通史", yes()),
            (false, "2026-02-02T10:40:00+08:00"),
            [1000, 300, 0],
            (json!(88), no()),
        ),
        (
            [
                "30000666",
                "奇怪的文字：\"引号\"、'单引号' 与 # 井号",
                "某某 著",
            ],
            ("", "计算机-编程设计", yes()),
            (false, "2025-11-01T20:26:40+08:00"),
            [12, 8, 1],
            (json!(50), yes()),
        ),
        (
            ["30000201", "云上书（连载中）", "某作者"],
            serial,
            (false, "2025-10-09T16:53:20+08:00"),
            [0, 0, 0],
            (serial_percent, yes()),
        ),
        (
            [
                "CB_7YV4cp4egBPA6wW6x6F0K3Kf",
                "Harry Potter and the Sorcerer's Stone",
                "J.K. Rowling",
            ],
            ("", "", yes()),
            (false, "2025-09-16T23:14:39+08:00"),
            [3, 1, 0],
            (json!(31), yes()),
        ),
        (
            ["30000101", "思考，快与慢", "[美]丹尼尔·卡尼曼"],
            ("胡晓姣、李爱民", "心理-认知科学", yes()),
            (false, "2025-09-02T16:00:00+08:00"),
            [28, 2, 2],
            (json!(75), no()),
        ),
        (
            ["CB_PDF0000000000000000000001", "论文合集.pdf", ""],
            pdf,
            (false, "2025-08-12T20:00:00+08:00"),
            [0, 0, 0],
            (pdf_percent, no()),
        ),
        (
            [
                "29599977",
                "蝲蛄吟唱的地方（电影《沼泽深处的女孩》原著）",
                "迪莉娅·欧文斯",
            ],
            ("王泽林", "精品小说-影视原著", yes()),
            (true, "2025-05-13T06:15:14+08:00"),
            [4, 5, 0],
            (json!(100), no()),
        ),
        (
            ["27416212", "隐藏的自我", "大卫·伊格曼"],
            ("钱静", "科学技术-科学科普", yes()),
            (false, "2025-05-01T20:01:38+08:00"),
            [42, 14, 35],
            (json!(96), no()),
        ),
        // Finished without a note (notes/reports-weread.md, 4.35).
        (
            ["3300079777", "佛陀之心", "一行禅师"],
            finished,
            (true, "2025-03-09T15:43:46+08:00"),
            [0, 0, 0],
            (finished_percent, no()),
        ),
        (
            ["MP_WXS_3000000001", "某公众号", "公众号"],
            ("", "", yes()),
            (false, "2024-11-17T21:20:00+08:00"),
            [2, 1, 0],
            (account_percent, no()),
        ),
        (
            ["695233", "三体全集（全三册）", "刘慈欣"],
            ("", "精品小说-科幻小说", yes()),
            (false, "2024-04-11T09:39:46+08:00"),
            [2, 1, 0],
            (json!(15), no()),
        ),
        // Never opened, without most fields (4.32).
        (
            ["921826", "心流：最优体验心理学", "米哈里·契克森米哈赖"],
            unopened,
            (false, ""),
            [0, 0, 0],
            (unopened_percent, Value::Null),
        ),
    ]
}

fn shelved(row: &Row) -> Value {
    let (
        [id, title, author],
        (translator, category, completed),
        (finished, time),
        notes,
        (percent, private),
    ) = row;
    let kind = match *id {
        id if id.starts_with("CB_") => "imported",
        id if id.starts_with("MP_") => "official_account",
        _ => "store",
    };
    let mut shelved = json!({
        "bookId": id, "title": title, "author": author, "translator": translator, "category": category,
        "finished": finished, "updateTime": time, "noteCount": notes[0], "reviewCount": notes[1],
        "bookmarkCount": notes[2], "in_shelf": *id != "3300189789", "has_notes": notes.iter().sum::<u64>() > 0,
        "author_completed": completed, "progress": percent, "private": private,
        "kind": kind,
    });
    let group = match *id {
        "27416212" | "30000101" | "CB_7YV4cp4egBPA6wW6x6F0K3Kf" => Some(GROUPS[0]),
        "695233" | "29599977" => Some(GROUPS[1]),
        _ => None,
    };
    if let Some(group) = group {
        shelved["groups"] = json!([group]);
    }
    shelved
}

#[test]
fn the_shelf_is_the_whole_shelf() {
    for (both, gateway) in [(with_key(), true), (with_cookie(), false)] {
        let books: Vec<_> = rows(gateway).iter().map(shelved).collect();
        let albums = match gateway {
            true => json!([{
                "album_id": "3110080161", "title": "置身事内：中国政府与经济发展", "author": "王大民",
                "track_count": 30, "author_completed": true, "private": true,
            }]),
            false => json!([]),
        };
        let album = usize::from(gateway);
        assert_eq!(
            given(&both, "get_bookshelf", &json!({})),
            json!({
                "ok": true, "books": books, "total": 15, "returned": 15, "truncated": false, "albums": albums,
                "articles": { "book_id": "mpbook", "title": "文章收藏", "private": true },
                "totals": {
                    "shown": gateway.then_some(16), "books": 14, "albums": gateway.then_some(1), "articles": 1, "private": 4 + album,
                    "finished": 3, "with_notes": 11, "off_shelf": 1,
                },
                "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
    }
}

#[test]
fn a_part_of_the_shelf_is_shown_and_the_totals_stay() {
    let both = with_key();
    let whole = given(&both, "get_bookshelf", &json!({}));
    let check = |arguments: Value, expected: &[&str]| {
        let shelf = given(&both, "get_bookshelf", &arguments);
        assert_eq!(ids(&shelf["books"], "bookId"), expected, "{arguments}");
        assert_eq!(shelf["total"], json!(expected.len()), "{arguments}");
        assert_eq!(shelf["totals"], whole["totals"], "{arguments}");
    };
    let finished = ["26278269", "29599977", "3300079777"];
    check(json!({"only": "finished"}), &finished);
    let all = ids(&whole["books"], "bookId");
    let all = || all.iter().map(String::as_str);
    let unfinished: Vec<_> = all().filter(|id| !finished.contains(id)).collect();
    check(json!({"only": "unfinished"}), &unfinished);
    let noteless = [
        "30000201",
        "CB_PDF0000000000000000000001",
        "3300079777",
        "921826",
    ];
    let with_notes: Vec<_> = all().filter(|id| !noteless.contains(id)).collect();
    check(json!({"only": "with_notes"}), &with_notes);
    check(
        json!({"only": "all", "group": "分组乙"}),
        &["29599977", "695233"],
    );
    check(
        json!({"only": "finished", "group": " 分组乙 "}),
        &["29599977"],
    );
    check(json!({"group": "空的分组"}), &[]);

    let albums = given(&both, "get_bookshelf", &json!({"only": "albums"}));
    assert_eq!(albums["albums"], whole["albums"]);
    assert_eq!(
        (&albums["books"], &albums["total"]),
        (&json!([]), &json!(1))
    );

    let refused = both
        .call("get_bookshelf", json!({"group": "分组丙"}))
        .structured;
    assert_eq!(
        (&refused["code"], &refused["data"], &refused["message"]),
        (
            &json!("INVALID_ARGUMENT"),
            &json!({
                "field": "group", "groups": ["分组甲", "分组乙", "空的分组"], "untrusted": true,
            }),
            &json!("参数 group 有误：书架上没有这个分组")
        )
    );
}

#[test]
fn lists_are_followed_page_by_page() {
    let both = with_cookie();
    let shelf = both.follow("get_bookshelf", json!({"max_results": 4}), "books");
    assert_eq!(shelf.len(), 15);
    let notebooks = both.follow("list_notebooks", json!({"max_results": 3}), "books");
    assert_eq!(notebooks.len(), 11);
    // A list is read once and kept for its further parts.
    both.each(|fake| {
        let counts = ["shelf_sync", "user_notebook"].map(|route| fake.journal().of(route).len());
        assert_eq!(counts, [1, 1]);
    });
    for tool in ["get_bookshelf", "list_notebooks", "search_books"] {
        let arguments = match tool {
            "search_books" => json!({"keyword": "的", "cursor": "x"}),
            _ => json!({"cursor": "x"}),
        };
        let refused = both.call(tool, arguments).structured;
        assert_eq!(
            (&refused["code"], &refused["data"]["field"]),
            (&json!("INVALID_ARGUMENT"), &json!("cursor")),
            "{tool}"
        );
    }
}

#[test]
fn books_with_notes_are_counted_newest_change_first() {
    let changed = [
        ("3300144307", "2026-05-27T10:04:48+08:00"),
        ("3300189789", "2026-05-18T09:26:54+08:00"),
        ("26278269", "2026-04-11T17:33:21+08:00"),
        ("30001000", "2025-12-13T12:16:40+08:00"),
        ("30000666", "2025-10-21T12:13:28+08:00"),
        ("CB_7YV4cp4egBPA6wW6x6F0K3Kf", "2025-09-08T10:53:21+08:00"),
        ("30000101", "2025-08-24T09:46:41+08:00"),
        ("27416212", "2025-04-29T14:46:40+08:00"),
        ("MP_WXS_3000000001", "2024-11-17T21:20:00+08:00"),
        ("695233", "2024-04-01T13:36:34+08:00"),
        ("29599977", "2021-12-31T13:26:52+08:00"),
    ];
    for (both, gateway) in [(with_key(), true), (with_cookie(), false)] {
        let rows: HashMap<_, _> = rows(gateway)
            .into_iter()
            .map(|row| (row.0[0], row))
            .collect();
        let books = changed.iter().map(|(id, time)| {
            let ([_, title, author], (translator, category, _), (finished, _), notes, (percent, _)) = &rows[id];
            // Only the shelf tells the mark, and of no book that has left it.
            let in_shelf = *id != "3300189789";
            json!({
                "book_id": id, "title": title, "author": author, "translator": translator, "category": category,
                "cover_url": cover(id), "note_count": notes[0], "review_count": notes[1], "bookmark_count": notes[2],
                "total": notes.iter().sum::<u64>(), "progress": percent,
                "finished": in_shelf.then_some(finished), "in_shelf": in_shelf, "last_changed": time,
            })
        });
        let total_notes = if gateway { json!(1475) } else { Value::Null };
        assert_eq!(
            given(&both, "list_notebooks", &json!({})),
            json!({
                "ok": true, "books": books.collect::<Vec<_>>(), "total": 11, "returned": 11, "truncated": false,
                "total_notes": total_notes, "bookless_reviews": 0, "complete": true, "untrusted": true, "as_of": NOW,
            })
        );
    }
}

#[test]
fn a_change_is_seen_when_the_kept_answer_is_old() {
    let fresh = |fake: &Weread| {
        vec![
            crate::world::cookie(fake),
            ("WEREAD_CACHE_MS", "0".to_owned()),
        ]
    };
    let both = crate::world::world_with(fresh);
    let books = |both: &Both<Weread>| {
        let shelf = given(both, "get_bookshelf", &json!({"only": "finished"}));
        (
            ids(&shelf["books"], "bookId"),
            shelf["totals"]["books"].clone(),
        )
    };
    assert_eq!(books(&both).0, ["26278269", "29599977", "3300079777"]);
    both.each(|fake| {
        fake.finish_book("921826");
        fake.shelve("29599977", false);
    });
    // Off the shelf its mark is gone too: nobody says any more that it was finished.
    assert_eq!(
        books(&both),
        (
            vec![
                "921826".to_owned(),
                "26278269".to_owned(),
                "3300079777".to_owned()
            ],
            json!(13)
        )
    );
}
