//! Searching and counting.

use std::ops::{ControlFlow, Range};

use rusqlite::Connection;

use crate::{Error, Filter, Index, Query};

/// A row that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its number.
    pub row: i64,
    /// Its text as it was put.
    pub text: String,
    /// Where the query matches: byte ranges of `text` in order, none empty, none touching another, each
    /// beginning and ending with whole characters.
    pub spans: Vec<Range<usize>>,
}

/// What a search gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// Rows by falling number.
    pub rows: Vec<Hit>,
    /// Whether there are more than the filter's limit.
    pub more: bool,
}

/// How many rows a search would give without a limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// How many, up to the filter's limit.
    pub rows: usize,
    /// Whether there are more than that; if not, `rows` is exact.
    pub more: bool,
}

impl Index {
    /// The rows with the highest numbers that match the query and pass the filter.
    ///
    /// Fails with [`Error::OtherVersion`] when the index has to be brought up to date first.
    pub fn search(
        self,
        connection: &Connection,
        query: &Query,
        filter: &Filter,
    ) -> Result<Hits, Error> {
        let mut hits = Hits::default();
        self.each_match(connection, query, filter, |hit| {
            if hits.rows.len() == filter.limit {
                hits.more = true;
                return ControlFlow::Break(());
            }
            hits.rows.push(hit);
            ControlFlow::Continue(())
        })?;
        Ok(hits)
    }

    /// How many rows match the query and pass the filter, up to the filter's limit. The time it takes
    /// grows with the rows, most for queries other than one character, two characters, or a word: for
    /// the exact number of a query that may have very many, ask with a limit.
    ///
    /// Fails with [`Error::OtherVersion`] when the index has to be brought up to date first.
    pub fn count(
        self,
        connection: &Connection,
        query: &Query,
        filter: &Filter,
    ) -> Result<Count, Error> {
        let found = if query.is_certain() {
            self.count_candidates(connection, query, filter)?
        } else {
            let mut found = 0;
            self.each_match(connection, query, filter, |_| {
                found += 1;
                match found > filter.limit {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })?;
            found
        };
        Ok(Count {
            rows: found.min(filter.limit),
            more: found > filter.limit,
        })
    }

    /// Visits the matching rows by falling number until the visitor has enough.
    fn each_match(
        self,
        connection: &Connection,
        query: &Query,
        filter: &Filter,
        mut visit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.check_version(connection)?;
        let Some((asked, first, last)) = asked(query, filter) else {
            return Ok(());
        };
        let Self { name } = self;
        // The order of the join is the order of the result.
        let select = format!(
            "SELECT row, text FROM {name}_tokens CROSS JOIN {name}_text ON row = {name}_tokens.rowid
             WHERE {name}_tokens MATCH ?1 AND {name}_tokens.rowid BETWEEN ?2 AND ?3
             ORDER BY {name}_tokens.rowid DESC"
        );
        let mut statement = connection.prepare_cached(&select)?;
        let mut rows = statement.query((asked, first, last))?;
        while let Some(found) = rows.next()? {
            let text: String = found.get(1)?;
            let Some(spans) = query.places(&text) else {
                continue;
            };
            let row = found.get(0)?;
            if visit(Hit { row, text, spans }).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// How many rows the index finds, at most one more than the limit.
    fn count_candidates(
        self,
        connection: &Connection,
        query: &Query,
        filter: &Filter,
    ) -> Result<usize, Error> {
        self.check_version(connection)?;
        let Some((asked, first, last)) = asked(query, filter) else {
            return Ok(0);
        };
        let Self { name } = self;
        let select = format!(
            "SELECT 1 FROM {name}_tokens WHERE {name}_tokens MATCH ?1 AND rowid BETWEEN ?2 AND ?3"
        );
        let mut statement = connection.prepare_cached(&select)?;
        let mut rows = statement.query((asked, first, last))?;
        let mut found = 0;
        while found <= filter.limit && rows.next()?.is_some() {
            found += 1;
        }
        Ok(found)
    }
}

/// The expression for the index, and the first and last row; none when no row can pass the filter.
fn asked(query: &Query, filter: &Filter) -> Option<(String, i64, i64)> {
    let clauses = [query.clauses(), &filter.clauses()?].concat();
    let (first, last) = filter.rows()?;
    Some((clauses.join(" AND "), first, last))
}
