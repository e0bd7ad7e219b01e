//! The query paths, whose last letter the operator changes without notice.

use http_session::Session;
use tokio::sync::Mutex;

use crate::error::Error;

/// What can be asked on the ticket site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Tickets,
    Transfers,
    Stops,
}

/// A page that sets the session's cookies and names a query path in its script.
struct InitPage {
    path: &'static str,
    variable: &'static str,
    /// How the variable's value begins; the operator's letters follow.
    begins: &'static str,
    /// What stands before the value in the real path.
    below: &'static str,
}

/// Docs: docs/upstreams/rail.md, query paths.
const TICKETS: InitPage = InitPage {
    path: "otn/leftTicket/init",
    variable: "CLeftTicketUrl",
    begins: "leftTicket/query",
    below: "otn/",
};

/// Comes without its variable when asked without the cookies of [`TICKETS`] (seen 2026-10-05).
const TRANSFERS: InitPage = InitPage {
    path: "otn/lcQuery/init",
    variable: "lc_search_url",
    begins: "/lcquery/query",
    below: "",
};

/// Fixed; needs the session's cookies all the same.
const STOPS: &str = "otn/queryTrainInfo/query";

/// The paths as last learnt. Knowing the ticket path means having the session's cookies.
#[derive(Default)]
pub(super) struct Paths(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// Counts what was given up, so that of several callers who met the same dead end one learns.
    generation: u64,
    tickets: Option<String>,
    transfers: Option<String>,
}

/// A path to ask, as it was known at some time.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) path: String,
    generation: u64,
}

impl Paths {
    /// The path to ask now, read from the init pages where it is not known. One caller reads, the
    /// others wait for it.
    pub(super) async fn of(&self, asked: Asked, session: &Session) -> Result<Way, Error> {
        let mut known = self.0.lock().await;
        let tickets = known.tickets(session).await?;
        let path = match asked {
            Asked::Tickets => tickets,
            Asked::Stops => STOPS.to_owned(),
            Asked::Transfers => known.transfers(session).await?,
        };
        let generation = known.generation;
        Ok(Way { path, generation })
    }

    /// Gives up a way that led nowhere; `moved` is where an answer said it went. Without that, the
    /// session may be what is wrong, so both pages are read anew.
    pub(super) async fn leave(&self, asked: Asked, way: &Way, moved: Option<&str>) {
        let mut known = self.0.lock().await;
        if known.generation != way.generation {
            return; // Another caller has given it up, and what is known now is newer.
        }
        known.generation += 1;
        match (asked, moved) {
            (Asked::Tickets, Some(moved)) => known.tickets = TICKETS.real(moved),
            (Asked::Transfers, Some(moved)) => known.transfers = TRANSFERS.real(moved),
            (Asked::Stops, Some(_)) | (_, None) => (known.tickets, known.transfers) = (None, None),
        }
    }
}

impl Known {
    async fn tickets(&mut self, session: &Session) -> Result<String, Error> {
        if let Some(path) = &self.tickets {
            return Ok(path.clone());
        }
        let path = TICKETS
            .read(session)
            .await?
            .ok_or_else(|| TICKETS.lacking())?;
        self.tickets = Some(path.clone());
        Ok(path)
    }

    async fn transfers(&mut self, session: &Session) -> Result<String, Error> {
        if let Some(path) = &self.transfers {
            return Ok(path.clone());
        }
        let mut path = TRANSFERS.read(session).await?;
        if path.is_none() {
            // The cookies may have gone cold: get new ones and look once more.
            self.tickets = TICKETS.read(session).await?;
            path = TRANSFERS.read(session).await?;
        }
        let path = path.ok_or_else(|| TRANSFERS.lacking())?;
        self.transfers = Some(path.clone());
        Ok(path)
    }
}

impl InitPage {
    async fn read(&self, session: &Session) -> Result<Option<String>, Error> {
        let page = session.get(self.path).send().await?;
        Ok(variable(&page.text(), self.variable).and_then(|value| self.real(value)))
    }

    /// The path to ask, when `value` has the known form. Anything else, a scheme or another host
    /// above all, is not followed.
    fn real(&self, value: &str) -> Option<String> {
        let letters = value.strip_prefix(self.begins)?;
        let plain = letters.len() <= 8 && letters.bytes().all(|b| b.is_ascii_alphabetic());
        plain.then(|| format!("{}{}", self.below, value.trim_start_matches('/')))
    }

    fn lacking(&self) -> Error {
        Error::Changed {
            path: format!("/{}", self.path),
            field: self.variable.to_owned(),
            why: "页面中没有这个变量，或其值不是已知形式".to_owned(),
        }
    }
}

/// The value of `var name = '…'` in a page.
fn variable<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    page.match_indices(name).find_map(|(at, _)| {
        let rest = page
            .get(at + name.len()..)?
            .trim_start()
            .strip_prefix('=')?
            .trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (value, _) = rest.strip_prefix(quote)?.split_once(quote)?;
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_known_form_is_a_path() {
        for (page, value, expected) in [
            (&TICKETS, "leftTicket/queryG", Some("otn/leftTicket/queryG")),
            (&TICKETS, "leftTicket/query", Some("otn/leftTicket/query")),
            (&TRANSFERS, "/lcquery/queryG", Some("lcquery/queryG")),
            (&TRANSFERS, "lcquery/queryG", None),
            (&TICKETS, "/leftTicket/queryG", None),
            (
                &TICKETS,
                "https://elsewhere.example/leftTicket/queryG",
                None,
            ),
            (&TICKETS, "leftTicket/query/../../passport", None),
            (&TICKETS, "leftTicket/queryG?x=1", None),
            (&TICKETS, "", None),
        ] {
            assert_eq!(page.real(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn the_variable_is_found_among_its_neighbours() {
        for (page, expected) in [
            (
                "var ctx = '/otn/';\nvar CLeftTicketUrl = 'leftTicket/queryG';\nvar x='y';",
                Some("leftTicket/queryG"),
            ),
            (
                "CLeftTicketUrl; CLeftTicketUrl=\"leftTicket/queryZ\"",
                Some("leftTicket/queryZ"),
            ),
            ("var CLeftTicketUrl = other;", None),
            ("var CLeftTicketUrl = 'leftTicket", None),
            ("<html></html>", None),
        ] {
            assert_eq!(variable(page, "CLeftTicketUrl"), expected, "{page}");
        }
    }
}
