//! Everything that differs between operating systems.

use std::{
    fs::{DirBuilder, Metadata, OpenOptions},
    io,
    path::Path,
};

/// Creates the folder, and what is missing above it, readable by the user only. One that exists
/// stays as it is.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Options that create a file readable and writable by the user only.
pub(crate) fn private_file() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "modes are Unix's"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Whether others than the user may read, write or enter it. Always false where there are no modes:
/// there the profile's folder keeps others out.
#[cfg(unix)]
pub(crate) fn is_open_to_others(metadata: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0
}

/// Whether others than the user may read, write or enter it. Always false where there are no modes:
/// there the profile's folder keeps others out.
#[cfg(not(unix))]
pub(crate) fn is_open_to_others(_: &Metadata) -> bool {
    false
}

/// The process that started this one, to notice that it vanished: a host that is killed leaves its
/// child to another parent. `None` where the platform does not tell.
pub fn parent_id() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    return None;
}

/// Returns when the process is asked to stop: SIGTERM or SIGINT, elsewhere Ctrl-C. Never returns
/// where the system does not let us listen.
pub async fn terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut interrupt)) = (
            signal(SignalKind::terminate()),
            signal(SignalKind::interrupt()),
        ) {
            tokio::select! {
                _ = term.recv() => return,
                _ = interrupt.recv() => return,
            }
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_ok() {
        return;
    }
    std::future::pending::<()>().await;
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

    use crate::{Condition, StateDir, sqlite};

    fn mode(path: PathBuf) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn everything_made_is_private() {
        let root = tempfile::tempdir().unwrap();
        let state = StateDir::at(root.path().join("errands/rail"));
        state.write("session.json", &1).unwrap();
        drop(state.lock("session.json").unwrap());
        let migrations = rusqlite_migration::Migrations::new(vec![rusqlite_migration::M::up(
            "CREATE TABLE one (x);",
        )]);
        let _open = sqlite::open(&state.file("log.sqlite"), &migrations).unwrap();

        let folders = ["errands", "errands/rail"].map(|name| mode(root.path().join(name)));
        assert_eq!(folders, [0o700, 0o700]);
        let mut files: Vec<_> = fs::read_dir(state.path())
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name().into_string().unwrap(), mode(entry.path())))
            .collect();
        files.sort();
        let names = [
            "log.sqlite",
            "log.sqlite-shm",
            "log.sqlite-wal",
            "log.sqlite.lock",
            "session.json",
            "session.json.lock",
        ];
        assert_eq!(files, names.map(|name| (name.to_owned(), 0o600)));
        assert_eq!(state.check(), Condition::Fine);
    }

    #[test]
    fn modes_that_let_others_in_are_listed_and_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let state = StateDir::at(root.path().join("rail"));
        state.write("private.json", &1).unwrap();
        state.write("open.json", &1).unwrap();
        fs::create_dir(state.file("sub")).unwrap();
        fs::write(state.file("sub/deep.json"), "1").unwrap();
        let set = |path: PathBuf, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        set(state.file("sub"), 0o700);
        set(state.file("sub/deep.json"), 0o604);
        set(state.file("open.json"), 0o640);
        set(state.path().to_owned(), 0o755);
        std::os::unix::fs::symlink("private.json", state.file("link")).unwrap();

        state.create().unwrap();
        state.write("open.json", &2).unwrap();
        let open = ["", "open.json", "sub/deep.json"].map(|name| state.path().join(name));
        assert_eq!(state.check(), Condition::OpenToOthers(open.to_vec()));
        assert_eq!(mode(state.path().to_owned()), 0o755);
    }

    #[test]
    #[cfg(feature = "secrets")]
    fn secrets_become_private_again() {
        use crate::secrets::{Secrets, Store};

        let root = tempfile::tempdir().unwrap();
        let state = StateDir::at(root.path().join("toy"));
        let secrets = Secrets::new("toy", state.clone(), Some(Store::File));
        secrets.set("password", &"old".into()).unwrap();
        let file = state.file("secrets.json");
        assert_eq!(mode(file.clone()), 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        secrets.set("password", &"new".into()).unwrap();
        assert_eq!(mode(file), 0o600);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_place_without_write_permission_is_told() {
        // Nobody, the superuser included, can create files below /proc.
        for path in ["/proc/self", "/proc/self/errands/rail"] {
            let condition = StateDir::at(path.into()).check();
            let Condition::NotWritable(place, _) = condition else {
                panic!("{path}: {condition:?}")
            };
            assert_eq!(place, PathBuf::from("/proc/self"));
        }
    }

    #[test]
    fn the_parent_is_known() {
        assert_eq!(
            super::parent_id(),
            Some(std::os::unix::process::parent_id())
        );
    }
}
