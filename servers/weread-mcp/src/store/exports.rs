//! Exports as files in the folder that the user chose, and nowhere else.

use std::{
    fs,
    io::{self, ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use server_kit::outside;
use state::blocking;
use tempfile::NamedTempFile;

use crate::{domain::file_name::FileName, error::Error};

/// A file that may be written.
#[derive(Debug)]
pub(crate) struct Target {
    folder: PathBuf,
    path: PathBuf,
    overwrite: bool,
}

impl Target {
    /// The file of that name, once folder and name are found fit. Writes nothing.
    ///
    /// A link in the path of the folder, or in the file's place, would lead elsewhere and is refused; so is
    /// a file that is there already, unless it may be overwritten.
    pub(crate) async fn new(
        folder: Option<&Path>,
        name: &str,
        ending: &str,
        overwrite: bool,
    ) -> Result<Self, Error> {
        let refuse = |why: String| Error::Folder {
            path: outside(name),
            why,
        };
        let name = FileName::new(name, ending).map_err(|why| refuse(why.to_string()))?;
        let unset = || refuse("用户没有用 WEREAD_EXPORT_DIR 设置导出目录".to_owned());
        let folder = folder.ok_or_else(unset)?;
        let target = Self {
            path: folder.join(name.as_str()),
            folder: folder.to_owned(),
            overwrite,
        };
        blocking(move || match target.objection() {
            None => Ok(target),
            Some((path, why)) => Err(refused(&path, why)),
        })
        .await
    }

    /// Writes the file whole or not at all, for the user alone. Gives its path.
    pub(crate) async fn write(self, content: String) -> Result<PathBuf, Error> {
        blocking(move || {
            // Folder and file may have changed while the notes were read.
            if let Some((path, why)) = self.objection() {
                return Err(refused(&path, why));
            }
            match self.put(content.as_bytes()) {
                Ok(()) => Ok(self.path),
                Err(error) => Err(refused(&self.path, told(&error))),
            }
        })
        .await
    }

    /// What speaks against writing, and of which path.
    fn objection(&self) -> Option<(PathBuf, &'static str)> {
        let Self { folder, path, .. } = self;
        let against = |path: &Path, why| Some((path.to_owned(), why));
        if !folder.is_absolute() {
            return against(folder, "WEREAD_EXPORT_DIR 应为绝对路径");
        }
        for part in folder.ancestors() {
            match fs::symlink_metadata(part) {
                Ok(found) if found.is_symlink() => {
                    return against(part, "导出目录的路径中有符号链接，请改设为真实路径");
                }
                Ok(found) if found.is_dir() => {}
                Ok(_) => return against(part, "导出目录不是目录"),
                Err(error) => return against(part, told(&error)),
            }
        }
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => against(path, told(&error)),
            Ok(found) if found.is_symlink() => against(path, "同名的是符号链接"),
            Ok(found) if !found.is_file() => against(path, "同名的不是普通文件"),
            Ok(_) if self.overwrite => None,
            Ok(_) => against(path, EXISTS),
        }
    }

    /// Whatever takes the file's place meanwhile is not followed: the new file is put there by its name.
    fn put(&self, content: &[u8]) -> io::Result<()> {
        // tempfile makes its files 0600.
        let mut file = NamedTempFile::new_in(&self.folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        match self.overwrite {
            true => file.persist(&self.path),
            false => file.persist_noclobber(&self.path),
        }?;
        Ok(())
    }
}

const EXISTS: &str = "已有同名文件；换一个文件名，或用 overwrite: true 覆盖";

fn told(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound => "导出目录不存在，请先建好",
        ErrorKind::AlreadyExists => EXISTS,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "没有写入权限",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "磁盘空间不足",
        _ => "读写出错",
    }
}

fn refused(path: &Path, why: &'static str) -> Error {
    Error::Folder {
        path: path.display().to_string(),
        why: why.to_owned(),
    }
}
