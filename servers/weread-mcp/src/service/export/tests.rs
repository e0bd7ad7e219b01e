//! One book in all three forms, byte by byte; and any text in each of them.

mod any;
mod markdown;

use jiff::civil::date;
use server_kit::time::Moment;

use super::*;
use crate::domain::{
    annotations::{BookNotes, Kind, NoteFilter, Reason, Skipped},
    books::Book,
    chapters::Chapter,
    ids::ChapterUid,
    notes::{Highlight, Highlights, Range, Subject, Thought, Thoughts},
};

const WEB: &str = "https://weread.qq.com";

fn moment(second: i8) -> Moment {
    Moment::at(date(2026, 11, 30).at(14, 43, second, 0))
}

fn book() -> Book {
    Book {
        title: "隐藏的自我".to_owned(),
        author: Some("大卫·伊格曼".to_owned()),
        translators: vec!["钱静".to_owned()],
        categories: vec!["科学技术-科学科普".to_owned()],
        ..Book::unnamed("27416212".parse().expect("a book id"))
    }
}

fn highlight(id: &str, text: &str, start: u64) -> Highlight {
    Highlight {
        id: id.to_owned(),
        chapter_uid: Some(ChapterUid(2)),
        chapter_title: None,
        range: range(start),
        text: text.to_owned(),
        style: None,
        color: None,
        created: Some(moment(1)),
        article_id: None,
        cleaned: false,
    }
}

fn range(start: u64) -> Range {
    Range {
        text: format!("{start}-{}", start + 9),
        start: Some(start),
        end: Some(start + 9),
    }
}

fn thought(id: &str, content: &str, start: u64) -> Thought {
    Thought {
        id: id.to_owned(),
        subject: Subject::Passage,
        chapter_uid: Some(ChapterUid(2)),
        chapter_idx: None,
        chapter_title: None,
        range: range(start),
        content: content.to_owned(),
        quote: Some("原文…".to_owned()),
        star: None,
        private: None,
        images: Vec::new(),
        handwritten: false,
        created: Some(moment(2)),
        article_id: None,
        cleaned: false,
    }
}

/// A book with one note of each kind, listed in the order that is given by `turn`.
fn notes(turn: usize) -> BookNotes {
    let chapter = Chapter {
        uid: ChapterUid(2),
        idx: Some(1),
        title: "01 大脑".to_owned(),
        level: 2,
        word_count: None,
        paid_only: None,
        anchors: Vec::new(),
    };
    let mut marked = highlight("27416212_2_100-109", "基因组的作用，\n[插图]\n=1+1", 100);
    marked.style = Some(2);
    marked.color = Some(3);
    let mut odd = highlight("h\"2", "-", 20);
    odd.style = Some(7);
    odd.created = None;
    let mut hand = thought("10000001_hand", "", 300);
    hand.handwritten = true;
    hand.images = vec!["https://example.com/a".to_owned(), "no address".to_owned()];
    let mut review = thought("10000001_review", "好书", 0);
    review.subject = Subject::Book;
    review.chapter_uid = None;
    review.range = Range::default();
    review.quote = None;
    review.star = Some(100);
    review.private = Some(true);
    let mut items = vec![marked, odd];
    let mut written = vec![
        thought("10000001_a--b", "两行\n\n  想法 ", 100),
        thought("10000001_c", "'又一条', \"引号\"", 100),
        hand,
        review,
    ];
    items.rotate_left(turn % 2);
    written.rotate_left(turn);
    let highlights = Highlights {
        items,
        positions: 1,
        ..Highlights::default()
    };
    let thoughts = Thoughts {
        items: written,
        ..Thoughts::default()
    };
    BookNotes::of(&[chapter], highlights, thoughts, &NoteFilter::default())
}

fn export() -> Export {
    Export::of([(&book(), &notes(0))], WEB)
}

const CSV: Format = Format::Csv {
    byte_order_mark: false,
};

#[test]
fn markdown_has_front_matter_headings_quotes_and_thoughts_under_them() {
    let expected = r#"---
book_id: "27416212"
title: "隐藏的自我"
author: "大卫·伊格曼"
translators: ["钱静"]
categories: ["科学技术-科学科普"]
link: "https://weread.qq.com/web/reader/eba3273071a25694eba47a5"
highlight_count: 2
note_count: 4
skipped_count: 1
newest: "2026-11-30T14:43:02+08:00"
---

# 隐藏的自我

大卫·伊格曼 · 钱静

### 01 大脑

[微信读书](https://weread.qq.com/web/reader/eba3273071a25694eba47a5kc81322c012c81e728d9d180) <!-- chapter:2 -->

> \-

划线 · 样式 7 <!-- highlight:h%222 -->

> 基因组的作用，␣␣
> [插图]␣␣
> \=1+1

划线 · 2026-11-30 14:43 · 波浪线 · 蓝色 <!-- highlight:27416212_2_100-109 -->

- 两行

  想法

  想法 · 2026-11-30 14:43 <!-- note:10000001_a-%2Db -->

- '又一条', "引号"

  想法 · 2026-11-30 14:43 <!-- note:10000001_c -->

> 原文…

- （无文字）

  [手写图片 1](https://example.com/a)

  no address

  想法 · 2026-11-30 14:43 · 手写 <!-- note:10000001_hand -->

## 全书点评

<!-- group:book -->

- 好书

  想法 · 2026-11-30 14:43 · ★★★★★ · 仅自己可见 <!-- note:10000001_review -->
"#;
    let markdown = export().render(Format::Markdown).expect("Markdown");
    assert_eq!(markdown, expected.replace('␣', " "));
}

#[test]
fn csv_has_a_row_for_each_note_and_no_formula() {
    let expected = [
        "book_id,book_title,author,group,chapter_id,chapter_idx,article_id,group_title,kind,id,highlight_id,\
         text,note,range,style,style_name,color,color_name,star,private,images,created",
        "27416212,隐藏的自我,大卫·伊格曼,chapter,2,1,,01 大脑,highlight,\"h\"\"2\",,\
         '-,,20-29,7,,,,,,,",
        "27416212,隐藏的自我,大卫·伊格曼,chapter,2,1,,01 大脑,highlight,27416212_2_100-109,,\
         \"基因组的作用，\n[插图]\n=1+1\",,100-109,2,波浪线,3,蓝色,,,,2026-11-30T14:43:01+08:00",
        "27416212,隐藏的自我,大卫·伊格曼,chapter,2,1,,01 大脑,note,10000001_a--b,27416212_2_100-109,\
         \"基因组的作用，\n[插图]\n=1+1\",\"两行\n\n  想法 \",100-109,,,,,,,,2026-11-30T14:43:02+08:00",
        "27416212,隐藏的自我,大卫·伊格曼,chapter,2,1,,01 大脑,note,10000001_c,27416212_2_100-109,\
         \"基因组的作用，\n[插图]\n=1+1\",\"''又一条', \"\"引号\"\"\",100-109,,,,,,,,2026-11-30T14:43:02+08:00",
        "27416212,隐藏的自我,大卫·伊格曼,chapter,2,1,,01 大脑,note,10000001_hand,,\
         原文…,,300-309,,,,,,,https://example.com/a no address,2026-11-30T14:43:02+08:00",
        "27416212,隐藏的自我,大卫·伊格曼,book,,,,全书点评,note,10000001_review,,\
         ,好书,,,,,,100,true,,2026-11-30T14:43:02+08:00",
        "",
    ];
    assert_eq!(export().render(CSV).expect("CSV"), expected.join("\r\n"));
    let marked = Format::Csv {
        byte_order_mark: true,
    };
    let marked = export().render(marked).expect("CSV");
    assert_eq!(marked, format!("\u{feff}{}", expected.join("\r\n")));
}

#[test]
fn json_names_its_shape_and_is_read_back() {
    let export = export();
    let json = export.render(Format::Json).expect("JSON");
    let head = "{\n  \"format\": \"weread-notes/1\",\n  \"books\": [\n    {\n      \"book_id\": \"27416212\",";
    assert!(json.starts_with(head) && json.ends_with("}\n"), "{json}");
    assert_eq!(
        serde_json::from_str::<Export>(&json).expect("the shape"),
        export
    );
    let later = json.replace("weread-notes/1", "weread-notes/2");
    assert!(serde_json::from_str::<Export>(&later).is_err());
    let skipped = Skipped {
        kind: Kind::Bookmark,
        reason: Reason::NoText,
        count: 1,
    };
    assert_eq!(export.books[0].skipped, [skipped]);
}

#[test]
fn the_same_notes_give_the_same_bytes_however_the_service_lists_them() {
    for format in [Format::Markdown, Format::Json, CSV] {
        let once = export().render(format).expect("a file");
        for turn in 0..4 {
            let again = Export::of([(&book(), &notes(turn))], WEB).render(format);
            assert_eq!(again.expect("a file"), once, "{format:?} {turn}");
        }
    }
}

#[test]
fn files_end_as_their_form_is_called() {
    let endings = [Format::Markdown, Format::Json, CSV].map(Format::extension);
    assert_eq!(endings, ["md", "json", "csv"]);
}
