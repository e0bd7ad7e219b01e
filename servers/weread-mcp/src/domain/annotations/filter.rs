//! Which notes are wanted.

use super::{ChapterNotes, Kind, Reason, skipped::Left};
use crate::domain::{ids::ChapterUid, notes::Highlight};

/// Which notes are wanted.
///
/// `style` and `color` choose among highlights only: a thought has neither, so
/// it always stays and keeps its passage. `chapter` chooses among both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoteFilter {
    /// This style. A highlight whose style is not told does not match.
    pub style: Option<i64>,
    /// This colour; 0 also matches where none is told, since the service leaves the default out.
    pub color: Option<i64>,
    /// This chapter.
    pub chapter: Option<ChapterUid>,
}

impl NoteFilter {
    /// Takes out what is not wanted, and counts it.
    pub(super) fn apply(&self, chapter: &mut ChapterNotes, left: &mut Left) {
        if self.chapter.is_some() && self.chapter != chapter.place.chapter() {
            left.add(
                Kind::Highlight,
                Reason::OtherChapter,
                chapter.highlights.len(),
            );
            left.add(Kind::Note, Reason::OtherChapter, chapter.notes.len());
            chapter.highlights.clear();
            chapter.notes.clear();
        }
        chapter.highlights.retain(|marked| {
            let against = self.against(&marked.highlight);
            against
                .inspect(|reason| left.add(Kind::Highlight, *reason, 1))
                .is_none()
        });
    }

    /// What speaks against a highlight, whatever its chapter.
    fn against(&self, highlight: &Highlight) -> Option<Reason> {
        if self.style.is_some() && self.style != highlight.style {
            return Some(Reason::OtherStyle);
        }
        let color = highlight.color.unwrap_or_default();
        (self.color.is_some_and(|wanted| wanted != color)).then_some(Reason::OtherColor)
    }
}
