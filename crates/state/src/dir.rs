//! The folder one server keeps its state in.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Error, Lock, lock::PATIENCE, platform, whole};

/// The state folder of one server. Making one touches nothing on disk.
///
/// File names are the program's own, never text from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDir {
    path: PathBuf,
}

/// In what condition a state folder is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Ready to use, and private.
    Fine,
    /// Not there yet; it can be made and will be when first needed.
    Absent,
    /// This path, the folder or one above it, is something else.
    NotAFolder(PathBuf),
    /// Files cannot be made in this folder, the state folder or the nearest one above that exists.
    NotWritable(PathBuf, io::ErrorKind),
    /// It works, but others on this machine may read these: the folder itself, or files and folders
    /// in it, in order of name.
    OpenToOthers(Vec<PathBuf>),
}

impl StateDir {
    /// The state folder at `path`.
    pub fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Where the platform wants the data of `server_name`: `errands/<server_name>` under the user's
    /// local data folder. `None` when the user has no home folder.
    pub fn platform(server_name: &str) -> Option<PathBuf> {
        let base = directories::BaseDirs::new()?;
        Some(base.data_local_dir().join("errands").join(server_name))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes the folder and what is missing above it, private to the user. One that exists keeps its
    /// modes; [`StateDir::check`] tells when they are too open.
    pub(crate) fn create(&self) -> Result<(), Error> {
        platform::create_folder(&self.path).map_err(Error::io(&self.path))
    }

    /// Reads a JSON file; `None` when there is none.
    ///
    /// Fails with [`Error::Malformed`] when it is something else than `T`.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        let text = self.read_bytes(name)?;
        text.map(|text| self.parse(name, &text)).transpose()
    }

    /// The bytes of a file; `None` when there is none.
    pub(crate) fn read_bytes(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let path = self.file(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(&path)(error)),
        }
    }

    /// The value that `text`, read from the file `name`, is the JSON of.
    pub(crate) fn parse<T: DeserializeOwned>(&self, name: &str, text: &[u8]) -> Result<T, Error> {
        serde_json::from_slice(text).map_err(|error| Error::Malformed {
            line: error.line(),
            column: error.column(),
            path: self.file(name),
        })
    }

    /// Writes a JSON file, whole or not at all, making the folder when absent: a reader and a crash
    /// find the old content or the new one. Writers that build on what they read hold
    /// [`StateDir::lock`] from before the reading.
    pub fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<(), Error> {
        let path = self.file(name);
        let text = serde_json::to_vec(value).map_err(|error| Error::io(&path)(error.into()))?;
        self.create()?;
        whole::replace(&path, &text).map_err(Error::io(&path))
    }

    /// Waits for the exclusive lock `<name>.lock` and takes it, making the folder when absent.
    ///
    /// Fails with [`Error::Locked`] when it is still held after 5 s.
    pub fn lock(&self, name: &str) -> Result<Lock, Error> {
        self.lock_within(name, PATIENCE)
    }

    /// [`StateDir::lock`] with a time limit of the caller's; zero asks once.
    pub fn lock_within(&self, name: &str, within: Duration) -> Result<Lock, Error> {
        Lock::wait(&self.lock_path(name), within)
    }

    /// Takes the exclusive lock `<name>.lock`, or gives `None` when another process or thread holds it.
    pub fn try_lock(&self, name: &str) -> Result<Option<Lock>, Error> {
        Lock::try_now(&self.lock_path(name))
    }

    fn lock_path(&self, name: &str) -> PathBuf {
        self.file(&format!("{name}.lock"))
    }

    /// In what condition the folder is. Changes nothing: an absent folder is not made.
    pub fn check(&self) -> Condition {
        let mut standing = self.path.ancestors().filter(|path| path.exists());
        let standing = standing.next().unwrap_or(Path::new("."));
        if !standing.is_dir() {
            return Condition::NotAFolder(standing.to_owned());
        }
        if let Err(error) = tempfile::tempfile_in(standing) {
            return Condition::NotWritable(standing.to_owned(), error.kind());
        }
        if standing != self.path {
            return Condition::Absent;
        }
        let mut open = Vec::new();
        list_open(&self.path, &mut open);
        if open.is_empty() {
            return Condition::Fine;
        }
        open.sort();
        Condition::OpenToOthers(open)
    }
}

/// Adds what others may read at `path` and below. Links are not followed, and what vanishes
/// meanwhile, as a database's side files do, is no finding.
fn list_open(path: &Path, open: &mut Vec<PathBuf>) {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return;
    };
    if !metadata.is_symlink() && platform::is_open_to_others(&metadata) {
        open.push(path.to_owned());
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            list_open(&entry.path(), open);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Instant};

    use super::*;

    fn state() -> (tempfile::TempDir, StateDir) {
        let root = tempfile::tempdir().unwrap();
        let state = StateDir::at(root.path().join("errands").join("rail"));
        (root, state)
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else_is_left() {
        let (_root, state) = state();
        assert_eq!(state.read::<Vec<u8>>("list.json").unwrap(), None);
        state.write("list.json", &[1, 2]).unwrap();
        state.write("list.json", &[3]).unwrap();
        assert_eq!(state.read::<Vec<u8>>("list.json").unwrap(), Some(vec![3]));
        let names: Vec<_> = fs::read_dir(state.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["list.json"]);
    }

    #[test]
    fn a_failed_write_keeps_the_old_content() {
        let (_root, state) = state();
        state.write("map.json", &1).unwrap();
        let not_json = std::collections::HashMap::from([((1, 2), 3)]);
        let said = state.write("map.json", &not_json).unwrap_err().to_string();
        let file = state.file("map.json");
        let expected = format!("cannot use {}: key must be a string", file.display());
        assert_eq!(said, expected);
        assert_eq!(state.read("map.json").unwrap(), Some(1));
    }

    #[test]
    fn a_damaged_file_is_named_without_its_content() {
        let (_root, state) = state();
        state.create().unwrap();
        fs::write(state.file("session.json"), "[1,\n \"hunter2\"]").unwrap();
        let error = state.read::<Vec<u8>>("session.json").unwrap_err();
        let path = state.file("session.json");
        let expected = format!(
            "{} is damaged or not ours (line 2, column 10)",
            path.display()
        );
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    }

    #[test]
    fn a_held_lock_is_seen_and_its_drop_releases_it() {
        let (_root, state) = state();
        let held = state.lock("session.json").unwrap();
        assert!(state.try_lock("session.json").unwrap().is_none());
        assert!(state.try_lock("other.json").unwrap().is_some());
        drop(held);
        assert!(state.try_lock("session.json").unwrap().is_some());
    }

    #[test]
    fn a_lock_that_stays_held_is_given_up() {
        let (_root, state) = state();
        let _held = state.lock("session.json").unwrap();
        for millis in [0, 30] {
            let (began, within) = (Instant::now(), Duration::from_millis(millis));
            let error = state.lock_within("session.json", within).unwrap_err();
            assert!(began.elapsed() >= within);
            let path = state.file("session.json.lock");
            let expected = format!("{} is held by another process", path.display());
            assert_eq!(error.to_string(), expected);
            assert!(matches!(error, Error::Locked { path: named } if named == path));
        }
    }

    #[test]
    fn a_lock_is_waited_for() {
        let (_root, state) = state();
        let held = state.lock("session.json").unwrap();
        thread::scope(|scope| {
            let waiter = scope.spawn(|| state.lock("session.json"));
            thread::yield_now();
            drop(held);
            assert!(waiter.join().unwrap().is_ok());
        });
    }

    #[test]
    fn no_change_under_the_lock_is_lost() {
        let (_root, state) = state();
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        let _held = state.lock("count.json").unwrap();
                        let count: u32 = state.read("count.json").unwrap().unwrap_or_default();
                        state.write("count.json", &(count + 1)).unwrap();
                    }
                });
            }
        });
        assert_eq!(state.read("count.json").unwrap(), Some(80));
    }

    #[test]
    fn the_check_tells_absent_fine_and_not_a_folder() {
        let (root, state) = state();
        assert_eq!(state.check(), Condition::Absent);
        assert!(!state.path().exists(), "the check made the folder");
        state.create().unwrap();
        assert_eq!(state.check(), Condition::Fine);
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let below = StateDir::at(file.join("rail"));
        assert_eq!(below.check(), Condition::NotAFolder(file.clone()));
        let error = below.write("list.json", &1).unwrap_err();
        assert!(
            matches!(&error, Error::Io { path, .. } if path == below.path()),
            "{error:?}"
        );
    }

    #[test]
    fn the_platform_has_one_folder_a_server() {
        let path = StateDir::platform("rail-mcp").unwrap();
        assert!(
            path.is_absolute() && path.ends_with("errands/rail-mcp"),
            "{path:?}"
        );
    }
}
