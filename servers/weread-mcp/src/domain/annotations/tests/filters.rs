//! What a filter takes out is counted, with a reason.

use super::*;

fn counted(filter: NoteFilter) -> (Vec<String>, Counts, Vec<Skipped>) {
    let colored = |id: &str, chapter, style, color| Highlight {
        style,
        color,
        ..highlight(id, chapter, "1-2")
    };
    let mut marks = highlights(vec![
        colored("wavy", 1, Some(2), None),
        colored("red", 1, Some(0), Some(1)),
        colored("untold", 2, None, Some(0)),
        colored("both", 2, Some(2), Some(1)),
    ]);
    marks.positions = 3;
    marks.items[1].range = range("5-6");
    let contents = [chapter(1, 1, "一", 1), chapter(2, 2, "二", 1)];
    let notes = vec![thought("on red", 1, "5-6"), thought("page", 2, "")];
    let notes = BookNotes::of(&contents, marks, thoughts(notes), &filter);
    assert_eq!(notes.newest, Some(moment(2)));
    (shown(&notes), notes.counts, notes.skipped)
}

fn counts(highlights: usize, notes: usize) -> Counts {
    Counts {
        highlights: Tally {
            total: 4,
            returned: highlights,
        },
        notes: Tally {
            total: 2,
            returned: notes,
        },
        bookmarks: 3,
    }
}

fn skipped(kind: Kind, reason: Reason, count: usize) -> Skipped {
    Skipped {
        kind,
        reason,
        count,
    }
}

#[test]
fn style_and_color_choose_highlights_and_chapter_chooses_both() {
    let bookmarks = || skipped(Kind::Bookmark, Reason::NoText, 3);
    let none = NoteFilter::default();
    for (filter, groups, kept, left) in [
        (
            none,
            vec!["一 1: wavy[] red[on red]", "二 1: both[] untold[] -[page]"],
            counts(4, 2),
            vec![bookmarks()],
        ),
        (
            NoteFilter {
                style: Some(2),
                ..none
            },
            vec!["一 1: wavy[] -[on red]", "二 1: both[] -[page]"],
            counts(2, 2),
            vec![skipped(Kind::Highlight, Reason::OtherStyle, 2), bookmarks()],
        ),
        (
            NoteFilter {
                color: Some(0),
                ..none
            },
            vec!["一 1: wavy[] -[on red]", "二 1: untold[] -[page]"],
            counts(2, 2),
            vec![skipped(Kind::Highlight, Reason::OtherColor, 2), bookmarks()],
        ),
        (
            NoteFilter {
                style: Some(2),
                color: Some(1),
                chapter: Some(ChapterUid(2)),
            },
            vec!["二 1: both[] -[page]"],
            counts(1, 1),
            vec![
                skipped(Kind::Highlight, Reason::OtherChapter, 2),
                skipped(Kind::Highlight, Reason::OtherStyle, 1),
                skipped(Kind::Note, Reason::OtherChapter, 1),
                bookmarks(),
            ],
        ),
        (
            NoteFilter {
                chapter: Some(ChapterUid(3)),
                ..none
            },
            vec![],
            counts(0, 0),
            vec![
                skipped(Kind::Highlight, Reason::OtherChapter, 4),
                skipped(Kind::Note, Reason::OtherChapter, 2),
                bookmarks(),
            ],
        ),
    ] {
        let groups: Vec<_> = groups.into_iter().map(str::to_owned).collect();
        assert_eq!(counted(filter), (groups, kept, left), "{filter:?}");
    }
}

#[test]
fn a_thought_on_a_filtered_highlight_keeps_its_passage() {
    let filter = NoteFilter {
        style: Some(1),
        ..NoteFilter::default()
    };
    let marks = highlights(vec![highlight("left out", 1, "5-6")]);
    let notes = BookNotes::of(
        &[],
        marks,
        thoughts(vec![thought("note", 1, "5-6")]),
        &filter,
    );
    let (_, note) = notes.notes().next().expect("the thought");
    assert_eq!(
        (note.highlight_id.as_deref(), note.passage.as_deref()),
        (Some("left out"), Some("text of left out"))
    );
}

#[test]
fn an_id_that_is_listed_again_is_here_once_in_its_newest_form() {
    let mut moved = highlight("a", 2, "8-9");
    moved.created = Some(moment(7));
    let mut changed = thought("n", 2, "");
    changed.created = Some(moment(8));
    let notes = all(
        &[],
        highlights(vec![
            highlight("a", 1, "1-2"),
            moved,
            highlight("a", 1, "1-2"),
        ]),
        vec![changed, thought("n", 1, "")],
    );
    assert_eq!(shown(&notes), ["未知章节? 1: a[] -[n]"]);
    assert_eq!(notes.chapters[0].place, Place::Chapter(ChapterUid(2)));
    assert_eq!(
        notes.skipped,
        [
            skipped(Kind::Highlight, Reason::Duplicate, 2),
            skipped(Kind::Note, Reason::Duplicate, 1),
        ]
    );
    assert_eq!((notes.counts.total(), notes.counts.returned()), (5, 2));
}
