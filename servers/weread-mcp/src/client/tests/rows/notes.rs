//! Highlights.

use http_session::drift::Drift;
use jiff::civil::date;
use serde_json::{Value, json};

use super::books::{moment, unknown};
use crate::{
    client::{notes::highlights, tests::recorded},
    domain::{
        ids::ChapterUid,
        notes::{Article, Highlight, Highlights, Range},
    },
};

/// A place that begins and ends there.
pub(super) fn range(text: &str, start: Option<u64>, end: Option<u64>) -> Range {
    let text = text.to_owned();
    Range { text, start, end }
}

fn unmarked(id: &str) -> Highlight {
    Highlight {
        id: id.to_owned(),
        chapter_uid: None,
        chapter_title: None,
        range: Range::default(),
        text: String::new(),
        style: None,
        color: None,
        created: None,
        article_id: None,
        cleaned: false,
    }
}

fn one(sent: &Value) -> Highlight {
    let found = highlights(json!({ "updated": [sent] })).expect("highlights");
    found.items.into_iter().next().expect("a highlight")
}

#[test]
fn a_highlight_may_lack_everything_but_its_id() {
    let nothing = json!({
        "bookmarkId": "a", "chapterUid": null, "range": "", "markText": null, "style": "", "colorStyle": null,
        "createTime": 0, "refMpReviewId": "", "chapterName": "",
    });
    for sent in [json!({ "bookmarkId": "a" }), nothing] {
        assert_eq!(one(&sent), unmarked("a"), "{sent}");
    }
}

#[test]
fn both_surfaces_give_the_same_highlight() {
    let expected = Highlight {
        chapter_uid: Some(ChapterUid(57)),
        chapter_title: Some("第一章".to_owned()),
        range: range("1227-1255", Some(1227), Some(1255)),
        text: "一句\n两行".to_owned(),
        color: Some(3),
        created: moment(date(2025, 4, 29), 14, 45, 23),
        ..unmarked("27416212_57_1227-1255")
    };
    let gateway = json!({
        "bookmarkId": "27416212_57_1227-1255", "chapterUid": 57, "range": "1227-1255", "type": 1,
        "chapterName": "第一章", "markText": "一句\r\n两行", "colorStyle": 3, "createTime": 1745909123,
    });
    let web = json!({
        "bookmarkId": "27416212_57_1227-1255", "chapterUid": "57", "range": "1227-1255", "type": "1",
        "chapterTitle": "第一章", "markText": "一句\u{200b}\n两行", "colorStyle": "3",
        "createTime": "1745909123", "bookVersion": 56464877,
    });
    for (sent, cleaned) in [(gateway, false), (web, true)] {
        let expected = Highlight {
            cleaned,
            ..expected.clone()
        };
        assert_eq!(one(&sent), expected, "{sent}");
    }
}

#[test]
fn an_id_stays_when_the_book_is_published_anew() {
    let found = highlights(recorded("notes_highlights_rebased_web")).expect("highlights");
    let row = |item: &Highlight| (item.id.clone(), item.chapter_uid, item.range.start);
    let rows: Vec<_> = found.items.iter().map(row).collect();
    let expected = [
        (
            "29599977_62_2535-2547".to_owned(),
            Some(ChapterUid(188)),
            Some(2597),
        ),
        (
            "29599977_56_702-723".to_owned(),
            Some(ChapterUid(182)),
            Some(789),
        ),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn styles_and_colors_are_kept_whatever_their_numbers() {
    for (sent, expected) in [
        (json!({ "style": 0, "colorStyle": 0 }), (Some(0), Some(0))),
        (json!({ "style": 2, "colorStyle": 5 }), (Some(2), Some(5))),
        (json!({ "style": 9, "colorStyle": -3 }), (Some(9), Some(-3))),
        (json!({ "style": 1 }), (Some(1), None)),
        (json!({ "colorStyle": "4" }), (None, Some(4))),
    ] {
        let mut sent = sent;
        sent["bookmarkId"] = json!("a");
        let found = one(&sent);
        assert_eq!((found.style, found.color), expected, "{sent}");
    }
}

#[test]
fn places_are_read_as_far_as_they_can_be() {
    for (sent, expected) in [
        (
            json!("1227-1255"),
            range("1227-1255", Some(1227), Some(1255)),
        ),
        (json!("0-0"), range("0-0", Some(0), Some(0))),
        (json!("355"), range("355", Some(355), None)),
        (json!(355), range("355", Some(355), None)),
        (json!(" 12 - 34 "), range("12 - 34", Some(12), Some(34))),
        (json!("12-"), range("12-", Some(12), None)),
        (
            json!("-2147483648"),
            range("-2147483648", None, Some(2_147_483_648)),
        ),
        (json!("somewhere"), range("somewhere", None, None)),
        (json!(""), Range::default()),
        (json!(null), Range::default()),
    ] {
        let found = one(&json!({ "bookmarkId": "a", "range": sent }));
        assert_eq!(found.range, expected, "{sent}");
    }
}

#[test]
fn bookmarks_of_a_place_and_what_was_taken_away_are_counted() {
    let answer = json!({
        "updated": [
            { "bookmarkId": "a", "type": 1 },
            { "bookmarkId": "b", "type": 0 },
            { "bookmarkId": "c", "type": "0", "markText": "页首" },
            { "type": 0 },
            { "bookmarkId": "d" },
            { "bookmarkId": "e", "type": 2 },
            { "bookmarkId": "f", "type": 1 },
            { "bookmarkId": "g", "type": 0 },
        ],
        "removed": ["f", { "bookmarkId": "g" }, "", { "other": 1 }],
    });
    let expected = Highlights {
        items: ["a", "d", "e"].map(unmarked).into(),
        positions: 4,
        removed: 1,
        ..Highlights::default()
    };
    assert_eq!(highlights(answer), Ok(expected));
}

#[test]
fn highlights_of_an_account_stand_in_articles() {
    let found = highlights(recorded("notes_highlights_articles_web")).expect("highlights");
    let article = |id: &str, title: &str, created| Article {
        id: id.to_owned(),
        title: title.to_owned(),
        created,
    };
    let expected = [
        article(
            "MP_WXS_3000000001_9B4J96Jkv1_sjbCl_AdoKg",
            "文章标题甲",
            moment(date(2024, 10, 30), 0, 0, 56),
        ),
        article(
            "MP_WXS_3000000001_O-ou-GeV4jWwNOwHPDQkZQ",
            "文章标题乙",
            moment(date(2024, 11, 17), 0, 46, 39),
        ),
    ];
    assert_eq!(found.articles, expected);
    let row = |item: &Highlight| (item.chapter_uid, item.article_id.clone());
    let rows: Vec<_> = found.items.iter().map(row).collect();
    let second = Some("MP_WXS_3000000001_O-ou-GeV4jWwNOwHPDQkZQ".to_owned());
    assert_eq!(rows, [(None, second.clone()), (None, second)]);
    // The two spellings of one article meet.
    let found = highlights(json!({
        "updated": [{ "bookmarkId": "a", "refMpReviewId": "MP_WXS_1_a_b" }],
        "refMpInfos": [{ "reviewId": "MP_WXS_1_a~b" }],
    }));
    let found = found.expect("highlights");
    let expected = Highlights {
        items: vec![Highlight {
            article_id: Some("MP_WXS_1_a_b".to_owned()),
            ..unmarked("a")
        }],
        articles: vec![article("MP_WXS_1_a_b", "", None)],
        ..Highlights::default()
    };
    assert_eq!(found, expected);
}

#[test]
fn no_highlights_and_no_answer_are_two_things() {
    let none = json!({ "updated": [], "removed": [], "chapters": [], "synckey": 0, "book": { "bookId": "1" } });
    let expected = Highlights {
        book: Some(unknown("1")),
        ..Highlights::default()
    };
    assert_eq!(highlights(none), Ok(expected));
    let nameless = json!({ "updated": [], "book": {}, "chapters": null, "refMpInfos": null });
    assert_eq!(highlights(nameless), Ok(Highlights::default()));
    for (answer, field) in [
        (json!({ "synckey": 0 }), "updated"),
        (json!({ "updated": null }), "updated"),
        (
            json!({ "updated": [{ "bookmarkId": "a" }, { "markText": "句" }] }),
            "updated[1].bookmarkId",
        ),
        (
            json!({ "updated": [], "chapters": [{ "title": "章" }] }),
            "chapters[0].chapterUid",
        ),
        (
            json!({ "updated": [], "refMpInfos": [{ "title": "文" }] }),
            "refMpInfos[0].reviewId",
        ),
    ] {
        assert_eq!(
            highlights(answer.clone()),
            Err(Drift::form("", field)),
            "{answer}"
        );
    }
    let answer =
        json!({ "updated": [{ "bookmarkId": "a" }, { "bookmarkId": "b", "createTime": "now" }] });
    let drift = Drift::new("updated[1].createTime", "缺失或类型不同");
    assert_eq!(highlights(answer), Err(drift));
}
