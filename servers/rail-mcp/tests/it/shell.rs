//! The binary as a shell runs it: one command, its output and its status.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use fixtures::mcp::Client;
use serde_json::Value;

use crate::world::binary;

/// Hosts kill a child that outlives its standard input, or a request to stop, by this.
pub(crate) const TWO_SECONDS: Duration = Duration::from_secs(2);

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

/// Runs a command to its end, with these variables and no others, at home in `home`.
pub(crate) fn run(args: &[&str], env: &[(String, String)], home: &Path) -> Ended {
    let output = Command::new(binary())
        .args(args)
        .current_dir(home)
        .env_clear()
        .env("HOME", home)
        .envs(env.iter().cloned())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ended {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The audit rows of a state folder, oldest first, as phase, tool, status and code.
pub(crate) fn audited(data: &Path) -> Vec<Value> {
    let home = tempfile::tempdir().unwrap();
    let folder = data.to_str().unwrap();
    let ended = run(&["audit", "--json", "--data-dir", folder], &[], home.path());
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    let rows = ended.json();
    let columns = ["phase", "tool", "status", "code"];
    let pick = |row: &Value| columns.iter().map(|name| row[name].clone()).collect();
    rows.as_array().unwrap().iter().map(pick).collect()
}

/// Closes the server's input; it must end in order and in time.
pub(crate) fn end(client: &Client) {
    client.close_stdin();
    ended_well(client);
}

/// Waits for the end of a server that was told to stop.
pub(crate) fn ended_well(client: &Client) {
    let status = client.wait_exit(TWO_SECONDS);
    let status = status.unwrap_or_else(|| panic!("it goes on:\n{}", client.stderr()));
    assert_eq!(status.code(), Some(0), "{}", client.stderr());
}
