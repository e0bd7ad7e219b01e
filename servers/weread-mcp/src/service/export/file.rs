//! An export as a file of the folder that the user chose.

use std::path::{Path, PathBuf};

use super::Format;
use crate::{error::Error, store::exports::Target};

/// A file that an export may be written to.
pub(crate) struct ExportFile(Target);

impl ExportFile {
    /// The file of that name in `folder`, once both are found fit. Writes nothing.
    pub(crate) async fn new(
        folder: Option<&Path>,
        name: &str,
        format: Format,
        overwrite: bool,
    ) -> Result<Self, Error> {
        let target = Target::new(folder, name, format.extension(), overwrite).await?;
        Ok(Self(target))
    }

    /// Writes it whole or not at all, and gives its path.
    pub(crate) async fn write(self, text: String) -> Result<PathBuf, Error> {
        self.0.write(text).await
    }
}
