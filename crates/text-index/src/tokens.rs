//! Tokens: what the index holds of a folded text, and what it is asked for.

use std::{collections::BTreeSet, iter};

/// How much of a word is its token, in characters: what is encoded in letters must not fill the index.
/// Words that differ later share a token, and the check of the text tells them apart.
const LONGEST: usize = 64;

/// How long a beginning of a word, in characters, is a token too. The index puts the rows of all words
/// that begin alike together anew for each search, and of those there are too many.
const SHORT: usize = 2;

/// Whether `c` is searched for by itself: a character of a script that is written without spaces.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}' // hangul
        | '\u{2e80}'..='\u{2fd5}' // radicals
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}' // 々〆〇
        | '\u{3038}'..='\u{303c}'
        | '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' // kana
        | '\u{3105}'..='\u{318e}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Han
        | '\u{16fe0}'..='\u{16fff}' | '\u{1aff0}'..='\u{1b16f}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Whether `c` is part of a word.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !is_cjk(c)
}

/// The tokens of a text: every word and its short beginnings, every Chinese character and every two
/// neighbours.
pub(crate) fn of_text(folded: &str) -> BTreeSet<String> {
    let mut tokens = BTreeSet::new();
    for run in runs(folded) {
        match run {
            Run::Word(word) => {
                tokens.extend((1..=SHORT).filter_map(|length| Some(marked(first(word, length)?))));
                tokens.extend(first(word, LONGEST).map(str::to_owned));
            }
            Run::Cjk(run) => {
                tokens.extend(pieces(run, 1).chain(pieces(run, 2)).map(str::to_owned));
            }
        }
    }
    tokens
}

/// A token that is in every text in which a part of a query matches.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Needle<'a> {
    Whole(&'a str),
    /// A word begins so.
    Beginning(&'a str),
}

impl<'a> Needle<'a> {
    /// What it says of the text.
    pub(crate) fn text(&self) -> &'a str {
        match self {
            Self::Whole(text) | Self::Beginning(text) => text,
        }
    }

    /// In the language of the index, in which letters, digits and `_` need no escape.
    pub(crate) fn clause(&self) -> String {
        match self {
            Self::Whole(token) => format!("\"{token}\""),
            Self::Beginning(word) if word.chars().count() <= SHORT => {
                format!("\"{}\"", marked(word))
            }
            Self::Beginning(word) => format!("\"{word}\"*"),
        }
    }
}

/// What to look for to find a part; nothing when it has neither words nor Chinese.
pub(crate) fn of_part(folded: &str) -> Vec<Needle<'_>> {
    let may_go_on = folded.ends_with(is_word);
    let mut runs = runs(folded).peekable();
    let mut needles = Vec::new();
    while let Some(run) = runs.next() {
        match run {
            Run::Word(word) => {
                let is_last = may_go_on && runs.peek().is_none();
                let needle = if is_last {
                    Needle::Beginning
                } else {
                    Needle::Whole
                };
                needles.extend(first(word, LONGEST).map(needle));
            }
            // The pairs say all that the characters say.
            Run::Cjk(run) => needles.extend(pieces(run, 2).map(Needle::Whole)),
        }
    }
    needles
}

enum Run<'a> {
    Word(&'a str),
    Cjk(&'a str),
}

/// The words and the runs of Chinese, in order.
fn runs(folded: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = folded;
    iter::from_fn(move || {
        let start = rest.find(|c| is_word(c) || is_cjk(c))?;
        let (_, found) = rest.split_at(start);
        let is_chinese = found.starts_with(is_cjk);
        let is_of_run = if is_chinese { is_cjk } else { is_word };
        let end = found.find(|c| !is_of_run(c)).unwrap_or(found.len());
        let run;
        (run, rest) = found.split_at(end);
        Some(if is_chinese {
            Run::Cjk(run)
        } else {
            Run::Word(run)
        })
    })
}

/// Every piece of `width` neighbours in `run`, which is given whole when it has fewer.
fn pieces(run: &str, width: usize) -> impl Iterator<Item = &str> {
    let ends = run.char_indices().map(|(at, c)| at + c.len_utf8());
    let starts = run.char_indices().map(|(at, _)| at);
    let before_end = run.chars().count().min(width).saturating_sub(1);
    let places = starts.zip(ends.skip(before_end));
    places.filter_map(|(start, end)| run.get(start..end))
}

/// The first `length` characters of `word`, or all.
fn first(word: &str, length: usize) -> Option<&str> {
    pieces(word, length).next()
}

/// The token of a short beginning of a word, which is no word of a text.
fn marked(beginning: &str) -> String {
    format!("{beginning}_")
}
