//! `export_notes`: the same notes as a text, whole, to the result or to one folder.

mod folder;

use fixtures::{
    mcp::{Both, Client},
    weread::Weread,
};
use pulldown_cmark::{Event, MetadataBlockKind, Options, Parser, Tag};
use serde_json::{Value, json};
use weread_mcp::service::export::{Export, Format, FormatName};

use crate::{
    notes,
    world::{with_cookie, with_key},
};

const TOOL: &str = "export_notes";

/// What a call gives that must succeed.
fn export(world: &Both<Weread>, arguments: &Value) -> Value {
    let answer = world.call(TOOL, arguments.clone());
    assert_eq!(
        answer.structured["ok"], true,
        "{arguments}: {}",
        answer.text
    );
    answer.structured
}

/// The whole text, followed to its end in each world, and the last part's result without its text. The links
/// in it are those of the world, and so is a cursor.
fn whole(both: &Both<Weread>, arguments: &Value) -> (String, Value) {
    let [legacy, modern] = both.worlds().each_ref().map(|world| {
        let (text, part) = followed(&world.client, arguments.clone());
        (text.replace(&world.fake.web_url(), WEB), part)
    });
    assert_eq!(legacy, modern, "{arguments}: the eras answer differently");
    legacy
}

/// What stands for the service's address in [`whole`] texts.
const WEB: &str = "http://127.0.0.1:PORT1";

fn followed(client: &Client, mut arguments: Value) -> (String, Value) {
    let mut text = String::new();
    loop {
        let answer = client.call(TOOL, arguments.clone());
        let mut part = answer.structured;
        assert_eq!(part["ok"], true, "{arguments}: {}", answer.text);
        let fields = part.as_object_mut().expect("an object");
        let content = fields.remove("content").expect("a content");
        text += content.as_str().expect("a text");
        match fields.remove("next_cursor") {
            Some(cursor) => arguments["cursor"] = cursor,
            None => {
                assert_eq!(part["bytes"], text.len());
                return (text, part);
            }
        }
    }
}

#[test]
fn a_small_book_is_exported_in_one_part() {
    let world = with_cookie();
    let told = export(&world, &json!({ "book_id": "26278269" }));
    let web = world.worlds()[0].fake.web_url();
    let book = format!("{web}/web/reader/ec332f707190f97dec3e09f");
    let content = format!(
        "---\nbook_id: \"26278269\"\ntitle: \"苏轼传\"\nauthor: \"王水照 崔铭\"\ncategories: [\"人物传记-文学家\"]\n\
         link: \"{book}\"\nhighlight_count: 1\nnote_count: 0\nskipped_count: 0\n\
         newest: \"2026-04-11T17:33:21+08:00\"\n---\n\n# 苏轼传\n\n王水照 崔铭\n\n## 第一章 眉山\n\n\
         [微信读书]({book}kecc32f3013eccbc87e4b62e) <!-- chapter:3 -->\n\n> 此心安处，便是归处。\n\n\
         划线 · 2026-04-11 17:33 · 背景色 · 蓝色 <!-- highlight:26278269_3_88-101 -->\n"
    );
    assert_eq!(
        told,
        json!({
            "ok": true,
            "format": "markdown",
            "books": [{ "book_id": "26278269", "title": "苏轼传", "highlights": 1, "notes": 0 }],
            "bytes": content.len(),
            "content": content,
            "truncated": false,
            "skipped": [],
            "complete": true,
            "problems": [],
            "untrusted": true,
            "as_of": Weread::NOW,
        })
    );
}

/// Each way and each book gives back what was exported, with the ids of the service (reports §4, 38).
#[test]
fn json_read_back_is_what_was_exported() {
    for world in [with_key(), with_cookie()] {
        let ids = [
            "30000666",
            "29599977",
            "3300144307",
            "MP_WXS_3000000001",
            "30001000",
        ];
        let (text, told) = whole(&world, &json!({ "book_ids": ids, "format": "json" }));
        let read: Export = serde_json::from_str(&text).expect("an export");
        assert_eq!(read.format, FormatName::One);
        assert_eq!(read.render(Format::Json).expect("a text"), text);
        assert_eq!(
            whole(&world, &json!({ "book_ids": ids, "format": "json" })),
            (text, told.clone()),
            "the same notes give the same bytes"
        );
        for (at, (book, id)) in read.books.iter().zip(ids).enumerate() {
            assert_eq!(book.book_id, id);
            let passages = || book.groups.iter().flat_map(|group| &group.passages);
            let highlights: Vec<_> = passages()
                .filter_map(|one| Some(one.highlight.as_ref()?.id.clone()))
                .collect();
            let thoughts: Vec<_> = passages()
                .flat_map(|one| &one.notes)
                .map(|one| one.id.clone())
                .collect();
            let counts = json!([told["books"][at]["highlights"], told["books"][at]["notes"]]);
            assert_eq!(counts, json!([highlights.len(), thoughts.len()]));
            if id == "30001000" {
                assert_eq!(counts, json!([1_000, 300]));
                continue;
            }
            let listed = notes::notes(&world, json!({ "book_id": id, "include_chapters": false }));
            assert_eq!(
                highlights,
                notes::ids(&listed["highlights"], "highlight_id")
            );
            assert_eq!(thoughts, notes::ids(&listed["notes"], "note_id"));
        }
    }
}

/// Reports §4, 29: whatever a note holds, the file is one front matter and a body.
#[test]
fn markdown_of_nasty_notes_is_front_matter_and_body() {
    for world in [with_key(), with_cookie()] {
        for ids in [json!(["30000666"]), json!(["30000666", "26278269"])] {
            let (text, told) = whole(&world, &json!({ "book_ids": ids }));
            let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
                | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
                | Options::ENABLE_TABLES
                | Options::ENABLE_STRIKETHROUGH
                | Options::ENABLE_TASKLISTS
                | Options::ENABLE_FOOTNOTES;
            let events: Vec<_> = Parser::new_ext(&text, options).collect();
            let count =
                |is: fn(&Event<'_>) -> bool| events.iter().filter(|event| is(event)).count();
            let matter = Event::Start(Tag::MetadataBlock(MetadataBlockKind::YamlStyle));
            assert_eq!(events.first(), Some(&matter));
            assert_eq!(
                count(|it| matches!(it, Event::Start(Tag::MetadataBlock(_)))),
                1
            );
            assert_eq!(
                count(|it| matches!(
                    it,
                    Event::Rule | Event::Start(Tag::Table(_) | Tag::CodeBlock(_))
                )),
                0
            );
            let count_of = |name: &str| {
                let books = told["books"].as_array().expect("books").iter();
                books
                    .map(|book| book[name].as_u64().expect("a count"))
                    .sum::<u64>()
            };
            // A quote for each highlight and for the one thought on a passage without one.
            let quotes = count(|it| matches!(it, Event::Start(Tag::BlockQuote(_))));
            assert_eq!(quotes as u64, count_of("highlights") + 1);
            let items = count(|it| matches!(it, Event::Start(Tag::Item)));
            assert_eq!(items as u64, count_of("notes"));
            // Only comments of ours are HTML.
            let html = events.iter().filter_map(|event| match event {
                Event::Html(text) | Event::InlineHtml(text) => Some(text.trim()),
                _ => None,
            });
            for html in html {
                assert!(
                    html.starts_with("<!-- ") && html.ends_with(" -->"),
                    "{html}"
                );
            }
        }
    }
}

#[test]
fn csv_has_a_row_for_every_note() {
    let world = with_cookie();
    let (text, told) = whole(
        &world,
        &json!({ "book_ids": ["30000666", "30001000"], "format": "csv" }),
    );
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at = |name: &str| {
        header
            .iter()
            .position(|field| field == name)
            .expect("a column")
    };
    let (kind, id) = (at("kind"), at("id"));
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    let of = |wanted: &str| rows.iter().filter(|row| &row[kind] == wanted).count();
    assert_eq!(
        (of("highlight"), of("note"), rows.len()),
        (1_012, 308, 1_320)
    );
    let mut ids: Vec<_> = rows.iter().map(|row| row[id].to_owned()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 1_320);
    assert_eq!(
        told["skipped"],
        json!([{ "kind": "bookmark", "reason": "no_text", "count": 1 }])
    );
}

/// An imported book has no contents on the web surface; its notes are exported, and it is said.
#[test]
fn what_is_missing_beside_the_notes_is_said() {
    let id = "CB_7YV4cp4egBPA6wW6x6F0K3Kf";
    let told = export(&with_cookie(), &json!({ "book_ids": ["26278269", id] }));
    assert_eq!(
        json!([
            told["books"][1]["highlights"],
            told["books"][1]["notes"],
            told["complete"],
            told["problems"]
        ]),
        json!([3, 1, false, [{
            "what": format!("{id} chapters"), "code": "UPSTREAM_REFUSED",
            "message": "微信读书拒绝了请求：-1",
        }]])
    );
}

#[test]
fn a_book_that_cannot_be_had_stops_the_export_and_is_named() {
    let world = with_cookie();
    let refused = world.call(TOOL, json!({ "book_ids": ["26278269", "99999999"] }));
    assert_eq!(
        (refused.code(), &refused.structured["data"]),
        (Some("NOT_FOUND"), &json!({ "book_id": "99999999" }))
    );
}

#[test]
fn books_are_named_by_one_of_two_arguments() {
    let world = with_cookie();
    let many: Vec<_> = (1..=21).map(|id| id.to_string()).collect();
    for (arguments, field) in [
        (json!({}), "book_id"),
        (
            json!({ "book_id": "26278269", "book_ids": ["27416212"] }),
            "book_id",
        ),
        (json!({ "book_id": "../x" }), "book_id"),
        (json!({ "book_ids": [] }), "book_ids"),
        (json!({ "book_ids": many }), "book_ids"),
        (json!({ "book_ids": ["26278269", "26278269"] }), "book_ids"),
        (json!({ "book_id": "26278269", "format": "pdf" }), "format"),
        (json!({ "book_id": "26278269", "cursor": "x" }), "cursor"),
    ] {
        let refused = world.call(TOOL, arguments.clone());
        assert_eq!(
            (refused.code(), &refused.structured["data"]["field"]),
            (Some("INVALID_ARGUMENT"), &json!(field)),
            "{arguments}"
        );
    }
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}
