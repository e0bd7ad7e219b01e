//! Cases that users of other tools have reported, one by one; and any case at all.

mod any;
mod filters;
mod places;

use super::*;
use crate::domain::notes::Range;

/// The time of day on 2026-11-30, in seconds.
fn moment(second: i64) -> Moment {
    let midnight = jiff::civil::date(2026, 11, 30).at(0, 0, 0, 0);
    Moment::at(midnight.saturating_add(jiff::SignedDuration::from_secs(second)))
}

fn range(text: &str) -> Range {
    let mut ends = text.split('-').map(|end| end.parse().ok());
    Range {
        text: text.to_owned(),
        start: ends.next().flatten(),
        end: ends.next().flatten(),
    }
}

fn highlight(id: &str, chapter: i64, at: &str) -> Highlight {
    Highlight {
        id: id.to_owned(),
        chapter_uid: Some(ChapterUid(chapter)),
        chapter_title: None,
        range: range(at),
        text: format!("text of {id}"),
        style: Some(0),
        color: Some(0),
        created: Some(moment(1)),
        article_id: None,
        cleaned: false,
    }
}

fn thought(id: &str, chapter: i64, at: &str) -> Thought {
    Thought {
        id: id.to_owned(),
        subject: if at.is_empty() {
            Subject::Chapter
        } else {
            Subject::Passage
        },
        chapter_uid: Some(ChapterUid(chapter)),
        chapter_idx: None,
        chapter_title: None,
        range: range(at),
        content: format!("content of {id}"),
        quote: Some(format!("quote of {id}")),
        star: None,
        private: None,
        images: Vec::new(),
        handwritten: false,
        created: Some(moment(2)),
        article_id: None,
        cleaned: false,
    }
}

fn chapter(uid: i64, idx: i64, title: &str, level: u8) -> Chapter {
    Chapter {
        uid: ChapterUid(uid),
        idx: Some(idx),
        title: title.to_owned(),
        level,
        word_count: None,
        paid_only: None,
        anchors: Vec::new(),
    }
}

fn highlights(items: Vec<Highlight>) -> Highlights {
    Highlights {
        items,
        ..Highlights::default()
    }
}

fn thoughts(items: Vec<Thought>) -> Thoughts {
    Thoughts {
        items,
        ..Thoughts::default()
    }
}

fn all(contents: &[Chapter], marks: Highlights, notes: Vec<Thought>) -> BookNotes {
    BookNotes::of(contents, marks, thoughts(notes), &NoteFilter::default())
}

/// One line for each group: its heading, then the ids of its passages, thoughts in brackets.
fn shown(notes: &BookNotes) -> Vec<String> {
    let group = |group: &ChapterNotes| {
        let passages = group.passages();
        let passages = passages.iter().map(|passage| {
            let highlight = passage.highlight.map_or("-", |it| &it.highlight.id);
            let ids: Vec<_> = passage
                .notes
                .iter()
                .map(|it| it.thought.id.as_str())
                .collect();
            format!("{highlight}[{}]", ids.join(" "))
        });
        let passages: Vec<_> = passages.collect();
        let known = if group.known { "" } else { "?" };
        format!(
            "{}{known} {}: {}",
            group.title,
            group.level,
            passages.join(" ")
        )
    };
    notes.chapters.iter().map(group).collect()
}

#[test]
fn chapters_stand_by_their_place_and_notes_by_the_begin_as_a_number() {
    let contents = [
        chapter(57, 3, "三", 1),
        chapter(5, 9, "九", 2),
        chapter(99, 1, "一", 0),
    ];
    let mut late = highlight("late", 57, "9-20");
    late.created = Some(moment(9));
    let notes = all(
        &contents,
        highlights(vec![
            highlight("b", 5, "1227-1255"),
            late,
            highlight("a", 5, "300-400"),
            highlight("early", 57, "9-12"),
            highlight("whole", 5, ""),
            highlight("c", 99, "7-8"),
        ]),
        vec![thought("page", 5, ""), thought("between", 5, "500-510")],
    );
    assert_eq!(
        shown(&notes),
        [
            "一 1: c[]",
            "三 1: early[] late[]",
            "九 2: a[] -[between] b[] whole[] -[page]",
        ]
    );
    assert_eq!(notes.newest, Some(moment(9)));
}

#[test]
fn thoughts_of_a_passage_stand_with_its_highlight_and_others_keep_their_quote() {
    let mut first = thought("first", 5, "10-20");
    first.created = Some(moment(1));
    let marks = highlights(vec![
        highlight("here", 5, "10-20"),
        highlight("again", 5, "10-20"),
        highlight("elsewhere", 6, "10-20"),
    ]);
    let notes = all(
        &[],
        marks,
        vec![
            thought("second", 5, "10-20"),
            thought("alone", 5, "30-40"),
            first,
            thought("too", 5, "30-40"),
            thought("hand", 5, "355"),
        ],
    );
    assert_eq!(
        shown(&notes),
        [
            "未知章节? 1: again[first second] here[] -[alone too] -[hand]",
            "未知章节? 1: elsewhere[]",
        ]
    );
    let ids: Vec<_> = notes
        .highlights()
        .map(|(_, it)| it.note_ids.join(" "))
        .collect();
    assert_eq!(ids, ["first second", "", ""]);
    let ties: Vec<_> = notes
        .notes()
        .map(|(_, it)| {
            (
                it.thought.id.as_str(),
                it.highlight_id.as_deref(),
                it.passage.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        ties,
        [
            ("first", Some("again"), Some("text of again")),
            ("second", Some("again"), Some("text of again")),
            ("alone", None, Some("quote of alone")),
            ("too", None, Some("quote of too")),
            ("hand", None, Some("quote of hand")),
        ]
    );
}

#[test]
fn a_highlight_without_text_leaves_the_quote_to_its_thoughts() {
    let mut picture = highlight("picture", 5, "10-20");
    picture.text = String::new();
    let notes = all(
        &[],
        highlights(vec![picture]),
        vec![thought("note", 5, "10-20")],
    );
    let (chapter, note) = notes.notes().next().expect("the thought");
    assert_eq!(note.passage.as_deref(), Some("quote of note"));
    let texts: Vec<_> = chapter
        .passages()
        .iter()
        .map(|it| it.text().map(str::to_owned))
        .collect();
    assert_eq!(texts, [Some("quote of note".to_owned())]);
}
