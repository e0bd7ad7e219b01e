//! Long books in pages: every note once, whatever happens between two pages.

use fixtures::{mcp::Both, weread::Weread};
use serde_json::{Value, json};

use super::{TOOL, notes};
use crate::world::{cookie, key, with_cookie, world_with};

/// A heading, and what stands under it on all pages.
pub(super) type Followed = (Value, Vec<Value>, Vec<Value>);

/// All pages, with what a chapter has on several of them put together.
pub(super) fn followed(world: &Both<Weread>, arguments: Value) -> Vec<Followed> {
    followed_while(world, arguments, |_| {})
}

/// The same, and something happens to the fake before each page but the first.
fn followed_while(
    world: &Both<Weread>,
    mut arguments: Value,
    happens: impl Fn(&Weread),
) -> Vec<Followed> {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let mut all: Vec<Followed> = Vec::new();
    let (mut returned, mut total) = ((0, 0), None);
    loop {
        let page = notes(world, arguments.clone());
        let count = |name: &str| page[name].as_u64().expect("a count");
        let totals = (count("total_highlights"), count("total_notes"));
        assert_eq!(*total.get_or_insert(totals), totals);
        let chapters = list(&page["chapters"]);
        for (at, chapter) in chapters.iter().enumerate() {
            let mut heading = chapter.clone();
            for part in ["highlights", "notes", "continued"] {
                heading.as_object_mut().expect("an object").remove(part);
            }
            let (highlights, thoughts) = (list(&chapter["highlights"]), list(&chapter["notes"]));
            returned.0 += highlights.len() as u64;
            returned.1 += thoughts.len() as u64;
            let goes_on = all.last().is_some_and(|(last, ..)| *last == heading);
            assert_eq!(chapter["continued"] == true, goes_on, "{heading}");
            match all.last_mut().filter(|_| goes_on) {
                Some((_, under, below)) => {
                    assert_eq!(at, 0, "a chapter twice on one page: {heading}");
                    under.extend(highlights);
                    below.extend(thoughts);
                }
                None => all.push((heading, highlights, thoughts)),
            }
        }
        if page["truncated"] == false {
            assert_eq!(Some(returned), total, "of what is listed, all is given");
            return all;
        }
        arguments["cursor"] = page["next_cursor"].clone();
        world.each(&happens);
    }
}

/// Where a note stands in its book.
fn place(heading: &Value, note: &Value) -> (i64, i64) {
    let start = note["range"]
        .as_str()
        .and_then(|range| range.split('-').next());
    let start = start.and_then(|start| start.parse().ok());
    let idx = heading["chapter_idx"].as_i64();
    (idx.expect("an index"), start.expect("a place"))
}

/// A thousand highlights and three hundred thoughts, each exactly once and in the order of reading.
fn is_whole(told: &[Followed]) {
    let places = |of: fn(&Followed) -> &Vec<Value>| {
        let under = told
            .iter()
            .flat_map(|chapter| of(chapter).iter().map(move |note| (chapter, note)));
        under
            .map(|(chapter, note)| place(&chapter.0, note))
            .collect::<Vec<_>>()
    };
    let idx = |idx: i64| (1..=idx).flat_map(|idx| (0..25).map(move |nth| (idx, 95 + nth * 37)));
    assert_eq!(places(|chapter| &chapter.1), idx(40).collect::<Vec<_>>());
    let thoughts = places(|chapter| &chapter.2);
    assert!(
        thoughts.is_sorted() && thoughts.len() == 300,
        "{}",
        thoughts.len()
    );
    let mut once = thoughts.clone();
    once.dedup();
    assert_eq!(once.len(), 300);
    for (heading, highlights, notes) in told {
        for note in notes {
            let mut about = highlights
                .iter()
                .filter(|one| one["note_ids"] == json!([note["note_id"]]));
            let about = about.next().unwrap_or_else(|| panic!("{heading}: {note}"));
            assert_eq!(
                (&note["highlight_id"], &note["highlight_text"]),
                (&about["highlight_id"], &about["text"])
            );
        }
    }
}

const LONG: &str = "30001000";

#[test]
fn a_long_book_is_followed_to_its_end() {
    is_whole(&followed(&with_cookie(), json!({ "book_id": LONG })));
}

/// An expiry between two pages: the session is renewed, or the next way is asked, and the list goes on.
#[test]
fn a_session_that_ends_between_two_pages_neither_loses_nor_doubles_a_note() {
    let fresh = ("WEREAD_CACHE_MS", "0".to_owned());
    let world = world_with(|fake| vec![cookie(fake), fresh.clone()]);
    let arguments = json!({ "book_id": LONG, "max_results": 400 });
    is_whole(&followed_while(
        &world,
        arguments.clone(),
        Weread::expire_session,
    ));
    world.each(|fake| assert!(fake.renewed() > 10, "{} renewals", fake.renewed()));

    let world = world_with(|fake| vec![key(), cookie(fake), fresh.clone()]);
    is_whole(&followed_while(&world, arguments, Weread::revoke_key));
}

#[test]
fn a_number_cuts_before_the_size_does() {
    let world = with_cookie();
    let page = notes(&world, json!({ "book_id": LONG, "max_results": 3 }));
    let ids = |name: &str, id: &str| super::ids(&page["chapters"][0][name], id);
    assert_eq!(
        (ids("highlights", "highlight_id"), ids("notes", "note_id")),
        (
            vec![
                "30001000_499_95-115".to_owned(),
                "30001000_499_132-152".to_owned()
            ],
            vec!["10000001_many00000".to_owned()]
        )
    );
    assert_eq!(
        [
            &page["returned_highlights"],
            &page["returned_notes"],
            &page["truncated"]
        ],
        [&json!(2), &json!(1), &json!(true)]
    );
}

/// Going on in a list that has changed would repeat or leave out notes.
#[test]
fn a_cursor_of_a_changed_book_is_refused() {
    let world = world_with(|fake| vec![cookie(fake), ("WEREAD_CACHE_MS", "0".to_owned())]);
    let first = notes(&world, json!({ "book_id": LONG, "max_results": 5 }));
    world.each(|fake| {
        fake.add_highlight(LONG, 499, "1-2", "新的");
    });
    for cursor in [first["next_cursor"].clone(), json!("x")] {
        let arguments = json!({ "book_id": LONG, "max_results": 5, "cursor": cursor });
        let refused = world.call(TOOL, arguments);
        assert_eq!(
            (refused.code(), &refused.structured["data"]),
            (Some("INVALID_ARGUMENT"), &json!({ "field": "cursor" }))
        );
    }
}
