//! Settings: flag, then environment, then default; the one place that reads the environment.

mod shown;

use std::{
    collections::BTreeMap, ffi::OsString, fmt, ops::RangeInclusive, str::FromStr, time::Duration,
};

use secrecy::SecretString;

use self::shown::Shown;
pub use self::shown::{Refusal, Setting};

/// The variable that names one folder for all servers.
pub(crate) const SHARED_FOLDER: &str = "ERRANDS_DATA_DIR";

/// What is said of a value that is no text.
const NO_TEXT: &str = "不是有效的 UTF-8 文本";

/// The variables of one server. Reading one declares it, so the list of settings cannot go stale
/// and whatever else carries the server's prefix is a slip of the user's.
pub struct Settings {
    prefix: &'static str,
    given: BTreeMap<String, String>,
    read: Vec<Setting>,
    /// Variables that are no text, and what can be shown of them.
    unreadable: BTreeMap<String, String>,
}

/// By hand: values may be secrets.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("prefix", &self.prefix)
            .field("given", &self.given.keys())
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// The settings of this process for a server whose variables begin with `prefix` and `_`.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the module that reads the environment"
    )]
    pub fn of_process(prefix: &'static str) -> Self {
        let mut settings = Self::new(prefix, []);
        for (name, value) in std::env::vars_os() {
            // No variable of ours has a name that is no text.
            if let Ok(name) = name.into_string() {
                settings.give(name, value);
            }
        }
        settings
    }

    /// Settings from any source. An empty value counts as unset.
    pub fn new(prefix: &'static str, given: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut settings = Self {
            prefix,
            given: BTreeMap::new(),
            read: Vec::new(),
            unreadable: BTreeMap::new(),
        };
        for (name, value) in given {
            settings.give(name, value.into());
        }
        settings
    }

    fn give(&mut self, name: String, value: OsString) {
        match value.into_string() {
            Ok(value) if value.trim().is_empty() => {}
            Ok(value) => drop(self.given.insert(name, value)),
            Err(value) => {
                let lossy = value.to_string_lossy().into_owned();
                self.unreadable.insert(name, lossy);
            }
        }
    }

    fn is_ours(&self, name: &str) -> bool {
        name.strip_prefix(self.prefix)
            .is_some_and(|rest| rest.starts_with('_'))
    }

    /// Fails when a variable of ours, or one that was read, was set to what is no text.
    pub(crate) fn readable(&self) -> Result<(), Refusal> {
        let was_read = |name: &str| self.read.iter().any(|setting| setting.variable == name);
        // Other programs' variables need not be text.
        let mut ours = self.unreadable.iter();
        match ours.find(|(name, _)| self.is_ours(name) || was_read(name)) {
            Some((name, value)) => Err(Refusal::new(name, value, NO_TEXT)),
            None => Ok(()),
        }
    }

    /// What this server's variables begin with, without the underscore.
    pub fn prefix(&self) -> &'static str {
        self.prefix
    }

    /// Sets a variable as a flag does, over the environment. Fails when the value is no text.
    pub fn flag(
        &mut self,
        variable: &str,
        value: Option<impl Into<OsString>>,
    ) -> Result<(), Refusal> {
        let Some(value) = value else { return Ok(()) };
        let value = value
            .into()
            .into_string()
            .map_err(|value| Refusal::new(variable, &value.to_string_lossy(), NO_TEXT))?;
        self.given.insert(variable.to_owned(), value);
        Ok(())
    }

    /// A text, or `None` when it is not set.
    pub fn text(&mut self, variable: &str, about: &'static str) -> Option<String> {
        self.look_up(variable, about, "", Shown::ByName)
    }

    /// A secret, or `None` when it is not set. Only that it is set is ever shown.
    pub fn secret(&mut self, variable: &str, about: &'static str) -> Option<SecretString> {
        self.look_up(variable, about, "", Shown::Never)
            .map(SecretString::from)
    }

    /// One of `choices`, the first being the default.
    pub fn choice<'a>(
        &mut self,
        variable: &str,
        choices: &[&'a str],
        about: &'static str,
    ) -> Result<&'a str, Refusal> {
        let default = choices.first().copied().unwrap_or_default();
        let Some(value) = self.look_up(variable, about, default, Shown::Always) else {
            return Ok(default);
        };
        let chosen = choices.iter().find(|choice| **choice == value);
        let named = || choices.iter().filter(|choice| !choice.is_empty());
        chosen.copied().ok_or_else(|| {
            Refusal::new(
                variable,
                &value,
                format!("可选 {}", named().copied().collect::<Vec<_>>().join("、")),
            )
        })
    }

    /// A switch: `1`, `true`, `yes`, `on`, or `0`, `false`, `no`, `off`.
    pub fn switch(
        &mut self,
        variable: &str,
        default: bool,
        about: &'static str,
    ) -> Result<bool, Refusal> {
        let Some(value) = self.look_up(
            variable,
            about,
            if default { "1" } else { "0" },
            Shown::Always,
        ) else {
            return Ok(default);
        };
        match value.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Ok(true),
            "0" | "false" | "no" | "off" => Ok(false),
            _ => Err(Refusal::new(variable, &value, "应为 1 或 0")),
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
        let Some(value) = self.look_up(variable, about, &default.to_string(), Shown::Always) else {
            return Ok(default);
        };
        let number = value
            .trim()
            .parse()
            .ok()
            .filter(|number| range.contains(number));
        number.ok_or_else(|| {
            Refusal::new(
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

    /// The base address of an upstream.
    pub fn address<T: FromStr>(
        &mut self,
        variable: &str,
        default: &str,
        about: &'static str,
    ) -> Result<T, Refusal> {
        let wanted = "https 地址（本机回环可用 http），不带用户名、? 和 #";
        self.parsed(variable, default, about, wanted)
    }

    /// Whatever reads itself from text; `wanted` says in
    /// Chinese what that must be.
    pub fn parsed<T: FromStr>(
        &mut self,
        variable: &str,
        default: &str,
        about: &'static str,
        wanted: &str,
    ) -> Result<T, Refusal> {
        let value = self
            .look_up(variable, about, default, Shown::ByName)
            .unwrap_or_else(|| default.to_owned());
        value
            .trim()
            .parse()
            .map_err(|_| Refusal::new(variable, &value, format!("应为 {wanted}，例如 {default}")))
    }

    /// All settings that were read, in that order.
    pub fn all(&self) -> &[Setting] {
        &self.read
    }

    /// Variables with this server's prefix that nothing read, each with the nearest known name.
    pub fn unknown(&self) -> Vec<(&str, Option<&str>)> {
        let known = || self.read.iter().map(|setting| setting.variable.as_str());
        let ours = self.given.keys().filter(|name| self.is_ours(name));
        ours.filter(|name| known().all(|known| known != name.as_str()))
            .map(|name| (name.as_str(), crate::nearest(name, known())))
            .collect()
    }

    fn look_up(
        &mut self,
        variable: &str,
        about: &'static str,
        default: &str,
        show: Shown,
    ) -> Option<String> {
        let set = self.given.get(variable).cloned();
        self.read.push(Setting {
            variable: variable.to_owned(),
            about,
            default: default.to_owned(),
            set: set.as_deref().map(|value| show.of(variable, value)),
        });
        set
    }
}

#[cfg(test)]
mod tests;
