//! How well words fit a station or a city.

use super::stations::{Candidate, Matched, PlaceKind, Station, Telecode};

/// How many similar names are suggested.
const SUGGESTIONS: usize = 10;
/// The share of equal characters from which a suggestion helps: one of two.
const LIKE: f64 = 0.5;

/// Letters from which a part of a pinyin says something: three are in every tenth name.
const LONG_ENOUGH: usize = 4;

/// A person's words, brought to the spelling of the catalogue.
pub(super) struct Words {
    /// Without white space, full-width letters made half-width.
    pub(super) text: String,
    /// The text without a trailing 站 or 市.
    stem: Option<String>,
    /// The text as pinyin or initials, when it is Latin.
    pub(super) latin: Option<String>,
}

impl Words {
    pub(super) fn of(query: &str) -> Self {
        let narrow = |c: char| match c {
            '！'..='～' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
            _ => c,
        };
        let text: String = query
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(narrow)
            .collect();
        let stem = text.strip_suffix(['站', '市']).filter(|s| !s.is_empty());
        let latin = text.replace(['\'', '’'], "").to_ascii_lowercase();
        Self {
            stem: stem.map(str::to_owned),
            latin: (!latin.is_empty() && latin.is_ascii()).then_some(latin),
            text,
        }
    }

    fn either(&self, holds: impl Fn(&str) -> bool) -> bool {
        holds(&self.text) || self.stem.as_deref().is_some_and(holds)
    }

    fn rank(&self, spot: &Spot<'_>) -> Option<Rank> {
        let code = |text: &str| Telecode::parse(text) == Some(spot.telecode);
        let station = spot.kind == PlaceKind::Station;
        if station && code(&self.text) {
            return Some(Rank::Telecode);
        }
        if spot.second_code {
            return None;
        }
        if self.either(|text| text == spot.name) {
            return Some(if station { Rank::Name } else { Rank::City });
        }
        if self.either(|text| text == spot.city) {
            return Some(Rank::InCity);
        }
        if let (Some(latin), Some(spelled)) = (&self.latin, spot.spelled) {
            if spelled.pinyin == *latin || spelled.aliases.contains(latin) {
                return Some(Rank::Pinyin);
            }
            if station && spelled.initials == *latin {
                return Some(Rank::Initials);
            }
            if station && code(&latin.to_ascii_uppercase()) {
                return Some(Rank::SmallTelecode);
            }
            if spelled.pinyin.starts_with(latin) {
                return Some(Rank::PinyinPrefix);
            }
            if latin.len() >= LONG_ENOUGH && spelled.pinyin.contains(latin) {
                return Some(Rank::PinyinPart);
            }
        }
        if self.either(|text| spot.name.starts_with(text)) {
            return Some(Rank::NamePrefix);
        }
        self.either(|text| spot.name.contains(text))
            .then_some(Rank::NamePart)
    }

    fn likeness(&self, spot: &Spot<'_>) -> f64 {
        let names = std::iter::once(&self.text).chain(&self.stem);
        let names = names.map(|text| strsim::normalized_levenshtein(spot.name, text));
        let pinyin = self.latin.iter().zip(spot.spelled);
        let pinyin = pinyin.map(|(latin, s)| strsim::normalized_levenshtein(&s.pinyin, latin));
        names.chain(pinyin).fold(0.0, f64::max)
    }
}

/// How good a match is, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Telecode,
    City,
    Name,
    InCity,
    Pinyin,
    Initials,
    SmallTelecode,
    NamePrefix,
    PinyinPrefix,
    PinyinPart,
    NamePart,
}

impl Rank {
    fn matched(self) -> Matched {
        match self {
            Self::Telecode | Self::SmallTelecode => Matched::Telecode,
            Self::City | Self::InCity => Matched::City,
            Self::Name => Matched::Name,
            Self::Pinyin => Matched::Pinyin,
            Self::Initials => Matched::Initials,
            Self::NamePrefix | Self::NamePart => Matched::NameContains,
            Self::PinyinPrefix => Matched::PinyinPrefix,
            Self::PinyinPart => Matched::PinyinContains,
        }
    }
}

/// A station or city of the catalogue.
pub(super) struct Spot<'a> {
    pub(super) kind: PlaceKind,
    pub(super) name: &'a str,
    pub(super) city: &'a str,
    pub(super) telecode: Telecode,
    /// The station with its name, which has the pinyin.
    pub(super) spelled: Option<&'a Station>,
    /// Found by its telecode only, since another record stands for the station.
    pub(super) second_code: bool,
}

impl Spot<'_> {
    pub(super) fn candidate(&self, matched: Matched) -> Candidate {
        Candidate {
            kind: self.kind,
            name: self.name.to_owned(),
            telecode: self.telecode,
            city: self.city.to_owned(),
            pinyin: self.spelled.map(|station| station.pinyin.clone()),
            initials: self.spelled.map(|station| station.initials.clone()),
            matched,
        }
    }
}

/// The spots that fit, best first; when none does, those with the most similar names.
pub(super) fn candidates<'a>(
    words: &Words,
    spots: impl Iterator<Item = Spot<'a>>,
) -> Vec<Candidate> {
    if words.text.is_empty() {
        return Vec::new();
    }
    let spots: Vec<Spot<'_>> = spots.collect();
    let mut fitting: Vec<(Rank, &Spot<'_>)> = spots
        .iter()
        .filter_map(|spot| Some((words.rank(spot)?, spot)))
        .collect();
    if fitting.is_empty() {
        return similar(words, &spots);
    }
    fitting.sort_by_key(|(rank, spot)| (*rank, spot.kind));
    let named = |(rank, spot): (Rank, &Spot<'_>)| spot.candidate(rank.matched());
    fitting.into_iter().map(named).collect()
}

fn similar(words: &Words, spots: &[Spot<'_>]) -> Vec<Candidate> {
    let mut similar: Vec<(f64, &Spot<'_>)> = spots
        .iter()
        .filter(|spot| !spot.second_code)
        .map(|spot| (words.likeness(spot), spot))
        .filter(|(likeness, _)| *likeness >= LIKE)
        .collect();
    similar.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    similar.truncate(SUGGESTIONS);
    let named = |(_, spot): (f64, &Spot<'_>)| spot.candidate(Matched::Similar);
    similar.into_iter().map(named).collect()
}
