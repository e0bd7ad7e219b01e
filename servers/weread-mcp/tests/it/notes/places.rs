//! Where notes stand: chapters in order, articles, the whole book, and places that nothing names.

use serde_json::{Value, json};

use super::{counted, groups, notes};
use crate::world::{with_cookie, with_key};

/// One note of a result, by its id.
fn note<'a>(result: &'a Value, list: &str, id: &str) -> &'a Value {
    let chapters = result["chapters"].as_array().expect("chapters").iter();
    let mut all = chapters.flat_map(|chapter| chapter[list].as_array().expect("a list"));
    let name = match list {
        "notes" => "note_id",
        _ => "highlight_id",
    };
    all.find(|one| one[name] == id)
        .unwrap_or_else(|| panic!("no {id} in {result}"))
}

/// Reports §4, 20 and 23: a chapter that the contents do not know is named by what comes with its notes, or
/// called unknown; order is by the chapter's place and not by its id.
#[test]
fn a_republished_book_keeps_every_note() {
    for world in [with_cookie(), with_key()] {
        let told = notes(&world, json!({ "book_id": "29599977" }));
        counted(&told);
        let expected = json!([
            [
                "chapter",
                136,
                12,
                "6 一艘船和一个男孩",
                [],
                ["10000001_MZZuJqFwB"]
            ],
            ["chapter", 63, 12, "旧版的一章", [], ["10000001_3rMn4Pysh"]],
            [
                "chapter",
                147,
                23,
                "17 踏进门槛",
                [],
                ["10000001_5n6tbaPoU"]
            ],
            [
                "chapter",
                148,
                24,
                "18 白色轻舟",
                [],
                ["10000001_KfU7BBqda"]
            ],
            ["chapter", 182, 58, "51 月亏", ["29599977_56_702-723"], []],
            [
                "chapter",
                188,
                64,
                "57 萤火虫",
                ["29599977_62_2535-2547"],
                []
            ],
            [
                "chapter",
                62,
                70,
                "旧版里的另一章",
                ["29599977_62_300-321"],
                []
            ],
            ["chapter", 999, 0, "未知章节", ["29599977_999_10-30"], []],
            ["book", null, 0, "全书点评", [], ["10000001_hZpT54yiy"]],
        ]);
        assert_eq!(groups(&told), expected);
        let known = told["chapters"].as_array().expect("chapters").iter();
        let known: Vec<_> = known.map(|chapter| chapter["known"] == true).collect();
        assert_eq!(
            known,
            [true, false, true, true, true, true, false, false, true]
        );
        // The id tells another place than the service: it is only an id.
        assert_eq!(
            note(&told, "highlights", "29599977_62_2535-2547")["range"],
            "2597-2609"
        );
        let review = note(&told, "notes", "10000001_hZpT54yiy");
        assert_eq!(
            (&review["star"], &review["kind"]),
            (&json!(100), &json!("book"))
        );
    }
}

/// Reports §4, 21: an official account has articles and no chapters.
#[test]
fn notes_of_an_account_stand_under_their_articles() {
    let told = notes(&with_cookie(), json!({ "book_id": "MP_WXS_3000000001" }));
    counted(&told);
    let ids = [
        "MP_WXS_3000000001_O-ou-GeV4jWwNOwHPDQkZQ_1676-1709",
        "MP_WXS_3000000001_O-ou-GeV4jWwNOwHPDQkZQ_1733-1792",
    ];
    assert_eq!(
        groups(&told),
        json!([[
            "article",
            null,
            0,
            "文章标题乙",
            ids,
            ["10000001_XZCPWt9NY"]
        ]])
    );
    assert_eq!(
        told["chapters"][0]["article_id"],
        "MP_WXS_3000000001_O-ou-GeV4jWwNOwHPDQkZQ"
    );
    assert_eq!(
        note(&told, "notes", "10000001_XZCPWt9NY")["highlight_id"],
        ids[1]
    );
    assert_eq!(told["complete"], true);

    // The gateway tells no titles of articles.
    let told = notes(&with_key(), json!({ "book_id": "MP_WXS_3000000001" }));
    counted(&told);
    assert_eq!(
        groups(&told),
        json!([["article", null, 0, "未知文章", ids, ["10000001_XZCPWt9NY"]]])
    );
}

/// Reports §4, 22: an imported book has few chapters or none, and all its notes.
#[test]
fn an_imported_book_has_the_titles_that_come_with_its_highlights() {
    let id = "CB_7YV4cp4egBPA6wW6x6F0K3Kf";
    let highlight = |place: &str| json!([format!("{id}_{place}")]);
    let thought = json!(["10000001_WDmvZWDmN"]);
    let told = notes(&with_key(), json!({ "book_id": id }));
    counted(&told);
    assert_eq!(
        groups(&told),
        json!([
            ["chapter", 1, 1, "Chapter One", highlight("1_100-140"), []],
            [
                "chapter",
                7,
                7,
                "Chapter Seven",
                highlight("7_900-930"),
                thought
            ],
            ["chapter", 8, 0, "未知章节", highlight("8_5-20"), []],
        ])
    );
    assert_eq!(told["complete"], true);

    // The web surface gives no contents of it at all.
    let told = notes(&with_cookie(), json!({ "book_id": id }));
    counted(&told);
    assert_eq!(
        groups(&told),
        json!([
            ["chapter", 1, 1, "Chapter One", highlight("1_100-140"), []],
            [
                "chapter",
                7,
                7,
                "Chapter Seven",
                highlight("7_900-930"),
                thought
            ],
            ["chapter", 8, 0, "未知章节", highlight("8_5-20"), []],
        ])
    );
    assert_eq!(
        json!([told["complete"], told["problems"]]),
        json!([false, [{
            "what": "chapters", "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：-1",
        }]])
    );
}

/// Reports §4, 17, 27 and 28: a thought tells the text it hangs on, stands with the highlight of its passage,
/// and needs neither highlight nor passage.
#[test]
fn a_thought_is_joined_with_its_passage_or_stands_alone() {
    for world in [with_cookie(), with_key()] {
        let told = super::pages::followed(&world, json!({ "book_id": "27416212" }));
        let chapters: Vec<_> = told
            .into_iter()
            .map(|(_, highlights, notes)| json!({ "highlights": highlights, "notes": notes }))
            .collect();
        let told = json!({ "chapters": chapters });
        let of = |id: &str| {
            let note = note(&told, "notes", id);
            json!([
                note["kind"],
                note["highlight_id"],
                note["highlight_text"],
                note["content"]
            ])
        };
        let passage = "我们是否拥有自由意志，取决于大脑决策发生的时间。";
        let highlight = "27416212_46_75-110";
        for (id, expected) in [
            (
                "10000001_krB4wy9qd",
                json!([
                    "passage",
                    highlight,
                    passage,
                    "自由意志的幻觉 - 决策在意识之前就已经完成"
                ]),
            ),
            (
                "10000001_j5mQXDQPZ",
                json!([
                    "passage",
                    highlight,
                    passage,
                    "重读时的想法：那么责任该怎么算？"
                ]),
            ),
            (
                "10000001_6vx9cxjZt",
                json!([
                    "passage",
                    null,
                    "竞争的系统之间也有仲裁。",
                    "只有想法没有划线的一处。"
                ]),
            ),
            (
                "10000001_7STRPtzsV",
                json!(["chapter", null, "", "这一章需要再读一遍。"]),
            ),
        ] {
            assert_eq!(of(id), expected);
        }
        assert_eq!(
            note(&told, "highlights", highlight)["note_ids"],
            json!(["10000001_krB4wy9qd", "10000001_j5mQXDQPZ"])
        );
    }
}

/// Handwriting has no text, only pictures; every field of a note but its id may be missing (reports §4, 32).
#[test]
fn handwriting_and_what_is_hardly_there_is_given() {
    for world in [with_cookie(), with_key()] {
        let told = notes(&world, json!({ "book_id": "3300144307" }));
        counted(&told);
        assert_eq!(
            *note(&told, "notes", "10000001_MmH9TGfMs"),
            json!({
                "note_id": "10000001_MmH9TGfMs", "content": "", "highlight_text": "3.5 利用因果注意力隐藏未来词汇...",
                "kind": "passage", "highlight_id": null, "range": "355", "star": null, "private": true,
                "handwritten": true, "images": ["https://weread-picture-1258476243.file.myqcloud.com/sample"],
                "create_time": "2026-05-27T10:04:48+08:00",
            })
        );
    }
    for world in [with_cookie(), with_key()] {
        world.each(|fake| {
            let thought = json!({
                "content": null, "abstract": null, "range": null, "createTime": null, "isPrivate": null,
                "type": null, "star": null,
            });
            fake.edit_note("10000001_YnYvwk5Gv", &thought);
            let highlight = json!({
                "markText": null, "createTime": null, "style": null, "colorStyle": null, "range": null,
                "chapterUid": null,
            });
            fake.edit_note("26278269_3_88-101", &highlight);
        });
        let told = notes(&world, json!({ "book_id": "3300144307" }));
        assert_eq!(
            *note(&told, "notes", "10000001_YnYvwk5Gv"),
            json!({
                "note_id": "10000001_YnYvwk5Gv", "content": "", "highlight_text": "", "kind": "chapter",
                "highlight_id": null, "range": "", "star": null, "private": null, "handwritten": false,
                "images": [], "create_time": "",
            })
        );
        let told = notes(&world, json!({ "book_id": "26278269" }));
        counted(&told);
        assert_eq!(
            json!([
                groups(&told),
                told["last_updated"],
                told["chapters"][0]["highlights"][0]
            ]),
            json!([
                [["none", null, 0, "未分章节", ["26278269_3_88-101"], []]],
                "",
                {
                    "highlight_id": "26278269_3_88-101", "text": "", "style": null, "style_name": null,
                    "color": null, "color_name": null, "range": "", "create_time": "", "note_ids": [],
                },
            ])
        );
    }
}

/// Nothing that is hidden from a person reaches a model, and line breaks stay.
#[test]
fn texts_are_shown_whole_and_without_hidden_characters() {
    for world in [with_cookie(), with_key()] {
        let told = notes(&world, json!({ "book_id": "30000666" }));
        let text =
            |nth: &str| note(&told, "highlights", &format!("30000666_{nth}"))["text"].clone();
        assert_eq!(text("11_odd1"), "第一行\n---\ntitle: 假的\n---\n最后一行");
        assert_eq!(text("11_odd2"), "前面[插图]后面[图片]");
        assert_eq!(
            text("12_odd6"),
            "零宽字符和标记，控制字符[31m，方向反向隔离。"
        );
        assert_eq!(text("13_odd7"), "=1+1,\"逗号\"\t制表符\n回车换行");
        let html = note(&told, "notes", "10000001_N8r8JSwdF");
        assert_eq!(html["content"], "只有 html\n两行");
        assert_eq!(told["untrusted"], true);
        // What was taken out is said, of these notes and in no other book.
        for (id, cleaned) in [("30000666", json!(true)), ("27416212", Value::Null)] {
            assert_eq!(notes(&world, json!({ "book_id": id }))["cleaned"], cleaned);
            let exported = world
                .call("export_notes", json!({ "book_id": id }))
                .structured;
            assert_eq!(
                (&exported["ok"], &exported["cleaned"]),
                (&json!(true), &cleaned)
            );
        }
    }
}
