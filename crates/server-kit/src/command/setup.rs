//! `setup`: the entry for a host, printed or merged into its configuration.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::Args;

use super::{DONE, SAID_NO, print};
use crate::{
    Errand,
    host::{Entry, Host, Unfit},
};

#[derive(Args)]
pub(super) struct Options {
    /// 客户端
    #[arg(value_enum)]
    host: Host,
    /// 合并进配置文件（先备份），而不是打印
    #[arg(long)]
    write: bool,
    /// 配置文件，默认为该客户端的惯用位置
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("找不到用户目录，请用 --config 指定配置文件")]
    NoFile,
    #[error("{}：{source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{} {why}；文件未改动，请把上面打印的条目手工加入", path.display())]
    Unfit { path: PathBuf, why: Unfit },
}

pub(super) fn run<S: Errand>(options: Options) -> u8 {
    match set_up::<S>(&options) {
        Ok(()) => DONE,
        Err(error) => {
            tracing::error!("{error}");
            SAID_NO
        }
    }
}

fn set_up<S: Errand>(options: &Options) -> Result<(), Error> {
    let host = options.host;
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::File { path, source }
    };
    let here = std::env::current_exe().map_err(at(Path::new(S::ABOUT.name)))?;
    let entry = Entry {
        name: S::ABOUT.name,
        command: here.display().to_string(),
        variables: S::setup_variables(host.name()),
    };
    let file = options
        .config
        .clone()
        .or_else(|| host.file())
        .ok_or(Error::NoFile)?;
    // A configuration kept elsewhere behind a link is written where it is kept.
    let file = match fs::canonicalize(&file) {
        Ok(kept) => kept,
        Err(error) if file.is_symlink() => return Err(at(&file)(error)),
        Err(_) => file,
    };
    let fresh = host.merged("", &entry).map_err(|why| Error::Unfit {
        path: file.clone(),
        why,
    })?;
    if !options.write {
        print(&format!("# {}", file.display()));
        print(fresh.trim_end());
    }
    if let Some(remark) = host.remark(&entry) {
        print(&format!("# {remark}"));
    }
    if !options.write {
        return Ok(());
    }
    let before = match fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(at(&file)(error)),
    };
    let merged = host
        .merged(before.as_deref().unwrap_or_default(), &entry)
        .map_err(|why| {
            print(fresh.trim_end());
            Error::Unfit {
                path: file.clone(),
                why,
            }
        })?;
    if before.as_deref() == Some(merged.as_str()) {
        print(&format!("{} 已有相同条目，未改动", file.display()));
        return Ok(());
    }
    if before.is_some() {
        let backup = back_up(&file).map_err(at(&file))?;
        print(&format!("原文件已备份为 {}", backup.display()));
    }
    // A host that was never configured may have no folder yet.
    let folder = file.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(at(folder))?;
    state::replace(&file, merged.as_bytes()).map_err(at(&file))?;
    print(&format!("已写入 {}", file.display()));
    Ok(())
}

/// Copies the file beside itself under the first free name, never over an earlier backup.
fn back_up(file: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".backup-{number}"));
        PathBuf::from(name)
    };
    let free = (1..)
        .map(name)
        .find(|path| !path.exists())
        .unwrap_or_else(|| name(0));
    fs::copy(file, &free)?;
    Ok(free)
}
