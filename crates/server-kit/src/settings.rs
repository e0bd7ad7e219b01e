//! Settings: flag, then environment, then default; the one place that reads the environment.

use std::{collections::BTreeMap, fmt::Display, ops::RangeInclusive, str::FromStr, time::Duration};

use serde::Serialize;

/// A setting that stops the start, with the variable and what it must be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable}={value:?} 无效：{why}")]
pub struct Refusal {
    /// The variable.
    pub variable: String,
    /// What it was set to.
    pub value: String,
    /// What it must be.
    pub why: String,
}

/// One setting as the server read it, for `doctor` and the docs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The variable.
    pub variable: String,
    /// What it does, with its unit.
    pub about: &'static str,
    /// What holds when it is not set.
    pub default: String,
    /// What it was set to, if it was.
    pub set: Option<String>,
}

/// The variables of one server. Reading one declares it, so the list of settings cannot go stale
/// and whatever else carries the server's prefix is a slip of the user's.
#[derive(Debug)]
pub struct Settings {
    prefix: &'static str,
    given: BTreeMap<String, String>,
    read: Vec<Setting>,
}

impl Settings {
    /// The settings of this process for a server whose variables begin with `prefix` and `_`.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the module that reads the environment"
    )]
    pub fn of_process(prefix: &'static str) -> Self {
        Self::new(
            prefix,
            std::env::vars_os().filter_map(|(name, value)| {
                Some((name.into_string().ok()?, value.into_string().ok()?))
            }),
        )
    }

    /// Settings from any source. An empty value counts as unset.
    pub fn new(prefix: &'static str, given: impl IntoIterator<Item = (String, String)>) -> Self {
        let given = given
            .into_iter()
            .filter(|(_, value)| !value.trim().is_empty());
        Self {
            prefix,
            given: given.collect(),
            read: Vec::new(),
        }
    }

    /// What this server's variables begin with, without the underscore.
    pub fn prefix(&self) -> &'static str {
        self.prefix
    }

    /// Sets a variable as a flag does, over the environment.
    pub fn flag(&mut self, variable: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.given.insert(variable.to_owned(), value.to_string());
        }
    }

    /// A text, or `None` when it is not set.
    pub fn text(&mut self, variable: &str, about: &'static str) -> Option<String> {
        self.look_up(variable, about, "")
    }

    /// One of `choices`, the first being the default.
    pub fn choice<'a>(
        &mut self,
        variable: &str,
        choices: &[&'a str],
        about: &'static str,
    ) -> Result<&'a str, Refusal> {
        let default = choices.first().copied().unwrap_or_default();
        let Some(value) = self.look_up(variable, about, default) else {
            return Ok(default);
        };
        let chosen = choices.iter().find(|choice| **choice == value);
        chosen
            .copied()
            .ok_or_else(|| refuse(variable, &value, format!("可选 {}", choices.join("、"))))
    }

    /// A switch: `1`, `true`, `yes`, `on`, or `0`, `false`, `no`, `off`.
    pub fn switch(
        &mut self,
        variable: &str,
        default: bool,
        about: &'static str,
    ) -> Result<bool, Refusal> {
        let Some(value) = self.look_up(variable, about, if default { "1" } else { "0" }) else {
            return Ok(default);
        };
        match value.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Ok(true),
            "0" | "false" | "no" | "off" => Ok(false),
            _ => Err(refuse(variable, &value, "应为 1 或 0")),
        }
    }

    /// A whole number in `range`.
    pub fn number(
        &mut self,
        variable: &str,
        default: u64,
        range: RangeInclusive<u64>,
        about: &'static str,
    ) -> Result<u64, Refusal> {
        let Some(value) = self.look_up(variable, about, &default.to_string()) else {
            return Ok(default);
        };
        let number = value
            .trim()
            .parse()
            .ok()
            .filter(|number| range.contains(number));
        number.ok_or_else(|| {
            refuse(
                variable,
                &value,
                format!("应为 {} 至 {} 的整数", range.start(), range.end()),
            )
        })
    }

    /// A duration given in whole milliseconds, at most ten minutes.
    pub fn millis(
        &mut self,
        variable: &str,
        default: u64,
        about: &'static str,
    ) -> Result<Duration, Refusal> {
        self.number(variable, default, 0..=600_000, about)
            .map(Duration::from_millis)
    }

    /// Whatever reads itself from text and says why not, such as the base address of an upstream.
    pub fn parsed<T: FromStr>(
        &mut self,
        variable: &str,
        default: &str,
        about: &'static str,
    ) -> Result<T, Refusal>
    where
        T::Err: Display,
    {
        let value = self
            .look_up(variable, about, default)
            .unwrap_or_else(|| default.to_owned());
        value
            .trim()
            .parse()
            .map_err(|why: T::Err| refuse(variable, &value, why.to_string()))
    }

    /// All settings that were read, in that order.
    pub fn all(&self) -> &[Setting] {
        &self.read
    }

    /// Variables with this server's prefix that nothing read, each with the nearest known name.
    pub fn unknown(&self) -> Vec<(&str, Option<&str>)> {
        let known = || self.read.iter().map(|setting| setting.variable.as_str());
        let ours = self.given.keys().filter(|name| {
            name.strip_prefix(self.prefix)
                .is_some_and(|rest| rest.starts_with('_'))
        });
        ours.filter(|name| known().all(|known| known != name.as_str()))
            .map(|name| (name.as_str(), crate::nearest(name, known())))
            .collect()
    }

    fn look_up(&mut self, variable: &str, about: &'static str, default: &str) -> Option<String> {
        let set = self.given.get(variable).cloned();
        self.read.push(Setting {
            variable: variable.to_owned(),
            about,
            default: default.to_owned(),
            set: set.clone(),
        });
        set
    }
}

fn refuse(variable: &str, value: &str, why: impl Into<String>) -> Refusal {
    Refusal {
        variable: variable.to_owned(),
        value: value.to_owned(),
        why: why.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(given: &[(&str, &str)]) -> Settings {
        Settings::new(
            "RAIL",
            given
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        )
    }

    #[test]
    fn values_are_checked_and_empty_is_unset() {
        let mut given = settings(&[
            ("RAIL_N", "7"),
            ("RAIL_BAD", "7s"),
            ("RAIL_EMPTY", " "),
            ("RAIL_ON", "yes"),
        ]);
        assert_eq!(given.number("RAIL_N", 1, 0..=9, ""), Ok(7));
        assert_eq!(given.number("RAIL_EMPTY", 1, 0..=9, ""), Ok(1));
        assert_eq!(given.switch("RAIL_ON", false, ""), Ok(true));
        assert_eq!(
            given
                .millis("RAIL_BAD", 1, "")
                .map_err(|refusal| refusal.to_string()),
            Err("RAIL_BAD=\"7s\" 无效：应为 0 至 600000 的整数".to_owned())
        );
        assert_eq!(
            given
                .parsed::<std::net::Ipv4Addr>("RAIL_N", "127.0.0.1", "")
                .map_err(|refusal| refusal.why),
            Err("invalid IPv4 address syntax".to_owned())
        );
        assert_eq!(
            given
                .choice("RAIL_N", &["a", "b"], "")
                .map_err(|refusal| refusal.why),
            Err("可选 a、b".to_owned())
        );
    }

    #[test]
    fn an_unknown_variable_is_named_with_its_neighbour() {
        let mut given = settings(&[
            ("RAIL_MIN_INTERVAL", "1"),
            ("RAILWAY", "x"),
            ("RAIL_MIN_INTERVAL_MS", "5"),
        ]);
        assert_eq!(
            given.millis("RAIL_MIN_INTERVAL_MS", 1_000, ""),
            Ok(Duration::from_millis(5))
        );
        assert_eq!(
            given.unknown(),
            [("RAIL_MIN_INTERVAL", Some("RAIL_MIN_INTERVAL_MS"))]
        );
    }
}
