//! A session that ends between two pages: no note is lost, none comes twice.

use std::time::Duration;

use fixtures::{
    mcp::{Both, World},
    upstream::Fault,
    weread::Weread,
};
use serde_json::{Value, json};

use super::uncached;
use crate::world::{cookie, key, world_with};

/// 1,000 highlights and 300 thoughts.
const LARGE: &str = "30001000";

/// All items of a list, read page by page; `between` is done to the fake before each next page.
fn pages(
    World { client, fake, .. }: &World<Weread>,
    tool: &str,
    mut arguments: Value,
    list: &str,
    between: impl Fn(&Weread),
) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let page = client.call(tool, arguments.clone()).structured;
        assert_eq!(page["ok"], true, "{page}");
        all.extend(page[list].as_array().unwrap().iter().cloned());
        if page["truncated"] == false {
            return all;
        }
        arguments["cursor"] = page["next_cursor"].clone();
        between(fake);
    }
}

#[test]
fn a_session_that_ends_between_two_pages_changes_nothing() {
    let both = world_with(|fake| vec![cookie(fake), uncached()]);
    let books = json!({ "max_results": 4 });
    let notes = json!({ "book_id": LARGE, "organize_by_chapter": false, "max_results": 400 });
    for world in both.worlds() {
        for (tool, arguments, list) in [
            ("list_notebooks", &books, "books"),
            ("get_book_notes_and_highlights", &notes, "highlights"),
        ] {
            let whole = pages(world, tool, arguments.clone(), list, |_| ());
            let before = world.fake.renewed();
            let again = pages(world, tool, arguments.clone(), list, Weread::expire_session);
            assert_eq!(again, whole, "{tool}");
            assert!(world.fake.renewed() > before, "{tool}");
        }
    }
}

/// The counts of a book's notes, which are all read for them.
fn counts(both: &Both<Weread>) -> [Value; 3] {
    let arguments = json!({ "book_id": LARGE, "max_results": 1 });
    let told = both
        .call("get_book_notes_and_highlights", arguments)
        .structured;
    assert_eq!(told["ok"], true, "{told}");
    ["total_highlights", "total_notes", "complete"].map(|field| told[field].clone())
}

#[test]
fn a_key_that_ends_between_two_pages_of_the_service_gives_way_from_the_beginning() {
    let both = world_with(|fake| vec![key(), cookie(fake), uncached()]);
    let whole = counts(&both);
    assert_eq!(whole, [json!(1000), json!(300), json!(true)]);
    both.each(|fake| {
        let over = "{\"errcode\":-2010,\"errmsg\":\"用户不存在\"}".to_owned();
        // The first page comes, the second does not.
        fake.fault("/review/list/mine", 1, Fault::SlowAnswer(Duration::ZERO));
        fake.fault("/review/list/mine", 1, Fault::Page(401, over));
    });
    assert_eq!(counts(&both), whole);
    both.each(|fake| {
        assert_eq!(
            fake.faults_left("/review/list/mine"),
            0,
            "there were two pages"
        );
        assert_eq!(fake.journal().of("review_list").len(), 1);
    });
}
