//! Whatever the service lists, in whatever order.

use proptest::{collection::vec, option, prelude::*};

use super::*;
use crate::domain::notes::Article;

fn place() -> impl Strategy<Value = (Option<ChapterUid>, Option<String>)> {
    let chapter = option::of((-1..5_i64).prop_map(ChapterUid));
    (chapter, option::weighted(0.2, "[AB]"))
}

fn at() -> impl Strategy<Value = Range> {
    prop_oneof!["", "[0-9]", "[0-9]{1,2}-[0-9]{1,2}", "x"].prop_map(|text| range(&text))
}

fn when() -> impl Strategy<Value = Option<Moment>> {
    option::of((0..4_i64).prop_map(moment))
}

prop_compose! {
    fn any_highlight()(
        id in "[a-h]{0,2}", place in place(), range in at(), text in "[xy]?", style in option::of(0..3_i64),
        color in option::of(0..3_i64), created in when(), chapter_title in option::of("[ 甲乙]"),
    ) -> Highlight {
        let (chapter_uid, article_id) = place;
        Highlight { id, chapter_uid, chapter_title, range, text, style, color, created, article_id, cleaned: false }
    }
}

prop_compose! {
    fn any_thought()(
        id in "[a-h]{0,2}", place in place(), range in at(), content in "[xy]?", created in when(),
        subject in prop::sample::select(vec![Subject::Passage, Subject::Chapter, Subject::Book, Subject::Article]),
        chapter_idx in option::of(0..4_i64), chapter_title in option::of("[ 甲乙]"), quote in option::of("[xy]"),
    ) -> Thought {
        let (chapter_uid, article_id) = place;
        Thought {
            subject, chapter_uid, chapter_idx, chapter_title, range, content, quote, created, article_id,
            ..thought(&id, 0, "")
        }
    }
}

prop_compose! {
    fn any_chapter()(uid in 0..5_i64, idx in option::of(0..4_i64), title in "[ 甲乙]", level in 0..4_u8) -> Chapter {
        Chapter { idx, ..chapter(uid, 0, &title, level) }
    }
}

prop_compose! {
    fn any_article()(id in "[ABC]", title in "[ 甲乙]", created in when()) -> Article {
        Article { id, title, created }
    }
}

prop_compose! {
    fn any_filter()(style in option::weighted(0.3, 0..3_i64), color in option::weighted(0.3, 0..3_i64),
        chapter in option::weighted(0.3, (0..3_i64).prop_map(ChapterUid))) -> NoteFilter {
        NoteFilter { style, color, chapter }
    }
}

type Given = (Vec<Chapter>, Highlights, Vec<Thought>);

prop_compose! {
    fn given()(
        contents in vec(any_chapter(), 0..6), items in vec(any_highlight(), 0..30), positions in 0..3_usize,
        removed in 0..3_usize,
        chapters in vec(any_chapter(), 0..4), articles in vec(any_article(), 0..4),
        notes in vec(any_thought(), 0..30),
    ) -> Given {
        (contents, Highlights { items, positions, removed, chapters, articles, ..Highlights::default() }, notes)
    }
}

fn shuffled() -> impl Strategy<Value = (Given, Given)> {
    given().prop_flat_map(|(contents, marks, notes)| {
        let other = (
            Just(contents.clone()).prop_shuffle(),
            Just(marks.items.clone()).prop_shuffle(),
            Just(marks.chapters.clone()).prop_shuffle(),
            Just(marks.articles.clone()).prop_shuffle(),
            Just(notes.clone()).prop_shuffle(),
        );
        let (positions, removed) = (marks.positions, marks.removed);
        let other = other.prop_map(move |(contents, items, chapters, articles, notes)| {
            let marks = Highlights {
                items,
                positions,
                removed,
                chapters,
                articles,
                ..Highlights::default()
            };
            (contents, marks, notes)
        });
        (Just((contents, marks, notes)), other)
    })
}

/// How often each note is there, by its whole value.
fn count<T: Ord>(notes: impl IntoIterator<Item = T>) -> std::collections::BTreeMap<T, usize> {
    notes
        .into_iter()
        .fold(Default::default(), |mut counts, note| {
            *counts.entry(note).or_default() += 1;
            counts
        })
}

fn left_out(notes: &BookNotes, kind: Kind) -> usize {
    notes
        .skipped
        .iter()
        .filter(|it| it.kind == kind)
        .map(|it| it.count)
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn every_note_comes_out_once_or_is_counted((contents, marks, written) in given(), filter in any_filter()) {
        let (listed, thought) = (count(marks.items.clone()), count(written.clone()));
        let total = marks.items.len() + written.len() + marks.positions + marks.removed;
        let notes = BookNotes::of(&contents, marks, thoughts(written), &filter);

        let highlights = count(notes.highlights().map(|(_, it)| it.highlight.clone()));
        let own = count(notes.notes().map(|(_, it)| it.thought.clone()));
        prop_assert!(highlights.iter().all(|(it, times)| listed.get(it).is_some_and(|given| times <= given)));
        prop_assert!(own.iter().all(|(it, times)| thought.get(it).is_some_and(|given| times <= given)));
        let ids = count(highlights.keys().map(|it| &it.id).filter(|id| !id.is_empty()));
        prop_assert!(ids.values().all(|times| *times == 1));

        let counts = notes.counts;
        prop_assert_eq!(counts.highlights.returned, highlights.values().sum::<usize>());
        prop_assert_eq!(counts.notes.returned, own.values().sum::<usize>());
        prop_assert_eq!(counts.highlights.total - counts.highlights.returned, left_out(&notes, Kind::Highlight));
        prop_assert_eq!(counts.notes.total - counts.notes.returned, left_out(&notes, Kind::Note));
        prop_assert_eq!(counts.bookmarks, left_out(&notes, Kind::Bookmark));
        prop_assert_eq!(counts.total(), total);
    }

    #[test]
    fn without_a_filter_only_a_repeated_id_is_left_out((contents, marks, written) in given()) {
        let ids = |ids: Vec<String>| {
            let nameless = ids.iter().filter(|id| id.is_empty()).count();
            count(ids.into_iter().filter(|id| !id.is_empty())).len() + nameless
        };
        let expected = (
            ids(marks.items.iter().map(|it| it.id.clone()).collect()),
            ids(written.iter().map(|it| it.id.clone()).collect()),
        );
        let notes = all(&contents, marks, written);
        prop_assert_eq!((notes.counts.highlights.returned, notes.counts.notes.returned), expected);
    }

    #[test]
    fn passages_have_every_note_of_their_chapter_once((contents, marks, written) in given(), filter in any_filter()) {
        let notes = BookNotes::of(&contents, marks, thoughts(written), &filter);
        for chapter in &notes.chapters {
            let passages = chapter.passages();
            let marked = passages.iter().filter_map(|it| it.highlight).map(std::ptr::from_ref);
            prop_assert_eq!(count(marked), count(chapter.highlights.iter().map(std::ptr::from_ref)));
            let written = passages.iter().flat_map(|it| &it.notes).map(|it| std::ptr::from_ref(*it));
            prop_assert_eq!(count(written), count(chapter.notes.iter().map(std::ptr::from_ref)));
            let starts: Vec<_> = chapter.highlights.iter().map(|it| it.highlight.range.start).collect();
            prop_assert!(starts.is_sorted_by_key(|start| (start.is_none(), *start)));
        }
    }

    #[test]
    fn the_order_of_what_is_given_makes_no_difference((one, other) in shuffled(), filter in any_filter()) {
        let of = |(contents, marks, written): Given| {
            BookNotes::of(&contents, marks, thoughts(written), &filter)
        };
        prop_assert_eq!(of(one), of(other));
    }
}
