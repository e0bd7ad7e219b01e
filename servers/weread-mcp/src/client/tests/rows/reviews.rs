//! Popular highlights and public reviews.

use http_session::drift::Drift;
use jiff::civil::date;
use serde_json::json;

use super::{books::moment, notes::range};
use crate::{
    client::{
        reviews::{popular, reviews},
        tests::recorded,
    },
    domain::{
        ids::ChapterUid,
        notes::Range,
        reviews::{Popular, PopularHighlight, Review, ReviewCursor, Reviews},
    },
};

fn unsaid(id: &str) -> Review {
    Review {
        id: id.to_owned(),
        author: None,
        content: String::new(),
        star: None,
        finished: None,
        likes: None,
        comments: None,
        chapter_title: None,
        created: None,
    }
}

#[test]
fn a_book_without_popular_highlights_answers_a_synckey_alone() {
    assert_eq!(popular(json!({ "synckey": 0 })), Ok(Popular::default()));
    let empty = json!({ "synckey": 0, "items": [], "chapters": null });
    assert_eq!(popular(empty), Ok(Popular::default()));
}

#[test]
fn popular_highlights_count_people_and_not_their_own_number() {
    let bare = |id: &str| PopularHighlight {
        id: id.to_owned(),
        chapter_uid: None,
        range: Range::default(),
        text: String::new(),
        people: None,
    };
    let answer = json!({ "totalCount": "973", "items": [
        {
            "bookmarkId": "a", "chapterUid": 145, "range": "15118-15195", "markText": "太阳\n落下",
            "totalCount": 58136, "userVid": "10000002",
        },
        { "bookmarkId": "b", "userVid": 10000002 },
    ] });
    let expected = Popular {
        items: vec![
            PopularHighlight {
                chapter_uid: Some(ChapterUid(145)),
                range: range("15118-15195", Some(15_118), Some(15_195)),
                text: "太阳\n落下".to_owned(),
                people: Some(58_136),
                ..bare("a")
            },
            bare("b"),
        ],
        total: Some(973),
        chapters: Vec::new(),
    };
    assert_eq!(popular(answer), Ok(expected));
    let answer = json!({ "items": [{ "bookmarkId": "a" }, {}] });
    assert_eq!(popular(answer), Err(Drift::form("", "items[1].bookmarkId")));
}

#[test]
fn a_review_is_gathered_from_the_objects_around_it() {
    let expected = Reviews {
        items: vec![Review {
            author: Some("读者丙".to_owned()),
            content: "这是一条用于测试的".to_owned(),
            star: Some(100),
            finished: Some(true),
            likes: Some(319),
            comments: Some(16),
            created: moment(date(2025, 6, 6), 12, 50, 1),
            ..unsaid("10000003_sMklktybu")
        }],
        total: Some(185),
        next: Some(ReviewCursor {
            max_idx: 1,
            synckey: 1_780_998_584,
        }),
        recommend_per_mille: Some(935),
    };
    assert_eq!(
        reviews(recorded("books_reviews_deepv_gateway")),
        Ok(expected)
    );
    let full = Review {
        author: Some("名".to_owned()),
        likes: Some(2),
        comments: Some(0),
        chapter_title: Some("章".to_owned()),
        ..unsaid("a")
    };
    // The same parts at other depths.
    for sent in [
        json!({ "idx": 4, "review": {
            "reviewId": "a", "likesCount": 2, "commentsCount": 0,
            "review": { "author": { "name": "名" }, "chapterName": "章" },
        } }),
        json!({ "idx": "4", "reviewId": "a", "likesCount": "2", "review": {
            "author": { "name": " 名 " }, "chapterTitle": "章", "commentsCount": 0,
        } }),
        json!({
            "idx": 4, "reviewId": "a", "likesCount": 2, "commentsCount": 0, "author": { "name": "名" },
            "chapterName": "章",
        }),
    ] {
        let found = reviews(json!({ "reviews": [sent], "reviewsHasMore": 1, "synckey": 9 }));
        let next = ReviewCursor {
            max_idx: 4,
            synckey: 9,
        };
        let expected = Reviews {
            items: vec![full.clone()],
            next: Some(next),
            ..Reviews::default()
        };
        assert_eq!(found, Ok(expected), "{sent}");
    }
}

#[test]
fn a_review_may_lack_everything_but_its_id() {
    let answer =
        json!({ "reviews": [{ "review": { "review": { "reviewId": "a", "author": {} } } }] });
    let expected = Reviews {
        items: vec![unsaid("a")],
        ..Reviews::default()
    };
    assert_eq!(reviews(answer), Ok(expected));
}

#[test]
fn pages_end_where_the_service_says_so() {
    for (answer, next) in [
        (
            json!({ "reviews": [{ "reviewId": "a", "idx": 3 }], "reviewsHasMore": 0 }),
            None,
        ),
        (json!({ "reviews": [{ "reviewId": "a", "idx": 3 }] }), None),
        (
            json!({ "reviews": [{ "reviewId": "a" }], "reviewsHasMore": 1 }),
            None,
        ),
        (json!({ "reviews": [], "reviewsHasMore": 1 }), None),
        (
            json!({ "reviews": [{ "reviewId": "a", "idx": 2 }, { "reviewId": "b", "idx": 3 }],
                "reviewsHasMore": true }),
            Some(ReviewCursor {
                max_idx: 3,
                synckey: 0,
            }),
        ),
    ] {
        assert_eq!(
            reviews(answer.clone()).expect("a page").next,
            next,
            "{answer}"
        );
    }
    let none = Reviews {
        total: Some(0),
        ..Reviews::default()
    };
    assert_eq!(reviews(json!({ "reviewsCnt": 0, "synckey": 5 })), Ok(none));
    for (answer, field) in [
        (json!({ "reviewsCnt": 4 }), "reviews"),
        (
            json!({ "reviews": [{ "idx": 1, "review": {} }] }),
            "reviews[0].review.reviewId",
        ),
    ] {
        assert_eq!(
            reviews(answer.clone()),
            Err(Drift::form("", field)),
            "{answer}"
        );
    }
}

#[test]
fn how_many_members_recommend_is_of_a_thousand() {
    for (sent, expected) in [
        (json!(935), Some(935)),
        (json!("1000"), Some(1000)),
        (json!(0), Some(0)),
        (json!(1001), None),
        (json!(-1), None),
        (json!(null), None),
    ] {
        let answer = json!({ "reviews": [], "deepVRecommendValue": sent });
        assert_eq!(
            reviews(answer).expect("a page").recommend_per_mille,
            expected,
            "{sent}"
        );
    }
}
