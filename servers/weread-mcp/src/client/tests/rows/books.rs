//! Books.

use http_session::drift::Drift;
use jiff::civil::{Date, date};
use serde_json::{Value, json};
use server_kit::time::Moment;

use crate::{
    client::books::book,
    domain::books::{Book, Rating},
};

/// A book of that id of which nothing else is known.
pub(super) fn unknown(id: &str) -> Book {
    Book {
        book_id: id.parse().expect("an id"),
        title: String::new(),
        author: None,
        translators: Vec::new(),
        cover_url: None,
        categories: Vec::new(),
        publisher: None,
        published: None,
        isbn: None,
        word_count: None,
        rating: None,
        introduction: None,
        price_fen: None,
        format: None,
        author_completed: None,
        finished: None,
        sold_out: None,
        private: None,
        pinned: None,
        store_edition: None,
        updated: None,
        last_read: None,
    }
}

/// That moment in China.
pub(super) fn moment(day: Date, hour: i8, minute: i8, second: i8) -> Option<Moment> {
    Some(Moment::at(day.at(hour, minute, second, 0)))
}

/// The book `1` with those members.
fn with(members: &Value) -> Book {
    let mut answer = members.clone();
    answer["bookId"] = json!(1);
    book(answer).expect("a book")
}

#[test]
fn a_book_may_lack_everything_but_its_id() {
    let nothing = [
        json!({ "bookId": "1" }),
        json!({
            "bookId": 1, "title": null, "author": "", "translator": "", "cover": "", "intro": null,
            "categories": null, "publishTime": "", "isbn": "", "totalWords": 0, "newRatingDetail": null,
            "updateTime": 0, "readUpdateTime": 0, "inStoreBookId": "",
        }),
    ];
    for answer in nothing {
        assert_eq!(book(answer.clone()), Ok(unknown("1")), "{answer}");
    }
}

#[test]
fn numbers_come_as_text_and_switches_as_numbers() {
    let expected = Book {
        title: "1984".to_owned(),
        word_count: Some(140_657),
        price_fen: Some(3990),
        author_completed: Some(true),
        finished: Some(false),
        sold_out: Some(true),
        private: Some(false),
        pinned: Some(true),
        updated: moment(date(2024, 8, 1), 22, 16, 48),
        ..unknown("1")
    };
    for answer in [
        json!({
            "title": 1984, "totalWords": "140657", "price": "39.90", "finished": "1",
            "finishReading": 0, "soldout": 1, "secret": false, "isTop": true, "updateTime": "1722521808",
        }),
        json!({
            "title": "1984", "wordCount": 140657, "centPrice": "3990", "finished": true,
            "finishReading": "false", "soldout": "true", "secret": "0", "isTop": 1,
            "updateTime": 1722521808.0,
        }),
    ] {
        assert_eq!(with(&answer), expected, "{answer}");
    }
}

#[test]
fn completed_by_the_author_is_not_finished_by_the_reader() {
    for (answer, expected) in [
        (
            json!({ "finished": 1, "finishReading": 0 }),
            (Some(true), Some(false)),
        ),
        (
            json!({ "finished": 0, "finishReading": 1 }),
            (Some(false), Some(true)),
        ),
        (json!({ "finished": 1 }), (Some(true), None)),
        (json!({ "finishReading": 1 }), (None, Some(true))),
        (json!({ "finished": 2 }), (None, None)),
    ] {
        let found = with(&answer);
        assert_eq!(
            (found.author_completed, found.finished),
            expected,
            "{answer}"
        );
    }
}

#[test]
fn people_are_named_without_the_white_space_around_them() {
    for (author, expected) in [
        ("大卫·伊格曼　", Some("大卫·伊格曼")),
        ("[俄]格拉宁", Some("[俄]格拉宁")),
        ("　[美] 摩根·豪泽尔 \u{200b}", Some("[美] 摩根·豪泽尔")),
        ("王水照 崔铭", Some("王水照 崔铭")),
        ("　", None),
    ] {
        let found = with(&json!({ "author": author })).author;
        assert_eq!(found.as_deref(), expected, "{author}");
    }
    for (translator, expected) in [
        ("钱静", &["钱静"][..]),
        ("覃立波  冯骁骋  刘乾", &["覃立波", "冯骁骋", "刘乾"]),
        ("John Smith  李一　王二　", &["John Smith", "李一", "王二"]),
        ("   ", &[]),
    ] {
        let found = with(&json!({ "translator": translator })).translators;
        assert_eq!(found, expected, "{translator}");
    }
}

#[test]
fn a_book_has_several_categories_each_once() {
    let titles = |answer: Value| with(&answer).categories;
    let list = json!([{ "title": "哲学宗教-宗教" }, { "title": "个人成长-情绪心灵" }, { "title": "" }, {}]);
    let answer = json!({ "category": "哲学宗教-宗教", "categories": list });
    assert_eq!(titles(answer), ["哲学宗教-宗教", "个人成长-情绪心灵"]);
    let answer = json!({ "category": "文学", "categories": list });
    assert_eq!(
        titles(answer),
        ["文学", "哲学宗教-宗教", "个人成长-情绪心灵"]
    );
    assert_eq!(titles(json!({ "category": "文学" })), ["文学"]);
}

#[test]
fn nobody_has_rated_is_no_rating() {
    let rating = |per_mille, count| Rating {
        per_mille,
        count,
        shares: None,
        title: None,
        mine: None,
    };
    let full = Rating {
        shares: Some([7, 2, 1]),
        title: Some("神作".to_owned()),
        mine: Some("good".to_owned()),
        ..rating(700, 10)
    };
    let detail = json!({ "good": 7, "fair": "2", "poor": 1, "myRating": "good", "title": "神作" });
    for (answer, expected) in [
        (json!({ "newRating": 0, "newRatingCount": 0 }), None),
        (json!({ "newRating": 826 }), None),
        (json!({ "newRatingCount": 3 }), None),
        (json!({ "newRating": 1001, "newRatingCount": 3 }), None),
        (json!({ "star": 82, "ratingCount": 372 }), None),
        (
            json!({ "newRating": 0, "newRatingCount": 3 }),
            Some(rating(0, 3)),
        ),
        (
            json!({ "newRating": "826", "newRatingCount": "337" }),
            Some(rating(826, 337)),
        ),
        (
            json!({ "newRating": 826, "newRatingCount": 1, "newRatingDetail": { "myRating": "" } }),
            Some(rating(826, 1)),
        ),
        (
            json!({ "newRating": 700, "newRatingCount": 10, "newRatingDetail": detail }),
            Some(full),
        ),
    ] {
        assert_eq!(with(&answer).rating, expected, "{answer}");
    }
    assert!((rating(826, 1).of_ten() - 8.26).abs() < 1e-9);
}

#[test]
fn prices_and_days_are_read_or_left_out() {
    for (answer, expected) in [
        (json!({ "price": 39.9 }), Some(3990)),
        (json!({ "price": 56.0 }), Some(5600)),
        (json!({ "price": 0 }), Some(0)),
        (json!({ "price": 39.9, "centPrice": 2199 }), Some(2199)),
        (json!({ "price": -1 }), None),
        (json!({ "price": "" }), None),
    ] {
        assert_eq!(with(&answer).price_fen, expected, "{answer}");
    }
    for (sent, expected) in [
        (json!("2019-12-19 00:00:00"), Some(date(2019, 12, 19))),
        (json!("2022-04-01"), Some(date(2022, 4, 1))),
        (json!("0000-00-00 00:00:00"), None),
        (json!("2019年12月"), None),
        (json!(1_577_702_240), None),
    ] {
        let found = with(&json!({ "publishTime": sent })).published;
        assert_eq!(found, expected, "{sent}");
    }
}

#[test]
fn ids_are_texts_whatever_they_stand_for() {
    for (sent, expected) in [
        (json!("27416212"), Ok("27416212")),
        (json!(27416212), Ok("27416212")),
        (
            json!("CB_7YV4cp4egBPA6wW6x6F0K3Kf"),
            Ok("CB_7YV4cp4egBPA6wW6x6F0K3Kf"),
        ),
        (json!("MP_WXS_3000000001"), Ok("MP_WXS_3000000001")),
        (json!("mpbook"), Ok("mpbook")),
        (json!(""), Err(Drift::form("", "bookId"))),
        (json!(null), Err(Drift::form("", "bookId"))),
        (json!("a/b"), Err(Drift::form("", "bookId"))),
        (json!(2.74e7), Err(Drift::new("bookId", "缺失或类型不同"))),
    ] {
        let found = book(json!({ "bookId": sent }));
        let found = found.map(|book| book.book_id.to_string());
        assert_eq!(found, expected.map(str::to_owned), "{sent}");
    }
    let edition = with(&json!({ "inStoreBookId": 695233 })).store_edition;
    assert_eq!(edition.map(|id| id.to_string()).as_deref(), Some("695233"));
}

#[test]
fn drift_names_its_field() {
    const TYPE: &str = "缺失或类型不同";
    for (answer, field) in [
        (json!({ "bookId": "1", "title": {} }), "title"),
        (json!({ "bookId": "1", "price": "free" }), "price"),
        (json!({ "bookId": "1", "totalWords": "many" }), "totalWords"),
        (json!({ "bookId": "1", "finished": "soon" }), "finished"),
        (
            json!({ "bookId": "1", "categories": [{}, { "title": [] }] }),
            "categories[1].title",
        ),
        (
            json!({ "bookId": "1", "newRatingDetail": { "good": [] } }),
            "newRatingDetail.good",
        ),
    ] {
        assert_eq!(
            book(answer.clone()),
            Err(Drift::new(field, TYPE)),
            "{answer}"
        );
    }
}
