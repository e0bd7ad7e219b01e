//! The base address of an upstream, checked once when settings are read.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

use crate::error::Location;

/// A base address: `https`, or `http` on loopback, with an optional path prefix.
///
/// Made by `parse`, so it can be the type of a setting. Fails with [`BadOrigin`] for anything else, and for
/// an address with a user, a query or a fragment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin(Url);

/// An address that may not be spoken to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the address must be https, or http on loopback, with a host in ASCII and without user, query and fragment"
)]
pub struct BadOrigin;

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        let url = Url::parse(text).map_err(|_| BadOrigin)?;
        let bare = url.query().is_none() && url.fragment().is_none();
        if bare && may_be_asked(&url) {
            Ok(Self(url))
        } else {
            Err(BadOrigin)
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Origin {
    /// Whether an address has this scheme, host and port, and lies at or below this path. The prefix ends at
    /// a border: `/jsq-v` holds `/jsq-v/` and `/jsq-v?a=1`, and not `/jsq-v2`.
    pub fn contains(&self, url: &Url) -> bool {
        let below = url.path().strip_prefix(self.prefix());
        self.holds(url) && below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The address of a path below the base; a slash in front changes nothing.
    pub fn url(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!(
            "{}/{}",
            self.prefix(),
            path.trim_start_matches('/')
        ));
        url
    }

    /// Whether an address has this scheme, host and port.
    pub(crate) fn holds(&self, url: &Url) -> bool {
        self.0.origin() == url.origin()
    }

    /// A path as callers write it: below the prefix, without query and parameters.
    pub(crate) fn path_of(&self, url: &Url) -> String {
        let path = &plain_path(url);
        if !self.holds(url) {
            return format!("{}{path}", url.host_str().unwrap_or_default());
        }
        let below = path
            .strip_prefix(self.prefix())
            .filter(|rest| rest.starts_with('/'));
        below.unwrap_or(path).to_owned()
    }

    /// Where an address lies, seen from here.
    pub(crate) fn locate(&self, url: &Url) -> Location {
        if self.holds(url) {
            Location::Path(self.path_of(url))
        } else {
            Location::Host(url.host_str().unwrap_or_default().to_owned())
        }
    }

    fn prefix(&self) -> &str {
        self.0.path().trim_end_matches('/')
    }
}

/// The path of an address without the parameters of its segments, which may name a session
/// (`/cas/login;jsessionid=…`).
pub(crate) fn plain_path(url: &Url) -> String {
    let plain = |segment: &str| segment.split(';').next().unwrap_or_default().to_owned();
    let segments: Vec<String> = url.path().split('/').map(plain).collect();
    segments.join("/")
}

/// Whether an address is safe to speak to: encrypted or local, and without a user in it.
pub(crate) fn may_be_asked(url: &Url) -> bool {
    let safe = match url.scheme() {
        "https" => url.host().is_some(),
        "http" => is_loopback(url),
        _ => false,
    };
    safe && url.username().is_empty() && url.password().is_none()
}

/// Whether an address is this machine by its own words; no name is looked up.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_local_http_are_origins() {
        let cases = [
            ("https://kyfw.example", true),
            ("https://kyfw.example/mirror/", true),
            ("http://127.0.0.1:8010", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:80/a", true),
            ("http://localhost:1", true),
            ("http://kyfw.example", false),
            ("http://localhost.example", false),
            ("http://192.168.0.1", false),
            ("https://user@kyfw.example", false),
            ("https://:pass@kyfw.example", false),
            ("https://kyfw.example/?a=1", false),
            ("https://kyfw.example/#a", false),
            ("ftp://127.0.0.1", false),
            ("kyfw.example", false),
            ("", false),
        ];
        for (text, good) in cases {
            assert_eq!(text.parse::<Origin>().is_ok(), good, "{text}");
        }
    }

    #[test]
    fn paths_are_joined_below_the_prefix_and_read_back() {
        let cases = [
            (
                "https://h.example",
                "otn/init",
                "https://h.example/otn/init",
                "/otn/init",
            ),
            (
                "https://h.example/",
                "/otn/init",
                "https://h.example/otn/init",
                "/otn/init",
            ),
            (
                "https://h.example/m",
                "otn/init",
                "https://h.example/m/otn/init",
                "/otn/init",
            ),
            (
                "https://h.example/m/",
                "/otn/init",
                "https://h.example/m/otn/init",
                "/otn/init",
            ),
            ("https://h.example/m", "", "https://h.example/m/", "/"),
            (
                "https://h.example/m",
                "//evil.example/a",
                "https://h.example/m/evil.example/a",
                "/evil.example/a",
            ),
            (
                "https://h.example/m",
                "a?b#c",
                "https://h.example/m/a%3Fb%23c",
                "/a%3Fb%23c",
            ),
        ];
        for (base, path, address, back) in cases {
            let origin: Origin = base.parse().unwrap();
            let url = origin.url(path);
            assert_eq!(
                (url.as_str(), origin.path_of(&url).as_str()),
                (address, back),
                "{base} {path}"
            );
        }
    }

    #[test]
    fn a_prefix_ends_at_a_border_and_at_its_origin() {
        let cases = [
            ("https://h.example/jsq-v", "https://h.example/jsq-v", true),
            (
                "https://h.example/jsq-v",
                "https://h.example/jsq-v/?token=1#/main",
                true,
            ),
            (
                "https://h.example/jsq-v/",
                "https://h.example/jsq-v?token=1",
                true,
            ),
            (
                "https://h.example/jsq-v",
                "https://h.example:443/jsq-v/a/b",
                true,
            ),
            (
                "https://h.example/jsq-v",
                "https://h.example/jsq-v2/",
                false,
            ),
            (
                "https://h.example/jsq-v",
                "https://h.example/a?b=/jsq-v/",
                false,
            ),
            (
                "https://h.example/jsq-v",
                "https://h.example/jsq-v/../rem",
                false,
            ),
            (
                "https://h.example/jsq-v",
                "https://h.example/jsq-v/%2e%2e/rem",
                false,
            ),
            (
                "https://h.example/jsq-v",
                "https://other.example/jsq-v/",
                false,
            ),
            (
                "https://h.example/jsq-v",
                "https://h.example:444/jsq-v/",
                false,
            ),
            ("https://h.example/jsq-v", "http://h.example/jsq-v/", false),
            ("https://h.example", "https://h.example", true),
            ("https://h.example", "https://h.example/a", true),
        ];
        for (base, address, inside) in cases {
            let origin: Origin = base.parse().unwrap();
            let url = Url::parse(address).unwrap();
            assert_eq!(origin.contains(&url), inside, "{base} {address}");
        }
    }

    #[test]
    fn an_address_is_located_without_its_query() {
        let origin: Origin = "https://h.example/m".parse().unwrap();
        let cases = [
            (
                "https://h.example/m/otn/passport?a=1",
                Location::Path("/otn/passport".into()),
            ),
            (
                "https://h.example/m/cas/login;jsessionid=0A/b;c=1;d",
                Location::Path("/cas/login/b".into()),
            ),
            ("https://h.example/more", Location::Path("/more".into())),
            (
                "https://h.example:444/m/x",
                Location::Host("h.example".into()),
            ),
            (
                "https://other.example/x?ticket=1",
                Location::Host("other.example".into()),
            ),
        ];
        for (address, place) in cases {
            assert_eq!(
                origin.locate(&Url::parse(address).unwrap()),
                place,
                "{address}"
            );
        }
        let elsewhere = Url::parse("https://other.example/x?ticket=1").unwrap();
        assert_eq!(origin.path_of(&elsewhere), "other.example/x");
    }
}
