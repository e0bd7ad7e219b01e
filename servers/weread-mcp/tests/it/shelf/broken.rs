//! Parts that the service does not give, and logins that are over: never an empty shelf.

use std::collections::HashMap;

use fixtures::{mcp::Both, weread::Weread};
use serde_json::{Value, json};

use super::{given, ids};
use crate::world::{with_cookie, with_key, world};

/// The three that read shelf and notes, with arguments.
fn tools() -> [(&'static str, Value); 3] {
    [
        ("search_books", json!({"keyword": "的"})),
        ("get_bookshelf", json!({})),
        ("list_notebooks", json!({})),
    ]
}

#[track_caller]
fn all_say(both: &Both<Weread>, code: &str) {
    for (tool, arguments) in tools() {
        let answer = both.call(tool, arguments);
        assert_eq!(answer.code(), Some(code), "{tool}: {}", answer.structured);
    }
}

/// notes/reports-weread.md, 4.1 and 3 (`errCode` in a HTTP 200, `errcode` in a 401): an expired login is no empty shelf.
#[test]
fn a_login_that_is_over_is_said_to_be() {
    let both = with_cookie();
    both.each(|fake| {
        fake.expire_session();
        fake.revoke_refresh_tokens();
    });
    all_say(&both, "LOGIN_EXPIRED");
    let both = with_key();
    both.each(Weread::revoke_key);
    all_say(&both, "LOGIN_EXPIRED");
    all_say(&world(), "NEED_LOGIN");
}

#[test]
fn too_many_requests_are_no_empty_shelf() {
    let both = with_key();
    both.each(|fake| fake.rate_limit_after(0));
    all_say(&both, "RATE_LIMITED");
    // One more answer, and then the limit: half of the two lists is not passed off as all.
    let both = with_key();
    both.each(|fake| fake.rate_limit_after(1));
    all_say(&both, "RATE_LIMITED");
}

/// notes/reports-weread.md, 4.15: the shelf of one account fails with -202; its message is shown and the notes are there.
#[test]
fn a_broken_shelf_leaves_the_books_with_notes() {
    for (both, route) in [(with_key(), "/shelf/sync"), (with_cookie(), "shelf_sync")] {
        let whole = given(&both, "list_notebooks", &json!({}));
        let broken = match route {
            "shelf_sync" => with_cookie(),
            _ => with_key(),
        };
        broken.each(|fake| fake.refuse(route, Some(-202)));
        let problems = json!([{"what": "shelf", "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：-202"}]);

        let shelf = given(&broken, "get_bookshelf", &json!({}));
        let mut expected = ids(&whole["books"], "book_id");
        let mut found = ids(&shelf["books"], "bookId");
        // Without the shelf nobody says when a book was last read, so that the notes alone give the order.
        assert_eq!(found, expected);
        assert_eq!(
            (
                &shelf["complete"],
                &shelf["problems"],
                &shelf["articles"],
                &shelf["albums"]
            ),
            (&json!(false), &problems, &Value::Null, &json!([]))
        );
        let places: Vec<_> = shelf["books"]
            .as_array()
            .unwrap()
            .iter()
            .map(|book| &book["in_shelf"])
            .collect();
        assert_eq!(places, vec![&Value::Null; 11]);
        assert_eq!(
            shelf["totals"],
            json!({
                "shown": null, "books": null, "albums": null, "articles": null, "private": null, "finished": null,
                "with_notes": 11, "off_shelf": null,
            })
        );
        // Which groups there are nobody says, so that the name cannot be wrong.
        let refused = broken.call("get_bookshelf", json!({"group": "分组甲"}));
        assert_eq!(
            refused.code(),
            Some("UPSTREAM_REFUSED"),
            "{}",
            refused.structured
        );

        let list = given(&broken, "list_notebooks", &json!({}));
        assert_eq!(
            (&list["complete"], &list["problems"]),
            (&json!(false), &problems)
        );
        assert_eq!(ids(&list["books"], "book_id"), expected);
        // The shelf tells the mark of the others.
        let told = match route {
            "shelf_sync" => json!({"27416212": false}),
            _ => json!({}),
        };
        let finished = list["books"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|book| !book["finished"].is_null())
            .map(|book| (book["book_id"].as_str().unwrap(), &book["finished"]));
        assert_eq!(json!(finished.collect::<HashMap<_, _>>()), told, "{route}");

        let hits = given(
            &broken,
            "search_books",
            &json!({"keyword": "的", "include_details": false}),
        );
        assert_eq!(
            (&hits["complete"], &hits["problems"]),
            (&json!(false), &problems)
        );
        found = ids(&hits["books"], "book_id");
        expected.retain(|id| found.contains(id));
        assert_eq!((found.len(), found), (4, expected));
    }
}

/// notes/reports-weread.md, 4.16: what is optional does not block the rest. The list of notes is optional for the shelf.
#[test]
fn a_shelf_without_the_list_of_notes_says_so() {
    let both = with_key();
    both.each(|fake| fake.refuse("/user/notebooks", Some(-1)));
    let shelf = given(&both, "get_bookshelf", &json!({}));
    assert_eq!(
        shelf["problems"],
        json!([{"what": "notebooks", "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：-1"}])
    );
    assert_eq!(
        (&shelf["total"], &shelf["complete"]),
        (&json!(14), &json!(false))
    );
    let noted: Vec<_> = shelf["books"]
        .as_array()
        .unwrap()
        .iter()
        .map(|book| &book["has_notes"])
        .collect();
    assert_eq!(noted, vec![&Value::Null; 14]);
    let totals = &shelf["totals"];
    assert_eq!(
        (
            &totals["books"],
            &totals["with_notes"],
            &totals["off_shelf"]
        ),
        (&json!(14), &Value::Null, &Value::Null)
    );
    // What asks for nothing else fails with it.
    assert_eq!(
        both.call("list_notebooks", json!({})).code(),
        Some("UPSTREAM_REFUSED")
    );
}

#[test]
fn nothing_at_all_is_no_empty_shelf() {
    let both = with_cookie();
    both.each(|fake| fake.switch(|switches| switches.empty.extend(["shelf_sync".to_owned()])));
    let shelf = given(&both, "get_bookshelf", &json!({}));
    assert_eq!(
        (&shelf["total"], &shelf["complete"]),
        (&json!(11), &json!(false))
    );
    assert_eq!(
        (&shelf["problems"][0]["what"], &shelf["problems"][0]["code"]),
        (&json!("shelf"), &json!("UPSTREAM_EMPTY"))
    );
    let both = with_cookie();
    let routes = ["shelf_sync", "user_notebook"].map(str::to_owned);
    both.each(|fake| fake.switch(|switches| switches.empty.extend(routes.clone())));
    all_say(&both, "UPSTREAM_EMPTY");
}
