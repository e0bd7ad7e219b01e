//! Running cargo, finding what it built, and starting fake upstreams.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::Outcome;
use crate::servers::Server;

/// The package of the fake upstreams, and its program.
pub(crate) const FIXTURES: &str = "errands-fixtures";

/// Environment variables for a child, by name.
pub(crate) type Environment = BTreeMap<String, String>;

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// The cargo that built this program, at the root of the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command and gives what it printed on stdout; the error holds all that it printed.
pub(crate) fn output(command: &mut Command) -> Outcome<String> {
    let named = command.get_program().to_string_lossy().into_owned();
    let ended = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{named}: {error}"))?;
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    if ended.status.success() {
        return Ok(stdout);
    }
    Err(format!(
        "{stdout}{}{named}: {}",
        String::from_utf8_lossy(&ended.stderr),
        ended.status
    )
    .into())
}

/// Builds packages in a profile (`dev`, `release`, `ci`) and gives the programs by name.
pub(crate) fn build(packages: &[&str], profile: &str) -> Outcome<BTreeMap<String, PathBuf>> {
    let mut command = cargo(&[
        "build",
        "--message-format=json-render-diagnostics",
        "--profile",
        profile,
        "--bins",
    ]);
    command.args(packages.iter().flat_map(|package| ["--package", package]));
    let lines = output(command.stderr(Stdio::inherit()))?;
    let programs = lines.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let executable = message["executable"].as_str()?;
        Some((
            message["target"]["name"].as_str()?.to_owned(),
            PathBuf::from(executable),
        ))
    });
    Ok(programs.collect())
}

/// One program out of those that were built.
pub(crate) fn program<'a>(built: &'a BTreeMap<String, PathBuf>, name: &str) -> Outcome<&'a Path> {
    built
        .get(name)
        .map(PathBuf::as_path)
        .ok_or_else(|| format!("cargo built no program called {name}").into())
}

/// A fake upstream that runs on loopback until it is dropped.
pub(crate) struct Fake {
    child: Child,
    /// What points a server at it.
    pub(crate) environment: Environment,
}

impl Fake {
    /// Starts the fake of a server, with more arguments; it tells its addresses in its first line.
    pub(crate) fn start(program: &Path, server: &Server, more: &[&str]) -> Outcome<Self> {
        let mut child = Command::new(program)
            .arg(server.topic())
            .args(server.fake.iter().chain(more))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("the fake has no stdout")?;
        let mut fake = Self {
            child,
            environment: Environment::new(),
        };
        BufReader::new(stdout).read_line(&mut line)?;
        let said: Value = serde_json::from_str(&line)
            .map_err(|error| format!("the fake said {line:?}: {error}"))?;
        let variables = said["env"]
            .as_object()
            .ok_or_else(|| format!("the fake named no environment: {line}"))?;
        fake.environment = variables
            .iter()
            .map(|(name, value)| (name.clone(), text(value)))
            .collect();
        fake.environment
            .insert(format!("{}_MIN_INTERVAL_MS", server.prefix), "0".to_owned());
        Ok(fake)
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A string without its quotes; any other value as JSON.
pub(crate) fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
