//! A file replaced whole or not at all.

use std::{
    fs::{self, Permissions},
    io,
    io::Write,
    path::Path,
};

/// Puts `content` in place of the file: a reader and a crash find the old content or the new one.
/// An existing file keeps its permissions, a new one is the user's alone. The folder must exist.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let kept = fs::metadata(path).ok().map(|old| old.permissions());
    put(path, content, kept)
}

/// [`replace`] with these permissions, or for the user alone whatever they were.
pub(crate) fn put(path: &Path, content: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    // tempfile makes its files 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
