//! Tables of contents and reading progress.

use http_session::drift::Drift;
use jiff::civil::date;
use serde_json::json;

use super::books::moment;
use crate::{
    client::{
        books::{chapters, progress},
        tests::recorded,
    },
    domain::{
        books::Progress,
        chapters::{Anchor, Chapter},
        ids::ChapterUid,
    },
};

#[test]
fn both_surfaces_give_the_same_chapters() {
    let mut web = recorded("books_chapters_levels_web");
    let list = web["data"][0]["updated"].as_array_mut().expect("chapters");
    list.reverse();
    let gateway = json!({ "bookId": "29599977", "chapters": list });
    let found = chapters(web).expect("chapters");
    assert_eq!(chapters(gateway).as_ref(), Ok(&found));
    let row = |chapter: &Chapter| (chapter.uid.0, chapter.idx, chapter.level, chapter.paid_only);
    let rows: Vec<_> = found.iter().map(row).collect();
    // In reading order, which is not that of their ids.
    let expected = [
        (1, Some(1), 1, Some(false)),
        (64, Some(2), 1, Some(false)),
        (65, Some(3), 1, Some(false)),
        (128, Some(4), 1, Some(false)),
        (129, Some(5), 1, Some(false)),
        (130, Some(6), 2, Some(false)),
        (131, Some(7), 2, Some(false)),
        (188, Some(64), 2, Some(true)),
        (127, Some(65), 1, Some(true)),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_chapter_may_lack_everything_but_its_id() {
    let chapter = |uid| Chapter {
        uid: ChapterUid(uid),
        idx: None,
        title: String::new(),
        level: 1,
        word_count: None,
        paid_only: None,
        anchors: Vec::new(),
    };
    let heading = |title: &str, level| Anchor {
        title: title.to_owned(),
        level,
    };
    let answer = json!({ "chapters": [
        { "chapterUid": "7", "level": 0, "anchors": null },
        { "chapterUid": -2147473635, "level": null, "title": "" },
        {
            "chapterUid": 3, "chapterIdx": "2", "title": "　第一章 ", "level": 6, "price": 0.1,
            "anchors": [{ "title": "一", "level": 2 }, { "title": "二" }, { "title": "" }],
        },
    ] });
    let full = Chapter {
        idx: Some(2),
        title: "第一章".to_owned(),
        level: 6,
        paid_only: Some(true),
        anchors: vec![heading("一", 2), heading("二", 1)],
        ..chapter(3)
    };
    assert_eq!(
        chapters(answer),
        Ok(vec![full, chapter(7), chapter(-2_147_473_635)])
    );
    for (answer, field) in [
        (
            json!({ "chapters": [{ "chapterUid": 1 }, { "title": "二" }] }),
            "chapters[1].chapterUid",
        ),
        (
            json!({ "data": [{ "updated": [{}] }] }),
            "data[0].updated[0].chapterUid",
        ),
        (json!({ "data": [{ "bookId": "1" }] }), "data[0].updated"),
        (json!({ "data": [] }), "data[0].updated"),
        (json!({ "synckey": 1 }), "chapters"),
    ] {
        assert_eq!(
            chapters(answer.clone()),
            Err(Drift::form("", field)),
            "{answer}"
        );
    }
    assert_eq!(chapters(json!({ "chapters": [] })), Ok(Vec::new()));
}

#[test]
fn nothing_is_known_of_a_book_that_was_never_opened() {
    for answer in [
        json!({ "bookId": "1", "book": {}, "timestamp": 1 }),
        json!({ "book": { "bookId": "1", "updateTime": 0, "finishTime": 0 } }),
    ] {
        assert_eq!(progress(answer), Ok(Progress::default()));
    }
    let read = Progress {
        percent: Some(0),
        reading_seconds: Some(905),
        chapter_uid: Some(ChapterUid(-2_147_473_635)),
        ..Progress::default()
    };
    let answer =
        json!({ "book": { "progress": 0, "readingTime": 905, "chapterUid": -2147473635 } });
    assert_eq!(progress(answer), Ok(read));
    let beyond = json!({ "book": { "progress": 101, "readingTime": -1, "recordReadingTime": 5 } });
    assert_eq!(progress(beyond), Ok(Progress::default()));
    assert_eq!(
        progress(json!({ "bookId": "1" })),
        Err(Drift::form("", "book"))
    );
}

#[test]
fn finished_is_a_time_and_not_a_hundred_per_cent() {
    let finished = progress(recorded("books_progress_finished_web")).expect("progress");
    assert_eq!(finished.finished, moment(date(2021, 12, 31), 12, 29, 48));
    let answer = json!({ "book": { "progress": 100 } });
    assert_eq!(progress(answer).expect("progress").finished, None);
}
