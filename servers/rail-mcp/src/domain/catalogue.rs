//! The catalogue of stations, and how words are resolved in it.

use std::{collections::HashMap, sync::Arc};

use server_kit::time::Moment;

use super::{
    search::{self, Spot, Words},
    stations::{Candidate, Matched, Place, PlaceKind, Station, Telecode, Unresolved},
};

/// How many candidates an unresolved name gets.
const CANDIDATES: usize = 10;
/// How many other readings a resolved name gets: they are a remark, not the answer.
const ALSO: usize = 3;

/// Where a catalogue came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Shipped with the program.
    Bundled,
    /// Read from the official site.
    Downloaded,
}

/// All stations of one moment, indexed.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// Where it came from.
    pub source: Source,
    /// When it was read from the official site.
    pub as_of: Moment,
    /// How many records were left out because an earlier one has their telecode.
    pub duplicates: usize,
    stations: Vec<Arc<Station>>,
    by_telecode: HashMap<Telecode, Arc<Station>>,
    by_name: HashMap<String, Arc<Station>>,
    by_spelling: HashMap<String, Vec<Arc<Station>>>,
    by_initials: HashMap<String, Vec<Arc<Station>>>,
    cities: HashMap<String, Vec<Arc<Station>>>,
}

impl Catalogue {
    /// The catalogue of these stations, in this order.
    ///
    /// Of two records with one telecode the first stays. A later record with a name that is already
    /// there is a second code of that station.
    pub fn new(stations: impl IntoIterator<Item = Station>, source: Source, as_of: Moment) -> Self {
        let mut catalogue = Self {
            source,
            as_of,
            duplicates: 0,
            stations: Vec::new(),
            by_telecode: HashMap::new(),
            by_name: HashMap::new(),
            by_spelling: HashMap::new(),
            by_initials: HashMap::new(),
            cities: HashMap::new(),
        };
        for station in stations {
            catalogue.add(Arc::new(station));
        }
        catalogue
    }

    fn add(&mut self, station: Arc<Station>) {
        if self.by_telecode.contains_key(&station.telecode) {
            self.duplicates += 1;
            return;
        }
        self.by_telecode
            .insert(station.telecode, Arc::clone(&station));
        self.cities
            .entry(station.city.clone())
            .or_default()
            .push(Arc::clone(&station));
        if !self.by_name.contains_key(&station.name) {
            self.by_name
                .insert(station.name.clone(), Arc::clone(&station));
            for spelling in std::iter::once(&station.pinyin).chain(&station.aliases) {
                self.by_spelling
                    .entry(spelling.clone())
                    .or_default()
                    .push(Arc::clone(&station));
            }
            self.by_initials
                .entry(station.initials.clone())
                .or_default()
                .push(Arc::clone(&station));
        }
        self.stations.push(station);
    }

    /// Every telecode's record, in catalogue order.
    pub fn stations(&self) -> impl ExactSizeIterator<Item = &Station> {
        self.stations.iter().map(Arc::as_ref)
    }

    /// The name of the station with that code.
    pub fn name_of(&self, telecode: &Telecode) -> Option<&str> {
        self.by_telecode.get(telecode).map(|s| s.name.as_str())
    }

    /// The city of the station with that code.
    pub fn city_of(&self, telecode: &Telecode) -> Option<&str> {
        self.by_telecode.get(telecode).map(|s| s.city.as_str())
    }

    /// The code of the station with exactly that name; its first code if it has two.
    pub fn telecode_of(&self, name: &str) -> Option<Telecode> {
        self.by_name.get(name).map(|s| s.telecode)
    }

    /// The one place that `query` names.
    ///
    /// In this order: telecode, exact name, name without a trailing 站 (then only a station) or 市
    /// (then rather a city), pinyin, initials, telecode in small letters. White space, full-width
    /// letters and apostrophes in pinyin do not matter.
    pub fn resolve(&self, query: &str) -> Result<Place, Unresolved> {
        let words = Words::of(query);
        if let Some(station) = Telecode::parse(&words.text).and_then(|t| self.by_telecode.get(&t)) {
            // In capitals a code, but three letters may also be somebody's initials.
            let also = self
                .initialled(&words)
                .filter(|other| other.telecode != station.telecode);
            let also = also
                .take(ALSO)
                .map(|other| self.station_spot(other).candidate(Matched::Initials));
            return Ok(self.station(query, station).with_also(also));
        }
        if let Some(place) = self.named(query, &words.text) {
            return Ok(place);
        }
        if let Some(stem) = words.text.strip_suffix('站') {
            return match self.by_name.get(stem) {
                Some(station) => Ok(self.station(query, station)),
                None => Err(self.not_found(query)),
            };
        }
        if let Some(place) = words
            .text
            .strip_suffix('市')
            .and_then(|stem| self.city_first(query, stem))
        {
            return Ok(place);
        }
        match words.latin {
            Some(latin) => self.spelled(query, &latin),
            None => Err(self.not_found(query)),
        }
    }

    fn named(&self, query: &str, name: &str) -> Option<Place> {
        let Some(station) = self.by_name.get(name) else {
            return self.city(query, name);
        };
        if station.city == name {
            return self.city(query, name);
        }
        // 当阳 is a station in 宜昌 and a city of its own; 白山市 is a station in the city 白山.
        let stem = name.strip_suffix('市').filter(|stem| !stem.is_empty());
        let also = [Some(name), stem].into_iter().flatten();
        let also = also.filter_map(|name| Some(self.city_spot(name)?.candidate(Matched::City)));
        Some(self.station(query, station).with_also(also))
    }

    fn city_first(&self, query: &str, name: &str) -> Option<Place> {
        let station = self.by_name.get(name);
        match (self.city(query, name), station) {
            (Some(city), Some(station)) if station.city != name => {
                Some(city.with_also([self.station_spot(station).candidate(Matched::Name)]))
            }
            (Some(city), _) => Some(city),
            (None, station) => station.map(|station| self.station(query, station)),
        }
    }

    fn initialled(&self, words: &Words) -> impl Iterator<Item = &Arc<Station>> {
        let latin = words.latin.as_deref().unwrap_or_default();
        self.by_initials.get(latin).into_iter().flatten()
    }

    fn spelled(&self, query: &str, latin: &str) -> Result<Place, Unresolved> {
        let code = Telecode::parse(&latin.to_ascii_uppercase());
        let coded = code.and_then(|telecode| self.by_telecode.get(&telecode));
        let spellings = [
            (&self.by_spelling, Matched::Pinyin),
            (&self.by_initials, Matched::Initials),
        ];
        for (index, matched) in spellings {
            match index.get(latin).map(Vec::as_slice) {
                None | Some([]) => {}
                // In small letters neither initials nor a code is meant more than the other.
                Some([station])
                    if matched == Matched::Pinyin
                        || coded.is_none_or(|coded| coded.telecode == station.telecode) =>
                {
                    let city = self.city_spot(&station.name);
                    let city = city.map(|city| city.candidate(matched));
                    return Ok(self.station(query, station).with_also(city));
                }
                Some(_) => {
                    let mut candidates = self.search(query);
                    candidates.retain(|candidate| {
                        candidate.matched == matched || candidate.matched == Matched::Telecode
                    });
                    candidates.truncate(CANDIDATES);
                    return Err(Unresolved::Ambiguous(candidates));
                }
            }
        }
        coded
            .map(|station| self.station(query, station))
            .ok_or_else(|| self.not_found(query))
    }

    fn not_found(&self, query: &str) -> Unresolved {
        let mut candidates = self.search(query);
        candidates.truncate(CANDIDATES);
        Unresolved::NotFound(candidates)
    }

    fn station(&self, query: &str, station: &Arc<Station>) -> Place {
        // Who names a second code means that code; who names the station means all its codes.
        let whole = self.is_first_of_its_name(station);
        let same_city = self.cities.get(&station.city).into_iter().flatten();
        let others = same_city.filter(|other| whole && other.name == station.name);
        Place::new(
            query,
            PlaceKind::Station,
            &station.name,
            station.telecode,
            others.map(|other| other.telecode),
        )
    }

    fn city(&self, query: &str, name: &str) -> Option<Place> {
        let members = self.cities.get(name)?;
        Some(Place::new(
            query,
            PlaceKind::City,
            name,
            asked(name, members)?.telecode,
            members.iter().map(|station| station.telecode),
        ))
    }

    fn is_first_of_its_name(&self, station: &Arc<Station>) -> bool {
        let first = self.by_name.get(&station.name);
        first.is_some_and(|first| Arc::ptr_eq(first, station))
    }

    /// Stations and cities that `query` may mean, best first: exact matches, beginnings, parts; when
    /// there are none, up to ten similar names. Among equals cities stand first, then catalogue order.
    pub fn search(&self, query: &str) -> Vec<Candidate> {
        search::candidates(&Words::of(query), self.spots())
    }

    fn spots(&self) -> impl Iterator<Item = Spot<'_>> {
        self.stations.iter().flat_map(|station| {
            let city = self.cities.get(&station.city).and_then(|c| c.first());
            let opens_city = city.is_some_and(|first| Arc::ptr_eq(first, station));
            let city = opens_city.then(|| self.city_spot(&station.city)).flatten();
            city.into_iter().chain([self.station_spot(station)])
        })
    }

    fn city_spot<'a>(&'a self, name: &'a str) -> Option<Spot<'a>> {
        let asked = asked(name, self.cities.get(name)?)?;
        Some(Spot {
            kind: PlaceKind::City,
            name,
            city: name,
            telecode: asked.telecode,
            spelled: self.by_name.get(name).map(Arc::as_ref),
            second_code: false,
        })
    }

    fn station_spot<'a>(&self, station: &'a Arc<Station>) -> Spot<'a> {
        Spot {
            kind: PlaceKind::Station,
            name: &station.name,
            city: &station.city,
            telecode: station.telecode,
            spelled: Some(station),
            second_code: !self.is_first_of_its_name(station),
        }
    }
}

/// The station by which a city is asked: the ticket system widens any station to its city.
fn asked<'a>(city: &str, members: &'a [Arc<Station>]) -> Option<&'a Arc<Station>> {
    let namesake = members.iter().find(|station| station.name == city);
    namesake.or(members.first())
}
