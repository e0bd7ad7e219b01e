//! Starting the example server, as a host does and as a shell does.

use std::{
    env::consts::EXE_SUFFIX,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use fixtures::{
    mcp::{Both, Launch},
    shell::{Ended, audit_rows, command},
};
use serde_json::Value;
use tempfile::TempDir;

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

/// The audit rows of a state folder, oldest first.
pub(crate) fn rows(data: &Path) -> Vec<Value> {
    audit_rows(&binary(), data)
}

/// A home, current folder and parent of state folders that no other test has.
pub(crate) struct Place(TempDir);

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
        child.wait_with_output().unwrap().into()
    }

    /// A command of the example, not yet started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = command(&binary(), args, self.0.path());
        command.env("ERRANDS_DATA_DIR", self.0.path());
        command
    }
}
