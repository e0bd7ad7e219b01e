//! Every station and city of the bundled catalogue, and odd words, resolved.

use std::collections::BTreeMap;

use super::*;
use crate::domain::stations::{Candidate, Matched, Place, PlaceKind, Unresolved};

fn bundled() -> Catalogue {
    super::bundled().expect("the shipped catalogue")
}

/// The stations of each city, in catalogue order, as a plain reading of the catalogue.
fn cities(catalogue: &Catalogue) -> BTreeMap<&str, Vec<&Station>> {
    let mut cities: BTreeMap<&str, Vec<&Station>> = BTreeMap::new();
    for station in catalogue.stations() {
        cities.entry(&station.city).or_default().push(station);
    }
    cities
}

fn codes(place: &Place) -> Vec<&str> {
    place.telecodes.iter().map(Telecode::as_str).collect()
}

#[test]
fn the_bundled_script_says_what_the_recorded_one_says() {
    let recorded = include_str!("../../../../../fixtures/data/rail/stations_20260930.js");
    let shipped = bundled();
    let recorded = catalogue(recorded, Source::Bundled, shipped.as_of).expect("recorded");
    assert!(recorded.stations().eq(shipped.stations()));
    assert_eq!(shipped.stations().len(), 3405);
}

#[test]
fn the_bundled_script_is_read_whole() {
    let catalogue = bundled();
    // 3,404 official records and WEI.
    assert_eq!(catalogue.stations().len(), 3405);
    assert_eq!(catalogue.duplicates, 0);
    assert_eq!(catalogue.source, Source::Bundled);
    assert_eq!(catalogue.as_of.to_string(), "2026-09-30T00:00:00+08:00");
    let cities = cities(&catalogue);
    assert_eq!(cities.len(), 432);
    for (city, stations) in [
        ("北京", 65),
        ("广州", 45),
        ("呼伦贝尔", 37),
        ("成都", 37),
        ("香港", 1),
    ] {
        assert_eq!(cities[city].len(), stations, "{city}");
    }
    let hong_kong = cities["香港"][0];
    let expected = Station {
        telecode: Telecode::parse("XJA").expect("a telecode"),
        name: "香港西九龙".to_owned(),
        pinyin: "hkwestkowloon".to_owned(),
        initials: "xgxjl".to_owned(),
        city: "香港".to_owned(),
        aliases: vec!["xianggangxijiulong".to_owned(), "hongkong".to_owned()],
    };
    assert_eq!(*hong_kong, expected);
    assert_eq!(catalogue.name_of(&expected.telecode), Some("香港西九龙"));
    assert_eq!(catalogue.city_of(&expected.telecode), Some("香港"));
    assert_eq!(catalogue.telecode_of("香港西九龙"), Some(expected.telecode));
}

#[test]
fn every_station_is_found_by_telecode_and_by_name() {
    let catalogue = bundled();
    for station in catalogue.stations() {
        let code = station.telecode.as_str();
        let named = format!("{}站", station.name);
        let own = match code {
            "ICW" => vec!["ICW", "WEI"],
            code => vec![code],
        };
        for query in [code, &named] {
            let place = catalogue.resolve(query).expect(query);
            // 成都东站 is the official ICW, with WEI as its second code.
            let expected = if code == "WEI" && query == named {
                vec!["ICW", "WEI"]
            } else {
                own.clone()
            };
            assert_eq!(codes(&place), expected, "{query}");
            assert_eq!(place.ask().as_str(), expected[0], "{query}");
            assert_eq!(place.kind, PlaceKind::Station, "{query}");
            assert_eq!((&place.name, place.query.as_str()), (&station.name, query));
            // Three capitals are a code; whoever has them as initials is told.
            let told = |other: &Candidate| {
                query == code
                    && other.matched == Matched::Initials
                    && other.initials.as_deref() == Some(code.to_ascii_lowercase().as_str())
                    && other.telecode != station.telecode
            };
            assert!(place.also.iter().all(told), "{query}: {:?}", place.also);
        }
    }
}

/// Stations with the name of another city: station, telecode, the city it is in.
const NAMES_OF_OTHER_CITIES: [(&str, &str, &str); 15] = [
    ("当阳", "DYN", "宜昌"),
    ("建德", "JDU", "杭州"),
    ("青铜峡", "QTJ", "吴忠"),
    ("邵东", "FIQ", "邵阳"),
    ("石柱县", "OSW", "石柱"),
    ("温岭", "VHH", "台州"),
    ("玉门", "YXJ", "酒泉"),
    ("汉川", "HCN", "孝感"),
    ("京山", "JCN", "荆门"),
    ("蒲城", "PCY", "渭南"),
    ("任丘", "RQP", "沧州"),
    ("上杭", "SNS", "龙岩"),
    ("深州", "OZP", "衡水"),
    ("兴安", "XAZ", "桂林"),
    ("钟祥", "ZTN", "荆门"),
];

#[test]
fn every_city_is_found_by_its_name() {
    let catalogue = bundled();
    let mut without_namesake = 0;
    for (city, stations) in cities(&catalogue) {
        let place = catalogue.resolve(city).expect(city);
        assert_eq!(place.name, city);
        if NAMES_OF_OTHER_CITIES.iter().any(|(name, ..)| *name == city) {
            continue;
        }
        let namesake = stations.iter().find(|station| station.name == city);
        without_namesake += usize::from(namesake.is_none());
        let asked = namesake.unwrap_or(&stations[0]);
        assert_eq!(place.kind, PlaceKind::City, "{city}");
        assert_eq!(*place.ask(), asked.telecode, "{city}");
        let mut expected = vec![asked.telecode];
        expected.extend(
            stations
                .iter()
                .map(|s| s.telecode)
                .filter(|t| *t != asked.telecode),
        );
        assert_eq!(place.telecodes, expected, "{city}");
        assert!(stations.iter().all(|s| place.holds(&s.telecode)), "{city}");
    }
    assert_eq!(without_namesake, 38);
}

#[test]
fn a_station_with_another_citys_name_is_the_station_first() {
    let catalogue = bundled();
    for (name, code, city) in NAMES_OF_OTHER_CITIES {
        let place = catalogue.resolve(name).expect(name);
        assert_eq!(
            (place.kind, codes(&place)),
            (PlaceKind::Station, vec![code]),
            "{name}"
        );
        assert_eq!(catalogue.city_of(place.ask()), Some(city));
        let also: Vec<_> = place
            .also
            .iter()
            .map(|c| (c.kind, c.name.as_str()))
            .collect();
        assert_eq!(also, [(PlaceKind::City, name)], "{name}");
    }
}

/// What words are taken for, in short: kind, name, the code asked with, and what else they may mean.
fn taken_for(catalogue: &Catalogue, query: &str) -> String {
    let short = |kind: PlaceKind, name: &str, code: &Telecode| match kind {
        PlaceKind::City => format!("city {name} {code}"),
        PlaceKind::Station => format!("station {name} {code}"),
    };
    let listed = |candidates: &[Candidate]| {
        let listed = candidates
            .iter()
            .map(|c| short(c.kind, &c.name, &c.telecode));
        listed.collect::<Vec<_>>().join(", ")
    };
    match catalogue.resolve(query) {
        Ok(place) if place.also.is_empty() => short(place.kind, &place.name, place.ask()),
        Ok(place) => {
            let taken = short(place.kind, &place.name, place.ask());
            format!("{taken}; also {}", listed(&place.also))
        }
        Err(Unresolved::Ambiguous(candidates)) => format!("ambiguous: {}", listed(&candidates)),
        Err(Unresolved::NotFound(candidates)) => format!("not found: {}", listed(&candidates)),
    }
}

#[test]
fn odd_words_are_taken_for_what_they_mean() {
    let catalogue = bundled();
    for (query, expected) in [
        ("北京", "city 北京 BJP"),
        ("北京市", "city 北京 BJP"),
        ("北京站", "station 北京 BJP"),
        (" 北 京\u{3000}站\n", "station 北京 BJP"),
        ("BJP", "station 北京 BJP; also station 白鸡坡 BBM"),
        ("ＢＪＰ", "station 北京 BJP; also station 白鸡坡 BBM"),
        ("VNP", "station 北京南 VNP"),
        ("beijing", "station 北京 BJP; also city 北京 BJP"),
        ("Bei Jing", "station 北京 BJP; also city 北京 BJP"),
        ("Xi'an", "station 西安 XAY; also city 西安 XAY"),
        ("ｘｉ’ａｎ", "station 西安 XAY; also city 西安 XAY"),
        ("beijingnan", "station 北京南 VNP"),
        // In small letters the initials of 白鸡坡 are as good as the code of 北京.
        ("bjp", "ambiguous: station 白鸡坡 BBM, station 北京 BJP"),
        ("vnp", "station 北京南 VNP"),
        ("成都东", "station 成都东 ICW"),
        ("成  都东", "station 成都东 ICW"),
        ("chengdudong", "station 成都东 ICW"),
        ("WEI", "station 成都东 WEI"),
        ("当阳", "station 当阳 DYN; also city 当阳 DXN"),
        ("当阳站", "station 当阳 DYN"),
        ("当阳市", "city 当阳 DXN; also station 当阳 DYN"),
        ("dangyang", "station 当阳 DYN; also city 当阳 DXN"),
        ("白山", "city 白山 HJL"),
        ("白山市", "station 白山市 HJL; also city 白山 HJL"),
        ("白山市站", "station 白山市 HJL"),
        ("南平市", "station 南平市 NOS; also city 南平 NOS"),
        ("东兴市", "station 东兴市 RIZ"),
        ("呼伦贝尔", "city 呼伦贝尔 AHX"),
        ("呼伦贝尔市", "city 呼伦贝尔 AHX"),
        ("沙河市", "station 沙河市 VOP"),
        // 虹桥 is no city: the word is a station's name without 市.
        ("上海虹桥市", "station 上海虹桥 AOH"),
        ("香港", "city 香港 XJA"),
        ("Hong Kong", "station 香港西九龙 XJA"),
        (
            "Luang Prabang",
            "station 琅勃拉邦 VJM; also city 琅勃拉邦 VJM",
        ),
        ("宋", "station 宋 SOB"),
        ("石柱县", "station 石柱县 OSW; also city 石柱县 SZE"),
        ("石柱", "city 石柱 OSW"),
        ("阿坝藏族羌族自治州", "city 阿坝藏族羌族自治州 HIE"),
        (
            "taizhou",
            "ambiguous: city 台州 TEU, city 泰州 UTH, station 台州 TEU, station 泰州 UTH",
        ),
        (
            "bj",
            "ambiguous: station 北京 BJP, station 毕节 BOE, station 宝鸡 BJY, \
             station 白涧 BAP, station 北滘 IBQ, station 碧江 BLQ",
        ),
        ("上海虹桥火车站", "not found: station 上海虹桥 AOH"),
        ("", "not found: "),
        ("   ", "not found: "),
        ("'", "not found: "),
        ("|", "not found: "),
    ] {
        let taken = taken_for(&catalogue, query);
        let cut = match expected.strip_prefix("not found: ") {
            Some(first) if !first.is_empty() => taken.get(..expected.len()).unwrap_or(&taken),
            _ => taken.as_str(),
        };
        assert_eq!(cut, expected, "{query:?}");
    }
}

#[test]
fn the_station_of_a_city_without_one_is_not_invented() {
    let Err(Unresolved::NotFound(candidates)) = bundled().resolve("呼伦贝尔站") else {
        panic!("呼伦贝尔 has no station of its name");
    };
    assert_eq!(candidates.len(), 10);
    let city = Candidate {
        kind: PlaceKind::City,
        name: "呼伦贝尔".to_owned(),
        telecode: Telecode::parse("AHX").expect("a telecode"),
        city: "呼伦贝尔".to_owned(),
        pinyin: None,
        initials: None,
        matched: Matched::City,
    };
    assert_eq!(candidates[0], city);
    assert!(
        candidates
            .iter()
            .all(|c| c.city == "呼伦贝尔" && c.matched == Matched::City)
    );
}

#[test]
fn many_stations_with_the_same_initials_are_ten_candidates() {
    let catalogue = bundled();
    let Err(Unresolved::Ambiguous(candidates)) = catalogue.resolve("SY") else {
        panic!("23 stations have these initials");
    };
    let names: Vec<&str> = candidates.iter().map(|c| c.name.as_str()).collect();
    let first = [
        "沈阳", "水源", "邵阳", "三亚", "十堰", "双阳", "顺义", "松原", "山阳", "寿阳",
    ];
    assert_eq!(names, first);
    let found = catalogue.search("sy");
    assert_eq!(
        found
            .iter()
            .filter(|c| c.matched == Matched::Initials)
            .count(),
        23
    );
}

#[test]
fn a_search_ranks_exact_before_prefix_before_part_before_similar() {
    let catalogue = bundled();
    let check = |query: &str, expected: &[(&str, &str, Matched)]| {
        let found = catalogue.search(query);
        let found: Vec<_> = found
            .iter()
            .take(expected.len())
            .map(|c| (c.name.as_str(), c.telecode.as_str(), c.matched))
            .collect();
        assert_eq!(found, expected, "{query}");
    };
    use Matched::{City, Initials, Name, NameContains, Pinyin, PinyinPrefix, Similar};
    check(
        "当阳",
        &[
            ("当阳", "DXN", City),
            ("当阳", "DYN", Name),
            ("当阳西", "DXN", City),
        ],
    );
    check("虹桥", &[("上海虹桥", "AOH", NameContains)]);
    check("上海虹", &[("上海虹桥", "AOH", NameContains)]);
    check("WEI", &[("成都东", "WEI", Matched::Telecode)]);
    check("成都东", &[("成都东", "ICW", Name)]);
    check(
        "shanghai",
        &[
            ("上海", "SHH", Pinyin),
            ("上海", "SHH", Pinyin),
            ("上海南", "SNH", PinyinPrefix),
        ],
    );
    check("bjn", &[("北京南", "VNP", Initials)]);
    check("上海红桥", &[("上海虹桥", "AOH", Similar)]);
    check("shanghaihongqao", &[("上海虹桥", "AOH", Similar)]);
    assert_eq!(catalogue.search(""), []);
    assert_eq!(
        catalogue
            .search("成都东")
            .iter()
            .filter(|c| c.name == "成都东")
            .count(),
        1
    );
    let by_city = catalogue.search("北京");
    assert_eq!(by_city.iter().filter(|c| c.matched == City).count(), 65);
    // Names that only contain the word come after all of the city.
    let outside = by_city.iter().position(|c| c.city != "北京");
    assert!(outside.is_none_or(|position| position >= 66), "{outside:?}");
}

#[test]
fn damaged_scripts_are_refused_where_they_are_damaged() {
    let check = |script: &str, expected: &str| {
        let as_of = Moment::at(date(2026, 11, 30).at(0, 0, 0, 0));
        let error = catalogue(script, Source::Downloaded, as_of).map(|c| c.stations().len());
        assert_eq!(
            error.map_err(|drift| drift.field),
            Err(expected.to_owned()),
            "{script}"
        );
    };
    let good = "bjb|北京北|VAP|beijingbei|bjb|0|0357|北京|||";
    check("<html></html>", "station_names");
    check("var station_names ='';", "station_names");
    check("var station_names ='x';", "station_names");
    check("var station_names ='@';", "station_names[0].1");
    check(
        &format!("var station_names ='@{good}@bji|北京|BJP';"),
        "station_names[1].3",
    );
    check(
        &format!("var station_names ='@{good}@|北京|bjp|b|b|2|0|北京|||';"),
        "station_names[1].telecode",
    );
    check(
        "var station_names ='@bji||BJP|b|b|2|0357|北京|||';",
        "station_names[0].name",
    );
    check(
        "var station_names ='@bji|北京|BJP|b|b|2|0357||||';",
        "station_names[0].city",
    );
}

#[test]
fn the_first_of_two_records_with_one_telecode_stays() {
    let script = "var station_names ='@bjb|北京北|VAP|beijingbei|bjb|0|0357|北京\
                  @bjx|北京西|VAP|beijingxi|bjx|1|0357|北京|||\
                  @cdx|成都东二|WEI|chengdudonger|cdde|2|1707|成都|||';";
    let as_of = Moment::at(date(2026, 11, 30).at(0, 0, 0, 0));
    let catalogue = catalogue(script, Source::Downloaded, as_of).expect("a catalogue");
    let names: Vec<&str> = catalogue.stations().map(|s| s.name.as_str()).collect();
    // The official WEI stands too; the supplement gives way.
    assert_eq!(names, ["北京北", "成都东二"]);
    assert_eq!(catalogue.duplicates, 2);
}
