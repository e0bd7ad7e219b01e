//! Starting the example server, as a host does and as a shell does.

use std::{
    env::consts::EXE_SUFFIX,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use fixtures::mcp::{Both, Client, Launch};
use serde_json::Value;
use tempfile::TempDir;

/// Hosts kill a child that outlives its standard input, or a request to stop, by this.
pub(crate) const TWO_SECONDS: Duration = Duration::from_secs(2);

/// The example's path; `cargo test` builds examples beside the folder of the tests.
pub(crate) fn binary() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let binary = profile.join("examples").join(format!("errand{EXE_SUFFIX}"));
    assert!(
        binary.exists(),
        "run all of `cargo test`: it builds {binary:?}"
    );
    binary
}

/// Owned pairs out of literals.
pub(crate) fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

/// The example with `--data-dir`.
pub(crate) fn launch(data: &Path) -> Launch {
    Launch::new(binary()).args(["--data-dir", data.to_str().unwrap()])
}

/// The server in both eras, each with a state folder of its own.
pub(crate) fn both(args: &[&str], env: &[(&str, &str)]) -> Both<()> {
    let launch = Launch::new(binary()).args(args.iter().copied());
    Both::launch(&launch, |_| ((), variables(env)))
}

/// Ends the server properly, so that all its audit rows are on disk.
pub(crate) fn end(client: &Client) {
    client.close_stdin();
    let status = client.wait_exit(TWO_SECONDS);
    let status = status.unwrap_or_else(|| panic!("it goes on:\n{}", client.stderr()));
    assert_eq!(status.code(), Some(0), "{}", client.stderr());
}

/// The audit rows of a state folder, oldest first.
pub(crate) fn rows(data: &Path) -> Vec<Value> {
    let place = Place::new();
    let ended = place.run(&["audit", "--json", "--data-dir", data.to_str().unwrap()]);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    ended.json().as_array().unwrap().clone()
}

/// Some fields of each row, absent ones as null.
pub(crate) fn columns(rows: &[Value], names: &[&str]) -> Vec<Vec<Value>> {
    let pick = |row: &Value| names.iter().map(|name| row[name].clone()).collect();
    rows.iter().map(pick).collect()
}

/// A home, current folder and parent of state folders that no other test has.
pub(crate) struct Place(TempDir);

/// What a command left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    /// The one line on stdout.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.out).unwrap()
    }
}

/// What a command left that has ended.
pub(crate) fn ended(output: Output) -> Ended {
    Ended {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a command of the example to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        self.run_with(args, &[], "")
    }

    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)], input: &str) -> Ended {
        let mut command = self.command(args);
        let mut child = command
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that does not read its input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        ended(child.wait_with_output().unwrap())
    }

    /// A command of the example, not yet started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .args(args)
            .current_dir(&self.0)
            .env_clear()
            .env("HOME", self.0.path())
            .env("ERRANDS_DATA_DIR", self.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}
