//! What the store finds or suggests.

use http_session::drift::Drift;
use serde_json::{Value, json};

use super::books::unknown;
use crate::{
    client::{
        found::{Asked, found, recommended, similar},
        tests::recorded,
    },
    domain::reviews::{Found, FoundBook, FoundCursor},
};

const FIRST: Asked = Asked { after: 0, count: 2 };

fn hit(id: &str) -> FoundBook {
    FoundBook {
        book: unknown(id),
        reading_count: None,
        reason: None,
        group: None,
    }
}

fn at(max_idx: i64) -> Option<FoundCursor> {
    Some(FoundCursor {
        max_idx,
        session: None,
    })
}

#[test]
fn no_results_are_no_hits() {
    for answer in [
        json!({ "sid": "x", "results": [] }),
        json!({ "sid": "x", "results": null, "hasMore": 0 }),
        json!({ "sid": "x" }),
        json!({ "sid": "x", "results": [{ "title": "有声书", "scope": 14 }], "hasMore": 1 }),
    ] {
        assert_eq!(found(answer.clone()), Ok(Found::default()), "{answer}");
    }
}

#[test]
fn hits_come_in_groups_of_which_some_have_no_books() {
    let group = |group: Option<&str>, id: &str, reading_count| FoundBook {
        reading_count,
        group: group.map(str::to_owned),
        ..hit(id)
    };
    let answer = json!({ "hasMore": 1, "results": [
        { "title": "电子书", "scope": 17, "books": [
            { "searchIdx": 1, "bookInfo": { "bookId": "695233" }, "readingCount": "10775" },
            { "searchIdx": "2", "bookInfo": { "bookId": 7 } },
        ] },
        { "title": "作者", "books": [{ "searchIdx": 3, "author": "刘慈欣" }] },
        { "title": "有声书" },
        { "title": "书单", "books": null },
    ] });
    let expected = Found {
        books: vec![
            group(Some("电子书"), "695233", Some(10_775)),
            group(Some("电子书"), "7", None),
        ],
        next: at(3),
    };
    assert_eq!(found(answer), Ok(expected));
    let answer =
        json!({ "books": [{ "bookInfo": { "bookId": "1" } }, { "book": { "bookId": "2" } }] });
    let expected = Found {
        books: vec![hit("1"), hit("2")],
        next: None,
    };
    assert_eq!(found(answer), Ok(expected));
}

#[test]
fn a_search_goes_on_only_when_the_service_says_so() {
    for (more, next) in [
        (json!(1), at(5)),
        (json!(true), at(5)),
        (json!(0), None),
        (json!(null), None),
    ] {
        let books = json!([{ "searchIdx": 5, "bookInfo": { "bookId": "1" } }]);
        let answer = json!({ "results": [{ "books": books }], "hasMore": more });
        assert_eq!(found(answer).expect("hits").next, next, "{more}");
    }
}

#[test]
fn suggestions_go_on_behind_a_full_page() {
    let answer = recorded("books_recommended_gateway");
    for (after, count, next) in [(0, 2, at(2)), (12, 1, at(14)), (0, 3, None)] {
        let asked = Asked { after, count };
        let found = recommended(answer.clone(), asked).expect("suggestions");
        assert_eq!(found.next, next, "{asked:?}");
    }
    let nothing = recommended(json!({ "books": [] }), Asked { after: 0, count: 0 });
    assert_eq!(nothing, Ok(Found::default()));
    assert_eq!(
        recommended(json!({ "hasMore": 0 }), FIRST),
        Err(Drift::form("", "books"))
    );
    let answer = json!({ "books": [{ "bookId": "1" }, { "title": "二" }] });
    assert_eq!(
        recommended(answer, FIRST),
        Err(Drift::form("", "books[1].bookId"))
    );
}

#[test]
fn a_similar_book_comes_flat_or_inside() {
    let with_reason = FoundBook {
        reason: Some("同一作者".to_owned()),
        reading_count: Some(3),
        ..hit("1")
    };
    let sent = |book: Value| {
        let books = json!([{ "bookId": "9" }, book]);
        similar(
            json!({ "booksimilar": { "sessionId": "s1", "books": books } }),
            FIRST,
        )
    };
    for (book, max_idx) in [
        (
            json!({ "bookId": "1", "reason": "同一作者", "readingCount": 3 }),
            2,
        ),
        (
            json!({ "idx": 12, "reason": "同一作者", "readingCount": 3, "bookInfo": { "bookId": 1 } }),
            12,
        ),
        (
            json!({ "searchIdx": 4, "reason": "同一作者", "readingCount": 3, "book": { "bookId": "1" } }),
            4,
        ),
    ] {
        let expected = Found {
            books: vec![hit("9"), with_reason.clone()],
            next: Some(FoundCursor {
                max_idx,
                session: Some("s1".to_owned()),
            }),
        };
        assert_eq!(sent(book.clone()), Ok(expected), "{book}");
    }
    for (answer, field) in [
        (json!({ "sessionId": "s1" }), "booksimilar"),
        (
            json!({ "booksimilar": { "sessionId": "s1" } }),
            "booksimilar.books",
        ),
        (
            json!({ "booksimilar": { "books": [{}] } }),
            "booksimilar.books[0].bookId",
        ),
    ] {
        assert_eq!(
            similar(answer.clone(), FIRST),
            Err(Drift::form("", field)),
            "{answer}"
        );
    }
}
