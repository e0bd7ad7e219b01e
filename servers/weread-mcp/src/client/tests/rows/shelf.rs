//! The shelf, and the list of books with notes.

use std::collections::HashMap;

use http_session::drift::Drift;
use serde_json::{Value, json};

use super::books::unknown;
use crate::{
    client::{
        pages::Page,
        shelf::{notebooks, shelf},
        tests::recorded,
    },
    domain::{
        books::Progress,
        ids::ChapterUid,
        shelf::{Album, Group, Notebook, Notebooks, Shelf},
    },
};

#[test]
fn a_shelf_without_books_says_so() {
    for answer in [
        json!({ "books": [], "mp": {}, "archive": [] }),
        json!({ "books": [], "albums": null, "mp": null, "archive": null, "bookProgress": null }),
        json!({ "bookCount": 0, "synckey": 0 }),
        json!({ "books": [], "mp": { "show": 0, "book": { "bookId": "mpbook" } } }),
    ] {
        assert_eq!(shelf(answer.clone()), Ok(Shelf::default()), "{answer}");
    }
    let no_albums = Shelf {
        albums: Some(Vec::new()),
        ..Shelf::default()
    };
    assert_eq!(shelf(json!({ "books": [], "albums": [] })), Ok(no_albums));
    for answer in [
        json!({ "bookCount": 3, "synckey": 0 }),
        json!({ "albums": [] }),
        json!({ "books": null, "mp": {} }),
    ] {
        assert_eq!(
            shelf(answer.clone()),
            Err(Drift::form("", "books")),
            "{answer}"
        );
    }
}

#[test]
fn progress_stands_beside_the_books_and_either_may_lack_an_entry() {
    let answer = json!({
        "books": [{ "bookId": "1" }, { "bookId": "2", "secret": 1, "isTop": true, "finishReading": 1 }],
        "bookProgress": [
            { "bookId": 2, "progress": "100", "readingTime": 60937, "chapterUid": -2147473635 },
            { "bookId": "3" },
        ],
    });
    let mut second = unknown("2");
    second.private = Some(true);
    second.pinned = Some(true);
    second.finished = Some(true);
    let read = Progress {
        percent: Some(100),
        reading_seconds: Some(60_937),
        chapter_uid: Some(ChapterUid(-2_147_473_635)),
        ..Progress::default()
    };
    let id = |id: &str| id.parse().expect("an id");
    let expected = Shelf {
        books: vec![unknown("1"), second],
        progress: HashMap::from([(id("2"), read), (id("3"), Progress::default())]),
        ..Shelf::default()
    };
    assert_eq!(shelf(answer), Ok(expected));
}

#[test]
fn albums_groups_and_kept_articles_are_part_of_the_shelf() {
    let answer = json!({
        "books": [],
        "albums": [
            { "albumInfo": { "albumId": 3110080161_i64, "finish": 0, "trackCount": "30" } },
            { "albumInfo": { "albumId": "2", "name": "名" }, "albumInfoExtra": { "secret": 1 } },
        ],
        "mp": { "book": { "bookId": "mpbook" } },
        "archive": [
            { "name": "组", "bookIds": ["1", 2, "CB_7Q14cb4eg..."], "albumIds": ["2"] },
            { "name": "", "bookIds": null, "lectureBookIds": [3] },
        ],
    });
    let album = |album_id: &str| Album {
        album_id: album_id.to_owned(),
        title: String::new(),
        author: None,
        cover_url: None,
        track_count: None,
        author_completed: None,
        private: None,
    };
    let id = |id: &str| id.parse().expect("an id");
    let expected = Shelf {
        albums: Some(vec![
            Album {
                track_count: Some(30),
                author_completed: Some(false),
                ..album("3110080161")
            },
            Album {
                title: "名".to_owned(),
                private: Some(true),
                ..album("2")
            },
        ]),
        articles: Some(unknown("mpbook")),
        groups: vec![
            Group {
                name: "组".to_owned(),
                book_ids: vec![id("1"), id("2")],
                album_ids: vec!["2".to_owned()],
            },
            Group {
                name: String::new(),
                book_ids: Vec::new(),
                album_ids: vec!["3".to_owned()],
            },
        ],
        ..Shelf::default()
    };
    assert_eq!(shelf(answer), Ok(expected));
}

#[test]
fn drift_names_its_field() {
    for (answer, field) in [
        (
            json!({ "books": [{ "bookId": "1" }, { "title": "二" }] }),
            "books[1].bookId",
        ),
        (
            json!({ "books": [], "bookProgress": [{}] }),
            "bookProgress[0].bookId",
        ),
        (
            json!({ "books": [], "albums": [{}] }),
            "albums[0].albumInfo.albumId",
        ),
    ] {
        assert_eq!(
            shelf(answer.clone()),
            Err(Drift::form("", field)),
            "{answer}"
        );
    }
    let answer = json!({ "books": [{ "bookId": "1", "secret": [] }] });
    let drift = Drift::new("books[0].secret", "缺失或类型不同");
    assert_eq!(shelf(answer), Err(drift));
}

#[test]
fn counts_of_notes_keep_their_kinds_apart() {
    let found = notebooks(recorded("notes_notebooks_gateway")).expect("a page");
    let row = |book: &Notebook| {
        let counts = [
            book.highlight_count,
            book.thought_count,
            book.bookmark_count,
        ];
        (
            book.book.book_id.to_string(),
            counts,
            book.percent,
            book.changed.unwrap_or_default(),
        )
    };
    let rows: Vec<_> = found.list.books.iter().map(row).collect();
    let expected = [
        ("3300189789".to_owned(), [42, 2, 1], Some(24), 1_779_067_614),
        ("33638775".to_owned(), [10, 0, 0], Some(3), 1_778_550_758),
    ];
    assert_eq!(rows, expected);
    assert_eq!(
        (found.list.total_books, found.list.total_notes),
        (Some(553), Some(17_177))
    );
    assert_eq!(found.next, Some(1_778_550_758));
    let web = notebooks(recorded("notes_notebook_web")).expect("all");
    assert_eq!(web.next, None);
}

#[test]
fn a_notebook_may_lack_everything_but_its_id() {
    let one = |id: &str| Notebook {
        book: unknown(id),
        highlight_count: 0,
        thought_count: 0,
        bookmark_count: 0,
        percent: None,
        changed: None,
    };
    let page = |books, next| {
        let list = Notebooks {
            books,
            ..Notebooks::default()
        };
        Ok(Page { list, next })
    };
    let ids =
        json!([{ "bookId": "1" }, { "book": { "bookId": "2" } }, { "bookId": 3, "book": null }]);
    let found = notebooks(json!({ "books": ids }));
    assert_eq!(found, page(vec![one("1"), one("2"), one("3")], None));
    // Whatever says that there is more.
    for (more, next) in [
        (json!(1), Some(5)),
        (json!(true), Some(5)),
        (json!("1"), Some(5)),
        (json!(0), None),
        (json!(null), None),
    ] {
        let last = Notebook {
            changed: Some(5),
            ..one("1")
        };
        let answer = json!({ "books": [{ "bookId": "1", "sort": "5" }], "hasMore": more });
        assert_eq!(notebooks(answer), page(vec![last], next), "{more}");
    }
    let none = |total: Value| notebooks(json!({ "totalBookCount": total, "synckey": 0 }));
    let nothing = Notebooks {
        total_books: Some(0),
        ..Notebooks::default()
    };
    assert_eq!(
        none(json!(0)),
        Ok(Page {
            list: nothing,
            next: None
        })
    );
    assert_eq!(none(json!(2)), Err(Drift::form("", "books")));
    let answer = json!({ "books": [{ "bookId": "1" }, {}] });
    assert_eq!(notebooks(answer), Err(Drift::form("", "books[1].bookId")));
}
