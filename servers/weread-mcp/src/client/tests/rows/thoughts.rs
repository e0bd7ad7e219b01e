//! The reader's own thoughts and reviews.

use http_session::drift::Drift;
use jiff::civil::date;
use serde_json::{Value, json};

use super::{books::moment, notes::range};
use crate::{
    client::{notes::thoughts, pages::Page, tests::recorded},
    domain::{
        ids::ChapterUid,
        notes::{Range, Subject, Thought, Thoughts},
    },
};

fn unwritten(id: &str) -> Thought {
    Thought {
        id: id.to_owned(),
        subject: Subject::Book,
        chapter_uid: None,
        chapter_idx: None,
        chapter_title: None,
        range: Range::default(),
        content: String::new(),
        quote: None,
        star: None,
        private: None,
        images: Vec::new(),
        handwritten: false,
        created: None,
        article_id: None,
        cleaned: false,
    }
}

fn one(sent: &Value) -> Thought {
    let answer = json!({ "reviews": [{ "reviewId": "a", "review": sent }] });
    let found = thoughts(answer).expect("thoughts").list;
    found.items.into_iter().next().expect("a thought")
}

#[test]
fn a_thought_may_lack_everything_but_its_id() {
    let expected = Page {
        list: Thoughts {
            items: vec![unwritten("a")],
            ..Thoughts::default()
        },
        next: None,
    };
    for sent in [
        json!({ "reviewId": "a" }),
        json!({ "reviewId": "a", "review": {} }),
        json!({ "review": { "reviewId": "a" } }),
        json!({ "reviewId": "a", "review": { "review": { "star": -1 } } }),
        json!({ "reviewId": "a", "review": {
            "content": "", "htmlContent": null, "abstract": "", "range": "", "chapterUid": null, "star": 0,
            "pencilNote": null, "author": null, "createTime": 0, "chapterTitle": "", "refMpReviewId": "",
        } }),
        json!({ "reviewId": "a", "review": { "pencilNote": {} } }),
    ] {
        let found = thoughts(json!({ "reviews": [sent] }));
        assert_eq!(found.as_ref(), Ok(&expected), "{sent}");
    }
}

#[test]
fn both_surfaces_give_the_same_thought() {
    let expected = Thought {
        subject: Subject::Passage,
        chapter_uid: Some(ChapterUid(148)),
        chapter_idx: Some(24),
        chapter_title: Some("18 白色轻舟".to_owned()),
        range: range("8639-8671", Some(8639), Some(8671)),
        content: "第一行\n第二行".to_owned(),
        quote: Some("我会回来的。".to_owned()),
        private: Some(false),
        created: moment(date(2021, 12, 25), 23, 10, 5),
        ..unwritten("a")
    };
    for sent in [
        json!({
            "abstract": "我会回来的。", "chapterUid": 148, "chapterIdx": 24, "chapterName": "18 白色轻舟",
            "content": "第一行\n第二行", "range": "8639-8671", "createTime": 1640445005, "type": 1, "star": 0,
            "isPrivate": 0,
        }),
        json!({
            "abstract": "我会回来的。", "chapterUid": "148", "chapterIdx": "24", "chapterTitle": "18 白色轻舟",
            "content": "第一行\r\n第二行", "htmlContent": "", "range": "8639-8671", "type": 1,
            "createTime": "1640445005", "isPrivate": false, "reviewId": "a",
        }),
    ] {
        assert_eq!(one(&sent), expected, "{sent}");
    }
    let web = thoughts(recorded("notes_reviews_web"));
    assert_eq!(thoughts(recorded("notes_reviews_api")), web);
}

#[test]
fn what_a_thought_is_about_is_told_by_its_place() {
    for (sent, expected) in [
        (
            json!({ "type": 4, "range": "", "star": 100 }),
            Subject::Book,
        ),
        (json!({ "type": 6 }), Subject::Book),
        (json!({ "type": 1 }), Subject::Book),
        (json!({ "type": 4, "chapterUid": 3 }), Subject::Chapter),
        (
            json!({ "type": 1, "chapterUid": 3, "range": "" }),
            Subject::Chapter,
        ),
        (
            json!({ "type": 1, "chapterUid": 3, "range": "1-2" }),
            Subject::Passage,
        ),
        (json!({ "type": 4, "range": "1-2" }), Subject::Passage),
        (
            json!({ "type": 1, "chapterUid": 3, "range": "355" }),
            Subject::Passage,
        ),
        (json!({ "type": 16 }), Subject::Article),
        (
            json!({ "type": 1, "range": "1-2", "refMpReviewId": "MP_WXS_1_x" }),
            Subject::Article,
        ),
    ] {
        assert_eq!(one(&sent).subject, expected, "{sent}");
    }
    let article = one(&json!({ "refMpReviewId": "MP_WXS_1_a~b" })).article_id;
    assert_eq!(article.as_deref(), Some("MP_WXS_1_a_b"));
    let whole = thoughts(recorded("notes_reviews_web"))
        .expect("thoughts")
        .list;
    let review = Thought {
        content: "这是一条用于测试的想法内容，原文已替".to_owned(),
        star: Some(100),
        private: Some(false),
        created: moment(date(2021, 12, 31), 13, 26, 52),
        ..unwritten("10000001_hZpT54yiy")
    };
    assert_eq!(whole.items.first(), Some(&review));
}

#[test]
fn handwriting_has_pictures_and_the_place_of_one_number() {
    let found = thoughts(recorded("notes_reviews_handwritten_gateway"))
        .expect("thoughts")
        .list;
    let expected = Thought {
        subject: Subject::Passage,
        chapter_uid: Some(ChapterUid(68)),
        chapter_idx: Some(31),
        chapter_title: Some("3.5 利用因果注意力隐藏未来词汇".to_owned()),
        range: range("355", Some(355), None),
        quote: Some("3.5 利用因果注意力隐藏未来词汇...".to_owned()),
        private: Some(true),
        images: vec!["https://weread-picture-1258476243.file.myqcloud.com/sample".to_owned()],
        handwritten: true,
        created: moment(date(2026, 5, 27), 10, 4, 48),
        ..unwritten("10000002_MmH9TGfMs")
    };
    assert_eq!(found.items, [expected]);
    for (sent, images, handwritten) in [
        (json!({ "range": "355" }), &[][..], true),
        (
            json!({ "range": "355-360", "pencilNote": { "imageUrl": "" } }),
            &[],
            false,
        ),
        (
            json!({ "range": "1-2", "pencilNote": {
                "andDrawingUrl": "d", "doddleDrawingUrl": "c", "drawingUrl": "b", "imageUrl": "a",
            } }),
            &["a", "b", "c", "d"],
            true,
        ),
    ] {
        let found = one(&sent);
        assert_eq!(found.images, images, "{sent}");
        assert_eq!(found.handwritten, handwritten, "{sent}");
    }
    // Its own time is in thousandths of a second, and stands in for a missing one.
    let sent = json!({ "pencilNote": { "imageUrl": "a", "updateTime": 1779847486210_i64 } });
    assert_eq!(one(&sent).created, moment(date(2026, 5, 27), 10, 4, 46));
}

#[test]
fn stars_are_of_a_hundred() {
    for (sent, expected) in [
        (json!(100), Some(100)),
        (json!(20), Some(20)),
        (json!("60"), Some(60)),
        (json!(5), Some(100)),
        (json!(1), Some(20)),
        (json!(0), None),
        (json!(-1), None),
        (json!(101), None),
        (json!(null), None),
    ] {
        assert_eq!(one(&json!({ "star": sent })).star, expected, "{sent}");
    }
}

#[test]
fn formatted_text_counts_where_it_comes_alone() {
    for (sent, expected) in [
        (json!({ "content": "平", "htmlContent": "<p>饰</p>" }), "平"),
        (
            json!({ "content": "", "htmlContent": "<p>一</p><p>二 &amp; 三</p>" }),
            "一\n二 & 三",
        ),
        (
            json!({ "content": " \n", "htmlContent": "<p>一</p>" }),
            "一",
        ),
        (json!({ "htmlContent": "1 < 2\n3" }), "1 < 2\n3"),
        (
            json!({ "content": "<p>不是标签</p> --- a & b" }),
            "<p>不是标签</p> --- a & b",
        ),
    ] {
        assert_eq!(one(&sent).content, expected, "{sent}");
    }
    let long = "长".repeat(5000);
    assert_eq!(one(&json!({ "content": long })).content, long);
}

#[test]
fn what_was_taken_out_of_a_shown_text_is_noticed() {
    for (sent, cleaned) in [
        (
            json!({ "content": "明\r\n文\t", "abstract": "原文" }),
            false,
        ),
        (json!({ "content": "明\u{200b}文" }), true),
        (
            json!({ "content": "明文", "abstract": "原\u{202e}文" }),
            true,
        ),
        (json!({ "htmlContent": "<p>饰&#8203;文</p>" }), true),
        // This one is not shown.
        (
            json!({ "content": "明文", "htmlContent": "饰\u{200b}文" }),
            false,
        ),
    ] {
        assert_eq!(one(&sent).cleaned, cleaned, "{sent}");
    }
}

#[test]
fn pages_go_on_at_the_synckey_while_there_is_more() {
    for (more, synckey, next) in [
        (json!(1), json!(9), Some(9)),
        (json!(true), json!("9"), Some(9)),
        (json!(1), json!(null), None),
        (json!(0), json!(9), None),
        (json!(null), json!(9), None),
    ] {
        let answer = json!({ "reviews": [], "hasMore": more, "synckey": synckey });
        assert_eq!(
            thoughts(answer).expect("a page").next,
            next,
            "{more} {synckey}"
        );
    }
}

#[test]
fn removed_thoughts_are_counted_and_drift_names_its_field() {
    let answer = json!({
        "reviews": [{ "reviewId": "a" }, { "reviewId": "b" }, { "reviewId": "c" }],
        "removed": ["a", { "reviewId": "c" }], "totalCount": 1, "synckey": 3,
    });
    let expected = Thoughts {
        items: vec![unwritten("b")],
        total: Some(1),
        removed: 2,
    };
    assert_eq!(thoughts(answer).map(|page| page.list), Ok(expected));
    let none = Thoughts {
        total: Some(0),
        ..Thoughts::default()
    };
    let answer = json!({ "totalCount": 0, "synckey": 0 });
    assert_eq!(thoughts(answer).map(|page| page.list), Ok(none));
    for (answer, field) in [
        (json!({ "totalCount": 2, "synckey": 0 }), "reviews"),
        (json!({ "synckey": 0 }), "reviews"),
        (
            json!({ "reviews": [{ "reviewId": "a" }, { "review": {} }] }),
            "reviews[1].reviewId",
        ),
    ] {
        assert_eq!(
            thoughts(answer.clone()),
            Err(Drift::form("", field)),
            "{answer}"
        );
    }
    let answer = json!({ "reviews": [{ "reviewId": "a", "review": { "star": "good" } }] });
    let drift = Drift::new("reviews[0].review.star", "缺失或类型不同");
    assert_eq!(thoughts(answer), Err(drift));
}
