//! `get_book_notes_and_highlights`: every note of a book, once, with its chapter.

mod arranged;
mod filters;
mod pages;
mod places;
mod trouble;

use fixtures::{mcp::Both, weread::Weread};
use serde_json::{Value, json};

use crate::world::{with_cookie, with_key};

/// The tool's name.
pub(crate) const TOOL: &str = "get_book_notes_and_highlights";

/// What a call gives that must succeed.
pub(crate) fn notes(world: &Both<Weread>, arguments: Value) -> Value {
    let answer = world.call(TOOL, arguments.clone());
    assert_eq!(
        answer.structured["ok"], true,
        "{arguments}: {}",
        answer.text
    );
    answer.structured
}

/// The ids in a list of results.
pub(crate) fn ids(list: &Value, name: &str) -> Vec<String> {
    let list = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    let id = |one: &Value| one[name].as_str().expect("an id").to_owned();
    list.iter().map(id).collect()
}

/// Of each group: kind, `chapter_id`, `chapter_idx`, title, and the ids of its highlights and notes.
fn groups(result: &Value) -> Value {
    let group = |one: &Value| {
        let (highlights, notes) = (&one["highlights"], &one["notes"]);
        json!([
            one["kind"],
            one["chapter_id"],
            one["chapter_idx"],
            one["title"],
            ids(highlights, "highlight_id"),
            ids(notes, "note_id"),
        ])
    };
    let chapters = result["chapters"].as_array().expect("chapters");
    chapters.iter().map(group).collect()
}

/// Whatever is not given is counted: nothing is lost.
fn counted(result: &Value) {
    for (kind, total, returned) in [
        ("highlight", "total_highlights", "returned_highlights"),
        ("note", "total_notes", "returned_notes"),
    ] {
        let skipped = result["skipped"].as_array().expect("skipped");
        let skipped = skipped.iter().filter(|one| one["kind"] == kind);
        let skipped: u64 = skipped
            .map(|one| one["count"].as_u64().expect("a count"))
            .sum();
        let number = |name: &str| result[name].as_u64().expect("a number");
        assert_eq!(
            number(returned) + skipped,
            number(total),
            "{kind}: {result}"
        );
    }
}

fn highlight(id: &str, text: &str, look: [Value; 4], range: &str, at: &str) -> Value {
    let [style, style_name, color, color_name] = look;
    json!({
        "highlight_id": id, "text": text, "style": style, "style_name": style_name, "color": color,
        "color_name": color_name, "range": range, "create_time": at, "note_ids": [],
    })
}

/// The whole result of book 3300189789, by the way it was asked.
fn money(web: &str, styles: [Value; 6], bookmarks: Value) -> Value {
    let [style_a, name_a, style_b, name_b, style_c, name_c] = styles;
    let look =
        |style, name, color: i64, color_name: &str| [style, name, json!(color), json!(color_name)];
    let book = format!("{web}/web/reader/c6032f00813abb0a2g019f7e");
    let mut slow = highlight(
        "3300189789_7_20-41",
        "慢是一种本事。",
        look(style_c, name_c, 5, "黄色"),
        "20-41",
        "2026-05-18T07:36:41+08:00",
    );
    slow["note_ids"] = json!(["10000001_Vh6gr2kR2"]);
    json!({
        "ok": true,
        "book_id": "3300189789",
        "book_title": "金钱的艺术",
        "total_highlights": 3,
        "total_notes": 2,
        "last_updated": "2026-05-18T09:26:54+08:00",
        "chapters": [
            {
                "chapter_id": 6, "chapter_idx": 6, "title": "第五章 够用就好", "level": 1, "kind": "chapter",
                "known": true, "link": format!("{book}k16732dc0161679091c5aeb1"),
                "highlights": [
                    highlight(
                        "3300189789_6_70-99", "够用比更多难。", look(style_a, name_a, 1, "红色"), "70-99",
                        "2026-05-18T07:20:01+08:00",
                    ),
                    highlight(
                        "3300189789_6_1200-1222", "比较是没有尽头的。", look(style_b, name_b, 0, "默认"),
                        "1200-1222", "2026-05-18T07:53:21+08:00",
                    ),
                ],
                "notes": [],
            },
            {
                "chapter_id": 7, "chapter_idx": 7, "title": "第六章 慢慢来", "level": 1, "kind": "chapter",
                "known": true, "link": format!("{book}k8f132430178f14e45fce0f7"),
                "highlights": [slow],
                "notes": [{
                    "note_id": "10000001_Vh6gr2kR2", "content": "同意。", "highlight_text": "慢是一种本事。",
                    "kind": "passage", "highlight_id": "3300189789_7_20-41", "range": "20-41", "star": null,
                    "private": false, "handwritten": false, "images": [],
                    "create_time": "2026-05-18T08:10:01+08:00",
                }],
            },
            {
                "chapter_id": null, "chapter_idx": 0, "title": "全书点评", "level": 1, "kind": "book",
                "known": true, "link": null, "highlights": [],
                "notes": [{
                    "note_id": "10000001_TWQWq6838", "content": "一本小书。", "highlight_text": "",
                    "kind": "book", "highlight_id": null, "range": "", "star": 60, "private": false,
                    "handwritten": false, "images": [], "create_time": "2026-05-18T09:26:54+08:00",
                }],
            },
        ],
        "returned_highlights": 3,
        "returned_notes": 2,
        "skipped": bookmarks,
        "truncated": false,
        "link": book,
        "complete": true,
        "problems": [],
        "untrusted": true,
        "as_of": Weread::NOW,
    })
}

/// Reports §3: times are those of China, and the newest note says when the book was last changed.
#[test]
fn a_book_is_told_as_the_seed_has_it() {
    let bookmarks = json!([{ "kind": "bookmark", "reason": "no_text", "count": 1 }]);
    let styles = [
        json!(0),
        json!("直线"),
        json!(0),
        json!("直线"),
        json!(2),
        json!("波浪线"),
    ];
    // The gateway tells no style, and leaves bookmarks of a place out.
    let none = [const { Value::Null }; 6];
    for (world, styles, bookmarks) in [
        (with_cookie(), styles, bookmarks),
        (with_key(), none, json!([])),
    ] {
        let told = notes(&world, json!({ "book_id": "3300189789" }));
        let web = world.worlds()[0].fake.web_url();
        assert_eq!(told, money(&web, styles, bookmarks));
        counted(&told);
    }
}

/// The seed's second scenario: what was thought about 大脑决策.
#[test]
fn all_notes_of_a_book_are_there_to_be_chosen_from() {
    for world in [with_key(), with_cookie()] {
        let found = world.call(
            "search_books",
            json!({ "keyword": "隐藏的自我", "exact_match": true }),
        );
        let books = &found.structured["books"];
        assert_eq!(
            json!([found.structured["total_matches"], books[0]["book_id"]]),
            json!([1, "27416212"])
        );
        let told = pages::followed(
            &world,
            json!({ "book_id": "27416212", "organize_by_chapter": true }),
        );
        let count = |list: &str| {
            told.iter()
                .map(|(_, highlights, notes)| match list {
                    "highlights" => highlights.len(),
                    _ => notes.len(),
                })
                .sum::<usize>()
        };
        assert_eq!((count("highlights"), count("notes")), (42, 14));
        let about = told.iter().flat_map(|(chapter, _, notes)| {
            let said = notes.iter().filter(|note| {
                let text = format!("{}{}", note["content"], note["highlight_text"]);
                text.contains("决策")
            });
            said.map(move |note| json!([chapter["title"], note["content"]]))
        });
        assert_eq!(
            about.collect::<Vec<_>>(),
            [
                json!([
                    "两党制：大脑是理性的还是情绪化的",
                    "大脑中存在多个相互竞争的决策系统，理性与情绪常常冲突"
                ]),
                json!([
                    "06 对大脑所做的决策进行“问责”不可取",
                    "大脑决策的问责要看能不能改变。"
                ]),
                json!([
                    "我们是否拥有自由意志",
                    "自由意志的幻觉 - 决策在意识之前就已经完成"
                ]),
                json!(["我们是否拥有自由意志", "重读时的想法：那么责任该怎么算？"]),
            ]
        );
    }
}
