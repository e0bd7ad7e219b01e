//! Which books of a collection a keyword means.

use unicode_normalization::UnicodeNormalization as _;

use super::Owned;
use crate::domain::books::Book;

/// Where a keyword was found; what comes first tells most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Title,
    Author,
    Translator,
    Category,
}

/// A book in which a keyword was found.
pub(crate) struct Match {
    pub(crate) owned: Owned,
    /// Where; at least one.
    pub(crate) places: Vec<Place>,
}

/// A keyword, ready to be compared.
pub(crate) struct Keyword {
    text: String,
    exact: bool,
}

/// Tells a keyword that holds nothing to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blank;

impl Place {
    /// Its name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Author => "author",
            Self::Translator => "translator",
            Self::Category => "category",
        }
    }
}

impl Keyword {
    /// A keyword that must be the whole of a title, name or category (`exact`) or a part of one.
    pub(crate) fn new(text: &str, exact: bool) -> Result<Self, Blank> {
        let text = folded(text);
        if text.is_empty() {
            return Err(Blank);
        }
        Ok(Self { text, exact })
    }

    /// The books in which it is found and where; those with the whole title before those with a part of
    /// it, then authors and so on, each in the collection's order.
    pub(crate) fn search(&self, books: Vec<Owned>) -> Vec<Match> {
        let found = books.into_iter().filter_map(|owned| {
            let places = self.places(&owned.book);
            (!places.is_empty()).then_some(Match { owned, places })
        });
        let mut found: Vec<_> = found.collect();
        let whole = |book: &Book| folded(&book.title) == self.text;
        found.sort_by_key(|found| (!whole(&found.owned.book), found.places.first().copied()));
        found
    }

    fn places(&self, book: &Book) -> Vec<Place> {
        let author = book.author.as_deref().unwrap_or_default();
        let mut translators = book.translators.clone();
        translators.extend([book.translators.join(" "), book.translators.join("、")]);
        let texts: [(Place, Vec<&str>); 4] = [
            (Place::Title, vec![&book.title]),
            (Place::Author, vec![author, without_country(author)]),
            (
                Place::Translator,
                translators.iter().map(String::as_str).collect(),
            ),
            (
                Place::Category,
                book.categories.iter().map(String::as_str).collect(),
            ),
        ];
        let holds = |texts: &[&str]| texts.iter().any(|text| self.is_in(&folded(text)));
        let places = texts.iter().filter(|(_, texts)| holds(texts));
        places.map(|(place, _)| *place).collect()
    }

    fn is_in(&self, text: &str) -> bool {
        match self.exact {
            true => text == self.text,
            false => text.contains(&self.text),
        }
    }
}

/// Letters of one case and one width, single blanks between words.
fn folded(text: &str) -> String {
    let text: String = text.nfkc().flat_map(char::to_lowercase).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `[美]丹尼尔·卡尼曼` without the country.
fn without_country(author: &str) -> &str {
    let pairs = [
        ('[', ']'),
        ('［', '］'),
        ('(', ')'),
        ('（', '）'),
        ('【', '】'),
        ('〔', '〕'),
    ];
    let name = pairs.iter().find_map(|(open, close)| {
        let (_, name) = author.strip_prefix(*open)?.split_once(*close)?;
        Some(name.trim_start()).filter(|name| !name.is_empty())
    });
    name.unwrap_or(author)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_width_and_blanks_make_no_difference() {
        for (text, expected) in [
            ("Harry  POTTER", "harry potter"),
            ("　ＨＡＲＲＹ potter ", "harry potter"),
            ("思考，快与慢", "思考,快与慢"),
            ("㎞", "km"),
            (" 　", ""),
        ] {
            assert_eq!(folded(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_country_in_any_bracket_is_no_part_of_the_name() {
        for (author, expected) in [
            ("[美]丹尼尔·卡尼曼", "丹尼尔·卡尼曼"),
            ("（英） 乔治·奥威尔", "乔治·奥威尔"),
            ("【日】村上春树", "村上春树"),
            ("[美", "[美"),
            ("(佚名)", "(佚名)"),
            ("刘慈欣", "刘慈欣"),
            ("", ""),
        ] {
            assert_eq!(without_country(author), expected, "{author:?}");
        }
    }
}
