//! With and without chapters: the same notes in each arrangement.

use serde_json::{Value, json};

use super::{counted, ids, notes};
use crate::world::{with_cookie, with_key};

/// Reports §3: without chapters nothing is lost, which the seed's project loses.
#[test]
fn each_arrangement_has_the_same_notes() {
    for world in [with_key(), with_cookie()] {
        for book in ["3300189789", "29599977", "30000666", "MP_WXS_3000000001"] {
            let grouped = notes(&world, json!({ "book_id": book }));
            let under = |list: &str, id: &str| {
                let chapters = grouped["chapters"].as_array().expect("chapters").iter();
                chapters
                    .flat_map(|chapter| ids(&chapter[list], id))
                    .collect::<Vec<_>>()
            };
            let (highlights, thoughts) = (
                under("highlights", "highlight_id"),
                under("notes", "note_id"),
            );
            for [include, organize] in [[true, false], [false, true], [false, false]] {
                let flat = notes(
                    &world,
                    json!({ "book_id": book, "include_chapters": include, "organize_by_chapter": organize }),
                );
                counted(&flat);
                assert_eq!(flat.get("chapters"), None);
                assert_eq!(
                    ids(&flat["highlights"], "highlight_id"),
                    highlights,
                    "{book}"
                );
                assert_eq!(ids(&flat["notes"], "note_id"), thoughts, "{book}");
                for name in [
                    "book_title",
                    "total_highlights",
                    "total_notes",
                    "last_updated",
                    "skipped",
                ] {
                    assert_eq!(flat[name], grouped[name], "{book} {name}");
                }
            }
        }
    }
}

#[test]
fn a_flat_note_says_where_it_stands_if_that_is_wanted() {
    let world = with_cookie();
    let asked = |arguments: Value| {
        let flat = notes(&world, arguments);
        let place = |list: &str, at: usize| {
            let one = &flat[list][at];
            let named = ["chapter_id", "chapter_idx", "chapter_title", "article_id"];
            json!(named.map(|name| one.get(name).cloned()))
        };
        [place("highlights", 0), place("notes", 1)]
    };
    let book = "3300189789";
    assert_eq!(
        asked(json!({ "book_id": book, "organize_by_chapter": false })),
        [
            json!([6, 6, "第五章 够用就好", null]),
            json!([null, 0, "全书点评", null])
        ]
    );
    assert_eq!(
        asked(json!({ "book_id": book, "organize_by_chapter": false, "include_chapters": false })),
        [
            json!([null, null, null, null]),
            json!([null, null, null, null])
        ]
    );
}

#[test]
fn an_explicit_null_is_as_good_as_nothing() {
    let world = with_cookie();
    let plain = notes(&world, json!({ "book_id": "3300189789" }));
    let nulls = json!({
        "book_id": "3300189789", "include_chapters": null, "organize_by_chapter": null,
        "highlight_style": null, "highlight_color": null, "chapter_id": null, "max_results": null,
        "cursor": null,
    });
    assert_eq!(notes(&world, nulls), plain);
}
