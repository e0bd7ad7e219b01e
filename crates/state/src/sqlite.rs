//! Opening of a SQLite file that several processes share.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rusqlite_migration::{Error as MigrationError, MigrationDefinitionError, Migrations};

use crate::{Error, Lock, lock::PATIENCE, platform};

/// How long a statement waits for another process's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the database at `path`, making folder and file when absent, and brings it up to date.
///
/// The connection has write-ahead logging, waits 5 s for other writers, checks foreign keys, and its
/// transactions begin `IMMEDIATE`, so that a decision and its write are one step between processes.
/// `synchronous` is `NORMAL`: a power cut may lose the last commits, never the file; set it to `FULL`
/// where each commit counts.
///
/// Fails with [`Error::NewerDatabase`] when a newer version of the program has migrated it, and with
/// [`Error::Locked`] when another process is still opening it after 5 s.
pub fn open(path: &Path, migrations: &Migrations<'_>) -> Result<Connection, Error> {
    open_within(path, migrations, PATIENCE)
}

fn open_within(
    path: &Path,
    migrations: &Migrations<'_>,
    within: Duration,
) -> Result<Connection, Error> {
    // Openers come one by one: switching to the write-ahead log does not wait for others, and
    // rusqlite_migration reads the version before its transaction begins.
    let _alone = Lock::wait(&lock_path(path), within)?;
    create_empty(path)?;
    let sqlite = |source| Error::Sqlite {
        path: path.to_owned(),
        source,
    };
    let mut connection = connect(path).map_err(sqlite)?;
    migrations
        .to_latest(&mut connection)
        .map_err(|source| match source {
            MigrationError::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead) => {
                Error::NewerDatabase {
                    path: path.to_owned(),
                }
            }
            source => Error::Migration {
                path: path.to_owned(),
                source,
            },
        })?;
    // Only now: a migration that rebuilds a table would trip over the references to it.
    connection
        .pragma_update(None, "foreign_keys", true)
        .map_err(sqlite)?;
    Ok(connection)
}

fn lock_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// SQLite would make the file with the umask's mode; its side files inherit the mode set here.
///
/// Only a new file is opened, since closing a database file by hand drops SQLite's locks on it.
fn create_empty(path: &Path) -> Result<(), Error> {
    match platform::private_file()
        .write(true)
        .create_new(true)
        .open(path)
    {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Error::io(path)(error)),
        _ => Ok(()),
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    // Without the default `SQLITE_OPEN_URI`, under which a folder's name could carry options.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        sync::{Arc, Barrier},
        thread,
    };

    use rusqlite_migration::M;

    use super::*;

    const TWO: &[M<'_>] = &[
        M::up("CREATE TABLE visits (who INTEGER NOT NULL);"),
        M::up("ALTER TABLE visits ADD COLUMN why TEXT;"),
    ];

    fn number(connection: &Connection, question: &str) -> i64 {
        connection
            .query_row(question, [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn eight_openers_of_a_new_file_all_succeed() {
        for _ in 0..5 {
            let root = tempfile::tempdir().unwrap();
            let path = root.path().join("new/log.sqlite");
            let start = Arc::new(Barrier::new(8));
            let openers: Vec<_> = (0..8)
                .map(|who| {
                    let (path, start) = (path.clone(), Arc::clone(&start));
                    thread::spawn(move || {
                        start.wait();
                        let connection = open(&path, &Migrations::from_slice(TWO)).unwrap();
                        connection
                            .execute("INSERT INTO visits (who) VALUES (?1)", [who])
                            .unwrap();
                    })
                })
                .collect();
            for opener in openers {
                opener.join().unwrap();
            }
            let connection = open(&path, &Migrations::from_slice(TWO)).unwrap();
            assert_eq!(number(&connection, "SELECT count(*) FROM visits"), 8);
            assert_eq!(number(&connection, "PRAGMA user_version"), 2);
        }
    }

    #[test]
    fn the_connection_is_set_up_as_promised() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("log.sqlite");
        let mut connection = open(&path, &Migrations::from_slice(TWO)).unwrap();
        let mode: String = connection
            .query_row("PRAGMA journal_mode", [], |row| row.get(0))
            .unwrap();
        assert_eq!(mode, "wal");
        let numbers = ["busy_timeout", "synchronous", "foreign_keys"]
            .map(|name| number(&connection, &format!("PRAGMA {name}")));
        assert_eq!(numbers, [5000, 1, 1]);

        let other = open(&path, &Migrations::from_slice(TWO)).unwrap();
        other.busy_timeout(Duration::ZERO).unwrap();
        let _writing = connection.transaction().unwrap();
        let refused = other.execute("INSERT INTO visits (who) VALUES (1)", []);
        assert_eq!(
            refused.unwrap_err().sqlite_error_code(),
            Some(rusqlite::ErrorCode::DatabaseBusy)
        );
    }

    #[test]
    fn an_opener_that_never_ends_does_not_stop_the_others() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("log.sqlite");
        let _stopped = Lock::wait(&lock_path(&path), PATIENCE).unwrap();
        let within = Duration::from_millis(20);
        let error = open_within(&path, &Migrations::from_slice(TWO), within).unwrap_err();
        assert!(matches!(error, Error::Locked { path: named } if named == lock_path(&path)));
        assert!(!path.exists(), "nothing was done");
    }

    #[test]
    fn a_database_of_a_newer_version_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("log.sqlite");
        drop(open(&path, &Migrations::from_slice(TWO)).unwrap());
        let older = Migrations::from_slice(TWO.split_at(1).0);
        let error = open(&path, &older).unwrap_err();
        let expected = format!(
            "{} was written by a newer version of this program",
            path.display()
        );
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn a_failed_migration_leaves_nothing_behind() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("log.sqlite");
        let broken = [TWO.first().unwrap().clone(), M::up("NOT SQL;")];
        let error = open(&path, &Migrations::from_slice(&broken)).unwrap_err();
        assert!(
            matches!(&error, Error::Migration { path: named, .. } if *named == path),
            "{error:?}"
        );
        // Would fail on an existing table if the first half had stayed.
        let connection = open(&path, &Migrations::from_slice(TWO)).unwrap();
        assert_eq!(number(&connection, "PRAGMA user_version"), 2);
    }

    #[test]
    fn a_migration_may_rebuild_a_table_that_others_refer_to() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("log.sqlite");
        let tables = M::up(
            "CREATE TABLE chats (id INTEGER PRIMARY KEY);
             CREATE TABLE messages (chat INTEGER REFERENCES chats (id) ON DELETE CASCADE);
             INSERT INTO chats VALUES (1); INSERT INTO messages VALUES (1);",
        );
        let rebuild = M::up(
            "CREATE TABLE fresh (id INTEGER PRIMARY KEY, name TEXT);
             INSERT INTO fresh (id) SELECT id FROM chats;
             DROP TABLE chats; ALTER TABLE fresh RENAME TO chats;",
        );
        drop(open(&path, &Migrations::new(vec![tables.clone()])).unwrap());
        let connection = open(&path, &Migrations::new(vec![tables, rebuild])).unwrap();
        assert_eq!(number(&connection, "SELECT count(*) FROM messages"), 1);
    }

    #[test]
    fn what_is_no_database_is_told() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("log.sqlite");
        fs::write(
            &path,
            "a letter, long enough to be taken for a header".repeat(9),
        )
        .unwrap();
        let error = open(&path, &Migrations::from_slice(TWO)).unwrap_err();
        let expected = format!("cannot open {}: file is not a database", path.display());
        assert_eq!(error.to_string(), expected);
    }
}
