//! What hosts offer beside the tools: two prompts, and a book's notes by an address.

use fixtures::mcp::{Client, Era, Outcome};
use serde_json::{Value, json};

use crate::{notes, world::with_cookie};

/// The outcome without what tells how long it holds.
fn plain(outcome: Outcome) -> Outcome {
    outcome.map(|mut result| {
        let fields = result.as_object_mut().expect("an object");
        fields.retain(|name, _| !["ttlMs", "cacheScope", "resultType"].contains(&name.as_str()));
        result
    })
}

fn message(client: &Client, name: &str, arguments: &Value) -> String {
    let asked = client.request(
        "prompts/get",
        json!({ "name": name, "arguments": arguments }),
    );
    let given = asked.unwrap_or_else(|error| panic!("{name} {arguments}: {error}"));
    let messages = given["messages"].as_array().expect("messages");
    assert_eq!((messages.len(), &messages[0]["role"]), (1, &json!("user")));
    messages[0]["content"]["text"]
        .as_str()
        .expect("a text")
        .to_owned()
}

#[test]
fn prompts_are_listed_with_their_arguments() {
    for world in with_cookie().worlds() {
        let listed = plain(world.client.request("prompts/list", json!({})));
        assert_eq!(
            listed,
            Ok(json!({ "prompts": [
                {
                    "name": "summarize_book",
                    "title": "从笔记总结一本书",
                    "description": "请助手根据自己在微信读书里的划线与想法，总结一本书。",
                    "arguments": [{
                        "name": "book", "description": "书名或 book_id，例如 隐藏的自我", "required": true,
                    }],
                },
                {
                    "name": "year_in_review",
                    "title": "年度阅读回顾",
                    "description": "请助手根据微信读书的统计与笔记，写一份年度阅读回顾。",
                    "arguments": [{
                        "name": "year", "description": "年份，例如 2026；不填为今年", "required": false,
                    }],
                },
            ] }))
        );
    }
}

/// A prompt asks nothing of the service, and whatever tool it names is there.
#[test]
fn a_prompt_names_tools_that_exist() {
    let world = with_cookie();
    let tools = world.tools().iter();
    let tools: Vec<_> = tools
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    for world in world.worlds() {
        for (name, arguments, begins) in [
            (
                "summarize_book",
                json!({ "book": "隐藏的自我" }),
                "请根据我在微信读书里的笔记，总结这本书：隐藏的自我\n",
            ),
            (
                "year_in_review",
                json!({ "year": "2025" }),
                "请为我写一份2025 年的微信读书年度回顾。\n",
            ),
            (
                "year_in_review",
                json!({}),
                "请为我写一份今年的微信读书年度回顾。\n",
            ),
        ] {
            let text = message(&world.client, name, &arguments);
            assert!(text.starts_with(begins), "{text}");
            let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '_'));
            let named = words.filter(|word| {
                word.starts_with("get_") || word.starts_with("search_") || word.starts_with("list_")
            });
            let named: Vec<_> = named.collect();
            assert!(named.len() > 2, "{text}");
            // No list tells when a book was finished.
            let tells_the_end = text.contains("get_reading_progress 看 finished_at");
            assert_eq!(tells_the_end, name == "year_in_review", "{text}");
            for tool in named {
                assert!(
                    tools.contains(&tool),
                    "{name} names {tool}, which is no tool"
                );
            }
        }
        let refused = world
            .client
            .request("prompts/get", json!({ "name": "summarize_book" }));
        assert_eq!(
            refused.expect_err("no book")["data"]["data"]["field"],
            "book"
        );
    }
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}

#[test]
fn the_notes_of_a_book_can_be_read_by_their_address() {
    let world = with_cookie();
    let exported = world.call("export_notes", json!({ "book_id": "3300189789" }));
    let [legacy, modern] = world.worlds().each_ref().map(|world| {
        let listed = plain(world.client.request("resources/templates/list", json!({})));
        let templates = &listed.expect("templates")["resourceTemplates"];
        assert_eq!(
            json!([
                templates[0]["uriTemplate"],
                templates[0]["mimeType"],
                templates[1]
            ]),
            json!(["weread://book/{id}/notes", "text/markdown", null])
        );
        let read = |address: &str| {
            let outcome = world
                .client
                .request("resources/read", json!({ "uri": address }));
            outcome.map(|mut result| result["contents"][0]["text"].take())
        };
        for address in [
            "weread://book/99999999/notes",
            "weread://book/a%2Fb/notes",
            "weread://shelf",
        ] {
            let error = read(address).expect_err("nothing there");
            let number = match world.client.era() {
                Era::Legacy => -32002,
                Era::Modern => -32602,
            };
            assert_eq!(
                (&error["code"], &error["data"]["code"]),
                (&json!(number), &json!("NOT_FOUND"))
            );
        }
        // A long book is cut at a line and says where the rest is.
        let long = read("weread://book/30001000/notes").expect("a text");
        let long = long.as_str().expect("a text");
        assert!(
            long.len() <= 24 * 1024 && long.ends_with("用 export_notes 分段取全文，或写入文件。）"),
            "{long}"
        );
        read("weread://book/3300189789/notes").expect("a text")
    });
    let neutral = |text: &Value| {
        let text = text.as_str().expect("a text");
        let mut parts = text
            .split("http://127.0.0.1:")
            .map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
        parts.by_ref().collect::<Vec<_>>().join("http://127.0.0.1:")
    };
    assert_eq!(neutral(&legacy), neutral(&modern));
    assert_eq!(legacy, exported.structured["content"]);
    assert_eq!(
        notes::notes(&world, json!({ "book_id": "3300189789" }))["total_notes"],
        2
    );
}
