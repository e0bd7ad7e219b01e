//! The station script, as a catalogue.

use http_session::drift::Drift;
use jiff::civil::date;
use server_kit::time::Moment;

use super::{
    Client,
    wire::stations::{Record, records},
};
use crate::{
    domain::{
        catalogue::{Catalogue, Source},
        stations::{Station, Telecode},
    },
    error::Error,
};

/// The official script as the package mcp-server-12306 of 2026-09-30 carries it: 3,404 records.
/// Fields that are not read are empty, which makes each binary 46 kB smaller.
const BUNDLED: &str = include_str!("../../data/station_name.js");

/// A second code of 成都东 (ICW) in ticket answers, which tells start and end of loop trains apart.
/// The script lacks it (docs/upstreams/rail.md, stations).
const SUPPLEMENT: Record<'static> = Record {
    name: "成  都东",
    telecode: "WEI",
    pinyin: "chengdudong",
    initials: "cdd",
    city: "成都",
    aliases: "",
};

/// The catalogue that is shipped with the program. Fails only if the shipped file is damaged.
pub fn bundled() -> Result<Catalogue, Drift> {
    let as_of = Moment::at(date(2026, 9, 30).at(0, 0, 0, 0));
    catalogue(BUNDLED, Source::Bundled, as_of)
}

/// The catalogue in a station script.
///
/// Whether it holds enough stations to be trusted is the caller's to judge. Fails with `Drift` when
/// the quoted text is not there or a record has no name, telecode or city.
/// `index/script/core/common/station_name_new_v….js`, read from a package of 2026-09-30
/// (docs/upstreams/rail.md, stations).
pub fn catalogue(script: &str, source: Source, as_of: Moment) -> Result<Catalogue, Drift> {
    let records = records(script).ok_or_else(|| Drift::new("station_names", "缺失或开头不同"))?;
    let mut stations = Vec::with_capacity(4096);
    for (number, record) in records.enumerate() {
        let drift = |field: &str| {
            let field = format!("station_names[{number}].{field}");
            Drift::new(field, "缺失或格式不同")
        };
        let record = record.map_err(|fields| drift(&fields.to_string()))?;
        stations.push(station(&record).map_err(drift)?);
    }
    // Last, so that an official record with this code stands.
    stations.extend(station(&SUPPLEMENT));
    Ok(Catalogue::new(stations, source, as_of))
}

/// The station of a record, or the name of the field that is wrong.
fn station(record: &Record<'_>) -> Result<Station, &'static str> {
    let name = without_spaces(record.name);
    let city = without_spaces(record.city);
    let telecode = Telecode::parse(record.telecode).ok_or("telecode")?;
    match (name.as_str(), city.as_str()) {
        ("", _) => Err("name"),
        (_, "") => Err("city"),
        _ => Ok(Station {
            telecode,
            name,
            pinyin: record.pinyin.to_owned(),
            initials: record.initials.to_owned(),
            city,
            aliases: record
                .aliases
                .split('#')
                .map(|alias| without_spaces(alias).to_ascii_lowercase())
                .filter(|alias| !alias.is_empty())
                .collect(),
        }),
    }
}

/// Names are compared without white space: answers write `成  都东`.
pub(super) fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

impl Client {
    /// The station script of today and the catalogue in it.
    ///
    /// `GET index/` names the script with its version, `GET index/script/core/common/…` is the script
    /// (docs/upstreams/rail.md, stations).
    pub(crate) async fn catalogue(&self, read_at: Moment) -> Result<(String, Catalogue), Error> {
        let (path, script) = self.script().await?;
        let catalogue = catalogue(&script, Source::Downloaded, read_at);
        let catalogue = catalogue.map_err(|drift| Error::rejected(&path, drift.into()))?;
        Ok((script, catalogue))
    }

    /// Path and text of the station script.
    pub(crate) async fn script(&self) -> Result<(String, String), Error> {
        let page = self.site.get("index/").follow(2).send().await?;
        let path = script_path(&page.text()).ok_or_else(|| Error::Changed {
            path: "/index/".to_owned(),
            field: "station_name_new".to_owned(),
            why: "页面没有引用车站目录".to_owned(),
        })?;
        let script = self
            .site
            .get(&path)
            .follow(2)
            .send()
            .await?
            .text()
            .into_owned();
        Ok((path, script))
    }
}

/// The path of the versioned station script that a page refers to.
fn script_path(page: &str) -> Option<String> {
    const NAME: &str = "script/core/common/station_name_new_v";
    let (_, rest) = page.split_once(NAME)?;
    let (version, _) = rest.split_once(".js")?;
    let plain = (1..=8).contains(&version.len()) && version.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| format!("index/{NAME}{version}.js"))
}

#[cfg(test)]
mod tests;
