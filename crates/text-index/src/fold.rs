//! The one form in which texts and queries are compared, and the way back to the original.

use std::ops::Range;

use unicode_normalization::{
    IsNormalized, UnicodeNormalization,
    char::{canonical_combining_class, decompose_compatible},
    is_nfc_quick,
};

/// A folded text that knows where each piece of it came from.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    /// The folded text.
    pub(crate) text: String,
    /// For each byte of it, the bytes of the original that it was made of.
    origins: Vec<Range<usize>>,
}

impl Folded {
    pub(crate) fn of(original: &str) -> Self {
        let mut folded = Self::default();
        let mut segment = String::new();
        let mut range = 0..0;
        for (at, c) in original.char_indices().filter(|(_, c)| !is_hidden(*c)) {
            if begins_segment(c) {
                folded.push(&segment, &range);
                segment.clear();
            }
            if segment.is_empty() {
                range.start = at;
            }
            segment.push(c);
            range.end = at + c.len_utf8();
        }
        folded.push(&segment, &range);
        folded
    }

    /// Folds a piece that no character outside it has an influence on.
    fn push(&mut self, segment: &str, range: &Range<usize>) {
        let mut chars = segment.chars();
        if let (Some(c), None) = (chars.next(), chars.next())
            && is_plain(c)
        {
            return self.keep(c.to_ascii_lowercase(), range);
        }
        // Lower case may compose where upper case does not: `J̌` and `ǰ`.
        for c in segment.nfkc().flat_map(char::to_lowercase).nfc() {
            self.keep(c, range);
        }
    }

    fn keep(&mut self, c: char, range: &Range<usize>) {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c != ' ' || !self.text.ends_with(' ') {
            self.text.push(c);
            self.origins.resize(self.text.len(), range.clone());
        }
    }

    /// The bytes of the original that a piece of the folded text was made of; they begin and end with
    /// whole characters.
    pub(crate) fn origin(&self, piece: &Range<usize>) -> Option<Range<usize>> {
        let first = self.origins.get(piece.start)?;
        let last = self.origins.get(piece.end.checked_sub(1)?)?;
        Some(first.start..last.end)
    }
}

/// Whether `c` neither joins nor moves past what stands before it, so that the text up to it can be
/// folded alone.
fn begins_segment(c: char) -> bool {
    if is_plain(c) {
        return true;
    }
    let mut first = None;
    decompose_compatible(c, |part| first = first.or(Some(part)));
    let first = first.unwrap_or(c);
    canonical_combining_class(first) == 0
        && is_nfc_quick(std::iter::once(first)) != IsNormalized::Maybe
}

/// The many that need no look into a table.
fn is_plain(c: char) -> bool {
    c.is_ascii() || matches!(c, '\u{4e00}'..='\u{9fff}')
}

/// Whether nobody sees that `c` is there: controls but white space, and what Unicode lets programs
/// ignore. Some keyboards and pages put such characters between others.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character, taken apart, whole and before a mark: piece by piece it folds as all at once.
    #[test]
    fn the_segments_are_those_that_fold_alone() {
        for c in ('\0'..='\u{323af}').chain('\u{e0000}'..='\u{e01ff}') {
            let apart: String = std::iter::once(c).nfkd().collect();
            let text = format!("e{apart}{c}\u{301}");
            let seen = text.chars().filter(|c| !is_hidden(*c));
            let whole: String = seen.nfkc().flat_map(char::to_lowercase).nfc().collect();
            let words: Vec<_> = whole.split(char::is_whitespace).collect();
            let folded = Folded::of(&text);
            let spaced = folded.text.split(' ').filter(|word| !word.is_empty());
            assert!(
                spaced.eq(words.into_iter().filter(|word| !word.is_empty())),
                "{c:?}"
            );
            assert!(!folded.text.contains(is_hidden), "{c:?}");
            let all = 0..folded.text.len();
            assert_eq!(
                folded.origin(&all),
                Some(0..text.trim_end_matches(is_hidden).len())
            );
        }
    }
}
