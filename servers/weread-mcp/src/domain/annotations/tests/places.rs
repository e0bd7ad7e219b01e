//! What a group is called and where it stands.

use super::*;
use crate::domain::notes::Article;

#[test]
fn a_chapter_that_the_contents_lack_is_named_by_what_else_knows_it() {
    let contents = [
        chapter(1, 1, "一", 1),
        chapter(2, 2, "二", 1),
        chapter(3, 3, " ", 1),
    ];
    let mut marks = highlights(vec![
        highlight("told", 60, "1-2"),
        highlight("own", 61, "1-2"),
        highlight("nothing", 63, "1-2"),
        highlight("known", 2, "1-2"),
        highlight("untitled", 3, "1-2"),
    ]);
    marks.chapters = vec![chapter(60, 1, "旧一", 2), chapter(3, 7, "三", 1)];
    marks.items[1].chapter_title = Some("划线说的".to_owned());
    let mut note = thought("note", 62, "");
    note.chapter_title = Some("想法说的".to_owned());
    note.chapter_idx = Some(2);
    let notes = all(&contents, marks, vec![note]);
    assert_eq!(
        shown(&notes),
        [
            "旧一? 2: told[]",
            "二 1: known[]",
            "想法说的? 1: -[note]",
            "三 1: untitled[]",
            "划线说的? 1: own[]",
            "未知章节? 1: nothing[]",
        ]
    );
    let idx: Vec<_> = notes.chapters.iter().map(|it| it.idx).collect();
    assert_eq!(idx, [Some(1), Some(2), Some(2), Some(3), None, None]);
}

#[test]
fn the_id_of_a_highlight_says_nothing_about_its_place() {
    let contents = [
        chapter(182, 58, "51 月亏", 2),
        chapter(188, 64, "57 萤火虫", 2),
    ];
    let notes = all(
        &contents,
        highlights(vec![
            highlight("29599977_62_2535-2547", 188, "2597-2609"),
            highlight("29599977_56_702-723", 182, "789-810"),
        ]),
        vec![thought("note", 188, "2597-2609")],
    );
    assert_eq!(
        shown(&notes),
        [
            "51 月亏 2: 29599977_56_702-723[]",
            "57 萤火虫 2: 29599977_62_2535-2547[note]",
        ]
    );
}

#[test]
fn reviews_of_the_book_and_notes_without_a_place_come_last() {
    let mut review = thought("review", 0, "");
    review.subject = Subject::Book;
    review.chapter_uid = None;
    let mut lost = thought("lost", 0, "5-6");
    lost.chapter_uid = None;
    let mut adrift = highlight("adrift", 0, "5-6");
    adrift.chapter_uid = None;
    let notes = all(
        &[chapter(1, 1, "一", 1)],
        highlights(vec![adrift, highlight("a", 1, "1-2")]),
        vec![lost, review, thought("page", 1, "")],
    );
    assert_eq!(
        shown(&notes),
        [
            "一 1: a[] -[page]",
            "全书点评 1: -[review]",
            "未分章节 1: adrift[lost]"
        ]
    );
}

#[test]
fn an_official_account_is_grouped_by_article_with_the_newest_first() {
    let in_article = |id: &str, article: &str, at: &str| Highlight {
        chapter_uid: None,
        article_id: Some(article.to_owned()),
        ..highlight(id, 0, at)
    };
    let article = |id: &str, title: &str, created| Article {
        id: id.to_owned(),
        title: title.to_owned(),
        created,
    };
    let mut marks = highlights(vec![
        in_article("old", "A", "1733-1792"),
        in_article("new", "B", "1-2"),
        in_article("older", "A", "676-709"),
        in_article("gone", "C", "1-2"),
        in_article("undated", "D", "1-2"),
    ]);
    marks.items[3].created = None;
    marks.items[4].created = Some(moment(500));
    marks.articles = vec![
        article("A", "甲", Some(moment(100))),
        article("B", "乙", Some(moment(900))),
        article("D", "丁", None),
        article("E", "没有划线", Some(moment(999))),
    ];
    let mut note = thought("note", 0, "676-709");
    note.chapter_uid = None;
    note.article_id = Some("A".to_owned());
    note.subject = Subject::Article;
    let notes = all(&[], marks, vec![note]);
    assert_eq!(
        shown(&notes),
        [
            "乙 1: new[]",
            "丁 1: undated[]",
            "甲 1: older[note] old[]",
            "未知文章? 1: gone[]",
        ]
    );
}
