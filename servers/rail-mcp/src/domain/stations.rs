//! Stations, and the places that a person's words name.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::told;

/// A station's code in the ticket system: three capital ASCII letters, such as `BJP`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Telecode([u8; 3]);

impl Telecode {
    /// That code, when `text` is exactly three capital ASCII letters.
    pub fn parse(text: &str) -> Option<Self> {
        let letters: [u8; 3] = text.as_bytes().try_into().ok()?;
        letters
            .iter()
            .all(u8::is_ascii_uppercase)
            .then_some(Self(letters))
    }

    /// The three letters.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for Telecode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Telecode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Telecode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl JsonSchema for Telecode {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Telecode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// One record of the official catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Station {
    /// Unique in a catalogue.
    pub telecode: Telecode,
    /// Without a trailing 站 and without white space.
    pub name: String,
    /// Lower case, no spaces or tones; shared by some stations.
    pub pinyin: String,
    /// First letters of the syllables, lower case; shared by many stations.
    pub initials: String,
    /// The city it belongs to, which is not always the city in its name.
    pub city: String,
    /// Other spellings in Latin letters, written like `pinyin`: `hongkong`, `luangprabang`.
    pub aliases: Vec<String>,
}

/// Whether words were taken for a whole city or for one station.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = told(&[]))]
pub enum PlaceKind {
    /// Every station of the city counts.
    City,
    /// Only this station counts.
    Station,
}

/// What somebody's words were taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[("also", "也可能是指")]))]
pub struct Place {
    /// The words, as they came.
    pub query: String,
    /// City or station.
    pub kind: PlaceKind,
    /// The city's or the station's name.
    pub name: String,
    /// Never empty. A city's stations, the asked one first and the others in catalogue order; a
    /// station's code, and a second code if it has one.
    pub telecodes: Vec<Telecode>,
    /// Other places the words may mean. Rare, so its schema is short.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default, with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    pub also: Vec<Candidate>,
    #[serde(skip)]
    asked: Telecode,
}

impl Place {
    /// A place asked upstream by `asked`, with `others` belonging to it too.
    pub(super) fn new(
        query: &str,
        kind: PlaceKind,
        name: &str,
        asked: Telecode,
        others: impl Iterator<Item = Telecode>,
    ) -> Self {
        let others = others.filter(|telecode| *telecode != asked);
        Self {
            query: query.to_owned(),
            kind,
            name: name.to_owned(),
            telecodes: std::iter::once(asked).chain(others).collect(),
            also: Vec::new(),
            asked,
        }
    }

    /// The same place with other readings of the words.
    pub(super) fn with_also(self, also: impl IntoIterator<Item = Candidate>) -> Self {
        Self {
            also: also.into_iter().collect(),
            ..self
        }
    }

    /// The code to ask the ticket system with: the city's namesake station, else its first in the
    /// catalogue; the station itself.
    pub fn ask(&self) -> &Telecode {
        &self.asked
    }

    /// Whether a train at `telecode` is at this place.
    pub fn holds(&self, telecode: &Telecode) -> bool {
        self.telecodes.contains(telecode)
    }
}

/// Why a candidate is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = told(&[]))]
pub enum Matched {
    /// Its telecode.
    Telecode,
    /// Its exact name.
    Name,
    /// The exact name of the city it is or lies in.
    City,
    /// Its exact pinyin or other Latin spelling.
    Pinyin,
    /// Its exact initials.
    Initials,
    /// A part of its name.
    NameContains,
    /// The beginning of its pinyin.
    PinyinPrefix,
    /// A part of its pinyin.
    PinyinContains,
    /// A similar spelling.
    Similar,
}

/// A station or city that words may mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = told(&[("telecode", "城市则为其代表站")]))]
pub struct Candidate {
    /// City or station.
    pub kind: PlaceKind,
    /// The city's or the station's name.
    pub name: String,
    /// The station's code; for a city, that of the station it is asked by.
    pub telecode: Telecode,
    /// The city it is or lies in.
    pub city: String,
    /// Null for a city that no station has its name from.
    pub pinyin: Option<String>,
    /// Null for a city that no station has its name from.
    pub initials: Option<String>,
    /// What the words agree with.
    pub matched: Matched,
}

impl Candidate {
    /// What tells candidates of one search apart.
    pub fn key(&self) -> (PlaceKind, String) {
        (self.kind, self.name.clone())
    }
}

/// Why words name no single place. Each holds up to ten candidates, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unresolved {
    /// Several stations share that pinyin or those initials.
    Ambiguous(Vec<Candidate>),
    /// Nothing is called so; the candidates only resemble it.
    NotFound(Vec<Candidate>),
}

#[cfg(test)]
mod tests {
    use schemars::schema_for;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_may_be_left_out_is_not_required() {
        let telecode = Telecode::parse("BJP").expect("a telecode");
        let place = Place::new(
            "北京站",
            PlaceKind::Station,
            "北京",
            telecode,
            [].into_iter(),
        );
        let expected = json!({
            "query": "北京站", "kind": "station", "name": "北京", "telecodes": ["BJP"],
        });
        assert_eq!(serde_json::to_value(&place).expect("json"), expected);
        let required = json!(["query", "kind", "name", "telecodes"]);
        assert_eq!(schema_for!(Place).get("required"), Some(&required));
    }

    #[test]
    fn a_telecode_is_three_capital_letters() {
        assert_eq!(
            Telecode::parse("BJP")
                .map(|code| code.to_string())
                .as_deref(),
            Some("BJP")
        );
        for text in ["", "BJ", "BJPX", "bjp", "BJ1", "BJ ", "北"] {
            assert_eq!(Telecode::parse(text), None, "{text:?}");
        }
    }
}
