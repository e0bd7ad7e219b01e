//! Notes of one or several books as one file: Markdown, JSON or CSV.
//!
//! The same notes give the same bytes: no time of the export stands in it, every note has the service's id,
//! and the order is that of reading. JSON is the form to be read back; Markdown and CSV are made from it.

mod csv;
mod file;
mod json;
mod markdown;
#[cfg(test)]
mod tests;

pub(crate) use self::file::ExportFile;
pub use self::json::{
    Export, ExportedBook, ExportedGroup, ExportedHighlight, ExportedNote, ExportedPassage,
    FormatName, GroupKind,
};

use super::notes::Noted;
use crate::error::Error;

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people: front matter, chapters as headings, highlights as quotes, thoughts under them.
    Markdown,
    /// For programs: [`Export`] as it is.
    Json,
    /// For spreadsheets: a header, then a row for each highlight and each thought.
    Csv {
        /// Whether it begins with a byte order mark, without which Excel takes Chinese for another encoding.
        byte_order_mark: bool,
    },
}

impl Format {
    /// The ending of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Json => "json",
            Self::Csv { .. } => "csv",
        }
    }
}

/// The notes of those books in that form; `web` is where the web reader is.
pub(crate) fn exported(noted: &[Noted], web: &str, format: Format) -> Result<String, Error> {
    let books = noted.iter().map(|one| (&one.book, &one.notes));
    let text = Export::of(books, web).render(format);
    text.map_err(|error| Error::Kept(error.to_string()))
}

impl Export {
    /// The whole file. Only JSON can fail, and no value of ours makes it.
    pub fn render(&self, format: Format) -> Result<String, serde_json::Error> {
        match format {
            Format::Markdown => Ok(markdown::render(&self.books)),
            Format::Json => serde_json::to_string_pretty(self).map(|text| text + "\n"),
            Format::Csv { byte_order_mark } => Ok(csv::render(&self.books, byte_order_mark)),
        }
    }
}
